"""The order in which layers are merged: one chain of ConfigMaps and one of Secrets."""

from __future__ import annotations

from krm_values.giantswarm_config.spec.references import EXTRA, LEVELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values.giantswarm_config.spec.references import Reference

_CONFIG, _USER = LEVELS["config"], LEVELS["userConfig"]
_RANKS = {"catalog": 0, "config": 2, "userConfig": 4}


def chain(references: Iterable[Reference], kind: str) -> list[Reference]:
    """Return the layers of one kind (`ConfigMap` or `Secret`) in merge order: a later one overrides an earlier one."""
    return sorted((reference for reference in references if reference.kind == kind), key=_precedence)


def band(reference: Reference) -> str:
    """Return the band of a layer: its level, or between which levels an extra layer is merged."""
    if reference.level != EXTRA:
        return reference.level
    names = {1: "before config", 3: "before userConfig", 5: "after userConfig"}
    return names[_rank(reference)]


def layer(reference: Reference) -> str:
    """Return the name of a layer: `catalog house`, `config`, `extraConfigs[0]`."""
    if reference.level == "catalog":
        return f"catalog {reference.owner.name}"
    if reference.level == EXTRA:
        return f"{EXTRA}[{reference.position - 1}]" if reference.path else "assumed cluster values"
    return reference.level if reference.path else "assumed user values"


def facts(reference: Reference) -> dict[str, JSON]:
    """Return what `explain` shows of a layer's precedence: priority, band and position in the list from 1."""
    found: dict[str, JSON] = {"priority": reference.priority, "band": band(reference)}
    return {**found, "position": reference.position} if reference.position and reference.path else found


def _precedence(reference: Reference) -> tuple[int, int, int]:
    return _rank(reference), reference.priority, reference.position


def _rank(reference: Reference) -> int:
    if reference.level != EXTRA:
        return _RANKS[reference.level]
    return 1 if reference.priority <= _CONFIG else 3 if reference.priority <= _USER else 5
