"""The kinds that a function reads, and resources that look like one of them but are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._kit.planner.item import Item

MISSPELT = "misspelt-kind"


@record
class Served:
    """An API group: the versions and kinds of it that a function reads, its other kinds, and other versions that exist.

    An object in another existing version is not reported here; the function itself says why it does not read it.
    """

    group: str
    versions: tuple[str, ...]
    read: tuple[str, ...]
    others: tuple[str, ...] = ()
    other_versions: tuple[str, ...] = ()


def misspelt(served: Sequence[Served], items: Iterable[Item], rule: str | None) -> Iterator[Finding]:
    """Yield a warning for each item whose kind, group or version is near to one that is read and does not exist itself, or whose key `apiVersion` or `kind` is misspelt."""
    known: dict[tuple[str, str, str], tuple[str, str]] = {}
    for item in items:
        if not item.kind or not item.api_version:
            field, text = incomplete(served, item.data, item.api_version, item.kind)
            if text:
                yield Finding("warning", MISSPELT, rule, text, item, (field,))
            continue
        called = (item.group, item.version, item.kind)
        if called not in known:
            known[called] = fault(served, *called)
        field, text = known[called]
        if text:
            yield Finding("warning", MISSPELT, rule, text, item, (field,))


def incomplete(served: Sequence[Served], data: object, api_version: str, kind: str) -> tuple[str, str]:
    """Return (key, message) for an object that would be read if its key `apiVersion` or `kind` were not misspelt; else two empty strings."""
    lacks, group = "kind" if api_version else "apiVersion", api_version.rpartition("/")[0]
    is_ours = any(kind in one.read or (lacks == "kind" and group == one.group) for one in served)
    found = suggest.nearest(lacks, data) if is_ours and isinstance(data, dict) and lacks not in data else ""
    text = f"`{found}` is not a field of a resource, so this is not read; did you mean `{lacks}`?"
    return (found, text) if found else ("", "")


def fault(served: Sequence[Served], group: str, version: str, kind: str) -> tuple[str, str]:
    """Return the wrong field in the header of an item, and the message; two empty strings if nothing is wrong."""
    near_group = suggest.nearest(group or version, [one.group for one in served])
    one = next((one for one in served if one.group == near_group), None)
    if one is None:
        return "", ""
    if not group:
        near = one.versions[0] if one.versions else "VERSION"
        text = f'"{version}" is not a group and a version, so this {kind} is not read; did you mean `{near_group}/{near}`?'
        return ("apiVersion", text) if kind in one.read else ("", "")
    if group != near_group and kind in one.read:
        text = f'the group "{group}" is not known, so this {kind} is not read; did you mean `{near_group}/{version}`?'
        return "apiVersion", text
    if group == near_group and kind not in (*one.read, *one.others):
        near = suggest.nearest(kind, (*one.read, *one.others))
        text = f'"{kind}" is not a kind of {group}, so this is not read; did you mean `{near}`?'
        return ("kind", text) if near in one.read else ("", "")
    if group == near_group and kind in one.read and one.versions and version not in (*one.versions, *one.other_versions):
        near = suggest.nearest(version, one.versions) or one.versions[0]
        return "apiVersion", f'the version "{version}" of {group} is not known; did you mean `{group}/{near}`?'
    return "", ""
