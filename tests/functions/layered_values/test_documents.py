"""A text of several documents: each is a layer, and whatever stands between them, reading comes to an end."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data.errors import InputError
from krm_values._go import yaml as goyaml
from tests.functions.layered_values.support import kinds, run, told, values

GENERATED = "targets: [{configMap: gen}]"


def config_map(text: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "cm"}, "data": {"values.yaml": text}}


@pytest.mark.parametrize(
    "text",
    [
        *("{a: 1} b", "{a: 1} {b: 2}", '{"a":1}{"b":2}', "{a: 1}\n{b: 2}\n", "{a: 1} # c\n{b: 2}", "{a: 1}\r{b: 2}"),
        *("{a: 1}\r\n{b: 2}", "{a: 1}\u2028{b: 2}", "{a: 1}\x85{b: 2}", "&x {a: 1} *x", "!!map {a: 1} b", "{a: 1} ...\n{b: 2}"),
        "---\t{a: 1} c\n",
    ],
)
def test_what_no_border_separates_is_not_read(text: str):
    state = run(f"layers: [{{configMap: cm}}]\n{GENERATED}", given=[config_map(text)])
    assert told(state) == []
    assert kinds(state, "warning") == ["text-document"]
    assert values(state, "gen") == {"a": 1}
    schema = run(f"layers: [{{values: {{a: 1}}}}]\nschemaFrom: {{configMap: cm}}\n{GENERATED}", given=[config_map(text)])
    assert kinds(schema) == ["schema"]


@pytest.mark.parametrize("text", ["[1] [2]", '"a" "b"', "1\n--- 2\n"])
def test_documents_that_are_no_maps_are_errors(text: str):
    assert set(kinds(run(f"layers: [{{configMap: cm}}]\n{GENERATED}", given=[config_map(text)]))) == {"not-a-map"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: 1\n---\nb: 2\n", [({"a": 1}, (1, 1)), ({"b": 2}, (3, 1))]),
        ("a: 1\n...\nb: 2\n", [({"a": 1}, (1, 1)), ({"b": 2}, (3, 1))]),
        ("a: 1\n--- {b: 2}\n", [({"a": 1}, (1, 1)), ({"b": 2}, (2, 6))]),
        ("a: 1\r---\rb: 2\r", [({"a": 1}, (1, 1)), ({"b": 2}, (1, 10))]),
        ("\ufeff# c\n---\na: 1\n---\n# d\n---\nb: 2\n", [({"a": 1}, (3, 1)), ({"b": 2}, (7, 1))]),
        ("%YAML 1.1\n# c\n---\na: 1\n%YAML 1.1\n---\nb: 2\n", [({"a": 1}, (4, 1)), ({"b": 2}, (7, 1))]),
        ("a: |\n  ---\n  x\n--- # c\nb: '\n  ---'\n", [({"a": "---\nx\n"}, (1, 1)), ({"b": " ---"}, (5, 1))]),
    ],
)
def test_documents_have_their_places_in_the_text(text: str, found: list[tuple[Any, tuple[int, int]]]):
    read = [one for one in goyaml.documents(text) if one.data is not None]
    assert [(one.data, one.place((next(iter(one.data)),))) for one in read] == found


@pytest.mark.parametrize(("text", "line", "column"), [("a: 1\n---\nb: [\n", 3, 4), ("a: 1\n--- [}\n", 2, 6)])
def test_an_error_has_its_place_in_the_text(text: str, line: int, column: int):
    with pytest.raises(InputError) as caught:
        list(goyaml.documents(text))
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_schema_is_the_first_document():
    state = run(
        f"layers: [{{values: {{a: 1}}}}]\nschemaFrom: {{configMap: cm}}\n{GENERATED}",
        given=[config_map("properties: {a: {type: integer}}\n---\nproperties: {a: {type: string}}\n")],
    )
    assert told(state) == []
    assert kinds(state, "warning") == ["text-document"]
