"""`impact PLACE=VALUE` says what `compare` says of a package that was really edited, and nothing if VALUE is there already."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.cli.packages import command, write
from tests.cli.test_ways import EXAMPLES, STORIES
from tests.ledger.packages import of_any_function
from tests.strict_json import loads

from krm_values._yaml import decode

CASES = 30
"""The packages of conformance cases that are tried."""
SCALAR = re.compile(r"( *(?:- |[\w.]+: ))([\w./:-]*[\w./-])")


def other(text: str) -> str:
    """Another scalar of the same type."""
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    return str(int(text) + 1) if text.isdigit() and not text.startswith("0") else f"{text}x"


def key(one: dict[str, Any]) -> tuple[object, ...]:
    return json.dumps(one.get("resource")), one.get("path"), one.get("inner"), one["change"]


def told(found: dict[str, Any], new: str) -> dict[tuple[object, ...], str]:
    """The differences without the edit itself and the causes: at its place only another value is one. Lines are the same: an edit keeps their number."""
    value = decode.data(new)
    edited = {key(one)[:3] for one in found["changed"]}
    elements = [
        key(one)[:2] for one in found["changed"] if one["change"] in ("added", "removed") and one.get("path", "").endswith("]")
    ]
    objects = {json.dumps(one.get("resource")) for one in found["changed"] if "path" not in one}

    def is_edit(one: dict[str, Any]) -> bool:
        after = one.get("after", {})
        is_own = after.get("winner", {"layer": "resource"})["layer"] == "resource"
        is_within = any((at[0], at[1]) == (key(one)[0], one.get("path", "")[: len(at[1])]) for at in elements)
        return (key(one)[:3] in edited or is_within) and (is_own or after.get("value", value) == value)

    return {
        key(one): json.dumps({name: one.get(name) for name in ("before", "after")})
        for one in found["differences"]
        if not is_edit(one) and (objects.isdisjoint([key(one)[0]]) or "path" in one)
    }


def scalars(package: Path) -> list[tuple[Path, int, str, str]]:
    """Every scalar that stands alone behind a key or a dash: file, line, what is before it, and its text."""
    return [
        (path.relative_to(package), number, *found.groups())
        for path in sorted(package.rglob("*.yaml"))
        for number, text in enumerate(path.read_text("utf-8").split("\n"), 1)
        if (found := SCALAR.fullmatch(text))
    ]


@pytest.mark.parametrize("story", STORIES)
def test_the_impact_of_a_value_is_that_of_the_edit(story, tmp_path):
    ask(story, tmp_path, seed=story, edits=2)


@pytest.mark.parametrize("story", STORIES)
def test_the_impact_of_many_values_is_that_of_the_edit(story, tmp_path):
    ask(story, tmp_path, seed=f"more {story}", edits=60)


@pytest.mark.parametrize("number", range(CASES))
def test_the_impact_in_packages_of_all_functions_is_that_of_the_edit(number, tmp_path):
    seed = f"impact {number}"
    before = write(tmp_path / "before", of_any_function(random.Random(seed)))
    if command("explain", before, "--json").returncode == 0:
        asked_of(before, tmp_path, seed, edits=6)


def ask(story: str, tmp_path: Path, seed: str, edits: int) -> None:
    before = Path(shutil.copytree(EXAMPLES / story, tmp_path / "before", ignore=shutil.ignore_patterns(".expected")))
    assert asked_of(before, tmp_path, seed, edits)


def asked_of(before: Path, tmp_path: Path, seed: str, edits: int) -> int:
    """Ask for other values of random places, until so many could be asked. Return how many were."""
    found, done = scalars(before), 0
    for file, number, head, old in random.Random(seed).sample(found, len(found)):
        new = other(old)
        asked = command("impact", f"{before / file}:{number}={new}", before, "--json")
        if asked.returncode == 2:
            assert asked.stderr.startswith(("error: ", "warning: "))
            continue
        present = command("impact", f"{before / file}:{number}={old}", before)
        assert (present.returncode, present.stdout) == (0, ""), (file, number, old)
        after = Path(shutil.copytree(before, tmp_path / f"after-{done}"))
        lines = (after / file).read_text("utf-8").split("\n")
        lines[number - 1] = head + new
        (after / file).write_text("\n".join(lines), "utf-8")
        compared = command("compare", before, after, "--json", "--renders", "0")
        if compared.returncode == 2:
            assert (asked.returncode, asked.stdout) == (1, ""), (file, number, new)
            assert re.search(rf"=({re.escape(new)}|<hidden>), a run fails\n(.*\n)*error: ", asked.stderr)
        else:
            one, two = loads(asked.stdout), loads(compared.stdout)
            assert told(one, new) == told(two, new), (file, number, new)
            shown = told(one, new)
            differs = any(entry["change"] != "winner" for entry in one["differences"] if key(entry) in shown)
            assert asked.returncode == int(not one["equal"]) == int(differs), (file, number, new, asked.stdout)
        done += 1
        if done == edits:
            break
    return done
