"""The order in which layers are merged: one chain of ConfigMaps and one of Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values.giantswarm_config.spec.references import EXTRA

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values.giantswarm_config.spec.references import Reference

_BANDS = ("catalog", "before config", "config", "before userConfig", "userConfig", "after userConfig")


def chain(references: Iterable[Reference], kind: str) -> list[Reference]:
    """Return the layers of one kind (`ConfigMap` or `Secret`) in merge order: a later one overrides an earlier one."""
    return sorted((reference for reference in references if reference.kind == kind), key=_precedence)


def layer(reference: Reference) -> str:
    """Return the name of a layer: `catalog house`, `config`, `extraConfigs[0]`."""
    if reference.level == "catalog":
        return f"catalog {reference.owner.name}"
    if reference.level == EXTRA:
        return f"{EXTRA}[{reference.position - 1}]" if reference.path else "assumed cluster values"
    return reference.level if reference.path else "assumed user values"


def facts(reference: Reference) -> dict[str, JSON]:
    """Return what `explain` shows of a layer's precedence: priority, band and position in the list from 1."""
    found: dict[str, JSON] = {"priority": reference.priority, "band": _BANDS[reference.band]}
    return {**found, "position": reference.position} if reference.position and reference.path else found


def _precedence(reference: Reference) -> tuple[int, int, int]:
    return reference.band, reference.priority, reference.position
