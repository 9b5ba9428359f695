"""The first value that two compositions of a release do not share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.data_edits import same
from krm_values._kit.layers.merge import Assigned
from krm_values.flux_values import provenance
from krm_values.flux_values.provenance import List, Map

if TYPE_CHECKING:
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values.flux_values.provenance import Node

    Difference: TypeAlias = tuple[Path, Node | None, Node | None]

_INLINE = "values"


def first_difference(found: Map, written: Map, own: Map) -> Difference | None:
    """Return the first path at which two compositions differ, and the value of each there; None if there is none.

    found: what is composed now. written: what the written release composes to, whose inline values are `own`. A value of a Secret
    equals only itself, so that the answer does not reveal whether another value happens to be the same.
    """
    return _difference(found, written, own, ())


def _difference(now: Node | None, then: Node | None, own: Map, path: Path) -> Difference | None:
    if isinstance(now, Map) and isinstance(then, Map):
        for key in sorted(now.keys() | then.keys()):
            if difference := _difference(now.get(key), then.get(key), own, (*path, provenance.shown(key))):
                return difference
        return None
    return None if _is_same(now, then, own) else (path, now, then)


def _is_same(now: Node | None, then: Node | None, own: Map) -> bool:
    if isinstance(now, List) and isinstance(then, List):
        pairs = zip(now, then, strict=False)
        return len(now) == len(then) and all(_difference(one, other, own, ()) is None for one, other in pairs)
    if not isinstance(now, Assigned) or not isinstance(then, Assigned):
        return False
    return _secret_place(now) == _secret_place(_before_inlining(then, own)) and same(now.value, then.value)


def _before_inlining(node: Assigned, own: Map) -> Assigned:
    """Return the value that an inline value of the written release was copied from; any other value itself."""
    found = provenance.member(own, node.path) if node.layer((), None).layer == _INLINE else node
    return found if isinstance(found, Assigned) else node


def _secret_place(node: Assigned) -> tuple[str, Path] | None:
    """Return the layer and path of a value that comes from a Secret; None for any other value."""
    origin = node.layer(node.path, None)
    return (origin.layer, node.path) if origin.secret else None
