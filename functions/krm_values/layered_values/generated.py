"""Generates the ConfigMaps and Secrets of targets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT
from krm_values._data.record import lazy, record
from krm_values._data.shown import printable, type_of
from krm_values._krm.findings import Report
from krm_values._krm.item import Item
from krm_values._krm.plan import Finding, Leaf, New, Origin
from krm_values._run.generated import beside
from krm_values._run.objects import encode
from krm_values._run.traced import Assigned, Map, find, kind, origin, plain, read
from krm_values.layered_values import types
from krm_values.layered_values.permitted import READABLE, FieldError, check_public
from krm_values.layered_values.references import BROKEN, overridden
from krm_values.layered_values.tree import place_of, scalars, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._krm.names import Writer
    from krm_values._krm.resources import Resources
    from krm_values._run.traced import Node
    from krm_values.layered_values.merge import MergedLayers
    from krm_values.layered_values.settings import Object

    _Key: TypeAlias = tuple[str, str, str]

_MANY = "*"
_DATA_KEY = r"[-._a-zA-Z0-9]{1,253}"
_PART = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_LABEL = rf"(?=.{{1,63}}\Z){_PART}"
_NAME = rf"(?=.{{1,253}}\Z){_PART}(?:\.{_PART})*"


@record
class _DataKey:
    """A data key: its text, the leaves of its value, each with its path in the text if that is YAML or JSON, and its target."""

    text: str
    leaves: tuple[tuple[Path | None, Assigned], ...]
    target: int


class Objects:
    """The generated objects, and the report with their findings."""

    __slots__ = ("_documents", "_entries", "_failed", "_given", "_removed", "_taken", "_writer", "report")

    def __init__(self, writer: Writer, resources: Resources, targets: Iterable[Object]) -> None:
        self._writer = writer
        self._entries: dict[_Key, dict[str, _DataKey]] = {}
        self._documents: dict[_Key, MergedLayers] = {}
        self._given: dict[_Key, Object] = {}  # the first target of each, which names it
        self._removed: dict[_Key, list[tuple[str, Path | None, Assigned]]] = {}
        """The nulls that removed a key: the data key, the path in its text, None for all of it, and the null."""
        self._taken = _existing(resources, {(one.kind, one.namespace, one.name) for one in targets})
        self._failed: set[_Key] = set()
        self.report = Report()

    def take(self, target: Object, document: MergedLayers) -> None:
        """Add the data keys of a target to its object."""
        key = target.kind, target.namespace, target.name
        self._documents[key] = document
        self._given.setdefault(key, target)
        entries = self._entries.setdefault(key, {})
        try:
            _check_names(target)
            found = [*self._made(target, document)]
        except FieldError as error:
            self._failed.add(key)
            text = error.message if error.leaf is None else f"{_shown(key)} {error.message}"
            self._error(target, error.kind, error.rule, text, error.leaf)
            return
        self._removed.setdefault(key, []).extend(_removed(target, document))
        for name, entry in found:
            if name in entries:
                other = f"`targets[{entries[name].target}]`"
                text = f"the key `{name}` of {_shown(key)} is written by {other} as well: write each key once"
                self._error(target, "overlap", "91", text)
            entries[name] = entry

    def _error(self, target: Object, kind: str, rule: str, text: str, leaf: Assigned | None = None) -> None:
        at: dict[str, Any] = {"config": ("targets", target.number)}
        text = f"`targets[{target.number}]`: {text}"
        if leaf is not None:
            value = value_of(leaf)
            at, text = {"found": value, **(place_of(value) or at)}, f"layer {value.layer}: {text}"
        self.report.error(kind, rule, text, **at)

    def news(self) -> Iterator[New | Finding]:
        """Yield the objects, and a warning for each Secret that everybody can read."""
        for key, entries in self._entries.items():
            other = self._taken.get(key)
            if other is not None:
                where = f" ({other.position.path})" if other.position.path else ""
                text = f"{_shown(key)} exists{where} and has no mark of this config: give the target another name; if `krm-values clean` removed its mark, render from the sources; if an earlier step of kustomize made it, that step needs `record: true`"
                yield Finding("error", "taken", "94", text, other)
            elif entries or key not in self._failed:
                made = self._new(key, entries)
                yield made
                if made.reads_secrets and any(leaf.secret for leaf in made.leaves):
                    text, rule = READABLE, "113" if key[0] == "Secret" else "111"
                    yield Finding("info", "readable-secret", rule, text, made)

    def _made(self, target: Object, document: MergedLayers) -> Iterator[tuple[str, _DataKey]]:
        """Yield the data keys of a target with their entries. FieldError if there is no value, or one that does not fit."""
        node = document.find(target.value)
        if node is None:
            raise FieldError("no-value", "91", f"no layer sets `{target.text}`{document.near(target.value, target.text)}")
        if kind(node) == "null":
            raise FieldError("no-value", "91", f"no layer sets `{target.text}`: it is null, and a data key holds text")
        if any(leaf.value is BROKEN for _, leaf in scalars(node)):
            return
        self._check_secrets(target, document, node)
        if target.key != _MANY:
            _check_key(target.key)
            yield target.key, _entry(target, target.key, node)
            return
        if not isinstance(node, Map):
            raise FieldError("type", "92", f"`key: '*'` needs a map, found a value of type {type_of(plain(node))}")
        for name, below in node.items():
            if kind(below) != "null":
                _check_key(name)
                yield name, _entry(target, name, find(node, (name,)))  # type: ignore[arg-type]  # it is there

    def _check_secrets(self, target: Object, document: MergedLayers, node: Node) -> None:
        if target.kind == "Secret" or target.allows_secrets or not document.may_be_secret:
            return
        try:
            check_public(node, target.value)
        except FieldError as error:
            text = f"{_shown((target.kind, target.namespace, target.name))} {error.message}"
            raise FieldError(error.kind, error.rule, text) from None

    def _new(self, key: _Key, entries: dict[str, _DataKey]) -> New:
        kind, namespace, name = key
        metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
        data: dict[str, Any] = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
        if kind == "Secret":
            data["type"] = "Opaque"
        texts = {one: entries[one].text for one in sorted(entries)}
        data["data"] = {one: encode(text) for one, text in texts.items()} if kind == "Secret" else texts
        document = self._documents[key]
        source = next((layer.item for layer in document.layers if layer.item is not None), None)
        file = beside(source, name) if source else f"{name}.yaml"
        part = f"{kind}.{namespace}.{name}"
        removed = self._removed.get(key, [])
        explained = lazy(lambda: _leaves(entries, data["data"], removed, document.tree))
        return New(
            data,
            source,
            part,
            file,
            explained,
            reads_secrets=document.may_be_secret,
            named=f"{self._writer.source}{part}",
            given=_given(self._given[key]),
        )


def _given(target: Object) -> dict[Path, Origin]:
    """Return the name and namespace of an object as its target gives them."""
    names = {"name": ("configMap" if target.kind == "ConfigMap" else "secret", target.name)}
    if target.namespace:
        names["namespace"] = "namespace", target.namespace
    layer, at = f"targets[{target.number}]", ("targets", target.number)
    return {("metadata", key): Origin(layer, value, config=(*at, field)) for key, (field, value) in names.items()}


def _existing(resources: Resources, wanted: set[_Key]) -> dict[_Key, Item]:
    """Return the resources that already have the names of objects to be generated."""
    kinds = {kind for kind, _, _ in wanted}
    found = resources.select(*sorted(kinds), group="") if kinds else []
    return {key: item for item in found if (key := (item.kind, item.namespace, item.name)) in wanted}


def _entry(target: Object, key: str, node: Node) -> _DataKey:
    if not isinstance(node, Assigned) or isinstance(node.value, list):
        form = target.form or ("json" if key.endswith(".json") else "yaml")
        found = tuple(read(node))
        return _DataKey(types.document(node, form), found, target.number)
    return _DataKey(types.as_string(node), ((None, node),), target.number)


def _removed(target: Object, document: MergedLayers) -> Iterator[tuple[str, Path | None, Assigned]]:
    """Yield the nulls that removed a value from what a target takes, as `Objects` keeps them."""
    size = len(target.value)
    for path, leaf in document.nulls:
        is_in = len(path) > size and path[:size] == target.value
        if is_in and any(one.value is not None for one in leaf.overridden()):
            if target.key != _MANY:
                yield target.key, path[size:], leaf
            else:
                yield str(path[size]), path[size + 1 :] or None, leaf


def _leaves(
    entries: dict[str, _DataKey], texts: dict[str, str], removed: list[tuple[str, Path | None, Assigned]], tree: Map
) -> Iterator[Leaf]:
    for key in sorted(entries):
        for inner, leaf in entries[key].leaves:
            value = texts[key] if inner is None else leaf.value
            lost, depth = tuple(overridden(leaf, tree)), len(inner or ())
            yield Leaf(("data", key), value, origin(leaf), lost, inner, leaf.reason, depth=depth)
    for key, inner, leaf in removed:
        lost = tuple(overridden(leaf, tree))
        yield Leaf(("data", key), ABSENT, origin(leaf), lost, inner, depth=len(inner or ()))


def _check_names(target: Object) -> None:
    if not re.fullmatch(_NAME, target.name):
        text = f'"{printable(target.name)}" is not a name of a {target.kind}: lower-case letters, digits, `-` and `.`, at most 253 of them, and a letter or digit first and last'
        raise FieldError("name", "90", text)
    if target.namespace and not re.fullmatch(_LABEL, target.namespace):
        text = f'"{printable(target.namespace)}" is not a name of a namespace: lower-case letters, digits and `-`, at most 63 of them, and a letter or digit first and last'
        raise FieldError("name", "90", text)


def _check_key(key: str) -> None:
    if not re.fullmatch(_DATA_KEY, key) or key in (".", ".."):
        text = f'"{printable(key)}" is not a data key: letters, digits, `-`, `_` and `.`, at most 253 of them'
        raise FieldError("keys", "92", text)


def _shown(key: _Key) -> str:
    kind, namespace, name = key
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"
