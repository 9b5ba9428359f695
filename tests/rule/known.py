"""The rules of each function: `rules.py`, the manual, the cases, and why a rule has no case."""

from __future__ import annotations

import ast
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import yaml

from krm_values._kit.planner import names
from krm_values._kit.process import registry

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "functions" / "krm_values"
CASES = {"flux-values": "giantswarm", "layered-values": "layers"}
"""The names of the files of cases that are not the first word of the function's."""
KIT_TESTS = dict.fromkeys(("flux-values", "giantswarm-config"), (ROOT / "tests" / "kit" / "test_layers.py",))
"""Tests of the kit that cite rules, by the functions whose rules they are. Other tests of the kit and the command line cite none."""


def function(word: str) -> str:
    """Return the function that a word names: its name, or the beginning of it. LookupError if it is not exactly one."""
    found = [name for name in registry.functions() if name == names.argument(word) or name.startswith(f"{word}-")]
    if len(found) != 1:
        raise LookupError(f"no function is called {word}: {', '.join(registry.functions())}")
    return found[0]


def rules(name: str) -> dict[str, tuple[str, str]]:
    """Return (subject, heading of the manual) of each rule; none for a function without `rules.py`."""
    if not (manual(name).parent / "rules.py").exists():
        return {}
    found: dict[str, tuple[str, str]] = import_module(f"krm_values.{names.module(name)}.rules").RULES
    return found


def without_case(name: str) -> dict[str, str]:
    """Return why a rule has neither a case nor a test that cites it."""
    if not (ROOT / "tests" / "rule" / f"{names.module(name)}.py").exists():
        return {}
    found: dict[str, str] = import_module(f"tests.rule.{names.module(name)}").WITHOUT_CASE
    return found


def manual(name: str) -> Path:
    return PACKAGE / names.module(name) / "README.md"


def headings(name: str) -> dict[str, int]:
    """Return the headings of a manual and their lines."""
    lines = manual(name).read_text("utf-8").splitlines()
    return {line.lstrip("#").strip(): number for number, line in enumerate(lines, 1) if line.startswith("#")}


def sources(name: str) -> list[Path]:
    """Return the code of a function, except the rules themselves."""
    return sorted(path for path in manual(name).parent.rglob("*.py") if path.name != "rules.py")


def tests(name: str) -> list[Path]:
    """Return the tests and the tables of cases of a function, and the tests of the kit that cite its rules."""
    own = ROOT / "tests" / "functions" / names.module(name)
    tables = (own / "cases").glob("*.yaml")
    reference = (ROOT / "tests" / "reference").glob(f"{name.partition('-')[0]}*/test_*.py")
    return sorted([*own.rglob("*.py"), *tables, *KIT_TESTS.get(name, ()), *reference])


@lru_cache
def cases(name: str) -> dict[str, list[tuple[Path, int, str]]]:
    """Return, by rule, file, line and id of each case that names it."""
    system = CASES.get(name, name.split("-", maxsplit=1)[0])
    found: dict[str, list[tuple[Path, int, str]]] = {}
    for path in sorted((ROOT / "tests" / "conformance").glob(f"{system}*.yaml")):
        for case, line in _documents(path):
            if _is_of(name, case):
                for rule in case.get("rule", ()):
                    found.setdefault(str(rule), []).append((path, line, case["id"]))
    return found


def _is_of(name: str, case: dict[str, Any]) -> bool:
    return (case.get("feature") == "flux") == (name == "flux-values") or CASES.get(name, "") == "layers"


def _documents(path: Path) -> list[tuple[dict[str, Any], int]]:
    """Return the cases of a file, each with the line of its id."""
    text = path.read_text("utf-8")
    lines = {line[4:].strip(): number for number, line in enumerate(text.splitlines(), 1) if line.startswith("id: ")}
    found = [case for case in yaml.load_all(text, yaml.CSafeLoader) if case]
    return [(case, lines.get(case["id"], 1)) for case in found]


def test_of(path: Path, line: int) -> str:
    """Return the test that contains a line of a file, "" if none does."""
    if path.suffix != ".py":
        return ""
    defined = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    return next((node.name for node in defined if node.lineno <= line <= (node.end_lineno or 0)), "")
