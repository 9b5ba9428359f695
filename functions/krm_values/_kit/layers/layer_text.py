"""Reads the text of a layer: its values and its findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._golang.yaml import read as goyaml
from krm_values._kit.layers.embedded import Embedded
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import Inside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.report import Report


def read_layer(
    item: Item, path: Path, text: str, rules: Mapping[str, str], report: Report, *, limits: Limits = DEFAULT
) -> Embedded | None:
    """Return the text at `path` of an object as values; None, with an error in the report, if it is not a YAML map.

    rules: the rule of an unusable text, by "text", and of each lint, by its kind.
    """
    try:
        read = goyaml.read(text, secret=is_secret(item), limits=limits)
        values = read.mapping()
    except InputError as error:
        inside = Inside(text, error.line, error.column) if error.line else None
        report.error("text", rules["text"], error.message, item, path, inside=inside)
        return None
    embedded = Embedded(item, path, read, isinstance(values.get("sops"), dict), text)
    if embedded.encrypted:
        return embedded
    report.extend(embedded.findings(rules))
    return embedded
