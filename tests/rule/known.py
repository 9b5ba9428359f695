"""The rules of docs/rules, and what of the repository belongs to each function: manual, code, cases and tests."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from krm_values._krm import names
from krm_values._run import registry

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "functions" / "krm_values"
RULES = ROOT / "docs" / "rules"
CASES = {"flux-values": "giantswarm"}
"""Functions whose cases are in a file of another system's name."""
KIT_TESTS = dict.fromkeys(("flux-values", "giantswarm-config"), (ROOT / "tests" / "kit" / "test_layers.py",))
"""Tests of the kit that cite rules, by the functions whose rules they are. Other tests of the kit and the command line cite none."""
NUMBER = r"[DS]?[1-9]\d{0,2}(?:\.\d)?"
_BEGIN = re.compile(rf"\*\*({NUMBER})\. (.+?)\.\*\*(?: \(\[(.+?)\]\))?")


@dataclass(frozen=True)
class Rule:
    """A rule as docs/rules has it. `chapter`: the heading of the manual that shows its effect, "" for a rule of all functions."""

    path: Path
    line: int
    number: str
    title: str
    chapter: str
    text: str


def function(word: str) -> str:
    """Return the function that a word names: its name, its system's, or its first word. LookupError if it is not exactly one."""
    found = [name for name in registry.functions() if word in (name, names.module(name), system(name), name.split("-")[0])]
    if len(found) != 1:
        known = ", ".join(f"{name} ({system(name)})" for name in registry.functions())
        raise LookupError(f"no function or system is called {word}: {known}")
    return found[0]


def system(name: str) -> str:
    """Return the name of a function's file of rules."""
    return "layers" if name == "layered-values" else name.split("-", maxsplit=1)[0]


def files(name: str) -> list[Path]:
    """Return the files with a function's rules: its own first; the two that share a series of numbers; those of all functions."""
    series = ["giantswarm", "flux"]
    own = sorted(series, key=lambda one: one != system(name)) if system(name) in series else [system(name)]
    return [path for one in (*own, "all") if (path := RULES / f"{one}.md").exists()]


def own(name: str) -> dict[str, Rule]:
    """Return what a function's own file of rules has; nothing where a function has none."""
    path = RULES / f"{system(name)}.md"
    return read(path) if path.exists() else {}


def rules(name: str) -> dict[str, Rule]:
    """Return what the files with a function's rules have, by number."""
    return {number: rule for path in files(name) for number, rule in read(path).items()}


@lru_cache
def read(path: Path) -> dict[str, Rule]:
    """Return the rules of a file. ValueError for a number that is there twice."""
    lines = path.read_text("utf-8").splitlines()
    begins = [(at, match) for at, line in enumerate(lines) if (match := _BEGIN.match(line))]
    found = {match[1]: _rule(path, lines, at, match) for at, match in begins}
    if len(found) != len(begins):
        raise ValueError(f"{path.name} has a number twice")
    return found


def _rule(path: Path, lines: list[str], begin: int, match: re.Match[str]) -> Rule:
    """Return the rule that begins at a line: up to the next rule, heading, or definition of a link."""
    end = begin + 1
    while end < len(lines) and not re.match(rf"#|\[[^\]]+\]: |\*\*(?:{NUMBER}\. |[A-Z])", lines[end]):
        end += 1
    text = "\n".join([lines[begin][match.end() :], *lines[begin + 1 : end]]).strip()
    return Rule(path, begin + 1, match[1], match[2], match[3] or "", text)


def manual(name: str) -> Path:
    return PACKAGE / names.module(name) / "README.md"


def headings(name: str) -> dict[str, int]:
    """Return the headings of a manual and their lines."""
    lines = manual(name).read_text("utf-8").splitlines()
    return {line.lstrip("#").strip(): number for number, line in enumerate(lines, 1) if line.startswith("#")}


def sources(name: str) -> list[Path]:
    """Return the code of a function."""
    return sorted(manual(name).parent.rglob("*.py"))


def tests(name: str) -> list[Path]:
    """Return the tests and the tables of cases of a function, and the tests of the kit that cite its rules."""
    own = ROOT / "tests" / "functions" / names.module(name)
    tables = (own / "cases").glob("*.yaml")
    reference = (ROOT / "tests" / "reference").glob(f"{name.partition('-')[0]}*/test_*.py")
    return sorted([*own.rglob("*.py"), *tables, *KIT_TESTS.get(name, ()), *reference])


@lru_cache
def cases(name: str) -> dict[str, list[tuple[Path, int, str]]]:
    """Return, by rule, file, line and id of each case that names it."""
    found: dict[str, list[tuple[Path, int, str]]] = {}
    for path in sorted((ROOT / "tests" / "conformance").glob(f"{CASES.get(name, system(name))}*.yaml")):
        for case, line in _documents(path):
            if (case.get("feature") == "flux") == (name == "flux-values"):
                for rule in case.get("rule", ()):
                    found.setdefault(str(rule), []).append((path, line, case["id"]))
    return found


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
