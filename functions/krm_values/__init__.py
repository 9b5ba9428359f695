"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._kit.api.function import Function
    from krm_values._kit.planner.plan import Finding, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]


def __getattr__(name: str) -> object:
    """Import what a function is written with when it is asked for: a command may need none of it."""
    if name not in __all__:
        raise AttributeError(name)
    from krm_values._kit.api import function  # noqa: PLC0415
    from krm_values._kit.planner import plan  # noqa: PLC0415

    return getattr(function if name == "Function" else plan, name)
