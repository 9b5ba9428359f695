"""`compare` and `impact` over every function: what they say of a package with another scalar, or without a layer, is what its files become."""

from __future__ import annotations

import base64
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
from krm_values._explain import differences
from krm_values._explain.differences import Difference
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
        found[f"{data['kind']} {space}{metadata.get('name', '')}"] = data
    return found


def text(data: Any, path: tuple[Any, ...]) -> Any:
    """The YAML text of a field; of a Secret's `data` it is in base64."""
    held = get(data, path)
    if data["kind"] == "Secret" and path[0] == "data":
        held = base64.b64decode(held).decode()
    return yaml.safe_load(held)


def at(found: Documents, key: Difference) -> Any:
    data = found.get(key.title, {"kind": ""})
    value = get(data, key.path, ABSENT)
    return value if key.inner is None or value is ABSENT else get(text(data, key.path), key.inner, ABSENT)


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


def check(before: pipeline.Rendered, after: pipeline.Rendered) -> list[Difference]:
    """What is said of two states is so, and nothing that functions composed differs beside it."""
    old, new = documents(before), documents(after)
    found = differences.between(*(differences.State(one, show_secrets=True) for one in (before, after)))
    for one in found:
        was, now = at(old, one), at(new, one)
        assert (was == now) == (one.kind == differences.WINNER), one
        for entry, value in ((one.before, was), (one.after, now)):
            assert (ABSENT if entry is None else entry.value) == value, one
    said = {(one.title, one.inner) for one in found}
    values = composed(old), composed(new)
    for title, path in {*values[0], *values[1]}:
        if values[0].get((title, path)) != values[1].get((title, path)):
            assert any((title, path[:size]) in said for size in range(len(path) + 1)), (title, path)
    return found


def rendered(package: Path) -> pipeline.Rendered:
    return pipeline.rendered(package, skip_foreign=False, follow_links=False)


def places(package: Path) -> list[tuple[str, int]]:
    """The lines at which ways end."""
    ends = {(end.file, end.line) for one in explained(package).values() if one.way for end in one.way.ends() if end.line}
    return sorted(ends)


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
        shown = yaml.safe_load(told.stdout)["differences"]
        assert [(one["path"], one["change"]) for one in shown] == [(to_field(one.path), one.kind) for one in found]
        assert told.returncode == int(bool(found))
        done += 1
        if done == EACH:
            break
    assert done or story in NO_KEY


NO_SCALAR = ("tekton-params/stored-pipeline",)
"""Stories all of whose ways end at a list, a map or a reference."""
NO_KEY = ("envgene-sd/three-environments", "glasskube-values/several-targets", "glasskube-values/value-configurations")
"""Stories whose values stand in maps and lists of one line."""
