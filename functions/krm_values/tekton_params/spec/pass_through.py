"""The spelling of a value that is passed on, and whether a value is one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.values import FlowList
from krm_values.tekton_params.spec.references import exact

if TYPE_CHECKING:
    from krm_values._data.values import JSON


def pass_through(name: str, kind: str) -> JSON:
    """Return the value that passes on the outer param of this name and type."""
    inner = f'["{name}"]' if "." in name else f".{name}"
    if kind == "array":
        return FlowList([f"$(params{inner}[*])"])
    return f"$(params{inner}[*])" if kind == "object" else f"$(params{inner})"


def key_reference(name: str, key: str) -> str:
    """Return the value that passes on one key of the outer object."""
    return f"$(params.{name}.{key})"


def is_pass_through(value: JSON, name: str, kind: str) -> bool:
    """Return whether a value is the outer param of the same name and nothing else, in any spelling that Tekton reads so."""
    if isinstance(value, list):
        ref = exact(value[0]) if len(value) == 1 else None
        return ref is not None and kind in ("array", "") and ref.name == name and ref.whole and not ref.old
    ref = exact(value)
    if ref is None or ref.name != name or ref.old or ref.key:
        return False
    return (ref.star and kind != "string") or (not ref.index and kind in ("string", ""))


def is_added_form(value: JSON, name: str) -> bool:
    """Return whether a value has the form that this function writes for this name, whatever its type."""
    return any(value == pass_through(name, kind) for kind in ("string", "array", "object"))
