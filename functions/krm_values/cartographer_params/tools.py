"""The external programs that the caller may name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError
from krm_values._kit.api.hooks import Tools
from krm_values._kit.process.programs import find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values.cartographer_params.ytt import Renderer


def make(programs: Mapping[str, str]) -> Renderer:
    """Return the renderer for the planner. `programs["ytt"]`: a path, or a name to look up on PATH. Raises UsageError."""
    from krm_values.cartographer_params.ytt_process import Ytt  # noqa: PLC0415 - most runs name no program

    named = programs["ytt"]
    found = find(named)
    if found is None:
        raise UsageError(f'the ytt program "{named}" does not exist, or cannot be run')
    return Ytt(found)


tools = Tools({"ytt": "the ytt program that renders templates written for ytt, where the functionConfig has `ytt: true`"}, make)
