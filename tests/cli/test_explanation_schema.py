"""What `explain --json` prints fits the schema that `krm-values schema explanation` prints, on every example."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.packages import command

from krm_values._cli.explain.schema import SCHEMA

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent.relative_to(ROOT) for path in ROOT.glob("examples/*/*/Kptfile"))
TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "null": (type(None),),
}
CHECKED = {
    *("$ref", "type", "const", "properties", "required", "additionalProperties", "items", "minimum"),
    *("description", "$schema", "title", "$defs"),
}


def misfits(value: Any, form: dict[str, Any], at: str = "") -> list[str]:
    """Where a value does not fit, by the keywords that this schema uses; another keyword is an error of this test."""
    assert set(form) <= CHECKED
    if "$ref" in form:
        return misfits(value, SCHEMA["$defs"][form["$ref"].rpartition("/")[2]], at)
    wanted = form.get("type", [])
    types = tuple(one for name in ([wanted] if isinstance(wanted, str) else wanted) for one in TYPES[name])
    found = [at] if types and type(value) not in types else []
    found += [at] if "const" in form and value != form["const"] else []
    found += [at] if "minimum" in form and value < form["minimum"] else []
    if isinstance(value, dict) and "properties" in form:
        found += [f"{at}.{key}" for key in form["required"] if key not in value]
        found += [f"{at}.{key}!" for key in value if key not in form["properties"]]
        found += [one for key in value for one in misfits(value[key], form["properties"].get(key, {}), f"{at}.{key}")]
    if isinstance(value, list) and "items" in form:
        found += [one for number, item in enumerate(value) for one in misfits(item, form["items"], f"{at}[{number}]")]
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_explanation_of_an_example_fits(example):
    done = command("explain", "--json", ROOT / example)
    assert misfits(json.loads(done.stdout), SCHEMA) == []


def test_what_does_not_fit_is_found():
    assert misfits({"apiVersion": "x", "kind": "Explanation", "steps": 1, "more": 2}, SCHEMA) == [
        ".values",
        ".more!",
        ".apiVersion",
        ".steps",
    ]


def test_the_schema_is_printed_and_in_the_documents():
    printed = command("schema", "explanation").stdout
    assert json.loads(printed) == SCHEMA
    assert (ROOT / "docs/schemas/Explanation.json").read_text() == printed
