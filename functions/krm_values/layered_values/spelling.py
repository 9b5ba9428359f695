"""Scalars as strings, if their spelling does not change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.layers.merge import Assigned, origin
from krm_values._yaml.emit import as_json
from krm_values.layered_values.fault import FieldError

if TYPE_CHECKING:
    from typing import Any


def text(leaf: Assigned) -> str:
    """Return a string as it is, a number or boolean as JSON writes it. FieldError if its layer spells it differently."""
    value: Any = leaf.value
    if isinstance(value, str):
        return str(value)
    says: Any = leaf.layer
    written = says.written(leaf.path, value)
    becomes = as_json(value) if isinstance(value, bool) else as_json(_plain(value))
    if written == becomes:
        return becomes
    if origin(leaf).secret:
        raise FieldError("spelling", "73", "takes a string, and its value would change its spelling: quote it in its layer")
    raise FieldError("spelling", "73", f"takes a string, and {written} would become {becomes}: quote it in its layer")


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, float) else int(value)
