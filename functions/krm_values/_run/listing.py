"""The resources of a package as the ResourceList that kpt sends to functions and prints, each with annotations for its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._krm import hosts, reader
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._run.tree import PackageDocument
    from krm_values._yaml.decode import Node

_HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"


def wrapped(documents: Sequence[PackageDocument], limits: Limits = DEFAULT) -> bytes:
    """Return the list as `kpt fn source` prints it."""
    return of_texts([annotated(document, document.path, {}, limits) for document in documents]).encode()


def of_texts(texts: Sequence[str]) -> str:
    """Return the list of resources with these texts."""
    return f"{_HEAD}items:\n{''.join(map(_element, texts))}" if texts else f"{_HEAD}items: []\n"


def annotated(document: PackageDocument, path: str, more: Mapping[str, JSON], limits: Limits = DEFAULT) -> str:
    """Return the document's text with kpt's annotations: path and index, in both spellings, the indentation of lists, and others."""
    try:
        root = decode.parse(document.text, None, limits)
        editor = Editor(document.text, is_json=document.is_json, limits=limits)
    except InputError as error:
        raise reader.showable(document.text, error).moved(document.path, document.line) from None
    wanted: dict[str, JSON] = {
        hosts.INDEX: str(document.index),
        hosts.PATH: path,
        hosts.INDEXES[0]: str(document.index),
        hosts.PATHS[0]: path,
        "internal.config.kubernetes.io/seqindent": "wide" if _is_wide(root) else "compact",
        **more,
    }
    if not _is_map(decode.find(root, ("metadata",))):
        editor.put(("metadata",), {"annotations": wanted})
    elif not _is_map(decode.find(root, ("metadata", "annotations"))):
        editor.put(("metadata", "annotations"), wanted)
    else:
        for key, value in wanted.items():
            editor.put(("metadata", "annotations", key), value)
    return editor.text()


def _is_map(node: Node | None) -> bool:
    return node is not None and node.kind == "map"


def _is_wide(root: Node) -> bool:
    """Return whether the first list of the document is indented more than its key."""
    return next(_depths(root), 0) > 0


def _depths(node: Node) -> Iterator[int]:
    """Yield, in order, by how much each block list is indented more than its key."""
    if node.kind == "map":
        for key, value in zip(node.keys, node.items, strict=True):
            if value.kind == "list" and not value.flow and value.items:
                yield value.column - key.column
            yield from _depths(value)
    elif node.kind == "list":
        for value in node.items:
            yield from _depths(value)


def _element(text: str) -> str:
    """Return the text as an element of a list whose dashes are at column 0."""
    lines = text.replace("\r\n", "\n").strip("\n").split("\n")
    return "- " + "\n".join(line if not number or not line else f"  {line}" for number, line in enumerate(lines)) + "\n"
