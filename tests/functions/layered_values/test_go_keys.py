"""Keys of texts that Go reads as booleans: found under Go's name, edited as they are written."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import item, run, told

CONFIG = """
layers: [{{values: {{v: {value}}}}}]
targets:
- {{kind: ConfigMap, missing: {missing}, fields: {{'data.k{path}': v}}}}
"""


def written(text, path, value="8", missing="error"):
    given = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "t"}, "data": {"k": text}}]
    state = run(CONFIG.format(path=path, value=value, missing=missing), given=given)
    return item(state, "t")["data"]["k"], told(state)


@pytest.mark.parametrize(
    ("text", "path", "after"),
    [
        ("n: 5 # c\n", '["false"]', "n: 8 # c\n"),
        ("on: {a: 1} # c\n", '["true"].a', "on: {a: 8} # c\n"),
        ("a: {z: 1, Yes: 3}\n", '.a["true"]', "a: {z: 1, Yes: 8}\n"),
        ("- off: 1\n- 'off': 2\n", '[0]["false"]', "- off: 8\n- 'off': 2\n"),
        ("'n': 5\n", ".n", "'n': 8\n"),
    ],
)
def test_a_plain_word_is_the_key_that_go_reads(text, path, after):
    assert written(text, path) == (after, [])


def test_a_field_is_added_beside_a_plain_word():
    assert written("on: {a: 1}\n", '["true"].b', missing="create") == ("on: {a: 1, b: 8}\n", [])


def test_a_quoted_word_is_no_boolean():
    assert written("'y': 5\n", '["true"]', missing="create") == ("'y': 5\n'true': 8\n", [])


def test_of_two_keys_that_go_takes_for_one_the_last_counts():
    assert written("on: 1\nyes: 2\n", '["true"]') == ("on: 1\nyes: 8\n", [])


def test_the_string_of_a_plain_word_cannot_be_added_beside_it():
    text, errors = written("y: 5\n", ".y", missing="create")
    assert text == "y: 5\n"
    assert errors == ["error: stdin:9:5: ConfigMap t `data.k`: has the plain key `y`, which Go reads as true: quote it"]
