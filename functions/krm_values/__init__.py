"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.errors import UserError
    from krm_values._krm.plan import Finding, Origin, drop, mark, move, new, note, put
    from krm_values._run.function import Function
    from krm_values._run.library import render

__all__ = ["Finding", "Function", "Origin", "UserError", "drop", "mark", "move", "new", "note", "put", "render"]
_PLAN = "krm_values._krm.plan"
_HOMES = {
    "Function": "krm_values._run.function",
    "UserError": "krm_values._data.errors",
    "render": "krm_values._run.library",
}


def __getattr__(name: str) -> object:
    """Import what is asked for, when it is: a command may need none of it."""
    if name not in __all__:
        raise AttributeError(name)
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(_HOMES.get(name, _PLAN)), name)
