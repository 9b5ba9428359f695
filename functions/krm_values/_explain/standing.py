"""Where a loser stood: at the place of the value, or as a map or list above it that lost as a whole, then with that place as `at`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import replace
from krm_values._krm.plan import RESOURCE

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._explain.model import Cell
    from krm_values._krm.plan import Origin
    from krm_values._run.state import Decision

_TARGET, _VALUES = "targetPath", ("spec", "values")


def raised(cell: Cell, decision: Decision, winner: Cell, origin: Origin | None, step: int) -> Cell | None:
    """Return a loser that stood above the winner's place with the path of the place in the object at which it stood; None if it has no part there.

    origin: of the layer that it is a value of, None for the resource's own. Where neither that nor an earlier step tells it, their paths do.
    """
    leaf = decision.leaf
    full = leaf.inner if leaf is not None and leaf.inner is not None else decision.path
    if not cell.above and (_has_target(cell, step) or _has_target(winner, step)):
        return replace(cell, at=_place_of_entry(cell, full))
    is_winner = leaf is not None and origin is leaf.origin
    levels = 0 if is_winner or origin is None else origin.above
    depth = leaf.depth if leaf is not None and origin is not None else None
    if cell.above or (levels is not None and depth is not None):
        return placed(cell, full, levels or 0, origin, depth)
    own = winner.inner if winner.inner is not None else winner.path
    other = cell.inner if cell.inner is not None else cell.path
    if other == own:
        return cell
    is_above = len(other) < len(full) and other == full[: len(other)]
    if cell.layer == RESOURCE and cell.inner is None and full is decision.path and is_above:
        return replace(cell, at=other)  # what stood there as a whole
    if (cell.inner is None) == (winner.inner is None) and other and len(other) < len(own) and own[: len(other)] == other:
        return replace(cell, at=full[: len(full) - (len(own) - len(other))])
    if _ends(own, full) and not _ends(
        other, full
    ):  # of layers that are each at a place of their own, as those in a functionConfig
        above = next((full[:size] for size in range(len(full) - 1, 0, -1) if _ends(other, full[:size])), None)
        return cell if above is None else replace(cell, at=above)
    if _alike(other, own):
        return cell
    for size in range(1, _alike(own, full) + 1):  # of what layers have under another name than the object
        above = own[: len(own) - size]
        if above and isinstance(above[-1], str) and _alike(other, above):
            return replace(cell, at=full[: len(full) - size])
    return cell


def _has_target(cell: Cell, step: int) -> bool:
    """Return whether a cell is of an entry of a step that names the place of its value."""
    return cell.step == step and _TARGET in cell.facts


def placed(cell: Cell, full: Path, above: int, origin: Origin | None, depth: int | None) -> Cell | None:
    """Return a loser with the place at which it stood above another one, of which it is known how far above.

    It is none of the object's where that is above all that was merged, or where the step reads the values under other names: then of a list it
    is the element that the step reads, None if there is none. origin: the place that the step reads, None for the resource's own. depth: of what
    was merged, None for all of the object.
    """
    size = -1 if -1 in (above, cell.above) else above + cell.above
    if not size:
        return cell
    read = _end(origin) if origin is not None and cell.above else full
    passed = max(0, cell.above)
    if 0 < size < len(full) and (depth is None or size <= depth) and _same_names(read, full, passed):
        return replace(cell, at=full[:-size], above=0)
    rest = read[len(read) - passed :]
    if isinstance(cell.value, list) and rest and isinstance(rest[0], int):
        found = below(cell, rest)
        return found if found is None else replace(found, above=-1)
    return replace(cell, above=-1)


def lower(cell: Cell, rest: Path, size: int) -> Cell | None:
    """Return a loser as what it is for the place at a path below its own: what lost with a list lost as a whole.

    size: how many keys and indices the place has of which it is a loser.
    """
    if cell.at is not None:
        return replace(cell, at=None, above=size - len(cell.at) + len(rest))
    if cell.above or not rest:
        return cell
    kept = next((number for number, part in enumerate(rest) if isinstance(part, int)), len(rest))
    found = below(cell, rest[:kept])
    if found is None:
        return None
    return replace(found, above=len(rest) if found is cell else len(rest) - kept)


def below(cell: Cell, rest: Path) -> Cell | None:
    """Return the part of a cell's value at a path, or the whole of a value that has no parts; None if its map or list lacks it."""
    value = get(cell.value, rest, ABSENT)  # type: ignore[arg-type]
    if value is not ABSENT:
        if cell.inner is not None:
            return replace(cell, value=value, inner=(*cell.inner, *rest))
        return replace(cell, value=value, path=(*cell.path, *rest))
    return None if isinstance(cell.value, (dict, list)) else cell


def _end(origin: Origin) -> Path:
    """Return the path at which a layer has its value, of a reference that to which it leads."""
    while len(origin.via) == 1:
        origin = origin.via[0]
    return origin.path if origin.inner is None else origin.inner


def _same_names(one: Path, other: Path, size: int) -> bool:
    """Return whether so many parts at the ends of two paths are the same names; elements may have other indices."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    same = (isinstance(a, int) == isinstance(b, int) and (isinstance(a, int) or a == b) for a, b in pairs)
    return size <= min(len(one), len(other)) and all(is_same for _, is_same in zip(range(size), same, strict=False))


def _place_of_entry(cell: Cell, full: Path) -> Path | None:
    """Return the place above a value at which an entry of a HelmRelease has its own: that of its `targetPath`, or of its keys; None if at none."""
    target, own = cell.facts.get(_TARGET), _in_values(cell.path) if cell.inner is None else cell.inner
    for size in range(len(full), 0, -1):
        at = _in_values(full[:size])
        if at == own if target is None else at and _as_target(at) == target:
            return full[:size] if size < len(full) else None
    return None


def _in_values(path: Path) -> Path:
    """Return a path of a HelmRelease within its values."""
    return path[len(_VALUES) :] if path[: len(_VALUES)] == _VALUES else path


def _as_target(path: Path) -> str:
    """Return a path as a `targetPath` writes it."""
    parts = (f"[{part}]" if isinstance(part, int) else "." + part.replace(".", "\\.") for part in path)
    return "".join(parts).removeprefix(".")


def _alike(one: Path, other: Path) -> int:
    """Return how many parts at the ends of two paths are the same."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((count for count, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _ends(path: Path, end: Path) -> bool:
    return path[len(path) - len(end) :] == end
