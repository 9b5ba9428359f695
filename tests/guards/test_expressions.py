"""Every regular expression takes time in proportion to the text, on texts made of what it matches."""

from __future__ import annotations

import ast
import functools
import importlib
import itertools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from krm_values._krm import resourcelist
from krm_values.cartographer_params import owner
from tests.guards.sites import PACKAGE
from tests.limited import HANG, ends

ROOT = PACKAGE.parents[1]
SIZES = 24, 50, 400, 4_000
LONG = 400_000
"""Characters that a linear match takes in less than a second, a quadratic one in minutes."""
REPEATED = 4

PROBE = """
import re, sys, time
pattern, flags, ways, sizes, long = eval(sys.stdin.read())
compiled = re.compile(pattern, flags)
from tests.guards.pumping import texts
def matched(way, text):
    began = time.process_time()
    found = getattr(compiled, way)(text)
    sum(1 for _ in found) if way == "finditer" else found
    return time.process_time() - began
for size in sizes:
    print(size, flush=True)
    slow = sorted(((matched(way, text), number, way) for number, text in enumerate(texts(pattern, size)) for way in ways), reverse=True)[:2]
for number, text in enumerate(texts(pattern, long)):
    for way in [way for _, each, way in slow if each == number]:
        print(way, ascii(text[:40]), flush=True)
        matched(way, text)
"""


def expressions() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """Return the expressions of every module, including those in tables and classes and those written where they are used."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        for title, value in vars(module).items():
            if getattr(value, "__module__", name) == name or not isinstance(value, type):
                yield from ((f"{name}.{title}", found) for found in _inside(value))
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "re." in text else ():
            if isinstance(node, ast.Call) and node.args and _makes(node.func):
                yield from ((f"{name}.{title}", re.compile(found)) for title, found in _written(node.args[0], vars(module)))


def _written(argument: ast.expr, names: dict[str, Any]) -> Iterator[tuple[str, str | bytes]]:
    """Yield the expressions that the first argument of a call may be, with their names: one in a variable, or one of a table there."""
    holder = argument.value if isinstance(argument, ast.Subscript) else argument
    if isinstance(holder, ast.Name):
        found = names.get(holder.id)
        entries = found.values() if isinstance(found, dict) else (found,)
        yield from ((holder.id, one) for one in entries if isinstance(one, str | bytes))
        return
    try:
        written = ast.literal_eval(argument)
    except ValueError:
        return  # it is put together of parts that are
    yield written, written


def _makes(called: ast.expr) -> bool:
    """Return whether a call is written as `re.…`."""
    while isinstance(called, ast.Attribute | ast.Call):
        called = called.value if isinstance(called, ast.Attribute) else called.func
    return isinstance(called, ast.Name) and called.id == "re"


def _inside(value: object, depth: int = 0) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict) and depth < REPEATED:
        yield from itertools.chain.from_iterable(_inside(each, depth + 1) for each in (*value, *value.values()))
    elif isinstance(value, tuple | list | set | frozenset) and depth < REPEATED:
        yield from itertools.chain.from_iterable(_inside(each, depth + 1) for each in value)
    elif isinstance(value, type) and depth < 1:
        yield from itertools.chain.from_iterable(_inside(each, depth + 1) for each in vars(value).values())


def found() -> dict[str, tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """Return each expression with its first name: that of its module, else of the place where it is written."""
    known: dict[str, tuple[str, re.Pattern[str] | re.Pattern[bytes]]] = {}
    for title, pattern in expressions():
        known.setdefault(repr(pattern.pattern), (title, pattern))
    return known


FOUND = found()


@functools.cache
def uses() -> dict[tuple[str, str], set[str]]:
    """Return what is asked of each name: of one that begins with an underscore, by its file."""
    known: dict[tuple[str, str], set[str]] = {}
    for source in PACKAGE.rglob("*.py"):
        for one in ast.walk(ast.parse(source.read_text("utf-8"))):
            if isinstance(one, ast.Attribute):
                name, asked = _last(one.value), one.attr
            elif isinstance(one, ast.Call) and one.args and _makes(one.func) and isinstance(one.func, ast.Attribute):
                name, asked = _last(one.args[0]), one.func.attr  # `re.fullmatch(_NAME, text)`
            else:
                continue
            known.setdefault((source.stem if name.startswith("_") else "", name), set()).add(asked)
    return known


def _last(node: ast.expr) -> str:
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
    return ast.unparse(node).rpartition(".")[2]


def ways(title: str) -> tuple[str, ...]:
    """Return how an expression is used: one that is matched at its place, or as a whole, is not tried at every place of a text."""
    module, _, name = title.rpartition(".")
    asked = uses().get((module.rpartition(".")[2] if name.startswith("_") else "", name), set())
    if asked and asked <= {"fullmatch", "match"}:
        return tuple(sorted(asked))
    return ("match", "fullmatch", "finditer")


@pytest.mark.parametrize("key", FOUND)
def test_an_expression_takes_linear_time(key):
    """In a process of its own, since nothing interrupts a match: what took longest at each size, with a text a hundred times as long, hangs if it is worse."""
    title, found = FOUND[key]
    task = repr((found.pattern, found.flags & ~re.UNICODE.value, ways(title), SIZES, LONG))
    paths = [str(ROOT), str(Path(PACKAGE).parent)]
    program = f"import sys; sys.path[:0] = {paths}\n{PROBE}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program],
        input=task,
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG,
        cwd=ROOT,
    )
    assert done.returncode == 0, f"{title}: {found.pattern!r}: {done.stderr}"


def _possessive_groups(parsed: Any) -> Iterator[Any]:
    """Yield what `*+`, `++` or `?+` repeats, unless it is one character."""
    for operator, argument in parsed:
        if operator is sre.POSSESSIVE_REPEAT and argument[2][0][0] not in (sre.IN, sre.LITERAL, sre.NOT_LITERAL, sre.ANY):
            yield argument[2]
        for inner in argument if isinstance(argument, tuple | list) else ():
            if isinstance(inner, parser.SubPattern):
                yield from _possessive_groups(inner)
            elif isinstance(inner, list):
                yield from itertools.chain.from_iterable(map(_possessive_groups, inner))


def test_no_group_is_possessive():
    """Python 3.11.0 to 3.11.4, which Debian 12 has, matches `(?:x|y)*+` wrongly, and `(?>(?:x|y)*)` right."""
    assert [*_possessive_groups(parser.parse("a(?:b|cd)*+"))] != []
    assert [*_possessive_groups(parser.parse("a(?>(?:b|cd)*)[de]*+f++"))] == []
    assert {
        title: pattern.pattern
        for title, pattern in FOUND.values()
        if [*_possessive_groups(parser.parse(pattern.pattern, pattern.flags))]
    } == {}


@pytest.mark.parametrize("lines", [50, 100_000])
@pytest.mark.parametrize("head", ["items: &a", "items: !!seq", "items: &a !!seq", "items: # a list"])
def test_empty_lines_that_end_as_on_windows_are_read_at_once(lines, head):
    """Each could be one line break or two, so that ever longer files took twice as long per line."""
    blank = "\n" * lines
    text = f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n{head}\n{blank}- apiVersion: v1\n  kind: A\n"

    def read() -> None:
        assert [item.kind for item in resourcelist.read(text.replace("\n", "\r\n").encode()).items] == ["A"]

    assert ends(read)


def test_zeros_of_a_quantity_are_counted_at_once():
    def counted() -> None:
        assert [owner.canonical_quantity("0" * size + "x") for size in (100, 1_000_000)] == [None, None]
        assert owner.canonical_quantity("0" * 1_000_000 + "1024Mi") == "1Gi"

    assert ends(counted)
