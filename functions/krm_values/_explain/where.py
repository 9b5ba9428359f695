"""`explain --where`: the layers of each value from highest to lowest, with the line where each sets it or could set it.

A layer that a step generates is not offered: in its place stand the layers from which it is generated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, address
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import record
from krm_values._data.shown import inert, printable
from krm_values._explain import in_text
from krm_values._explain.model import EARLIER
from krm_values._explain.shown import HIDDEN, Shown, is_withheld
from krm_values._explain.text import has_texts, path_of, rows, stacked, width, wrapped
from krm_values._krm import findings, names, places
from krm_values._krm.item import Item
from krm_values._krm.plan import RESOURCE, New, Origin
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, TextIO

    from krm_values._data.pointer import Path
    from krm_values._explain.ledger import LayerUse, Ledger, Listed
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.steps import Place
    from krm_values._krm.plan import Leaf

    _Name = tuple[str, str]
    _Known = dict[_Name, tuple[Leaf | None, Origin]]  # by layer, a value of it, and the leaf that it is for

_INLINE = ("spec", "layers", 0, "values")  # of each layer that a LayeredValues holds itself
SETS, COULD, MADE = "sets", "could set", "generated"
_LAYERED, _APPS = "layered-values", "giantswarm-config"
_RANKED = ("flux-values", _APPS, _LAYERED)
"""The functions of which every layer of a target may set every value of it."""


@record
class Row:
    """A layer of a value, and where it sets it or could. cell: of one that sets it."""

    word: str
    layer: str
    place: str
    field: str = ""
    cell: Cell | None = None


def show(ledger: Ledger, found: Iterable[Listed], out: TextIO, *, show_secrets: bool) -> None:
    """Print the layers of the values."""
    out.writelines(f"{inert(line)}\n" for line in _Text(ledger, width(out), show_secrets=show_secrets).lines(found))


class _Text:
    """The lines of the answers."""

    __slots__ = ("_chains", "_ledger", "_shown", "_shows", "_width")

    def __init__(self, ledger: Ledger, room: int, *, show_secrets: bool) -> None:
        self._ledger, self._width, self._shows = ledger, room, show_secrets
        self._shown, self._chains = Shown(ledger, show_secrets=show_secrets), Chains(ledger)

    def lines(self, found: Iterable[Listed]) -> Iterator[str]:
        """Yield the heading of each resource, and its values with their layers."""
        for number, one in enumerate(found):
            if number:
                yield ""
            beside = one.source or one.file
            yield from stacked((printable(one.title), f"({printable(beside)})" if beside else ""), self._width, "")
            names_text = has_texts((value.path, value.inner) for value in one.decided)
            for value in one.values():
                yield from self._value(value, names_text=names_text)

    def _value(self, value: Value, *, names_text: bool) -> Iterator[str]:
        shown = self._shown.value(value)
        text = "(removed)" if shown is ABSENT else _flow(shown)
        path = path_of(value.path, value.inner, names_text=names_text)
        yield from wrapped(printable(f"{path} = {text}"), self._width, "", "  ")
        found = [*self._chains.of(value)]
        cells = [(one.word, printable(one.layer), printable(one.place), printable(self._text(one, value))) for one in found]
        for lines in rows(cells, self._width, "  ") if cells else ():
            yield from lines
        for fact in self._facts(value, found):
            yield from wrapped(printable(fact), self._width, "    ", "      ")

    def _text(self, row: Row, value: Value) -> str:
        if row.cell is None:
            return row.field
        shown = self._shown.cell(row.cell, value)
        return "" if shown is ABSENT else _flow(shown)

    def _facts(self, value: Value, found: Sequence[Row]) -> Iterator[str]:
        """Yield the type of a value and its default, as far as a schema, the resource's own field or its other values say."""
        schema, line = self._chains.schema(value, shows=self._shows)
        kinds = [(row.cell.layer, row.place, _kind(self._shown.cell(row.cell))) for row in found if row.cell is not None]
        own = next(((place, kind) for layer, place, kind in kinds if layer == RESOURCE and kind), None)
        near = next(((place, kind) for _, place, kind in kinds if kind), None)
        if isinstance(schema.get("type"), (str, list)):
            yield f"type: {_flow(schema['type'])} (schema, {line})"
        elif own is not None:
            yield f"type: {own[1]} (field, {own[0]})"
        elif near is not None:
            yield f"type: {near[1]} (as {near[0]})" if near[0] else f"type: {near[1]}"
        rest = {key: schema[key] for key in schema if key in _LIMITS}
        if rest:
            yield ", ".join(f"{key}: {_flow(one)}" for key, one in rest.items())
        if "default" in schema:
            yield f"default: {_flow(schema['default'])}"


_LIMITS = ("enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "pattern", "minLength", "maxLength")


@record
class _Asked:
    """A value of a target, as a step decided it, and the place that is asked for: that of the leaf, or of another value of the same target."""

    target: Item | New
    leaf: Leaf
    step: int
    place: Path


class Chains:
    """Finds the layers of values, also of those that could set one."""

    __slots__ = ("_known_of", "_ledger", "_listed", "_made", "_open", "_ranked", "_trace")

    def __init__(self, ledger: Ledger) -> None:
        self._ledger, self._trace = ledger, ledger.trace
        self._open: set[tuple[int, str, Place]] = set()
        self._known_of: dict[
            tuple[int, int], tuple[Item | New, _Known]
        ] = {}  # with the target, so that no other takes its id over
        self._made: dict[int, tuple[Item, bool]] = {}
        self._listed: dict[int, dict[str, set[str]]] = {}
        self._ranked: dict[int, dict[int, list[LayerUse]]] = {}

    def of(self, value: Value) -> Iterator[Row]:
        """Yield the layers of a value from highest to lowest, then its own value in the resource."""
        if value.decision is None or value.decision.leaf is None or value.step < 0:
            yield from (self._set(cell) for cell in value.cells)
            return
        self._open.clear()
        seen: set[tuple[str, str, str]] = set()
        found = [*self._rows(value.item, value.decision.leaf, value.step)]
        own = [self._set(cell) for cell in value.cells if cell.layer == RESOURCE]
        for row in (*(one for one in found if one.layer != RESOURCE), *own):
            if (key := (row.word, row.layer, row.place)) not in seen:
                seen.add(key)
                yield row

    def schema(self, value: Value, *, shows: bool) -> tuple[dict[str, Any], str]:
        """Return the schema of a value and its line, where the layered-values step that decided it has one; no hidden default."""
        leaf = value.decision.leaf if value.decision else None
        place = self._trace.steps[value.step].entry.outcome.place() if leaf is not None else None
        held = get(place.item.data, ("spec", "schema"), ABSENT) if place is not None else ABSENT
        if leaf is None or place is None or not isinstance(held, dict):
            return {}, ""
        path = leaf.origin.inner or leaf.inner or leaf.origin.path
        at: Path = ("spec", "schema")
        for part in path:
            at = (*at, "items") if isinstance(part, int) else (*at, "properties", part)
        found = get(place.item.data, at, ABSENT)
        if not isinstance(found, dict):
            return {}, ""
        default = (*at, "default")
        hides = not shows and is_withheld(place.item, default)
        shown = {key: one for key, one in found.items() if not (hides and key == "default")}
        return shown, _line(self._trace.first(place.item), at)

    def _rows(self, target: Item | New, leaf: Leaf, step: int, path: Path | None = None) -> Iterator[Row]:
        """Yield the layers of a step for a place of a target. path: the place, if the leaf is another one of the same chain."""
        wanted = path if path is not None else _inside(leaf)
        place = step, findings.title(target), (leaf.path, wanted)
        if place in self._open:
            return
        self._open.add(place)
        key = id(target), step
        if key not in self._known_of:
            self._known_of[key] = target, self._known(target, step)
        known = {**self._known_of[key][1]}
        set_by: dict[_Name, list[Origin]] = {}
        for origin in (leaf.origin, *leaf.overridden) if path is None else ():
            name = self._name(origin, step)
            set_by.setdefault(name, []).append(origin)
            known.setdefault(name, (leaf, origin))
        ranks = {self._name(one.origin, step): one.rank for one in self._chain(target, step)}
        told = [*set_by]
        order = sorted(known, key=lambda name: (-ranks.get(name, 0), told.index(name) if name in told else len(told)))
        for name in order:
            if name in set_by:
                for origin in set_by[name]:
                    yield from self._setting(origin, leaf, target, step)
            else:
                yield from self._could(name[0], known[name], _Asked(target, leaf, step, wanted))

    def _name(self, origin: Origin, step: int) -> _Name:
        """Return the name of a layer, and that under which its function declares it: the layers of ConfigMaps and Secrets may have one name."""
        return origin.layer, self._ledger.order(step).declared(origin.layer, origin)

    def _chain(self, target: Item | New, step: int) -> list[LayerUse]:
        """Return the layers that are ranked together for a target."""
        if step not in self._ranked:
            known: dict[int, list[LayerUse]] = {}
            for one in self._ledger.layers(step):
                known.setdefault(id(one.chain), []).append(one)
            self._ranked[step] = known
        is_alone = isinstance(target, New) and not target.named
        source = places.made_from(target) if is_alone and isinstance(target, New) else None
        return self._ranked[step].get(id(source), [])

    def _known(self, target: Item | New, step: int) -> _Known:
        """Return the layers that may set any value of a target, each with one of its values."""
        entry = self._trace.steps[step].entry
        found: _Known = {}
        if entry.function not in _RANKED:
            return found
        for decision in self._trace.steps[step].of(target):
            for origin in (decision.leaf.origin, *decision.leaf.overridden) if decision.leaf else ():
                found.setdefault(self._name(origin, step), (decision.leaf, origin))
        kind = findings.reference(target)["kind"]
        listed = self._layers_of(target, step) if entry.function == _LAYERED else None
        for one in self._chain(target, step) if listed is not None or isinstance(target, New) else ():
            held = one.origin.item
            other = entry.function == _APPS and held is not None and findings.reference(held)["kind"] != kind
            if not other and (listed is None or one.layer in listed):
                found.setdefault(self._name(one.origin, step), (None, one.origin))
        return {name: one for name, one in found.items() if name[0] != RESOURCE}

    def _layers_of(self, target: Item | New, step: int) -> set[str]:
        """Return the names of the layers that a layered-values step has for a target."""
        if step not in self._listed:
            found: dict[str, set[str]] = {}
            for note in self._trace.steps[step].entry.outcome.notes:
                if note.topic == "layers" and isinstance(note.data, list):
                    found.setdefault(note.subject.partition(" ")[2], set()).update(map(str, note.data))
            self._listed[step] = found
        named = findings.reference(target)  # a note has an object that is generated without its namespace
        title = findings.title(target) if isinstance(target, Item) else f"{named['kind']} {named['name']}"
        return self._listed[step].get(title, set())

    def _setting(self, origin: Origin, leaf: Leaf, target: Item | New, step: int) -> Iterator[Row]:
        """Yield the row of a layer that sets the value; of a generated one those of the layers that it is generated from, too."""
        at = self._trace.steps[step].located(origin)
        if at.item is not None and self._is_made(at.item):
            yield Row(MADE, at.layer, findings.title(at.item))
            yield from self._below(at.item, at.path, at.inner, step)
        else:
            yield from map(self._set, self._ledger.of_layer(origin, step, leaf, target))

    def _could(self, name: str, known: tuple[Leaf | None, Origin], asked: _Asked) -> Iterator[Row]:
        """Yield the row of a layer that has another value of the target."""
        step, (beside, origin) = self._trace.steps[asked.step], known
        at = step.located(origin)
        base, own = _divided(at)
        if step.entry.function == _LAYERED and (isinstance(asked.target, Item) or beside is None):
            _, mapped = _divided(step.located(asked.leaf.origin))
            path = None if at.inner is None and not base else _whole(mapped)
        elif beside is None:
            path = _whole(asked.place)
        else:
            path = _moved(_whole(_inside(beside)), _whole(own), _whole(asked.place))
        if at.item is None or path is None:
            return
        field, inner = (at.path, path) if at.inner is not None else ((*base, *path), None)
        if self._is_made(at.item):
            yield Row(MADE, name, findings.title(at.item))
            yield from self._below(at.item, field, inner, asked.step)
        elif isinstance(at.item, Item) and (word := self._word(at.item, field, inner)):
            shown = to_field(field) + (f" » {to_field(inner)}" if inner else "")
            yield Row(word, name, _line(self._trace.first(at.item), (*field, *(inner or ()))), shown)

    def _word(self, item: Item, field: Path, inner: Path | None) -> str:
        """Return whether a layer has a value at a place or could have one; "" where it has no map above it."""
        above = [get(item.data, field[:size], ABSENT) for size in range(len(field))]
        found = get(item.data, field, ABSENT)
        if inner is not None:
            try:
                held = decode.data(in_text.held(item, field) + "\n")
            except InputError:
                return COULD
            above, found = [get(held, inner[:size], ABSENT) for size in range(len(inner))], get(held, inner, ABSENT)
        if any(not isinstance(one, dict | None) and one is not ABSENT for one in above):
            return ""
        return COULD if found is ABSENT or isinstance(found, list) else SETS

    def _below(self, item: Item | New, path: Path, inner: Path | None, step: int) -> Iterator[Row]:
        """Yield the rows of the step that generates a layer, for the place that a later step reads."""
        for number in [step] if isinstance(item, New) else self._trace.touching(item):
            if number > step or (number == step and isinstance(item, Item)):
                continue
            done = self._trace.steps[number]
            decided = [one for one in done.decided(item, path, inner) if one.leaf is not None]
            if decided:
                for one in decided:
                    yield from self._rows(one.item, one.leaf, number)  # type: ignore[arg-type]
                return
            others = [one for one in done.of(item) if one.leaf is not None and (inner is None) == (one.leaf.inner is None)]
            if others:
                first = others[0]
                yield from self._rows(first.item, first.leaf, number, inner if inner is not None else path)  # type: ignore[arg-type]
                return

    def _is_made(self, item: Item | New) -> bool:
        """Return whether a run generates an object."""
        if isinstance(item, New):
            return True
        if id(item) not in self._made:
            steps = (self._trace.steps[number] for number in self._trace.touching(item))
            is_made = any(isinstance(one.item, New) for step in steps for one in step.of(item))
            self._made[id(item)] = item, is_made or names.MADE_BY in item.marks
        return self._made[id(item)][1]

    def _set(self, cell: Cell) -> Row:
        line = self._ledger.line(cell)[0]
        if cell.item is not None and (cell.origin == EARLIER or not isinstance(cell.item, Item)):
            return Row(MADE, cell.layer or RESOURCE, findings.title(cell.item))
        place = address(cell.item.position.source, line) if isinstance(cell.item, Item) else ""
        return Row(SETS, cell.layer or "default", place, cell=cell)


def _divided(origin: Origin) -> tuple[Path, Path]:
    """Return the path of the values that a functionConfig holds itself, () for any other layer, and the path of an origin in its layer."""
    path = origin.path
    if origin.inner is not None:
        return (), origin.inner
    size = len(_INLINE) if len(path) > len(_INLINE) and path[:2] == _INLINE[:2] and path[3] == _INLINE[3] else 0
    return path[:size], path[size:]


def _inside(leaf: Leaf) -> Path:
    return leaf.inner if leaf.inner is not None else leaf.path


def _whole(path: Path) -> Path:
    """Return a path up to the first list in it: an element has another number in another layer."""
    return path[: next((size for size, part in enumerate(path) if isinstance(part, int)), len(path))]


def _moved(target: Path, own: Path, wanted: Path) -> Path | None:
    """Return where a layer would have a value, from where it has another one; None if it cannot have it.

    target: where the layer's other value is written.
    """
    pairs = enumerate(zip(reversed(own), reversed(target), strict=False))
    size = next((number for number, (one, other) in pairs if one != other), min(len(own), len(target)))
    above = target[: len(target) - size]
    if not size or wanted[: len(above)] != above:
        return None
    return (*own[: len(own) - size], *wanted[len(above) :])


def _line(item: Item, path: Path) -> str:
    return address(item.position.source, places.of_field(item, path)[0])


def _flow(value: Any) -> str:
    return findings.HIDDEN if value is HIDDEN else emit.flow(value)


def _kind(value: Any) -> str:
    """Return the type of a value in words, "" if it is not known or hidden."""
    if value is ABSENT or value is HIDDEN or value is None:
        return ""
    if isinstance(value, bool):
        return "boolean"
    names_of = ((int, "integer"), (float, "number"), (str, "string"), (list, "list"), (dict, "map"))
    return next((name for kind, name in names_of if isinstance(value, kind)), "")
