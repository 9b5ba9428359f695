"""The JSON Schema of `explain --json`, printed by `krm-values schema explanation`."""

from __future__ import annotations

import json

TYPE_CHECKING = False
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
    "inner": {"type": "string", "description": "in the text that the field at `path` holds"},
}
_VALUE = {
    "value": {"description": "what it is; null beside `hidden`"},
    "hidden": {"type": "boolean", "description": "it comes out of a Secret, and `--show-secrets` was not given"},
}
_PLACE = {
    "line": {"type": "integer", "minimum": 1, "description": "in the file, from 1; left out where it is not known"},
    "column": {"type": "integer", "minimum": 1},
}
_LAYER = {
    "layer": {"type": "string", "description": "who sets it, in the words of the system"},
    **_VALUE,
    **_WHERE,
    **_PLACE,
    "facts": {"type": "object", "description": "what else is known of the layer: `priority`, `position`, `step`, `param`"},
}
_STEP_NUMBER = {"type": "integer", "minimum": 0, "description": "index into `steps`"}
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": TITLE,
    "description": "What krm-values decided, where each value comes from and what it overrides.",
    "type": "object",
    "properties": {
        "apiVersion": {"const": "krm-values.dev/v1alpha1"},
        "kind": {"const": TITLE},
        "steps": _list(_ref("step"), "what each function decided, in the order in which they ran"),
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
        "file": _map({"path": _TEXT, "index": _NUMBER}, ["path", "index"], "a document of a file of the package"),
        "step": _map(
            {
                "function": _TEXT,
                "package": {"type": "string", "description": "of a package's pipeline only, as `step`"},
                "step": {"type": "string", "description": "`pipeline.mutators[0]`"},
                "decisions": _list(_ref("decision"), "each place that the function decided something of"),
                "notes": _list(_ref("note"), "what the function says beside its values"),
                "findings": _list({"type": "object"}, "as in the `results` of a ResourceList"),
            },
            ["function", "decisions", "notes", "findings"],
            "what one function decided",
        ),
        "note": _map({"topic": _TEXT, "subject": _TEXT, "data": {}}, ["topic", "subject", "data"], "a note"),
        "decision": _map(
            {
                "item": {"type": ["integer", "null"], "description": "its place in the list; null of a generated object"},
                **_WHERE,
                "pointer": {"type": "string", "description": "`path` as a JSON pointer"},
                "kept": {"type": "boolean", "description": "the value was there already"},
                "before": {"description": "left out where there was none"},
                "after": {"description": "left out where the value is removed"},
                "hidden": _FLAG,
                "changed": {"type": "boolean", "description": "whether a hidden value is another than before"},
                "origin": _ref("origin"),
                "beaten": _list(_ref("origin"), "the layers that it overrides, nearest first"),
            },
            ["item", "resource", "path", "pointer", "kept"],
            "one place, as one function decided it",
        ),
        "origin": _map({**_LAYER, "via": _list(_ref("origin"), "what it came by")}, ["layer"], "a layer's say"),
        "value": _map(
            {
                **_WHERE,
                "pointer": _TEXT,
                **_VALUE,
                "removed": {"const": True, "description": "there is no value any more"},
                "way": _ref("way"),
                "overridden": _list(_ref("way"), "the ways of the layers that it overrides, nearest first"),
                "rule": {"type": "string", "description": "one sentence: which rule decided"},
                "step": {**_STEP_NUMBER, "description": "the step that decided it last, an index into `steps`"},
            },
            ["resource", "path", "pointer", "step"],
            "a value as the last step leaves it, and where it comes from",
        ),
        "way": _list(_ref("hop"), "the layer, then what its value came by, down to where somebody wrote it"),
        "hop": _map(
            {
                **_LAYER,
                "step": _STEP_NUMBER,
                "authored": {"type": "boolean", "description": "the file was there before the first step"},
                "via": _list(_ref("way"), "of the last element: the ways of several values that it came by"),
            },
            ["layer", "step"],
            "one layer on the way of a value",
        ),
    },
}


def show(out: TextIO) -> None:
    """Print the schema."""
    out.write(json.dumps(SCHEMA, indent=2) + "\n")
