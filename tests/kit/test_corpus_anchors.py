"""Real manifests with anchors: each place that shares its text is edited alone, and no other line changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from krm_values._yaml import decode
from krm_values._yaml.nodes import Node, walk
from tests import corpus
from tests.fuzz.anchors import REFUSED, check
from tests.fuzz.edits import at
from tests.kit.test_corpus_edits import documents

MOST_REFUSED = 5
"""Of all files together: the block of an anchor has comments, and an alias stands inside `{}` or `[]`."""


def shared_places(text: str, data: Any) -> Iterator[tuple[Any, ...]]:
    """Yield edits of each place that shares its text: at and below aliases, where their anchors are, of keys taken by `<<`."""
    root = decode.parse(text)
    used = {id(node.target) for node in walk(root) if node.kind == "alias"}
    for path, _, value in decode.written(root):
        if value.kind == "alias" or id(value) in used:
            yield ("put", leaf(data, path), "changed", None)
            if value.kind != "alias":
                yield ("remove", path)
        if value.kind == "map":
            for key in merged_keys(value):
                yield ("put", leaf(data, (*path, key)), "changed", None)
                yield ("remove", (*path, key))


def merged_keys(holder: Node) -> list[str]:
    """The first two keys that a map takes by `<<`, and has not itself."""
    found: dict[str, None] = {}
    for key, item in zip(holder.keys, holder.items, strict=True):
        if decode.is_merge(key):
            values: Any = decode.to_data(item)
            for source in values if isinstance(values, list) else [values]:
                found.update(dict.fromkeys(source))
    own = {decode.key_text(key) for key in holder.keys}
    return [key for key in found if key not in own][:2]


def leaf(data: Any, path: tuple[Any, ...]) -> tuple[Any, ...]:
    here = at(data, path)
    while isinstance(here, dict | list) and here:
        path = (*path, next(iter(here)) if isinstance(here, dict) else 0)
        here = at(data, path)
    return path


@corpus.needed
def test_edits_of_shared_places_in_real_manifests():
    judged = Counter[str]()
    for file in [*corpus.FILES, *corpus.RELEASES]:
        text = file.read_bytes().decode()
        for document, data in documents(text) if "*" in text else ():
            for edit in shared_places(document, data):
                problem = check(document, edit)
                assert not problem or problem.startswith(REFUSED), f"{file}: {edit}\n{problem}"
                judged["refused" if problem else "edited"] += 1
    assert judged["edited"] >= len(corpus.RELEASES)
    assert judged["refused"] <= MOST_REFUSED


@pytest.mark.skipif(not corpus.RELEASES, reason="KRM_SHARED names no folder with `releases`")
def test_the_releases_are_whole():
    assert len(corpus.RELEASES) == 384
