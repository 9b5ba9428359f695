"""What was found is shown in one way: its JSON type and, of a scalar, its value; and a closed set of words comes with the nearest."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from krm_values._data.shown import LONGEST, cut, described, type_of

ROOT = Path(__file__).parents[2] / "functions" / "krm_values"
SOURCES = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(ROOT.rglob("*.py"))}
OTHER_DIALECT = re.compile(r"""found (?:"|'|\\"|an? (?:map|list|text|string|scalar|number|boolean)\b|none\b)""")
NO_TYPE = {
    "flux_values/release.py": '"must be a map; found " + (',
    "giantswarm_config/app.py": '"must be a map; found " + (',
    "envgene_sd/incoming.py": 'each a JSON object; found " + _shown',
    "glasskube_values/packages.py": '"must be a map; found " + (',
    "_krm/model.py": "rpartition(",
    "layered_values/schema.py": "partition(",
}
"""Sources in which what was found stands in another text."""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("75", 'string "75"'),
        ("", 'string ""'),
        (75, "number 75"),
        (7.5, "number 7.5"),
        (True, "boolean true"),
        (None, "null"),
        ({"a": 1}, "object"),
        ({}, "object"),
        ([1], "array"),
        ("x" * (LONGEST + 1), f'string "{"x" * LONGEST}... (1,001 characters)"'),
    ],
)
def test_a_value_is_shown_with_its_json_type(value, text):
    assert described(value) == text
    assert text.startswith(type_of(value))


@pytest.mark.parametrize("source", SOURCES)
def test_no_message_has_words_of_its_own_for_what_was_found(source):
    lines = [line for line in SOURCES[source].splitlines() if OTHER_DIALECT.search(line) and '"""' not in line]
    assert [line for line in lines if NO_TYPE.get(source, "\0") not in line] == []


def functions_of(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(SOURCES[source])) if isinstance(node, ast.FunctionDef)]


@pytest.mark.parametrize("source", SOURCES)
def test_a_message_that_lists_words_names_the_nearest(source):
    for function in functions_of(source) if "must be one of" in SOURCES[source] else ():
        text = ast.unparse(function)
        if "must be one of" in text and "found" in text:
            assert re.search(r"\b_?(hint|near)\w*\(|\b_found\(", text), f"{source}: {function.name}"


def test_only_what_is_longer_than_the_longest_is_cut():
    assert cut("x" * LONGEST) == "x" * LONGEST
    assert cut("x" * (LONGEST + 1)) == f"{'x' * LONGEST}... ({LONGEST + 1:,} characters)"
