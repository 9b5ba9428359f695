"""Provenance of the values of a stamped object: the template's field, and the params in its tags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._kit.planner.plan import Leaf, Origin
from krm_values.cartographer_params import names
from krm_values.cartographer_params.copied import Copied
from krm_values.cartographer_params.tags import expressions
from krm_values.cartographer_params.templates import BODY, YTT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.cartographer_params.precedence import Resolved
    from krm_values.cartographer_params.target import Target

_COMPLETED = ("namespace", "labels", "ownerReferences")  # added by the controller


def leaves(target: Target, params: Sequence[Resolved], stamped: JSON) -> Iterator[Leaf]:
    """Yield a leaf for each scalar and each empty map or list that a tag or a program has made."""
    named = {resolved.name: resolved for resolved in params}
    copied = Copied(target)
    for path, value in _scalars(stamped, ()):
        origin = _origin(target, named, path, value, copied)
        if origin:
            yield Leaf(path, value, origin)


def _scalars(value: JSON, path: Path) -> Iterator[tuple[Path, JSON]]:
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from _scalars(below, (*path, key))
    elif isinstance(value, list) and value:
        for index, below in enumerate(value):
            yield from _scalars(below, (*path, index))
    else:
        yield path, value


def _origin(target: Target, params: dict[str, Resolved], path: Path, value: JSON, copied: Copied) -> Origin | None:
    template = target.template
    if path[0] == "metadata" and path[1] in _COMPLETED:
        return None
    if template.body is None:
        return Origin("template", value, template.item, YTT, via=copied.withheld)
    source = _source(template.body, path)
    if get(template.body, source, ABSENT) is ABSENT:
        source = ("metadata", "generateName")
    written: JSON = get(template.body, source)
    if not expressions(written):
        origin = Origin("template", written, template.item, (*BODY, *source))
        return origin if origin.secret else None
    via = (
        *(_param(params[name]) for name in names.params(written) if name in params),
        *copied.by(written, path[len(source) :]),
        *copied.withheld,
    )
    return Origin("template", written, template.item, (*BODY, *source), via=via)


def _source(body: JSON, path: Path) -> Path:
    """Return the path of the template's field that gives the value at `path`: the same, or that of a tag above it."""
    for end in range(len(path) + 1):
        if not isinstance(get(body, path[:end], ABSENT), dict | list):
            return path[:end]
    return path


def _param(resolved: Resolved) -> Origin:
    winner = resolved.winner
    return Origin(winner.origin, winner.value, winner.item, winner.path, facts={"param": resolved.name})
