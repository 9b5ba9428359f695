"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "$defs": {
        "Source": {
            "additionalProperties": False,
            "description": "A source as a step hands it on.",
            "properties": {
                "url": {"description": "Where the source lies.", "title": "Url", "x-attribute": "url"},
                "revision": {"description": "Which revision of it.", "title": "Revision", "x-attribute": "revision"},
            },
            "required": ["url", "revision"],
            "title": "Source",
            "type": "object",
        },
        "StepOutput": {
            "additionalProperties": False,
            "description": "The output of a step: exactly one of the three.",
            "maxProperties": 1,
            "minProperties": 1,
            "properties": {
                "source": {
                    "$ref": "#/$defs/Source",
                    "default": None,
                    "description": "What a source or deployment step hands on.",
                    "x-attribute": "source",
                },
                "image": {
                    "default": None,
                    "description": "What an image step hands on.",
                    "title": "Image",
                    "x-attribute": "image",
                },
                "config": {
                    "default": None,
                    "description": "What a config step hands on.",
                    "title": "Config",
                    "x-attribute": "config",
                },
            },
            "title": "StepOutput",
            "type": "object",
        },
    },
    "additionalProperties": False,
    "description": "Resolves the params of supply chains and deliveries and stamps their objects.",
    "properties": {
        "emit": {
            "default": ["params", "objects"],
            "description": "What is written: `params` one ResolvedParams per owner, `objects` what its "
            "chain stamps. The plan is the same.",
            "items": {"enum": ["params", "objects"], "type": "string"},
            "title": "Emit",
            "type": "array",
            "x-attribute": "emit",
        },
        "precedence": {
            "default": "released",
            "description": "`released` as every release of Cartographer does; `rfc0010`: where the "
            "chain is silent, the template's default counts and the owner's value "
            "does not.",
            "enum": ["released", "rfc0010"],
            "title": "Precedence",
            "type": "string",
            "x-attribute": "precedence",
        },
        "stepOutputs": {
            "additionalProperties": {"additionalProperties": {"$ref": "#/$defs/StepOutput"}, "type": "object"},
            "default": {},
            "description": "What only a cluster knows: by owner (`<Kind>/<namespace>/<name>` or `*`), then by step.",
            "title": "Stepoutputs",
            "type": "object",
            "x-attribute": "step_outputs",
        },
        "rename": {
            "additionalProperties": {
                "additionalProperties": {"additionalProperties": {"type": "string"}, "type": "object"},
                "type": "object",
            },
            "default": {},
            "description": "Params that a step reads from another of the owner's names: by chain "
            "(`<kind>/<name>`), step and param.",
            "title": "Rename",
            "type": "object",
            "x-attribute": "rename",
        },
        "scoped": {
            "default": False,
            "description": "Whether an owner's param `step/name` feeds `name` of that step alone.",
            "title": "Scoped",
            "type": "boolean",
            "x-attribute": "scoped",
        },
        "ownerReferences": {
            "default": False,
            "description": "Whether stamped objects name their owner in `metadata.ownerReferences`, if it has a uid.",
            "title": "Ownerreferences",
            "type": "boolean",
            "x-attribute": "owner_references",
        },
        "ytt": {
            "default": False,
            "description": "Whether `spec.ytt` must be rendered, by the program that whoever runs this "
            "names; else such steps are left out with a warning.",
            "title": "Ytt",
            "type": "boolean",
            "x-attribute": "ytt",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "title": "CartographerParams",
    "type": "object",
}
