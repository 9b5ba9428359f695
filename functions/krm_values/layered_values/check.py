"""Checks a merged document by its schema; the findings name path, keyword, layer and line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.shown import described
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import Finding
from krm_values._yaml.emit import flow
from krm_values.layered_values import loops, nodes, placed
from krm_values.layered_values import schema as keywords
from krm_values.layered_values.references import BROKEN
from krm_values.layered_values.tree import WRONG, tree

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Origin, Severity
    from krm_values.layered_values.document import Document
    from krm_values.layered_values.tree import Schema
    from krm_values.layered_values.validator import Validator
    from krm_values.layered_values.work import Steps


def of_schema(schema: Any, config: Path, item: Item | None = None, *, references: bool) -> Iterator[Finding]:
    """Yield the faults of the schema itself. config: the field of the config that names it. item: the object that holds it.

    references: whether its defaults may be references.
    """
    for path in _wrong_references(schema) if references else ():
        at = (*config, *path) if item is None else config
        text = f"`{to_field((*config, *path)) if item is None else to_field(path)}` of the schema: {WRONG}"
        yield Finding("error", "reference", "50", text, item, config=at)
    for severity, path, text in keywords.faults(schema, is_secret=item is not None and is_secret(item)):
        kind, rule = ("schema", "59") if severity == "error" else ("schema-unchecked", "59")
        where = f"`{to_field((*config, *path)) if item is None else to_field(path) or '.'}`"
        level: Severity = "error" if severity == "error" else "warning"
        at = (*config, *path) if item is None else config
        yield Finding(level, kind, rule, f"{where} of the schema: {text}", item, config=at)


def _wrong_references(schema: Any) -> Iterator[Path]:
    """Yield the paths of maps in defaults that have the key of a reference but are not one."""
    for path, form in loops.forms(schema, ()):
        wrong: list[Path] = []
        tree(form.get("default"), None, (*path, "default"), wrong.append)
        yield from wrong


class Checker:
    """Checks documents by one schema."""

    __slots__ = ("_is_secret", "_schema", "_steps", "_validator")

    def __init__(self, schema: Schema, steps: Steps) -> None:
        """Compile a schema. Of a schema in a Secret, messages quote only keywords. steps: its budget."""
        self._schema, self._is_secret = schema, schema.item is not None and is_secret(schema.item)
        self._steps = steps
        self._validator: Validator | None = None

    def __call__(self, document: Document) -> Iterator[Finding]:
        """Yield the mistakes of a document. TooMuchError beyond the budget."""
        if self._schema.data is None or any(leaf.value is BROKEN for _, leaf in nodes.leaves(document.tree)):
            return
        if self._validator is None:
            from krm_values.layered_values.validator import Validator  # noqa: PLC0415 - the library takes long to import

            self._validator = Validator(self._schema.data, self._steps)
        for path, word, wanted, name in self._validator.mistakes(nodes.plain(document.tree)):
            if word == "required":
                yield self._absent(document, path, name)
            else:
                yield self._unfit(document, path, word, wanted)

    def _absent(self, document: Document, path: Path, name: str) -> Finding:
        field = to_field((*path, name))
        is_null = isinstance(document.find((*path, name)), Assigned)
        why = "no layer sets it, or a null takes it out" if is_null else "no layer sets it"
        layers = suggest.listed([layer.name for layer in document.layers])
        text = f"`{field}`: is required by the schema (`required`) and {why}; layers: {layers}"
        return Finding("error", "schema", "54", text, config=self._schema.config)

    def _unfit(self, document: Document, path: Path, word: str, wanted: Any) -> Finding:
        node = document.find(path)
        leaf = _leaf(node)
        at = origin(leaf) if leaf is not None else None
        shown = _found(at, node)
        text = f"`{to_field(path) or '.'}`{_layer(at)}: {_must(word, {} if self._is_secret else wanted, path)}{shown}"
        return Finding("error", "schema", "57", text, found=at, **placed.at(at))


def _leaf(node: Any) -> Assigned | None:
    while isinstance(node, dict) and node:
        node = next(iter(node.values()))
    return node if isinstance(node, Assigned) else None


def _found(at: Origin | None, node: Any) -> str:
    """Return the value found, which the kit hides if it comes from a Secret."""
    if at is None or node is ABSENT:
        return ""
    return "; found {found}" if isinstance(node, Assigned) else f"; found {described(nodes.plain(node))}"


def _layer(at: Origin | None) -> str:
    if at is None:
        return ""
    line = places.line_of(at)
    return f" of layer {at.layer}{f' ({line})' if line else ''}"


def _must(word: str, wanted: Any, path: Path) -> str:
    if word == "additionalProperties":
        known = wanted if isinstance(wanted, list) else []
        hint = suggest.hint(str(path[-1]), known) if path else ""
        return f"is not a value that the schema knows (`additionalProperties`){hint}"
    if word == "false":
        return "must not be set: its schema is `false`"
    if word == "type":
        return f"must be of type {suggest.alternatives(wanted if isinstance(wanted, list) else [wanted])} (`type`)"
    if isinstance(wanted, dict | bool) or word in ("anyOf", "oneOf", "allOf"):
        return f"must fit `{word}` of the schema"
    return f"must fit `{word}: {flow(wanted)}`"
