"""Mutation fuzz of files with several documents: `python -m tests.fuzz.streams --mutants N --seed S`. Exit 1 if one is cut wrong."""

from __future__ import annotations

import sys
from typing import Any

import yaml as pyyaml

from krm_values._data.errors import InputError
from krm_values._krm import documents
from tests.fuzz.cut import TOKENS, Found, main, mutate, tried
from tests.fuzz.truth import Wrong, plain

SEEDS = [
    b"# licence\n---\napiVersion: v1\nkind: A\nmetadata:\n  name: a\n---\n# c\n---\nkind: B\nd: |\n  ---\n  x\n\n---\nkind: C\n",
    b'kind: A\na: "x\n  y"\n--- # two\nkind: B\n...\n%YAML 1.1\n---\nkind: C\n--- {kind: D, l: [1,\n 2]}\n---\nnull\n--- ~\n',
    b"---\nkind: List\nitems:\n# a\n- kind: A\n- kind: B\n  # c\n---\nkind: C\n",
    b"kind: A\r\nb: |\r\n  c\r\n---\r\nkind: B\r\n",
    b"- a\n---\ntext\n---\n'quoted\n\n  text'\n---\n>-\n folded\n---\n&a [*a, b]\n",
]
MORE = [b"\n---\n", b"---\n", b"\n---", b"\n...\n", b"...\n", b"--- ", b"%YAML 1.1\n", b"# c\n", b"null\n", b"~", b"\n--- |\n"]


def check(data: bytes) -> str:
    """`invalid` or `right`. Wrong if documents are lost, changed or not taken out alone."""
    try:
        source = documents.read(data, "f.yaml")
    except InputError:
        return "invalid"
    if source.write({}, (), ()) != data:
        raise Wrong("nothing was changed, and it is another text")
    true = _documents(data)
    if true is None or b"\xef\xbb\xbf" in data[1:]:
        return "invalid"
    if len(source.items) != len(true):
        raise Wrong(f"{len(source.items)} documents instead of {len(true)}")
    for number, document in enumerate(true):
        if _documents(source.text(number).encode()) not in ([document], None):
            raise Wrong(f"document {number} is another one alone")
        if "%" in source.text(number):
            continue  # a directive that is none here may be one there
        left = _documents(source.write({}, {number}, ()))
        if left is not None and left != true[:number] + true[number + 1 :]:
            raise Wrong(f"without document {number} others are changed")
    can_grow = data.endswith(b"\n") and not (source.items and source.is_json(0))  # a `|` at an open end would get a line break
    more = _documents(source.write({}, (), [{"kind": "New"}])) if can_grow else None
    if more is not None and more[:-1] != true:
        raise Wrong("with a new document others are changed")
    return "right"


def _documents(data: bytes) -> list[Any] | None:
    """The documents that hold something, without a place; None if it is no YAML."""
    try:
        nodes = list(pyyaml.compose_all(data.decode(), Loader=pyyaml.CSafeLoader))
        return [plain(node) for node in nodes if node is not None and not _is_null(node)]
    except (pyyaml.YAMLError, UnicodeError, RecursionError):
        return None


def _is_null(node: Any) -> bool:
    return isinstance(node, pyyaml.ScalarNode) and node.tag.endswith(":null") and not node.style


def fuzz(mutants: int, seed: int) -> Found:
    """How many mutants came to what, and the wrong ones."""
    return tried(lambda source: mutate(source, source.choice(SEEDS), [*TOKENS, *MORE * 4]), check, mutants, seed)


if __name__ == "__main__":
    sys.exit(main(fuzz, __doc__))
