"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "$defs": {
        "AllowMissing": {
            "additionalProperties": False,
            "description": "Objects that may be missing from the list.",
            "properties": {
                "kind": {
                    "description": "The kind of the object.",
                    "enum": ["ConfigMap", "Secret"],
                    "title": "Kind",
                    "type": "string",
                    "x-attribute": "kind",
                },
                "namespace": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Its namespace; any if it is not given.",
                    "title": "Namespace",
                    "x-attribute": "namespace",
                },
                "name": {
                    "description": "Its name; `*` matches any characters.",
                    "title": "Name",
                    "type": "string",
                    "x-attribute": "name",
                },
            },
            "required": ["kind", "name"],
            "title": "AllowMissing",
            "type": "object",
        }
    },
    "additionalProperties": False,
    "description": "Composes the values that Flux passes to Helm for each HelmRelease.",
    "properties": {
        "output": {
            "default": "object",
            "description": "Where the values are written: `object` a ConfigMap or Secret beside the "
            "release, `inline` the release itself, which then needs no ConfigMap.",
            "enum": ["object", "inline"],
            "title": "Output",
            "type": "string",
            "x-attribute": "output",
        },
        "allowMissing": {
            "default": [],
            "description": "Referenced objects that may be missing from the list, or encrypted with SOPS; they count as empty.",
            "items": {"$ref": "#/$defs/AllowMissing"},
            "title": "Allowmissing",
            "type": "array",
            "x-attribute": "allow_missing",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "title": "FluxValues",
    "type": "object",
}
