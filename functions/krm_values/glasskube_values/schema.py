"""A JSON Schema of `spec.values` from a manifest's value definitions."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.data import JSON


def of_values(manifest: dict[str, JSON]) -> dict[str, JSON]:
    """The schema (draft 2020-12) that `spec.values` of a Package of this manifest must fit."""
    return {}
