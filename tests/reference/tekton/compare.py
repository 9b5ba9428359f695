"""One package through the function and through the independent implementation: where they differ, and the smallest package that does."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from krm_values._data.data_edits import same
from krm_values._run import invoke
from krm_values._yaml import decode
from tests.conformance.cases import resource_list
from tests.reference.difference import Difference
from tests.reference.tekton import resolve as tekton

Json = Any
WARNINGS = {  # those that both have
    "reference-in-run": "run-value",
    "reference-in-default": "default",
    "workspace-param": "run-workspace",
    "pod-template-param": "pod-template",
    "enum-not-given": "enum",
    "default-kept": "reference-default",
    "unknown-result-type": "result-type",
    "several-targets": "several",
    "misspelt-reference": "near",
    "unused-param": "unused",
}


def difference(items: list[dict[str, Json]], config: dict[str, Json], *, warnings: bool = False) -> Difference | None:
    """The first difference, None where both agree."""
    expected = tekton.resolve(items, config)
    try:
        found = function(items, config)
    except Exception as error:  # noqa: BLE001 - a crash of the function is what is looked for
        return Difference("crash", repr(error), None)
    errors = {(number, root(name)) for number, name in found.errors}
    wanted = {(number, root(name)) for number, name in expected.errors}
    if errors != wanted:
        return Difference("errors", {"only": sorted(errors - wanted), "all": found.texts}, sorted(wanted - errors))
    if not errors and not same(found.items, expected.items):
        return Difference("items", found.items, expected.items)
    if warnings and not errors:
        said = {(number, root(name), WARNINGS[kind]) for number, name, kind in found.warnings if kind in WARNINGS}
        meant = {(number, root(name), kind) for number, name, kind in expected.warnings}
        if said != meant:
            return Difference("warnings", {"only": sorted(said - meant), "all": found.texts}, sorted(meant - said))
    return None


@dataclass(frozen=True)
class Found:
    """What the function answers."""

    items: list[dict[str, Json]]
    errors: set[tuple[int, str]]
    warnings: set[tuple[int, str, str]]
    texts: list[str]


def function(items: list[dict[str, Json]], config: dict[str, Json]) -> Found:
    """The items after `tekton-params`, and its findings as (item, param)."""
    source, outcome = invoke.answer(resource_list(items, "tekton-params", config), "tekton-params")
    out = b"".join(source.write(outcome.edited, outcome.removed, [], invoke.entries(outcome)))
    after = decode.to_data(decode.parse(out.decode()))
    errors, warnings = set(), set()
    for finding in outcome.findings:
        number = getattr(finding.item, "number", -1)
        for param in (finding.tags.get("param") or "?").split(", "):
            if finding.severity == "error":
                errors.add((number, param))
            elif finding.severity == "warning":
                warnings.add((number, param, finding.kind))
    texts = [
        f"{finding.severity} {finding.rule} {finding.tags.get('param')}: {finding.message}" for finding in outcome.findings
    ]
    return Found(after["items"], errors, warnings, texts)  # type: ignore[index,call-overload]


def root(name: str) -> str:
    """The param of `o.k` or `l[0]`. Case is no difference [42]."""
    return re.split(r"[.\[]", name)[0].casefold()


def shrunk(
    items: list[dict[str, Json]], config: dict[str, Json], what: str, *, warnings: bool = False
) -> list[dict[str, Json]]:
    """A smallest package with a difference of the same sort: no single part can be taken away."""
    while True:
        for smaller in parts_removed(items):
            found = difference(smaller, config, warnings=warnings)
            if found and found.what == what:
                items = smaller
                break
        else:
            return items


def parts_removed(value: list[dict[str, Json]]) -> Iterator[list[dict[str, Json]]]:
    """The package without one of its parts, big parts first."""
    for path in sorted(paths(value), key=len):
        smaller = copy.deepcopy(value)
        holder: Json = smaller
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        if all(isinstance(item.get("metadata"), dict) and "kind" in item and "apiVersion" in item for item in smaller):
            yield smaller
    for path in paths(value):
        smaller = copy.deepcopy(value)
        holder = smaller
        for step in path[:-1]:
            holder = holder[step]
        text = holder[path[-1]]
        if isinstance(text, str) and "$(" in text and path[-1] not in ("kind", "apiVersion"):
            for piece in re.findall(r"\$\([^)]*\)", text):
                if piece != text:
                    holder[path[-1]] = piece
                    yield copy.deepcopy(smaller)


def paths(value: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """The paths of all parts below."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in inside:
        if key not in ("kind", "apiVersion", "name", "value", "properties", "pipelineTaskName"):
            yield from paths(member, (*path, key))
