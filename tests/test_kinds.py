"""Each kind of finding has an entry, each entry a kind, and the example of an entry is what a conformance case prints."""

from __future__ import annotations

import ast
import functools
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from krm_values._krm import findings, names
from krm_values._krm.plan import Finding
from krm_values._run import kinds, registry, report
from tests import kinds as kinds_of
from tests.cli.packages import command
from tests.conformance import cases
from tests.conformance.__main__ import named, not_run
from tests.conformance.systems import SYSTEMS

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "functions/krm_values"
ENTRIES = list(kinds.every())
NAMED = {(entry.owner, entry.kind) for entry in ENTRIES}
KIND = re.compile(r"[a-z][A-Za-z]*(-[A-Za-z]+)*")
FORM = re.compile(
    r"(?s)\S.*?\n\n- input: (?P<input>[^\n]+)\n- message: ``(?P<message>(?:error|warning|info): [^\n]+?) ?``\n- fix: [^\n]+\n"
)
MADE = {"error": 0, "warning": 0, "info": 0, "Finding": 1, "FieldError": 0, "Fault": 1}
"""Where the calls that make a finding, or an error that becomes one, take its kind."""
COMPOSED = {"text-": "_run/texts.py", "missing-": "tekton_params/objects.py"}
"""Beginnings of kinds that end with a word of the input, and the module that puts them together."""


def test_an_entry_has_a_text_an_example_and_a_fix():
    assert [entry.title for entry in ENTRIES if not FORM.fullmatch(entry.text)] == []


def test_a_file_has_a_kind_once_and_no_kind_is_called_like_a_function():
    assert len(NAMED) == len(ENTRIES)
    assert not {entry.kind for entry in ENTRIES} & {*registry.functions()}


def test_no_kind_of_the_sources_is_without_an_entry():
    found = {(package, kind) for package, tree in _trees() for kind in _kinds(package, tree)}
    assert len(found) > 250
    assert [f"{package}: {kind}" for package, kind in sorted(found) if not _has_entry(package, kind)] == []


def test_no_entry_is_without_a_kind_in_the_sources():
    words: dict[str, set[str]] = defaultdict(set)
    for package, tree in _trees():
        words["" if package.startswith("_") else names.argument(package)] |= _strings(tree)
    for beginning, module in COMPOSED.items():
        (text,) = re.findall(rf'f"{beginning}\{{(\w+)\}}"', (SOURCES / module).read_text("utf-8"))
        owner = "" if module.startswith("_") else names.argument(module.partition("/")[0])
        words[owner] |= {beginning + word for word in words[""] | words[owner]}
        assert text in ("kind", "key")
    missing = [entry for entry in ENTRIES if entry.kind not in words[entry.owner] | words[""]]
    assert [entry.title for entry in missing] == []


@pytest.mark.parametrize("file", kinds_of.FILES, ids=lambda file: file.stem)
def test_an_input_provokes_its_kind(file, tmp_path):
    """With the message of its entry."""
    owner = "" if file.stem == "all" else file.stem
    wrong = {}
    for one in kinds_of.documents(file):
        kind = one["kind"]
        (entry,) = [each for each in kinds.entries(kind) if each.owner == owner]
        lines = kinds_of.told(owner, one, tmp_path / kind)
        if not any(found in (kind, "") and _message(entry).search(line) for found, line in lines):
            wrong[kind] = [entry.text, *lines]
    assert wrong == {}


def test_an_example_is_what_a_case_prints():
    """Where a function's entry stands beside one of all functions on the same kind, one of the two fits. Of the others there is an input."""
    printed: dict[tuple[str, str], set[str]] = defaultdict(set)
    for function, finding in _provoked():
        for owner in ("", function):
            printed[owner, finding.kind].add(findings.line(finding))
    assert [kind for owner, kind in printed if owner and not {("", kind), (owner, kind)} & NAMED] == []
    unfit = {}
    for entry in ENTRIES:
        lines = printed.get((entry.owner, entry.kind), set())
        patterns = [_message(each) for each in kinds.entries(entry.kind) if each.owner in ("", entry.owner)]
        if lines and not any(pattern.search(line) for pattern in patterns for line in lines):
            unfit[entry.title] = sorted(lines)[:3]
    assert unfit == {}
    given = {
        ("" if file.stem == "all" else file.stem, one["kind"]) for file in kinds_of.FILES for one in kinds_of.documents(file)
    }
    assert sorted(NAMED - given - printed.keys()) == []


def test_docs_prints_every_entry_on_a_kind():
    done = command("docs", "text-boolean")
    assert re.findall("^# .*", done.stdout, re.MULTILINE) == [
        "# text-boolean, a finding of all functions",
        "# text-boolean, a finding of glasskube-values",
    ]
    assert "\n- fix: " in done.stdout


def test_docs_names_the_nearest_kind():
    done = command("docs", "unknwn-key")
    assert (done.returncode, done.stderr) == (
        2,
        'error: no function and no kind of finding is called "unknwn-key"; did you mean "unknown-key"?\n',
    )


def test_sarif_has_the_entry_as_the_help_of_its_rule():
    found = [(Finding("error", kind, "1", "a"), "") for kind in ("text-digits", "of-nobody")]
    known, unknown = json.loads(report.sarif(found))["runs"][0]["tool"]["driver"]["rules"]
    assert known["shortDescription"]["text"].startswith("A plain number inside of a text loses digits when it is read: ")
    assert known["help"]["markdown"] == command("docs", "text-digits").stdout == known["help"]["text"]
    assert unknown == {"id": "of-nobody"}


def test_the_short_description_of_each_rule_is_a_whole_sentence():
    for rule in kinds.sarif_rules([entry.kind for entry in ENTRIES]):
        text = rule["shortDescription"]["text"]
        assert text.endswith(".")
        assert text.count("`") % 2 == 0


def _provoked() -> Iterator[tuple[str, Finding]]:
    """Each finding of each case of `tests/conformance`, with the function that reports it."""
    for file in sorted((ROOT / "tests/conformance").glob("*.yaml")):
        system = SYSTEMS[named(file)]
        for case in cases.of(system, file):
            for _, state in () if not_run(system, case) or system.unmet(case) else cases.run(system, case):
                yield from ((state.function, finding) for finding in state.outcome.findings)


def _message(entry: kinds.Entry) -> re.Pattern[str]:
    """The message of an entry as a pattern: place and resource may stand before it, `...` in it is any text."""
    severity, _, text = FORM.fullmatch(entry.text)["message"].partition(": ")
    return re.compile(f"^{severity}: .*{'.*'.join(map(re.escape, text.split('...')))}")


@functools.cache
def _trees() -> list[tuple[str, ast.Module]]:
    """Each module's folder below krm_values, and what it is parsed to."""
    return [(path.relative_to(SOURCES).parts[0], ast.parse(path.read_text("utf-8"))) for path in SOURCES.rglob("*.py")]


def _strings(tree: ast.Module) -> set[str]:
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def _has_entry(package: str, kind: str) -> bool:
    owner = names.argument(package)
    return ("", kind) in NAMED or (owner, kind) in NAMED or (package.startswith("_") and any(kind == one for _, one in NAMED))


def _kinds(package: str, tree: ast.Module) -> Iterator[str]:
    """The kinds that calls of a module name, by a literal or a constant."""
    for name, call in _calls(tree):
        for index in _sinks()[package].get(name, set()) | _sinks()[""].get(name, set()):
            for value in _given(call, index):
                yield from filter(KIND.fullmatch, _values(package, value))


def _calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a function or module, with the name that is called."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
                yield name, node


def _given(call: ast.Call, index: int) -> list[ast.expr]:
    return [*call.args[index : index + 1], *(each.value for each in call.keywords if each.arg == "kind")]


def _values(package: str, node: ast.expr) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return [*(_constants()[package].get(name) or _constants()[""].get(name, ()))]
        case ast.IfExp(body=one, orelse=other):
            return [*_values(package, one), *_values(package, other)]
    return []


@functools.cache
def _constants() -> dict[str, dict[str, set[str]]]:
    """The strings that names are given, by package, and below "" by all."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for package, tree in _trees():
        for node in ast.walk(tree):
            for target, value in _assigned(node):
                if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                    found[package][target.id].add(value.value)
                    found[""][target.id].add(value.value)
    return found


def _assigned(node: ast.AST) -> list[tuple[ast.expr, ast.expr | None]]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            return [*zip(names, values, strict=False)]
        case ast.Assign(targets=[name], value=value) | ast.AnnAssign(target=name, value=value):
            return [(name, value)]
    return []


@functools.cache
def _sinks() -> dict[str, dict[str, set[int]]]:
    """Where functions take a kind: those of `MADE`, and whoever hands a parameter on to one of them. By package; below "" for all."""
    found: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    found[""] = defaultdict(set, {name: {index} for name, index in MADE.items()})
    defined = [(package, *one) for package, tree in _trees() for one in _functions(tree)]
    size = -1
    while size != (size := sum(len(taken) for names in found.values() for taken in names.values())):
        for package, function, parameters, calls in defined:
            for name, call in calls:
                for index in found[package].get(name, set()) | found[""].get(name, set()):
                    for value in _given(call, index):
                        if isinstance(value, ast.Name) and value.id in parameters:
                            found["" if package.startswith("_") else package][function].add(parameters.index(value.id))
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[str, list[str], list[tuple[str, ast.Call]]]]:
    """Name, parameters and calls of each function that has parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.args and node.name != "__init__":
            yield node.name, [each.arg for each in node.args.args if each.arg not in ("self", "cls")], [*_calls(node)]
