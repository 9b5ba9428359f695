"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._cli.main import main
    from krm_values._data.errors import UserError
    from krm_values._fleet.render import render_fleet
    from krm_values._krm.model import Field, FunctionConfig
    from krm_values._krm.plan import Finding, Origin, drop, mark, move, new, note, put
    from krm_values._krm.resources import Resources
    from krm_values._run.function import Function
    from krm_values._run.library import render

__all__ = [
    "Field",
    "Finding",
    "Function",
    "FunctionConfig",
    "Origin",
    "Resources",
    "UserError",
    "drop",
    "main",
    "mark",
    "move",
    "new",
    "note",
    "put",
    "render",
    "render_fleet",
]
_PLACES = {
    "Field": "_krm.model",
    "Function": "_run.function",
    "FunctionConfig": "_krm.model",
    "Resources": "_krm.resources",
    "UserError": "_data.errors",
    "main": "_cli.main",
    "render": "_run.library",
    "render_fleet": "_fleet.render",
}
"""The module of each name that is not one of `_krm.plan`."""


def __getattr__(name: str) -> object:
    """Import what is asked for, when it is: a command may need none of it."""
    if name not in __all__:
        raise AttributeError(name)
    module = f"krm_values.{_PLACES.get(name, '_krm.plan')}"
    return getattr(__import__(module, fromlist=[name]), name)
