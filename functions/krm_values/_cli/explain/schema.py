"""The JSON Schema of `explain --json`, printed by `krm-values schema explanation`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TextIO

TITLE = "Explanation"


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _list(of: dict[str, Any], text: str) -> dict[str, Any]:
    return {"type": "array", "items": of, "description": text}


def _map(properties: dict[str, Any], required: list[str], text: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": text,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


_TEXT, _NUMBER, _FLAG = {"type": "string"}, {"type": "integer"}, {"type": "boolean"}
_WHERE = {
    "resource": _ref("resource"),
    "file": _ref("file"),
    "path": {"type": "string", "description": "in the resource: `spec.params[0].value`"},
    "inner": {"type": "string", "description": "in the text of the field at `path`"},
}
_VALUE = {
    "value": {"description": "the value; null beside `hidden`"},
    "hidden": {"type": "boolean", "description": "it comes from a Secret, and `--show-secrets` was not given"},
}
_PLACE = {
    "line": {"type": "integer", "minimum": 1, "description": "in the file, from 1; absent if not known"},
    "column": {"type": "integer", "minimum": 1},
}
_LAYER = {
    "layer": {"type": "string", "description": "the name of the layer, in the terms of the system"},
    **_VALUE,
    **_WHERE,
    **_PLACE,
    "facts": {"type": "object", "description": "further facts about the layer: `priority`, `position`, `step`, `param`"},
}
_STEP_NUMBER = {"type": "integer", "minimum": 0, "description": "index into `steps`"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": TITLE,
    "description": "What krm-values decided: where each value comes from and what it overrides.",
    "type": "object",
    "properties": {
        "apiVersion": {"const": "krm-values.dev/v1alpha1"},
        "kind": {"const": TITLE},
        "steps": _list(_ref("step"), "the decisions of each function, in the order in which they ran"),
        "values": _list(_ref("value"), "one answer per value, as the last step leaves it"),
    },
    "required": ["apiVersion", "kind", "steps", "values"],
    "additionalProperties": False,
    "$defs": {
        "resource": _map(
            {
                "apiVersion": {"type": ["string", "null"]},
                "kind": {"type": ["string", "null"]},
                "name": {"type": ["string", "null"]},
                "namespace": _TEXT,
            },
            ["apiVersion", "kind", "name"],
            "a resource",
        ),
        "file": _map({"path": _TEXT, "index": _NUMBER}, ["path", "index"], "a document in a file of the package"),
        "step": _map(
            {
                "function": _TEXT,
                "package": {"type": "string", "description": "only in the pipeline of a package, as `step`"},
                "step": {"type": "string", "description": "`pipeline.mutators[0]`"},
                "decisions": _list(_ref("decision"), "every place about which the function decided"),
                "notes": _list(_ref("note"), "data of the function beside its values"),
                "findings": _list({"type": "object"}, "as in the `results` of a ResourceList"),
            },
            ["function", "decisions", "notes", "findings"],
            "the decisions of one function",
        ),
        "note": _map({"topic": _TEXT, "subject": _TEXT, "data": {}}, ["topic", "subject", "data"], "a note"),
        "decision": _map(
            {
                "item": {"type": ["integer", "null"], "description": "its index in the list; null for a generated object"},
                **_WHERE,
                "pointer": {"type": "string", "description": "`path` as a JSON pointer"},
                "kept": {"type": "boolean", "description": "the value is unchanged"},
                "before": {"description": "absent if there was no value"},
                "after": {"description": "absent if the value is removed"},
                "hidden": _FLAG,
                "changed": {"type": "boolean", "description": "whether a hidden value has changed"},
                "origin": _ref("origin"),
                "beaten": _list(_ref("origin"), "the layers that it overrides, nearest first"),
            },
            ["item", "resource", "path", "pointer", "kept"],
            "one place, as decided by one function",
        ),
        "origin": _map(
            {**_LAYER, "via": _list(_ref("origin"), "the origins that it derives from")},
            ["layer"],
            "one layer's value for a place",
        ),
        "value": _map(
            {
                **_WHERE,
                "pointer": _TEXT,
                **_VALUE,
                "removed": {"const": True, "description": "the value was removed"},
                "way": _ref("way"),
                "overridden": _list(_ref("way"), "the ways of the layers that it overrides, nearest first"),
                "rule": {"type": "string", "description": "one sentence that names the deciding rule"},
                "step": {**_STEP_NUMBER, "description": "the step that decided it last, an index into `steps`"},
            },
            ["resource", "path", "pointer", "step"],
            "a value as the last step leaves it, and its origins",
        ),
        "way": _list(_ref("hop"), "the layer, then the layers that its value derives from, back to where it was authored"),
        "hop": _map(
            {
                **_LAYER,
                "step": _STEP_NUMBER,
                "authored": {"type": "boolean", "description": "the file existed before the first step"},
                "via": _list(_ref("way"), "only in the last element: the ways of the several values that it derives from"),
            },
            ["layer", "step"],
            "one layer on the way of a value",
        ),
    },
}


def show(out: TextIO) -> None:
    """Print the schema."""
    out.write(json.dumps(SCHEMA, indent=2) + "\n")
