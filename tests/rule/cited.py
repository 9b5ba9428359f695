"""Which lines cite a rule: in words (`rules 44 to 46`), in brackets (`[D16]`), or as the argument that names a finding's rule (`"73"`)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

_NUMBER = r"[DS]?[1-9]\d{0,2}[a-z]?(?:\.\d)?"
_ALONE = re.compile(_NUMBER)
_LETTERED = re.compile(r"\[([DS]\d{1,3}[a-z]?)\]")
_BRACKETED = re.compile(rf"\[({_NUMBER})\]")
_IN_WORDS = re.compile(rf"\brules? ((?:{_NUMBER})(?:(?:, | and | or | to )(?:{_NUMBER}))*)")
_TABLE = re.compile(rf"^[ {{-]*rules?: \[?({_NUMBER}(?:, {_NUMBER})*)")
_SEVERITIES = {"error", "warning", "info"}
_OF_STRINGS = {"count", "endswith", "find", "get", "index", "join", "partition", "replace", "rpartition", "split", "startswith"}


def cited(text: str) -> set[str]:
    """Return the rules that prose cites, in words or in brackets."""
    found = set(_LETTERED.findall(text))
    for words in _IN_WORDS.findall(text):
        found |= set(_listed(words))
    return found


def places(files: Iterable[Path], rule: str) -> list[tuple[Path, int, str]]:
    """Return (file, line from 1, text) of every line that cites a rule."""
    return [
        (path, number, path.read_text("utf-8").splitlines()[number - 1].strip())
        for path in files
        for number in sorted(_lines(path).get(rule, ()))
    ]


def numbers(path: Path) -> set[str]:
    """Return the rules that a file cites."""
    return set(_lines(path))


@cache
def _lines(path: Path) -> dict[str, set[int]]:
    """Return the lines of a file that cite each rule."""
    text = path.read_text("utf-8")
    found: dict[str, set[int]] = {}
    for number, rules in _of_module(text) if path.suffix == ".py" else _of_table(text):
        for rule in rules:
            found.setdefault(rule, set()).add(number)
    return found


def _of_table(text: str) -> Iterator[tuple[int, set[str]]]:
    """Yield what each line of a table of cases cites: a field `rule`, and comments."""
    for number, line in enumerate(text.splitlines(), 1):
        field = _TABLE.match(line)
        yield number, cited(line) | (set(field[1].split(", ")) if field else set())


def _of_module(text: str) -> Iterator[tuple[int, set[str]]]:
    """Yield what each string and comment of a module cites. A number alone counts where it can only be a rule."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            for offset, line in enumerate(token.string.splitlines()):
                yield token.start[0] + offset, cited(line)
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and (docstring := ast.get_docstring(node)):
            yield node.body[0].lineno, set(_BRACKETED.findall(docstring))
    tables = {ast.unparse(node.targets[0]): node.value for node in tree.body if isinstance(node, ast.Assign)}
    for node in ast.walk(tree):
        for constant in _rules_of(node, tables):
            yield constant.lineno, {constant.value}


def _rules_of(node: ast.AST, tables: dict[str, ast.expr]) -> Iterator[ast.Constant]:
    """Yield the numbers in a node that are rules by their place in it."""
    if isinstance(node, ast.Call):
        yield from _of_call(node, tables)
    elif isinstance(node, ast.Tuple | ast.List):
        severity = next(
            (at for at, one in enumerate(node.elts) if isinstance(one, ast.Constant) and one.value in _SEVERITIES), None
        )
        yield from _alone(node.elts[severity + 1 :] if severity is not None else [])
    elif isinstance(node, ast.Compare) and _speaks_of_rules(node):
        yield from _alone(ast.walk(node))
    elif isinstance(node, ast.keyword | ast.Assign) and "rule" in _name_of(node).lower():
        yield from _alone(ast.walk(node.value))
    elif isinstance(node, ast.FunctionDef):
        named = zip(reversed(node.args.args), reversed(node.args.defaults), strict=False)
        yield from _alone(default for argument, default in named if "rule" in argument.arg)


def _of_call(call: ast.Call, tables: dict[str, ast.expr]) -> Iterator[ast.Constant]:
    """Yield the rules among the arguments of a call; of `parametrize`, the column called `rule`."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if called == "parametrize":
        yield from _of_column(call, tables)
    elif called not in _OF_STRINGS:
        yield from _alone(call.args)


def _of_column(call: ast.Call, tables: dict[str, ast.expr]) -> Iterator[ast.Constant]:
    given = ast.literal_eval(call.args[0])
    titles = given.split(",") if isinstance(given, str) else given
    columns = [at for at, title in enumerate(titles) if "rule" in title or "code" in title]
    rows = call.args[1]
    table = tables.get(rows.id, rows) if isinstance(rows, ast.Name) else rows
    for row in table.elts if isinstance(table, ast.List | ast.Tuple) else ():
        for at in columns:
            cell = row.elts[at] if isinstance(row, ast.Tuple) and at < len(row.elts) else row
            yield from _alone(ast.walk(cell))


def _name_of(node: ast.keyword | ast.Assign) -> str:
    return node.arg or "" if isinstance(node, ast.keyword) else ast.unparse(node.targets[0])


def _speaks_of_rules(node: ast.AST) -> bool:
    return "rule" in ast.unparse(node).lower()


def _alone(found: Iterable[ast.AST]) -> Iterator[ast.Constant]:
    for one in found:
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and _ALONE.fullmatch(one.value):
            yield one


def _listed(words: str) -> Iterable[str]:
    before, joint = "", ""
    for part in re.split(r"(, | and | or | to )", words):
        if part.strip() in (",", "and", "or", "to"):
            joint = part.strip()
        else:
            if joint == "to" and before.isdigit() and part.isdigit():
                yield from map(str, range(int(before) + 1, int(part)))
            yield part
            before, joint = part, ""
