"""The decisions that turn an item into what targets made of it, each with who wrote it."""

from __future__ import annotations

from krm_values._kit.diff import diff
from krm_values._kit.plain import Remove
from krm_values._kit.plan import Drop, Leaf, Put
from krm_values._kit.pointer import get
from krm_values._kit.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.item import Item
    from krm_values._kit.plan import Origin
    from krm_values._kit.pointer import Path
    from krm_values.glasskube_values.documents import Document, Written

_ANNOTATIONS = ("metadata", "annotations")


def decisions(item: Item, document: Document) -> Iterator[Put | Drop]:
    """The changes of an item, as small as they can be said; then a put for each place that already stands as it was written."""
    left = [part for one in document.written if not one.removed for part in _parts(one, document)]
    whole: Path | None = None
    for edit in diff(document.pristine, document.data):
        if whole is not None and edit.path[: len(whole)] == whole:
            continue
        if not isinstance(edit, Remove):
            yield Put(item, edit.path, edit.value, _taken(left, document, edit.path), insert=edit.insert)  # type: ignore[union-attr]
            continue
        over = next((one for one in left if edit.path[: len(one.path)] == one.path), None)
        if over is None:
            yield from _drops(item, document, edit.path)
        else:
            whole = over.path
            yield Put(item, whole, document.value(over), _taken(left, document, whole))
    for one in left:
        yield Put(item, one.path, document.value(one), (_leaf(one, document),))


def leaves(document: Document, above: Path) -> Iterator[Leaf]:
    """Every written place of a generated object's part, which stands at `above`."""
    for one in document.written:
        if not one.removed:
            yield _leaf(one, document, above)


def _parts(one: Written, document: Document) -> Iterator[Written]:
    """A written place; one above the annotations, which hosts share with us, member by member."""
    found = document.value(one)
    if len(one.path) < len(_ANNOTATIONS) and one.path == _ANNOTATIONS[: len(one.path)] and isinstance(found, dict):
        for path in ((*one.path, key) for key in found):
            others = tuple(origin for origin in one.beaten if origin.layer != "resource")
            yield from _parts(replace(one, path=path, beaten=(*others, *document.authored(path))), document)
    else:
        yield one


def _taken(left: list[Written], document: Document, path: Path) -> tuple[Leaf, ...]:
    """The explanations that belong to a change: of places in it or around it."""
    found = [one for one in left if one.path[: len(path)] == path or path[: len(one.path)] == one.path]
    left[:] = [one for one in left if not any(one is other for other in found)]
    return tuple(_leaf(one, document) for one in found)


def _leaf(one: Written, document: Document, above: Path = ()) -> Leaf:
    return Leaf((*above, *one.path), document.value(one), one.origin, one.beaten)


def _drops(item: Item, document: Document, path: Path) -> Iterator[Drop]:
    """A removal; of all annotations one by one, since there are those that a planner does not see."""
    origin = _remover(document, path)
    found = get(document.pristine, path)
    if path == _ANNOTATIONS and isinstance(found, dict):
        for key in found:
            yield Drop(item, (*path, key), origin)
    else:
        yield Drop(item, path, origin)


def _remover(document: Document, path: Path) -> Origin:
    """Who removed what stood there: list elements may since have moved."""
    over = [one for one in document.written if not one.removed and path[: len(one.path)] == one.path]
    removed = over or [one for one in document.written if one.removed] or document.written
    near = [one for one in removed if one.path == path] or [one for one in removed if one.path[:-1] == path[:-1]] or removed
    return near[-1].origin
