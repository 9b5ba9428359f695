"""The entries of a HelmRelease's `valuesFrom`, checked as the API server checks them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report

KINDS = ("ConfigMap", "Secret")
VALUES_KEY = "values.yaml"
VALUES_FROM: Path = ("spec", "valuesFrom")
_LITERAL_SINCE = "v2"
_STRINGS = {
    "name": (253, None, ""),
    "valuesKey": (253, re.compile(r"[-._a-zA-Z0-9]+"), "letters, digits, `-`, `_` and `.`"),
    "targetPath": (
        250,
        re.compile(r"(?:[a-zA-Z0-9_\-.\\/]|\[[0-9]{1,5}\])+"),
        "letters, digits, any of `_-.\\/`, and indices such as `[0]`",
    ),
}


@record
class Reference:
    """One entry: the object that it names, the key, and where and how its value is set. position: its place in the list from 1."""

    kind: str
    namespace: str
    name: str
    key: str
    target: str
    literal: bool
    optional: bool
    owner: Item
    path: Path
    position: int
    role: str = ""

    @property
    def layer(self) -> str:
        """The name of the layer: `valuesFrom[0]`."""
        return f"valuesFrom[{self.position - 1}]"

    @property
    def facts(self) -> dict[str, JSON]:
        """What `explain` shows of the entry: its position in the list from 1, its target path."""
        found: dict[str, JSON] = {"position": self.position}
        return {**found, "targetPath": self.target} if self.target else found


def read_references(owner: Item, entries: JSON, report: Report) -> list[Reference]:
    """Return the usable entries; the others are errors in the report."""
    if entries is None:
        return []
    if not isinstance(entries, list):
        report.add(_error(owner, VALUES_FROM, "must be a list; found {found}", entries))
        return []
    found = (_entry(owner, (*VALUES_FROM, index), entry, report) for index, entry in enumerate(entries))
    return [reference for reference in found if reference is not None]


def _entry(owner: Item, path: Path, entry: JSON, report: Report) -> Reference | None:
    if not isinstance(entry, dict):
        report.add(_error(owner, path, "must be a map with `kind` and `name`; found {found}", entry))
        return None
    given: dict[str, JSON] = {key: value for key, value in entry.items() if value is not None}
    faults = [*_kind(owner, path, given), *_strings(owner, path, given), *_booleans(owner, path, given)]
    report.extend(faults)
    if faults:
        return None
    kind, name, key, target = (str(given.get(field, "")) for field in ("kind", "name", "valuesKey", "targetPath"))
    has_literal = owner.version == _LITERAL_SINCE
    if "literal" in given and not has_literal:
        text = f"is not a field of {owner.version}, so the API server drops it: change the release to helm.toolkit.fluxcd.io/{_LITERAL_SINCE}"
        report.warning("literal", "104", text, owner, (*path, "literal"))
    literal = has_literal and bool(given.get("literal"))
    optional, position = bool(given.get("optional")), int(path[-1]) + 1
    return Reference(kind, owner.namespace, name, key or VALUES_KEY, target, literal, optional, owner, path, position)


def _kind(owner: Item, path: Path, given: dict[str, JSON]) -> Iterator[Finding]:
    kind = given.get("kind")
    if kind not in KINDS:
        near = suggest.nearest(str(kind), KINDS)
        hint = f"; did you mean `{near}`?" if near and kind is not None else ""
        text = "must be `ConfigMap` or `Secret`" + ("; found {found}" if kind is not None else "") + hint
        yield _error(owner, (*path, "kind"), text, kind)


def _strings(owner: Item, path: Path, given: dict[str, JSON]) -> Iterator[Finding]:
    if "name" not in given:
        yield _error(owner, (*path, "name"), "must be the name of an object in the release's namespace")
    for field, (most, form, allowed) in _STRINGS.items():
        value = given.get(field)
        if value is None:
            continue
        if not isinstance(value, str):
            yield _error(owner, (*path, field), "must be a string; found {found}", value)
        elif not 1 <= len(value) <= most:
            yield _error(owner, (*path, field), f"must have 1 to {most} characters; found {len(value)}")
        elif form and not form.fullmatch(value):
            yield _error(owner, (*path, field), f"must consist of {allowed}; found {{found}}", value)


def _booleans(owner: Item, path: Path, given: dict[str, JSON]) -> Iterator[Finding]:
    for field in ("optional", "literal"):
        if not isinstance(given.get(field, False), bool):
            yield _error(owner, (*path, field), "must be true or false; found {found}", given[field])


def _error(owner: Item, path: Path, text: str, found: JSON = None) -> Finding:
    return Finding("error", "reference", "90", text, owner, path, found)
