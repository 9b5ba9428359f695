"""Why no step reads a line: the nearest reason."""

from __future__ import annotations

from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data.errors import address
from krm_values._data.pointer import get
from krm_values._explain.layers import step_title
from krm_values._krm import findings, places
from krm_values._krm.kptfile import NAME
from krm_values._run.state import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import Reference
    from krm_values._explain.steps import Explained, Key
    from krm_values._krm.item import Item

_LAYERED = "layered-values"
_HOLDERS = {
    "flux-values": ("HelmRelease",),
    "giantswarm-config": ("App", "Catalog"),
    "glasskube-values": ("ClusterPackage", "Package"),
    _LAYERED: ("LayeredValues",),
}
"""The kinds whose resources name the layers of a function."""
_DECLARED = ("carto.run", "krm-values.dev", "packages.glasskube.dev", "tekton.dev")
"""The groups of resources that functions read for more than values."""
_NULLS = ("spec", "nulls")
_TEXTS = ("data", "stringData", "binaryData")


class Unread:
    """Says of places of one document why no value comes from them."""

    __slots__ = ("_item", "_keys", "_ledger", "_scope", "_title")

    def __init__(self, ledger: Ledger, item: Item) -> None:
        self._ledger, self._item, self._title = ledger, item, findings.title(item)
        self._keys: frozenset[Key] = frozenset(ledger.trace.steps[0].keys(item) if ledger.trace.steps else ())
        self._scope = [entry for entry in ledger.explanation.steps if self._is_in(entry)]

    def reason(self, path: Path, inner: Path | None = None, number: int = 0) -> str:
        """Return a sentence without a full stop: what the line is for, or that no step reads it, or that no value comes from it, and why.

        number: of the YAML document of the text that the line is in.
        """
        if role := self._role(path):
            return role
        unread, text = self._why(path, number)
        is_null = not number and value_at(self._item.data, path, inner, {}) is None
        if is_null and not unread and (line := self._drops_nulls()):
            text = f"it is null, which `nulls: remove` ({line}) leaves out, and no layer below has a value for it to remove"
        is_unread = unread and self._item.group not in _DECLARED
        return f"{'no step reads it or sets it' if is_unread else 'no value comes from it'}: {text}"

    def _role(self, path: Path) -> str:
        """Return what a line is that names a layer, or that belongs to a config or a pipeline; "" for any other."""
        known = [one for one in self._ledger.references() if self._is_here(one)]
        exact = [one for one in known if one.path[: len(path)] == path or path[: len(one.path)] == one.path]
        for one in sorted(exact, key=lambda one: -len(one.path)):
            if one.kind in ("entry", "config"):
                return self._naming(one)
            if one.kind == "selector":
                of_layer = "a layer of " if one.path[-1] == "when" else ""
                return f"it chooses targets of {of_layer}{self._step(one.parent)}"
            if one.kind == "step":
                return f"it runs {self._step(one)}"
        for entry in self._ledger.explanation.steps:
            place = entry.outcome.place()
            if place is not None and not self._keys.isdisjoint(self._ledger.trace.steps[0].keys(place.item)):
                return f"it is in the functionConfig of {step_title(entry)}, and no value comes from it"
        return ""

    def _naming(self, one: Reference) -> str:
        """Return which layer a reference names, and how many values it wins."""
        named = self._ledger.named_by(one)
        rows = [
            (row.layer, row.sets, row.wins)
            for number, layer in named
            for row in self._ledger.layers(number)
            if row.layer == layer and (row.chain is None or row.chain is one.item or self._is_of(row.chain))
        ]
        if not rows:
            return f"it names a layer of {self._step(one.parent)}"
        layer, sets, wins = rows[0][0], sum(row[1] for row in rows), sum(row[2] for row in rows)
        return f"it names the layer {layer} of {self._step(one.parent)}, which wins {wins:,} of {sets:,} values"

    def _is_of(self, chain: Item) -> bool:
        return not self._keys.isdisjoint(self._ledger.trace.steps[0].keys(chain))

    def _step(self, one: Reference | None) -> str:
        entries = self._ledger.explanation.steps
        found = (entry for entry in entries if one and (join(entry.package, NAME), entry.path) == (one.file, one.path))
        return next(map(step_title, found), "a step")

    def _is_here(self, one: Reference) -> bool:
        if one.item is None:
            return one.file == self._item.position.source
        return not self._keys.isdisjoint(self._ledger.trace.steps[0].keys(one.item))

    def _is_in(self, entry: Explained) -> bool:
        """Return whether the document is in the package of a step or below it."""
        return not entry.package or self._item.position.path.startswith(f"{entry.package}/")

    def _why(self, path: Path, number: int) -> tuple[bool, str]:
        """Return the nearest reason, and whether no step reads the place at all: steps read names and labels of resources without layers, too."""
        if not self._scope:
            return True, "no step runs here"
        left_out = [entry for entry in self._scope if not self._gets(entry)]
        if len(left_out) == len(self._scope) and (entry := next((one for one in left_out if self._selectors(one)), None)):
            return True, f"{self._selectors(entry)} of {step_title(entry)} leaves {self._title} out"
        found = [one for entry in self._scope for one in self._references(entry)]
        is_text = self._item.kind in ("ConfigMap", "Secret") and path[:1] != ("metadata",)
        if not found:
            return is_text, f"no reference names {self._title}" if is_text else f"no layer is in this field of {self._title}"
        if number and all(entry.function != _LAYERED for entry, *_ in found):
            return True, "only the first YAML document of this text is read"
        reasons = [text for one in found if (text := self._about(*one, path))]
        if len(reasons) == len(found):
            return True, reasons[0]
        text = f"{self._title} is a layer, but no target has this value"
        return False, text if is_text else "its layer is not in this field"

    def _drops_nulls(self) -> str:
        """Return the line of the config whose step reads the document and leaves nulls out, "" if there is none."""
        for entry in self._scope:
            place = entry.outcome.place()
            drops = place is not None and get(place.item.data, _NULLS) == "remove"
            if place is not None and drops and any(True for _ in self._references(entry)):
                return self._line(place.item, _NULLS)
        return ""

    def _gets(self, entry: Explained) -> bool:
        at = self._item.position
        return any((item.position.path, item.position.index) == (at.path, at.index) for item in entry.items)

    def _selectors(self, entry: Explained) -> str:
        """Return the field by which a step chooses what it gets, "" if it gets everything."""
        kptfile = self._ledger.explanation.before.get(join(entry.package, NAME), 0)
        held = get(kptfile.data, entry.path) if kptfile else None
        return next((f"`{name}`" for name in ("selectors", "exclude") if isinstance(held, dict) and held.get(name)), "")

    def _references(self, entry: Explained) -> Iterator[tuple[Explained, Item, Path, dict[str, JSON]]]:
        """Yield the maps that name the document by its kind and name, whatever the namespace."""
        place = entry.outcome.place() if entry.function == _LAYERED else None
        holders = [place.item] if place else [item for item in entry.items if item.kind in _HOLDERS.get(entry.function, ())]
        for holder in holders:
            start: Path = ("spec", "layers") if place else ("spec",)
            for path, held in _maps(get(holder.data, start), start):
                if "when" not in path and self._is_name(held, path):
                    yield entry, holder, path, held

    def _is_name(self, held: dict[str, JSON], path: Path) -> bool:
        kind, name = self._item.kind, self._item.name
        if held.get(kind[:1].lower() + kind[1:]) == name:
            return True
        if held.get("name") != name:
            return False
        own = held.get("kind") or next((part for part in reversed(path) if isinstance(part, str)), "")
        own = "configMap" if own == "extraConfigs" else own  # Giant Swarm's default
        return str(own).lower().removesuffix("ref").removesuffix("keyref") == kind.lower()

    def _about(self, entry: Explained, holder: Item, path: Path, held: dict[str, JSON], at: Path) -> str:
        """Return why a reference does not lead to a place, "" if it does."""
        line = self._line(holder, path)
        named = findings.title(holder)
        layered = entry.function == _LAYERED
        space = str(held.get("namespace") or (self._item.namespace if layered else holder.namespace))
        if self._item.kind == "Catalog":
            space = str(held.get("catalogNamespace") or self._item.namespace)  # the namespace beside it is that of the app
        if space != self._item.namespace:
            other = f"{self._item.kind} {space}/{self._item.name}" if space else f"{self._item.kind} {self._item.name}"
            return f"{named} ({line}) names {other}, in another namespace"
        layer = get(holder.data, path[:3]) if layered else None
        if isinstance(layer, dict) and "when" in layer:
            return f"`when` of the layer ({line}) fits no target"
        field, key = next(((name, str(held[name])) for name in ("valuesKey", "key") if held.get(name)), ("", ""))
        if not field and entry.function == "flux-values":
            field, key = "valuesKey", "values.yaml"
        if field and key != "*" and at[:1] and at[0] in _TEXTS and len(at) > 1 and at[1] != key:
            return f"its key is not the `{field}` of {named} ({line}), which is `{key}`"
        return ""

    def _line(self, holder: Item, path: Path) -> str:
        before = self._ledger.trace.first(holder)
        return address(before.position.source, places.of_field(before, path)[0])


def _maps(data: JSON, path: Path) -> Iterator[tuple[Path, dict[str, JSON]]]:
    """Yield all maps in data, with their paths."""
    if isinstance(data, dict):
        yield path, data
        for key, below in data.items():
            if isinstance(below, (dict, list)):
                yield from _maps(below, (*path, key))
    elif isinstance(data, list):
        for number, below in enumerate(data):
            if isinstance(below, (dict, list)):
                yield from _maps(below, (*path, number))
