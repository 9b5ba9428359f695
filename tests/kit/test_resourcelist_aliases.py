"""Aliases across items, and the packages and annotations of hosts."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._krm import resourcelist
from krm_values._krm.item import Position
from tests.kit.lists import FIXTURES, HEAD, read, write

pytestmark = pytest.mark.usefixtures("level")


def test_packages_are_relative_to_the_outermost_one():
    source = resourcelist.read((FIXTURES / "kpt" / "render-subpackage.in.yaml").read_bytes())
    assert {item.position for item in source.items} >= {
        Position("sub", "Kptfile"),
        Position("", "Kptfile"),
        Position("sub", "gen.yaml"),
    }
    assert all("/home" not in item.position.path for item in source.items)


def package(path, form="      {key}: '{path}'\n"):
    key = "internal.config.kubernetes.io/package-path"
    return "- kind: A\n  metadata:\n    name: a\n    annotations:\n" + form.format(key=key, path=path)


@pytest.mark.parametrize(
    "form",
    [
        "      {key}: '{path}'\n",
        "      {key}: {path} # c\n",
        '      "{key}": "{path}"\n',
        "      {key}:\n        {path}\n",
        "      {key}: >-\n        {path}\n",
        "      {{{key}: {path}}}\n",
    ],
)
def test_packages_in_other_spellings(form):
    text = HEAD + "items:\n" + package("/w/p/sub") + package("/w/p", form) + package("/w/p/sub/x")
    assert [item.package for item in read(text).items] == ["sub", "", "sub/x"]


def test_a_text_about_packages_is_no_package():
    text = (
        HEAD
        + "items:\n"
        + package("/w/p/a")
        + "  data: |\n    internal.config.kubernetes.io/package-path: '/w'\n"
        + package("/w/p/b")
    )
    assert [item.package for item in read(text).items] == ["a", "b"]


def test_asking_for_a_package_parses_one_item_for_each():
    source = read(HEAD + "items:\n" + package("/w/p") * 5)
    assert [item._reading for item in source.items] == [None] * 5
    assert source.items[3].package == ""
    assert [item._reading is not None for item in source.items] == [True, False, False, True, False]


CROSSING = """\
functionConfig: {a: &config {x: 1}}
items:
- kind: A
  here: &here {p: 1}
  again: *here
- kind: B
  from: *config
- kind: C
  there: &there [1]
- kind: D
  from:
    deep: *there
- kind: &kind E
  # *kind
- kind: *kind
- kind: F
  text: "*here and &there"
"""


def test_aliases_are_resolved_across_items():
    source = read(HEAD + CROSSING)
    assert [item.data.get("from") for item in source.items] == [None, {"x": 1}, None, {"deep": [1]}, None, None, None]
    assert [item.kind for item in source.items] == ["A", "B", "C", "D", "E", "E", "F"]
    assert write(HEAD + CROSSING) == HEAD + CROSSING


def test_crossing_names_the_line():
    source = read(HEAD + CROSSING)
    assert [source.crossing(number) for number in range(7)] == [0, 2, 2, 3, 1, 1, 0]


def test_the_last_anchor_before_an_alias_counts():
    text = HEAD + "items:\n- a: &x 1\n- a: &x 2\n- b: *x\n- a: &x 3\n"
    assert read(text).items[2].data == {"b": 2}


def test_function_config_that_is_an_alias():
    """What PyYAML writes where a program holds one object twice."""
    text = HEAD + "items:\n- &id001\n  kind: A\n- kind: B\nfunctionConfig: *id001\n"
    source = read(text)
    assert source.function_config == {"kind": "A"}
    assert [item.kind for item in source.items] == ["A", "B"]
    assert source.crossing(0) == 1
    assert source.crossing(1) == 0


def test_hosts_annotations_stand_beside_the_data():
    (item,) = resourcelist.read((FIXTURES / "fidelity" / "scalars.in.yaml").read_bytes()).items
    data: Any = item.data
    assert "annotations" not in data["metadata"]
    assert item.reading.annotations["config.kubernetes.io/path"] == "a.yaml"
