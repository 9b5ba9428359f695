"""`python -m tests.upgrade --before CHECKOUT`: what an earlier version has rendered, rendered by this one; exit 1 if a law falls.

CHECKOUT is a worktree of that version with its own .venv. Every example, every state of each conformance case and random packages are
rendered by it and then by this version: the values and undo records are those that this version gives of the originals, every record has
its version, and another run changes nothing. The random packages are changed between the two as well.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from krm_values._data.diff import diff
from krm_values._data.pointer import ABSENT, get
from krm_values._krm import names
from krm_values._yaml import decode
from tests.cli.packages import snapshot, write
from tests.conformance import cases
from tests.conformance.__main__ import named
from tests.conformance.systems import SYSTEMS
from tests.net.inputs import random_package
from tests.restack.laws import revert_gone, write_changed
from tests.restack.packages import Package, changed, package

ROOT = Path(__file__).parents[2]
SERVE = """\
import json, sys
from tests.commands import called
for line in sys.stdin:
    asked = json.loads(line)
    done = called("krm-values", *asked["argv"], stdin=asked["stdin"].encode())
    print(json.dumps([done.code, done.stdout.decode(), done.stderr.decode()]), flush=True)
"""
NO_RECORDS = "tekton-params kept no undo records: what it wrote counts as the author's"
ONE_RECORD = "two steps wrote under one record: what the first of them wrote counts as the author's"
FUNCTIONS = [
    ["layered-values"],
    ["layered-values", "glasskube-values"],
    ["layered-values", "flux-values"],
    ["tekton-params"],
    ["tekton-params", "layered-values"],
]
DATA = ("Kptfile", ".yaml", ".yml", ".json")
Answer = tuple[int, str, str]


class Checkout:
    """A version of krm-values in a process of its own, which answers one command after another."""

    def __init__(self, root: Path, python: str) -> None:
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), "NO_COLOR": "1"}
        self._process = subprocess.Popen(
            [python, "-c", SERVE], cwd=root, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def ask(self, *argv: object, stdin: str = "") -> Answer:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps({"argv": list(map(str, argv)), "stdin": stdin}), file=self._process.stdin, flush=True)
        code, out, err = json.loads(self._process.stdout.readline())
        return code, out, err


class Comparison:
    """What was compared, and the laws that fell: each with the name of the input and what was found."""

    def __init__(self, before: Checkout, now: Checkout) -> None:
        self.before, self.now = before, now
        self.count: Counter[str] = Counter()
        self.falls: list[tuple[str, str]] = []

    def check(self, name: str, upgraded: Answer, expected: Answer, again: Answer | None, meant: str = "") -> None:
        """Compare what this version makes of what the earlier one left with what it makes of the originals.

        meant: why the earlier version has left something else; then what differs is only counted.
        """
        self.count["compared"] += 1
        found: list[str] = []
        if upgraded[0] != expected[0]:
            found = [f"exit {upgraded[0]}, expected {expected[0]}", upgraded[2], expected[2]]
        elif not expected[0] and upgraded[1] != expected[1]:
            found = _differences(upgraded[1], expected[1], records=meant != NO_RECORDS)
            self.count["have equal values and records, but other bytes"] += not found and not meant
        if not found and not upgraded[0] and "by hand" in upgraded[2] and "by hand" not in expected[2]:
            found = ["an edit by hand is seen", upgraded[2]]
        if meant and found:
            self.count[f"differ: {meant}"] += 1
            found = []
        if again and again[1] != upgraded[1]:
            found = [*found, "another run changes bytes", again[2]]
        if found:
            self.falls.append((name, "\n".join(found)))

    # Packages.

    def package(self, name: str, files: dict[str, str], work: Path, meant: str = "") -> bool:
        """Compare a package that the earlier version has rendered. Return whether it did."""
        if self._rendered(self.before, work / "old", files)[0]:
            self.count["packages that the earlier version refuses"] += 1
            return False
        self._compare_packages(name, work, files, meant)
        return True

    def changed(self, name: str, one: Package, chance: random.Random, work: Path, meant: str) -> None:
        """Compare a package that its author changes after the earlier version has rendered it."""
        what, after = changed(one, chance)
        self._rendered(self.before, work / "old", one.files())
        write_changed(work / "old", one.files(), after.files())
        revert_gone(work / "old", one, after)
        self._compare_packages(f"{name}, then {what}", work, after.files(), meant)

    def _compare_packages(self, name: str, work: Path, files: dict[str, str], meant: str) -> None:
        expected = self._rendered(self.now, work / "new", files)
        upgraded, again = (self._rendered(self.now, work / "old", {}) for _ in range(2))
        self.check(name, upgraded, expected, again, meant)

    def _rendered(self, version: Checkout, directory: Path, files: dict[str, str]) -> Answer:
        """Render the package, written anew if files are given; the files are the output."""
        if files:
            shutil.rmtree(directory, ignore_errors=True)
            write(directory, files)
        code, _, told = version.ask("render", "-v", directory)
        return code, json.dumps(snapshot(directory)), told.replace(str(directory), "")

    # Cases.

    def case(self, name: str, system: cases.System, case: dict[str, Any]) -> None:
        """Compare every state of a case: run by the earlier version up to it, and up to the one before."""
        programs = [f"--{program}={path}" for program, path in system.programs(case).items()]
        old = new = case["input"]
        config, called = case.get("config"), system.name(case)
        meant = NO_RECORDS if system.function(case) == "tekton-params" else ""
        for number, later in enumerate([{}, *case.get("then", [])]):
            config = later.get("config", config)
            called = system.name({**case, "name": called, **({"state": later} if number else {})})
            function, spec = system.function(case), {**system.config(case), **(config or {})}
            try:
                given = [_list(cases.changed(items, later), function, spec, called) for items in (old, new)]
            except (StopIteration, LookupError, ValueError):
                self.count["states whose change finds no place"] += 1
                return
            expected = self._ran(self.now, given[1], programs)
            if number:
                upgraded = self._ran(self.now, given[0], programs)
                self._compare_lists(f"{name}, changed to state {number}", upgraded, expected, programs, meant)
            before = self._ran(self.before, given[0], programs)
            if before[0]:
                self.count["states that the earlier version refuses"] += 1
                return
            again = self._ran(self.now, before[1], programs)
            self._compare_lists(f"{name}, state {number}", again, expected, programs, meant)
            if expected[0]:
                return
            old, new = cases.items_of(before[1]), cases.items_of(expected[1])

    def _compare_lists(self, name: str, upgraded: Answer, expected: Answer, programs: list[str], meant: str) -> None:
        again = None if upgraded[0] else self._ran(self.now, upgraded[1], programs)
        self.check(name, upgraded, expected, again, meant)

    def _ran(self, version: Checkout, text: str, programs: list[str]) -> Answer:
        code, out, told = version.ask("run", "-v", *programs, stdin=text)
        return code, re.split(r"(?m)^results:", out)[0], told


def _list(items: list[Any], function: str, spec: dict[str, Any], called: str) -> str:
    return cases.resource_list(items, function, spec, called).decode()


def _resources(text: str) -> dict[str, Any]:
    """The resources of a list, or of each file of a package."""
    if not text.startswith("{"):
        return {"": cases.items_of(text)}
    files = json.loads(text)
    return {path: _documents(content) if path.endswith(DATA) else [content] for path, content in files.items()}


def _documents(text: str) -> list[Any]:
    return [decode.data(one) for one in re.split(r"(?m)^---.*\n", text) if one.strip()]


def _differences(found: str, expected: str, *, records: bool) -> list[str]:
    """What differs, with undo records as data, so that the order of their keys does not count, or without them."""
    sides: list[Any] = [
        {path: [_opened(item, records=records) for item in items] for path, items in _resources(text).items()}
        for text in (found, expected)
    ]
    edits = [*diff(sides[1], sides[0])]
    return [
        f"{'/'.join(map(str, edit.path))}\n  expected {_get(sides[1], edit)}\n  has      {_get(sides[0], edit)}"
        for edit in edits
    ]


def _get(data: Any, edit: Any) -> str:
    found = get(data, edit.path, ABSENT)
    return "nothing" if found is ABSENT else json.dumps(found, default=str)


def _opened(item: Any, *, records: bool) -> Any:
    metadata = item.get("metadata") if isinstance(item, dict) else None
    if not isinstance(metadata, dict) or not isinstance(metadata.get("annotations"), dict):
        return item
    kept = {key: value for key, value in metadata["annotations"].items() if records or not key.startswith(names.RECORD)}
    opened = {key: json.loads(value) if key.startswith(names.RECORD) else value for key, value in kept.items()}
    rest = {key: value for key, value in metadata.items() if key != "annotations"}
    return {**item, "metadata": {**rest, "annotations": opened} if opened else rest}


def _example(path: Path) -> dict[str, str]:
    return {name: text for name, text in snapshot(path).items() if ".expected" not in name}


def _random(done: Comparison, seed: str, work: Path) -> bool:
    """Compare a random package, and that package after a change. Return whether the earlier version has rendered it."""
    chance = random.Random(seed)
    if chance.random() < 0.3:
        shutil.rmtree(work / "made", ignore_errors=True)
        random_package(work / "made", chance)
        return done.package(f"random {seed}", snapshot(work / "made"), work)
    one = package(chance, chance.choice(FUNCTIONS))
    meant = NO_RECORDS if "tekton-params" in one.functions else ONE_RECORD if _shares_a_record(one) else ""
    if not done.package(f"random {seed}", one.files(), work, meant):
        return False
    done.changed(f"random {seed}", one, chance, work, meant)
    return True


def _shares_a_record(one: Package) -> bool:
    """Whether steps have the same name in version 2: that of the config of layered-values, of other functions the function alone."""
    records = [step["name"] if step["function"] == "layered-values" else step["function"] for step in one.steps]
    return len(set(records)) < len(records)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.upgrade", description=__doc__)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500, help="random packages that CHECKOUT renders")
    parser.add_argument("--seed", default=str(secrets.randbelow(1_000_000)))
    parser.add_argument("--only", help="the seed of one random package, or words of the names of examples and cases")
    parser.add_argument("--show", type=int, default=12, help="falls that are described")
    options = parser.parse_args()
    before = options.before.resolve()
    done = Comparison(Checkout(before, str(before / ".venv/bin/python")), Checkout(ROOT, sys.executable))
    wanted = options.only or ""
    with tempfile.TemporaryDirectory(prefix="upgrade-") as folder:
        work = Path(folder)
        for path in sorted((ROOT / "examples").glob("*/*/Kptfile")):
            name = "/".join(path.parts[-3:-1])
            if wanted in name:
                done.package(name, _example(path.parent), work)
        for file in sorted((ROOT / "tests/conformance").glob("*.yaml")):
            system = SYSTEMS[named(file)]
            for case in cases.of(system, file):
                if not system.unmet(case) and wanted in f"{file.name}::{case['id']}":
                    done.case(f"{file.name}::{case['id']}", system, case)
        if wanted.partition("-")[0].isdigit():
            _random(done, wanted, work)
        left, number = 0 if wanted else options.count, 0
        while left > 0:
            seed = f"{options.seed}-{number}"
            left -= _random(done, seed, work)
            number += 1
    for name, text in done.falls[: options.show]:
        print(f"--- {name}\n{text}")
    for what, number in sorted(done.count.items()):
        print(f"{number} {what}")
    print(f"seed {options.seed}: {len(done.falls)} fell" + "".join(f"\n  {name}" for name, _ in done.falls))
    return int(bool(done.falls))


if __name__ == "__main__":
    sys.exit(main())
