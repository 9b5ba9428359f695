"""The JSON Schemas of answers over fleets, made from those of the answers about one package."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from krm_values._explain.model import API_VERSION

if TYPE_CHECKING:
    from typing import Any

NAMES = {"fleet-explanation": "FleetExplanation", "fleet-comparison": "FleetComparison"}
_COUNT = {"type": "integer", "minimum": 0}
_TEXTS = {"type": "array", "items": {"type": "string"}}


def schema(name: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an answer, one of `NAMES`. definitions: those of the answer about one package."""
    if name == "fleet-comparison":
        more = {
            "equal": {"description": "Whether all packages answered, and nothing differs.", "type": "boolean"},
            "changed": {"description": "The edits that causes name by their index.", "type": "array", "items": _of("change")},
        }
        rows = {
            "differences": {"type": "array", "items": _of("difference")},
            "change": {"description": "The packages are new, or gone.", "enum": ["added", "removed"]},
            "fails": {"description": "A run with the edit fails: what it says.", **_TEXTS},
        }
        return _whole(NAMES[name], more, rows, "differences", definitions)
    rows = {"values": {"type": "array", "items": _of("value")}}
    return _whole(NAMES[name], {}, rows, "values", _unfolded(definitions))


def _of(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _whole(kind: str, more: dict[str, Any], rows: dict[str, Any], required: str, definitions: dict[str, Any]) -> dict[str, Any]:
    group = {
        "type": "object",
        "properties": {"packages": {"description": "By their names.", **_TEXTS}, **rows},
        "required": ["packages", required],
        "additionalProperties": False,
    }
    failure = {
        "type": "object",
        "properties": {
            "package": {"type": "string"},
            "status": {"enum": ["failed", "error", "crashed", "timeout"]},
            "findings": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["package", "status", "findings"],
        "additionalProperties": False,
    }
    properties = {
        "apiVersion": {"const": API_VERSION},
        "kind": {"const": kind},
        "packages": {"description": "How many packages the fleet has.", **_COUNT},
        "asked": {"description": "How many of them were asked, because the question can reach them.", **_COUNT},
        **more,
        "groups": {"description": "What packages have in common, the largest group first.", "type": "array", "items": group},
        "failures": {"description": "The packages that have no answer.", "type": "array", "items": failure},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind,
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _unfolded(definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions of an Explanation in which what stands in a table stands in place of its index."""
    found: dict[str, Any] = json.loads(json.dumps(definitions))
    for name in ("layer", "document"):
        del found[name]
    keys = {key: found["step"]["properties"][key] for key in ("function", "package", "step")}
    found["step"] = {"type": "object", "properties": keys, "required": ["function"], "additionalProperties": False}
    del found["reference"]["properties"]["parent"]
    found["cell"]["properties"]["because"] = {"type": "array", "items": _of("reference")}
    found["hop"]["properties"]["step"] = {"description": "The step that read the value here.", **_of("step")}
    value = found["value"]["properties"]
    del value["document"]
    value["file"] = {"description": "The file that has its object after a render.", "type": "string"}
    value["step"] = {"description": "The step that decided it last.", **_of("step")}
    return found
