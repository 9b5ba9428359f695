"""Undo records of plain data, and data to make them of."""

from __future__ import annotations

from hypothesis import strategies as st

from krm_values._krm import undo_record as undo
from krm_values._krm.revert import undo as undone
from krm_values._krm.undo_record import Record

KEYS = st.sampled_from(["a", "b", "c", "x/y", "t~", "0", "1", ""])
LEAVES = st.sampled_from([None, True, 0, 1, "", "x", "y", 1.5])
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)), max_leaves=10
)
MAPS = st.dictionaries(KEYS, VALUES, max_size=5)


def record(pristine, result, **options):
    return Record(("Package//p",), undo.compute(pristine, result, **options), 1)


def kept(pristine, result, **options):
    """A record as it comes back out of its annotation."""
    return undo.from_text(undo.to_text(record(pristine, result, **options)))


def back(found, data):
    return undone(found, data).data


def everything(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything(item))]


def paths(value, path=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))] if path else [
        found for key, item in inner for found in paths(item, (key,))
    ]  # fmt: skip
