"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.errors import UserError
    from krm_values._krm.plan import Finding, Origin, drop, mark, move, new, note, put
    from krm_values._run.function import Function
    from krm_values._run.library import render

__all__ = ["Finding", "Function", "Origin", "UserError", "drop", "mark", "move", "new", "note", "put", "render"]


def __getattr__(name: str) -> object:
    """Import what is asked for, when it is: a command may need none of it."""
    if name not in __all__:
        raise AttributeError(name)
    if name == "render":
        from krm_values._run import library  # noqa: PLC0415

        return library.render
    from krm_values._data import errors  # noqa: PLC0415
    from krm_values._krm import plan  # noqa: PLC0415
    from krm_values._run import function  # noqa: PLC0415

    return getattr({"Function": function, "UserError": errors}.get(name, plan), name)
