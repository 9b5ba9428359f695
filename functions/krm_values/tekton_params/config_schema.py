"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "additionalProperties": False,
    "description": "Passes Tekton params to every embedded spec and writes the result out.",
    "if": {"properties": {"referenceDefaults": {"const": True}}, "required": ["referenceDefaults"]},
    "properties": {
        "mode": {
            "default": "implicit",
            "description": "`implicit` passes every outer name to every embedded spec (TEP-0023); "
            "`propagate` only names that are used or declared (TEP-0107).",
            "enum": ["implicit", "propagate"],
            "title": "Mode",
            "type": "string",
            "x-attribute": "mode",
        },
        "references": {
            "default": False,
            "description": "Whether to also pass what Tasks of the same package require, and to "
            "check runs against the Pipelines and Tasks that they refer to.",
            "title": "References",
            "type": "boolean",
            "x-attribute": "references",
        },
        "referenceDefaults": {
            "default": False,
            "description": "Whether to pass params of referenced Tasks that have a default of their own; needs `references`.",
            "title": "Referencedefaults",
            "type": "boolean",
            "x-attribute": "reference_defaults",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "then": {"properties": {"references": {"const": True}}, "required": ["references"]},
    "title": "TektonParams",
    "type": "object",
}
