"""One of the two states that are compared: a rendered package with its documents, its sources, and the values that steps decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import EditError
from krm_values._data.record import record
from krm_values._explain import steps, values
from krm_values._explain.comparer import Place
from krm_values._explain.ledger import Ledger
from krm_values._explain.match import Document
from krm_values._explain.model import AUTHORED, Cell
from krm_values._explain.shown import HIDDEN, HiddenKeys, Shown
from krm_values._explain.ways import Trace
from krm_values._krm import findings, names
from krm_values._krm.item import Item
from krm_values._krm.plan import RESOURCE, New, Origin
from krm_values._krm.taint import covers
from krm_values._run import stack
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.steps import Key
    from krm_values._explain.values import FinalValue
    from krm_values._run.pipeline import Rendered
    from krm_values._run.tree import PackageDocument

    Decided = dict[tuple[Path, Path | None], FinalValue]

_WRITTEN = "resource"  # the layer of a value that no function decides


@record
class ComparedValue:
    """A value: itself, as it may be shown, and the cell that won; shown: None if it is hidden. cell: None if its origin is not known.

    decided: the value as a step decided it, None if no step did.
    """

    value: JSON
    shown: JSON
    hidden: bool
    cell: Cell | None
    ledger: Ledger
    decided: FinalValue | None = None

    @property
    def layer(self) -> str:
        """The layer that won in the last step that decided the value."""
        if self.cell is None:
            return ""
        return self.cell.way[0].layer if self.cell.way else self.cell.layer

    @property
    def end(self) -> Cell | None:
        """The cell where the value was written: of a composed one the first part, unless it is a part of the resource's own text."""
        cell = self.cell
        while cell is not None and cell.parts and not any(one.layer == RESOURCE for one in cell.parts):
            cell = cell.parts[0]
        return cell

    @property
    def at(self) -> tuple[str, int]:
        """File and line where the value was written; "" and 0 where they are not known."""
        end = self.end
        if end is None or not isinstance(end.item, Item):
            return "", 0
        return end.item.position.source, self.ledger.line(end)[0]


class Side:
    """A rendered package: its documents, those before the first step, and the values that steps decided."""

    __slots__ = (
        "_before",
        "_decided",
        "_keys",
        "_pristine",
        "_shown_by",
        "_sources",
        "documents",
        "done",
        "ledger",
        "sources",
        "trace",
    )

    def __init__(self, done: Rendered, *, show_secrets: bool) -> None:
        explanation = steps.of_package(done)
        tree = done.loaded.tree
        self.done, self._before = done, explanation.before
        self.trace = Trace(explanation)
        self.ledger = Ledger(explanation, self.trace)
        self._shown_by = Shown(self.ledger, show_secrets=show_secrets)
        self.documents = [Document(tree.item(number), one) for number, one in enumerate(tree.documents)]
        self.sources = [*self._read(done.loaded.documents)]
        self._decided: dict[Key, Decided] | None = None
        self._keys: dict[Document, HiddenKeys] = {}
        self._pristine: dict[int, JSON] = {}
        self._sources: dict[Document, str] = {}

    @property
    def shows_secrets(self) -> bool:
        """Whether values from Secrets are shown."""
        return self._shown_by.shows_all

    def _read(self, found: Mapping[str, Sequence[PackageDocument]]) -> Iterator[Document]:
        for path, documents in found.items():
            for one in documents:
                item = self._before.get(path, one.index)
                if item is not None:
                    yield Document(item, one)

    def source(self, document: Document) -> Item | None:
        """Return a document as it was before the first step; None if it was not there."""
        return self._before.get(document.path, document.index)

    def pristine(self, document: Document) -> JSON:
        """Return the data of a document before the first step, without what earlier runs wrote into it."""
        item = document.item
        if names.RECORD not in document.text:
            return item.data
        if id(item) not in self._pristine:
            self._pristine[id(item)] = _taken_back(item)
        return self._pristine[id(item)]

    def decided(self, document: Document) -> Decided:
        """Return the values that steps decided in a document, by place; those that they removed, too."""
        if self._decided is None:
            self._decided = {}
            for resource in values.collect(self.trace):
                found = {(one.path, one.inner): one for one in resource.values}
                for value in resource.values:
                    for key in self.trace.steps[value.step].keys(value.item):
                        self._decided[key] = found
        item = document.item
        named = "named", document.path, item.api_version, item.kind, item.namespace, item.name
        return self._decided.get(("at", document.path, document.index)) or self._decided.get(named) or {}

    def near(self, document: Document, place: Place) -> FinalValue | None:
        """Return the value that a step decided at a place, else at the nearest one above it."""
        found = self.decided(document)
        if not found:
            return None
        near = next((found[at] for at in steps.above(place.path, place.inner) if at in found), None)
        return near or found.get(self._as_told(document, place))

    def _as_told(self, document: Document, place: Place) -> tuple[Path, Path | None]:
        """Return a place as its decision has it, if one of its keys is from a Secret."""
        if document not in self._keys:
            self._keys[document] = HiddenKeys((*path, *(inner or ())) for path, inner in self.decided(document))
        size, told = len(place.path), self._keys[document].told((*place.path, *(place.inner or ())))
        return told[:size], None if place.inner is None else told[size:]

    def below(self, document: Document, place: Place) -> list[FinalValue]:
        """Return the values that steps decided within the value at a place."""
        whole = place.path, place.inner
        return [value for at, value in self.decided(document).items() if steps.is_part(at, whole)]

    def value(self, document: Document, place: Place, value: Any) -> ComparedValue:
        """Return a value of the rendered package with what may be shown of it, and its winner."""
        near = self.near(document, place)
        near = None if near is not None and near.is_removed else near
        shown = self._shown_by.rendered(document.item, place, value, near, self.decided(document))
        hidden = shown is HIDDEN
        cells = self.ledger.value(near).cells if near else (self._written(document, place, value),)
        exact = near is not None and (near.path, near.inner) == (place.path, place.inner)
        cell = cells[0] if cells else None
        return ComparedValue(value, None if hidden else shown, hidden, cell, self.ledger, near if exact else None)

    def decides(self, document: Document, place: Place) -> bool:
        """Return whether a step decided the value at a place as a whole."""
        return (place.path, place.inner) in self.decided(document)

    def told(self, document: Document, place: Place) -> Place:
        """Return the place by which a hidden value may be named: without the keys that are from a Secret."""
        decided = self.decided(document)
        if self.shows_secrets or (place.path, place.inner) in decided:
            return place
        near = self.near(document, place)
        if near is not None and not near.is_removed and self._shown_by.decided(near.decision, near.step) is HIDDEN:
            return Place(near.path, near.inner)
        as_told = Place(*self._as_told(document, place))
        if as_told != place:
            return as_told
        withheld, sizes = document.item.withheld, range(1, len(place.path) + 1)
        return next((Place(place.path[:size]) for size in sizes if covers(withheld, place.path[:size])), place)

    def made_for(self, document: Document) -> str:
        """Return the title of the resource for which a step generated a document, "" for any other."""
        if document not in self._sources:
            made = next((one.item for one in self.decided(document).values() if isinstance(one.item, New)), None)
            self._sources[document] = findings.title(made.source) if made is not None and made.source else ""
        return self._sources[document]

    def _written(self, document: Document, place: Place, value: Any) -> Cell:
        """Return the cell of a value that no step decided: it was copied, or is as it was."""
        copied = self.ledger.copied(document.item, place.path)
        if copied:
            return copied[0]
        path = self.ledger.unwritten(document.item, place.path) or place.path
        origin = Origin(_WRITTEN, value, self.source(document) or document.item, path, place.inner)
        return Cell(_WRITTEN, value, -1, AUTHORED, origin, origin.item, path, place.inner)


def _taken_back(item: Item) -> JSON:
    """Return the data of an item without what its undo records say was written."""
    records, _ = stack.read(item.reading.annotations)
    try:
        levels = stack.taken_back(stack.in_order(records, item.data), item.data)
    except EditError:
        return item.data
    return levels[0].done.data if levels else item.data


def configs(*sides: Side) -> Iterator[Document]:
    """Yield the functionConfigs of layered-values."""
    return (one for side in sides for one in side.sources if one.item.kind == "LayeredValues")


def shown(entry: ComparedValue | None) -> str:
    """Return the value in one line of YAML."""
    if entry is None:
        return ""
    return HIDDEN if entry.hidden else emit.flow(entry.shown)
