"""A merged document checked by its schema: findings that name path, keyword, layer and line."""

from __future__ import annotations

from krm_values._data import suggest
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.shown import described
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item, is_secret
from krm_values._kit.planner.plan import Finding
from krm_values._yaml.emit import flow
from krm_values.layered_values.compose import nodes
from krm_values.layered_values.compose.references import BROKEN
from krm_values.layered_values.schema import keywords

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Origin, Severity
    from krm_values.layered_values.compose.chains import Document


def of_schema(schema: Any, config: Path, item: Item | None = None) -> Iterator[Finding]:
    """What is wrong with the schema itself. config: the field of the config that names it. item: the object that holds it."""
    for severity, path, text in keywords.faults(schema, is_secret=item is not None and is_secret(item)):
        kind, rule = ("schema", "59") if severity == "error" else ("schema-unchecked", "59")
        where = f"`{to_field((*config, *path)) if item is None else to_field(path) or '.'}`"
        level: Severity = "error" if severity == "error" else "warning"
        at = (*config, *path) if item is None else config
        yield Finding(level, kind, rule, f"{where} of the schema: {text}", item, config=at)


class Checker:
    """Checks documents by one schema."""

    __slots__ = ("_is_secret", "_schema")

    def __init__(self, schema: Any, item: Item | None) -> None:
        """item: the object that holds the schema; of one in a Secret only keywords are quoted."""
        self._schema, self._is_secret = schema, item is not None and is_secret(item)

    def __call__(self, document: Document) -> Iterator[Finding]:
        from krm_values.layered_values.schema.validator import mistakes  # noqa: PLC0415 - the library takes long to import

        if any(leaf.value is BROKEN for _, leaf in nodes.leaves(document.tree)):
            return
        for path, word, wanted, name in mistakes(self._schema, nodes.plain(document.tree)):
            if word == "required":
                yield self._absent(document, path, name)
            else:
                yield self._unfit(document, path, word, wanted)

    def _absent(self, document: Document, path: Path, name: str) -> Finding:
        field = to_field((*path, name))
        is_null = isinstance(document.find((*path, name)), Assigned)
        why = "no layer sets it, or a null takes it out" if is_null else "no layer sets it"
        layers = suggest.listed([layer.name for layer in document.layers])
        return Finding(
            "error", "schema", "54", f"`{field}`: is required by the schema (`required`) and {why}; layers: {layers}"
        )

    def _unfit(self, document: Document, path: Path, word: str, wanted: Any) -> Finding:
        node = document.find(path)
        leaf = _leaf(node)
        at = origin(leaf) if leaf is not None else None
        shown = _found(at, node)
        item = at.item if at is not None and isinstance(at.item, Item) else None
        text = f"`{to_field(path) or '.'}`{_layer(at)}: {_must(word, {} if self._is_secret else wanted, path)}{shown}"
        return Finding("error", "schema", "57", text, item, at.path if at and item else (), at, at=at if item else None)


def _leaf(node: Any) -> Assigned | None:
    while isinstance(node, dict) and node:
        node = next(iter(node.values()))
    return node if isinstance(node, Assigned) else None


def _found(at: Origin | None, node: Any) -> str:
    """The value found, hidden by the kit if it comes out of a Secret."""
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
    if word == "type":
        return f"must be of type {suggest.alternatives(wanted if isinstance(wanted, list) else [wanted])} (`type`)"
    if isinstance(wanted, dict | bool) or word in ("anyOf", "oneOf", "allOf"):
        return f"must fit `{word}` of the schema"
    return f"must fit `{word}: {flow(wanted)}`"
