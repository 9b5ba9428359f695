"""Records: frozen values with slots."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from krm_values._data.record import at_least, keep, lazy, replace
from krm_values._krm.item import Header
from krm_values._krm.plan import Leaf, New, Origin


def test_fields_come_by_place_or_name_and_defaults_fill_the_rest():
    assert Header("v1", "A", name="n", namespace="") == Header("v1", "A", "", "n")
    assert Origin("run", 1).via == ()


@pytest.mark.parametrize("arguments", [{"layer": "run"}, {"layer": "run", "value": 1, "other": 2}])
def test_a_missing_or_unknown_field_is_refused(arguments):
    with pytest.raises(TypeError, match="Origin"):
        Origin(**arguments)


def test_a_record_cannot_be_changed():
    header: Any = Header("v1", "A", "", "n")
    with pytest.raises(AttributeError, match="read-only"):
        header.name = "m"
    with pytest.raises(AttributeError):
        header.extra = 1
    assert replace(header, name="m") == Header("v1", "A", "", "m")
    assert header.name == "n"


def test_what_was_computed_is_no_part_of_a_record():
    made = New({}, None)
    keep(made, "_secret", ((),))
    assert made.withholds(("data",))
    assert made == New({}, None)
    assert "secret" not in repr(made).replace("reads_secrets", "")
    assert not replace(made, part="b").withholds(("data",))


def test_equal_records_have_equal_hashes_and_survive_copies():
    header = Header("v1", "A", "", "n")
    assert hash(header) == hash(Header("v1", "A", "", "n"))
    assert copy.deepcopy(header) == pickle.loads(pickle.dumps(header)) == header
    assert header != ("v1", "A", "", "n")
    assert repr(header) == "Header(api_version='v1', kind='A', namespace='', name='n')"


def test_a_record_that_is_a_tuple_inside_is_a_record_like_the_others():
    leaf: Any = Leaf(("a",), 1, origin := Origin("run", 1), inner=("b",))
    assert (leaf.value, replace(leaf, value=2).value, leaf.inner) == (1, 2, ("b",))
    assert leaf != (("a",), 1, origin, (), ("b",), "")
    assert copy.deepcopy(leaf) == pickle.loads(pickle.dumps(leaf)) == leaf
    assert repr(leaf).startswith("Leaf(path=('a',), value=1, origin=Origin(layer='run', ")
    with pytest.raises(AttributeError, match="read-only"):
        leaf.value = 2
    with pytest.raises(AttributeError):
        leaf.extra = 1


def test_of_a_lazy_sequence_only_what_is_asked_for_is_made():
    asked = []

    def some(size):
        asked.append(size)
        return range(size)

    found = lazy(lambda: range(9), some)
    assert [*at_least(found, 3)] == [0, 1, 2]
    assert len(found) == len([*at_least(found, 3)]) == 9
    assert [*at_least(lazy(lambda: range(9)), 3)] == [*at_least(tuple(range(9)), 3)] == [*range(9)]
    assert asked == [3]
