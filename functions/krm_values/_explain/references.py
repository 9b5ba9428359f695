"""Why a layer is there: the entry that names it, the line of the functionConfig, the selector that chose the target, the source, the step."""

from __future__ import annotations

import re
from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, scalars
from krm_values._explain.model import Reference
from krm_values._krm import findings, places
from krm_values._krm.item import Item
from krm_values._krm.kptfile import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._data.pointer import Path
    from krm_values._explain.steps import Explained
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import New

    Written = tuple[Item, Path, Path | None, Path]  # document, path and path in the text there; the path as the file has it

_NUMBERED = re.compile(r"(\w+)\[(\d+)\]")
_SELECTED = re.compile(r"targets\[(\d+)\] (.*)", re.DOTALL)
_LAYERED = "layered-values"


class References:
    """Those of the layers of one step. number: of the step. written: returns where it has a place from that it reads."""

    __slots__ = ("_entry", "_known", "_last", "_layers", "_made", "_number", "_selected", "_step", "_trace", "_written")

    def __init__(self, entry: Explained, number: int, trace: Trace, written: Callable[[int, Item, Path], Written]) -> None:
        self._entry, self._number, self._trace, self._written = entry, number, trace, written
        self._known: dict[object, dict[str, tuple[Reference, ...]]] = {}  # by target and layer
        self._last: tuple[Item | New, dict[str, tuple[Reference, ...]]] | None = None
        self._made: dict[tuple[str, Path], Reference] = {}
        self._layers: dict[str, Path] | None = None
        self._selected: dict[str, list[Path]] | None = None
        self._step = (
            self._kept(Reference("step", join(entry.package, NAME), entry.path, number=entry.place[0])) if entry.step else None
        )

    def of(self, layer: str, target: Item | New) -> tuple[Reference, ...]:
        """Return the references of a layer that has a value for an object: the nearest first, the step last."""
        if self._last is None or self._last[0] is not target:  # one value after the other is of the same object
            self._last = target, self._known.setdefault(self._key(target), {})
        known = self._last[1]
        if layer not in known:
            known[layer] = tuple(self._of(layer, target))
        return known[layer]

    def _key(self, target: Item | New) -> object:
        """Return what all targets with the same references have in common."""
        if self._entry.function == _LAYERED:
            return tuple(self._selectors().get(_title(target), ()))
        source = target if isinstance(target, Item) else places.made_from(target)
        return id(source), target is source

    def all(self) -> list[Reference]:
        """Return all that the decisions of the step need."""
        for decision in self._entry.outcome.decisions:
            leaf = decision.leaf
            for origin in (leaf.origin, *leaf.overridden) if leaf else ():
                self.of(origin.layer, decision.item)
            if not isinstance(decision.item, Item):
                self.of("", decision.item)
        return [*self._made.values()]

    def named_by(self, one: Reference) -> list[str]:
        """Return the layers whose nearest reference this is."""
        layers = (item for known in self._known.values() for item in known.items())
        return [*dict.fromkeys(layer for layer, found in layers if found[:1] == (one,))]

    def step(self) -> Reference | None:
        """Return that of the step; None for a list, which has no Kptfile."""
        return self._step

    def _of(self, layer: str, target: Item | New) -> list[Reference]:
        step = self._step
        found: list[Reference] = []
        if self._entry.function == _LAYERED:
            place = self._entry.outcome.place()
            if place is not None:
                known = self._in_config()
                named = known.get(layer) or known.get(layer.partition("#")[0])  # of a text of several documents each is a layer
                when = [(*named, "when")] if named and get(place.item.data, (*named, "when"), ABSENT) is not ABSENT else []
                at = [*filter(None, (named,)), *when, *self._selectors().get(_title(target), ())]
                kinds = ["config" if one is named else "selector" for one in at]
                found += [self._at(kind, place.item, one, step) for kind, one in zip(kinds, at, strict=True)]
        else:
            source = target if isinstance(target, Item) else places.made_from(target)
            if source is not None:
                path = _entry_of(layer, source)
                found += self._entry_at(source, path) if path else []
                if source is not target:
                    found.append(self._at("source", self._authored(source), ("metadata", "name"), step))
        return found if step is None else [*found, step]

    def _entry_at(self, source: Item, path: Path) -> Iterator[Reference]:
        """Yield the reference to an entry, then those to what an earlier step wrote into it beside its value, as a priority."""
        entry = self._at("entry", source, path, self._step)
        yield entry
        if path[-1] == "values":  # they are values themselves
            return
        if self._number and entry.item is self._trace.first(source):
            for below in sorted(below for below, _ in scalars(get(source.data, path)) if below[:1] != ("value",)):
                if self._written(self._number, source, (*path, *below))[0] is not source:
                    yield self._at("entry", source, (*path, *below), self._step)

    def _authored(self, source: Item) -> Item:
        """Return the resource for which earlier steps generated a source; the source itself if none did."""
        while made := self._trace.maker(source) if self._number else None:
            found = places.made_from(made[1])
            if found is None or made[0] >= self._number:
                break
            source = found
        return source

    def _at(self, kind: str, item: Item, path: Path, parent: Reference | None) -> Reference:
        at, own, inner, in_file = self._written(self._number, item, path)
        before = self._trace.first(at)
        read = None if at is item and inner is None else (self._trace.first(item), path)
        return self._kept(Reference(kind, at.position.source, own, before, parent, 0, inner, in_file, read))

    def _kept(self, one: Reference) -> Reference:
        """Return the first one that was made of this place, so that each is listed once."""
        return self._made.setdefault((one.file, (one.kind, *one.path, id(one.item), *(one.inner or ()))), one)

    def _in_config(self) -> dict[str, Path]:
        """Return the places of the layers of a LayeredValues by their names."""
        if self._layers is None:
            place = self._entry.outcome.place()
            listed = get(place.item.data, ("spec", "layers")) if place else None
            self._layers = {}
            for number, one in enumerate(listed if isinstance(listed, list) else ()):
                self._layers.setdefault(_name_of(one), ("spec", "layers", number))
        return self._layers

    def _selectors(self) -> dict[str, list[Path]]:
        """Return the places of the targets that select or generate an object, by its title."""
        if self._selected is None:
            self._selected = {}
            for note in self._entry.outcome.notes:
                if note.topic == "layers" and (match := _SELECTED.fullmatch(note.subject)):
                    self._selected.setdefault(match[2], []).append(("spec", "targets", int(match[1])))
        return self._selected


def _title(target: Item | New) -> str:
    """Return what a note of LayeredValues calls a target: an object that it generates has no namespace there."""
    if isinstance(target, Item):
        return findings.title(target)
    named = findings.reference(target)
    return f"{named['kind']} {named['name']}"


def _entry_of(layer: str, source: Item) -> Path | None:
    """Return the field of a resource's spec that a layer is named after: `valuesFrom[1]`, `config`, `catalog main`."""
    match = _NUMBERED.match(layer)
    path: Path = ("spec", match[1], int(match[2])) if match else ("spec", layer.partition(" ")[0])
    return None if get(source.data, path, ABSENT) is ABSENT else path


def _name_of(layer: object) -> str:
    """Return what a LayeredValues calls a layer: its name, else that of its object."""
    if not isinstance(layer, dict):
        return ""
    selected = layer.get("from")
    of_object = selected.get("name") if isinstance(selected, dict) else None
    names = (layer.get("name"), layer.get("configMap"), layer.get("secret"), of_object, "values" if "values" in layer else "")
    return next((one for one in names if isinstance(one, str) and one), "")
