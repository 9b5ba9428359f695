"""`compare` and `impact` over every function: what they say of a package with another scalar, or without a layer, is what its files become."""

from __future__ import annotations

import base64
import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.explained import explained
from tests.cli.packages import command
from tests.cli.test_ways import EXAMPLES, SCALAR, STORIES, other

from krm_values._data.errors import UserError
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._explain import differences, sides
from krm_values._explain.comparer import ADDED, MOVED, REMOVED, Place
from krm_values._explain.differences import Difference
from krm_values._explain.match import Document
from krm_values._krm.findings import title
from krm_values._run import pipeline

CHANGES = 100
EACH = -(-CHANGES // len(STORIES))
Documents = dict[str, Any]
"""The documents of a rendered package by kind, namespace and name."""


def documents(done: pipeline.Rendered) -> Documents:
    found = {}
    for one in done.loaded.tree.documents:
        data = yaml.safe_load(one.text)
        metadata = data.get("metadata") or {}
        space = f"{metadata['namespace']}/" if "namespace" in metadata else ""
        found[f"{data['kind']} {space}{metadata.get('name', '')}{of_package(one.package)}"] = data
    return found


def of_package(path: str) -> str:
    return f" of {path}" if path else ""


def text(data: Any, path: tuple[Any, ...]) -> Any:
    """The YAML text of a field; of a Secret's `data` it is in base64."""
    held = get(data, path)
    if data["kind"] == "Secret" and path[0] == "data":
        held = base64.b64decode(held).decode()
    return yaml.safe_load(held)


def at(found: Documents, document: Document | None, place: Place | None) -> Any:
    if document is None or place is None:
        return ABSENT
    data = found.get(title(document.item) + of_package(document.package), ABSENT)
    if data is ABSENT:
        return ABSENT
    value = get(data, place.path, ABSENT)
    return value if place.inner is None or value is ABSENT else get(text(data, place.path), place.inner, ABSENT)


def leaves(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {at: one for key, inner in below for at, one in leaves(inner, (*path, key)).items()} or {path: value}


def composed(found: Documents) -> dict[tuple[str, Any], Any]:
    """The leaves of all texts that functions composed."""
    return {
        (title, path): value
        for title, data in found.items()
        if title.split()[0] in ("ConfigMap", "Secret") and "generated-by" in str(data.get("metadata"))
        for key in data["data"]
        if key in ("values", "values.yaml")
        for path, value in leaves(text(data, ("data", key))).items()
    }


def of_list(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """The outermost list around a path, whose elements may have other indexes; the path itself if there is none."""
    return next((path[:size] for size, part in enumerate(path) if isinstance(part, int)), path)


def check(before: pipeline.Rendered, after: pipeline.Rendered) -> list[Difference]:
    """What is said of two states is so, and nothing that functions composed differs beside it."""
    old, new = documents(before), documents(after)
    found = differences.between(*(sides.Side(one, show_secrets=True) for one in (before, after)))
    for one in found:
        if one.place is None:
            assert at(old, one.pair.before, Place(())) is ABSENT or at(new, one.pair.after, Place(())) is ABSENT, one
            continue
        was = at(old, one.pair.before, one.was or (one.place if one.kind != ADDED else None))
        now = at(new, one.pair.after, one.place if one.kind != REMOVED else None)
        if one.kind != MOVED:
            assert (was == now) == (one.kind == differences.WINNER), one
        for entry, value in ((one.before, was), (one.after, now)):
            assert (ABSENT if entry is None else entry.value) == value, one
    said = [
        (one.title + of_package(one.document.package if one.document else ""), one.place.inner if one.place else None)
        for one in found
    ]
    values = composed(old), composed(new)
    for name, path in {*values[0], *values[1]}:
        if values[0].get((name, path)) != values[1].get((name, path)):
            assert any(name == one and (inner is None or of_list(inner) == of_list(path)) for one, inner in said), (name, path)
    return found


def rendered(package: Path) -> pipeline.Rendered:
    return pipeline.rendered(package, skip_foreign=False, follow_links=False)


def places(package: Path) -> list[tuple[str, int]]:
    """The lines at which ways end."""
    ends = (end for one in explained(package).values() for winner in one.ends[:1] for end in winner)
    return sorted({(end.file, end.line) for end in ends if end.line})


@pytest.mark.parametrize("story", STORIES)
def test_another_scalar(story, tmp_path):
    package = Path(shutil.copytree(EXAMPLES / story, tmp_path / "one", ignore=shutil.ignore_patterns(".expected")))
    before = rendered(package)
    picked = random.Random(story)
    lines = places(package)
    picked.shuffle(lines)
    changed = 0
    for file, line in lines:
        path = package / file
        whole = path.read_text("utf-8")
        listed = whole.splitlines(keepends=True)
        match = SCALAR.match(listed[line - 1].rstrip("\n"))
        if not match:
            continue
        listed[line - 1] = f"{match['before']}{other(match['value'])}{match['after']}\n"
        path.write_text("".join(listed), "utf-8")
        try:
            after = rendered(package)
        except UserError:
            continue
        finally:
            path.write_text(whole, "utf-8")
        if not after.failed:
            check(before, after)
            changed += 1
        if changed == EACH:
            break
    assert changed or story in NO_SCALAR


def indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def removed(whole: str, line: int) -> str | None:
    """A file without the key of a block map in this line and what is below it; None if there is none, or it names the resource."""
    lines = whole.splitlines(keepends=True)
    key = lines[line - 1]
    at = indent(key)
    end = line
    while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > at):
        end += 1
    is_sibling = [indent(one) == at and not one.lstrip(" ").startswith("-") for one in (lines[line - 2], *lines[end : end + 1])]
    is_second = lines[line - 2].startswith(" " * (at - 2) + "- ") and at > 1
    top = next((one for one in reversed(lines[:line]) if indent(one) == 0), "")
    if top.startswith(("metadata", "kind", "apiVersion")) or ": " not in key or key.lstrip(" ").startswith("-"):
        return None
    return "".join(lines[: line - 1] + lines[end:]) if any(is_sibling) or is_second else None


def named(one: dict[str, Any]) -> str:
    resource = one["resource"]
    space = f"{resource['namespace']}/" if "namespace" in resource else ""
    return f"{resource['kind']} {space}{resource['name']}".strip()


def row(one: dict[str, Any]) -> tuple[str, str | None, str]:
    return named(one), one.get("path"), one["change"]


@pytest.mark.parametrize("story", STORIES)
def test_impact_of_a_line(story, tmp_path):
    """What `impact` says is what `compare` says of the package without these lines."""
    package = Path(shutil.copytree(EXAMPLES / story, tmp_path / "one", ignore=shutil.ignore_patterns(".expected")))
    before = rendered(package)
    lines = places(package)
    random.Random(story).shuffle(lines)
    done = 0
    for file, line in lines:
        whole = (package / file).read_text("utf-8")
        without = removed(whole, line)
        if without is None:
            continue
        told = command("impact", f"{package / file}:{line}", package, "--json")
        (package / file).write_text(without, "utf-8")
        try:
            after = rendered(package)
        except UserError:
            continue
        finally:
            (package / file).write_text(whole, "utf-8")
        if after.failed:
            assert "is required: without it, a run fails" in told.stderr
            done += 1
            continue
        found = check(before, after)
        assert told.stdout, (file, line, told.stderr)
        shown = json.loads(told.stdout)["differences"]
        others = [one for one in found if one.document and one.document.path != file]
        names = {title(one.document.item) for one in others if one.document}
        assert [row(one) for one in shown if named(one) in names] == [
            (one.title, to_field(one.place.path) if one.place else None, one.kind) for one in others
        ]
        assert told.returncode == int(any(one["change"] != differences.WINNER for one in shown))
        done += 1
        if done == EACH:
            break
    assert done or story in NO_KEY


NO_SCALAR = ("tekton-params/stored-pipeline",)
"""Stories all of whose ways end at a list, a map or a reference."""
NO_KEY = ("envgene-sd/three-environments", "glasskube-values/several-targets", "glasskube-values/value-configurations")
"""Stories whose values stand in maps and lists of one line."""
