"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._krm.plan import Finding, Origin, drop, mark, move, new, note, put
    from krm_values._run.function import Function

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]


def __getattr__(name: str) -> object:
    """Import what a function is written with when it is asked for: a command may need none of it."""
    if name not in __all__:
        raise AttributeError(name)
    from krm_values._krm import plan  # noqa: PLC0415
    from krm_values._run import function  # noqa: PLC0415

    return getattr(function if name == "Function" else plan, name)
