"""Where the outputs of other steps come from: an object that a step stamped, or the functionConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Origin
from krm_values.cartographer_params import inputs, names

if TYPE_CHECKING:
    from krm_values._data.values import JSON
    from krm_values.cartographer_params.inputs import Arrived, Output

_FIELDS = ("url", "revision")
"""Of the value of a source, in the order of its paths."""


def origins(arrived: list[Arrived]) -> dict[tuple[str, ...], Origin]:
    """Return the origin of each known value, by the names in a tag that mean it."""
    return {name: origin for name, output, place in inputs.named(arrived) if (origin := _origin(output, place))}


def _origin(output: Output, place: int) -> Origin | None:
    """Return the origin of a value of an output; place: that of its path."""
    value: JSON = output.value
    if isinstance(value, dict) and output.kind == "source":
        value = value.get(_FIELDS[place])
    if output.made and len(output.paths) > place:
        return Origin("output", value, output.made, names.plain(output.paths[place]))
    if output.config is None:
        return None
    below = (_FIELDS[place],) if output.kind == "source" else ()
    return Origin("supplied", value, config=(*output.config, *below))
