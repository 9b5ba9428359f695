"""One run: layers, a chain for each target, and what is written [1, 20, 60-91]."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from tests.reference.layered_values import images, layers, paths
from tests.reference.layered_values.document import broken, finished
from tests.reference.layered_values.faults import Findings, Stop
from tests.reference.layered_values.fields import REMOVE, Changed, Place, bare, guard, makeable, places, secret_text
from tests.reference.layered_values.kinds import Text, as_text, converted
from tests.reference.layered_values.merging import Merger
from tests.reference.layered_values.scalars import Plain
from tests.reference.layered_values.tree import Value, plain, same, secret, tree

Json = Any
DATA_KEY = re.compile(r"[-._a-zA-Z0-9]{1,253}")


@dataclass
class Result:
    """What comes out: resources in order, generated data by (kind, namespace, name), and what was found."""

    items: list[Json]
    made: dict[tuple[str, str, str], dict[str, Json]]
    findings: Findings


@dataclass
class Run:
    """The state of one run; `written`: per resource the places, their values and their targets."""

    config: Json
    items: list[Json]
    findings: Findings = field(default_factory=Findings)
    written: dict[int, list[tuple[Place, Json, int, bool]]] = field(default_factory=dict)
    made: dict[tuple[str, str, str], dict[str, Json]] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.items = [bare(item) for item in self.items]
        references = self.config.get("references", Plain("true", value=True)).value
        self.layers = layers.read(self.config["layers"], self.items, self.findings, references=bool(references))
        self.merger = Merger(self.config.get("merge", {}), self.findings)

    def result(self) -> Result:
        """Run all targets."""
        if not self.findings.errors:
            for layer in self.layers:
                self.merger.check(layer.value)
            for number, target in enumerate(self.config["targets"]):
                self._target(number, target)
            self._overlaps()
            if self.merger.strategies.keys() - self.merger.used:
                self.findings.warnings.add("unused-strategy")
            if any(layer.when and layer.entry not in self.used for layer in self.layers):
                self.findings.infos.add("unused-layer")
        else:
            self._unmatched()
        if self.findings.errors:
            return Result(self.items, {}, self.findings)
        return Result([self._changed(number) for number in range(len(self.items))], self.made, self.findings)

    def _unmatched(self) -> None:
        """Find targets without a resource, where the layers cannot be read."""
        for target in self.config["targets"]:
            if (
                "fields" in target
                and not target.get("optional")
                and not any(layers.chosen(item, target) for item in self.items)
            ):
                self.findings.error("no-resource")

    def document(self, item: Json) -> Value:
        """The document that counts for a resource [20]."""
        merged = tree({}, "none", secret=False, literal=False)
        for layer in self.layers:
            if layers.counts(layer, item):
                self.used.add(layer.entry)
                merged = self.merger.merged(merged, layer.value)
        return finished(merged, self.config, self.findings)

    def _target(self, number: int, target: Json) -> None:
        try:
            if "fields" in target:
                self._fields(number, target)
            else:
                self._object(target)
        except Stop as stop:
            self.findings.error(str(stop))

    def _fields(self, number: int, target: Json) -> None:
        chosen = [place for place, item in enumerate(self.items) if layers.chosen(item, target)]
        if not chosen:
            if not target.get("optional"):
                raise Stop("no-resource")
            self.findings.infos.add("no-resource")
        for place in chosen:
            document = self.document(self.items[place])
            for path, entry in target["fields"].items():
                try:
                    self._field(number, target, place, document, path, entry)
                except Stop as stop:
                    self.findings.error(str(stop))

    def _field(self, number: int, target: Json, place: int, document: Value, path: str, entry: Json) -> None:
        item, steps = self.items[place], paths.parse(path)
        guard(steps)
        entries = [{"value": one} if isinstance(one, str) else one for one in (entry if isinstance(entry, list) else [entry])]
        values = [(one, value) for one in entries if (value := wanted(document, one)) is not None]
        if not values or any(broken(one) for _, one in values):
            return
        if any(secret(one) for _, one in values) and item["kind"] != "Secret" and not target.get("allowSecrets"):
            raise Stop("secret")
        missing = entries[0].get("missing", target.get("missing", "error"))
        for found in places(item, steps):
            if (
                item["kind"] == "Secret"
                and (found.inside or "part" in entries[0])
                and found.at[:1] in (("data",), ("stringData",))
            ):
                raise Stop("secret-read")
            if found.rest and missing == "skip":
                continue
            if found.rest and (missing == "error" or not makeable(found.rest)):
                raise Stop("no-field")
            new = self._new(item, found, values)
            self.written.setdefault(place, []).append((found, new, number, "part" in entries[0]))
            if any(secret(one) for _, one in values) and item["kind"] != "Secret":
                self.findings.infos.add("readable-secret")

    def _new(self, item: Json, found: Place, values: list[tuple[Json, Value]]) -> Json:
        if "part" in values[0][0]:
            if not isinstance(found.old, str):
                raise Stop("part")
            return images.rewritten(found.old, [(one["part"], _piece(plain(value))) for one, value in values])
        entry, value = values[0]
        if value.data is None:
            return REMOVE
        new = converted(item, found.whole, found.old, plain(value), entry.get("as"), inside=found.inside)
        return secret_text(new) if item["kind"] == "Secret" and found.whole[:1] == ("data",) else new

    def _object(self, target: Json) -> None:
        kind = "ConfigMap" if "configMap" in target else "Secret"
        name, namespace = target.get("configMap") or target["secret"], target.get("namespace", "")
        named = {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": namespace}}
        if any(_named(item) == (kind, namespace, name) for item in self.items):
            self.findings.error("taken")
        value = wanted(self.document(named), {"value": target.get("value", ".")})
        if value is None or value.data is None:
            raise Stop("no-value")
        if broken(value):
            return
        if kind == "ConfigMap" and secret(value) and not target.get("allowSecrets"):
            raise Stop("secret")
        if secret(value):
            self.findings.infos.add("readable-secret")
        data = self.made.setdefault((kind, namespace, name), {})
        for key, member in self._keys(target, value):
            if key in data:
                raise Stop("overlap")
            data[key] = _as_data(plain(member))

    def _keys(self, target: Json, value: Value) -> list[tuple[str, Value]]:
        key = target.get("key", "values.yaml")
        if key != "*":
            return [(key, value)]
        if value.sort != "map":
            raise Stop("type")
        if any(DATA_KEY.fullmatch(name) is None for name in value.data):
            raise Stop("keys")
        return [(name, member) for name, member in value.data.items() if member.data is not None]

    def _overlaps(self) -> None:
        """Find places that two fields write differently [85]."""
        for written in self.written.values():
            for number, (place, new, _, part) in enumerate(written):
                for other, value, _, its_part in written[:number]:
                    one, two = place.whole, other.whole
                    shared = min(len(one), len(two))
                    equal = one == two and not part and not its_part and _equal(new, value)
                    if one[:shared] == two[:shared] and not equal:
                        self.findings.error("overlap")

    def _changed(self, number: int) -> Json:
        changed = Changed(self.items[number])
        for place, new, _, _ in self.written.get(number, ()):
            changed.write(place, new)
        return changed.item


def wanted(document: Value, entry: Json) -> Value | None:
    """The value of the document that a field asks for; None: left alone [65]."""
    value = document
    for step in paths.parse(entry["value"]):
        if (isinstance(step, str) and value.sort == "map" and step in value.data) or (
            isinstance(step, int) and value.sort == "list" and step < len(value.data)
        ):
            value = value.data[step]
        elif entry.get("optional"):
            return None
        else:
            raise Stop("no-value")
    return value


def _piece(value: Json) -> str:
    """A scalar as a piece of a text [82]."""
    if not isinstance(value, (str, Plain)):
        raise Stop("part")
    return as_text(value)


def _equal(one: Json, other: Json) -> bool:
    if isinstance(one, Text) and isinstance(other, Text):
        return same(one.data, other.data)
    return one is other or same(one, other)


def _named(item: Json) -> tuple[str, str, str]:
    return item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"]


def _as_data(value: Json) -> Json:
    """What a data key holds: a map or list as a text, a scalar as its text [91]."""
    return Text(value) if isinstance(value, (dict, list)) else as_text(value)
