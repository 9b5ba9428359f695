"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "$defs": {
        "Source": {
            "additionalProperties": False,
            "description": "A source as a step hands it on.",
            "properties": {
                "url": {"description": "The location of the source.", "title": "Url", "x-attribute": "url"},
                "revision": {"description": "The revision of the source.", "title": "Revision", "x-attribute": "revision"},
            },
            "required": ["url", "revision"],
            "title": "Source",
            "type": "object",
        },
        "StepOutput": {
            "additionalProperties": False,
            "description": "The output of a step: exactly one of `source`, `image` and `config`.",
            "maxProperties": 1,
            "minProperties": 1,
            "properties": {
                "source": {
                    "$ref": "#/$defs/Source",
                    "default": None,
                    "description": "The output of a source or deployment step.",
                    "x-attribute": "source",
                },
                "image": {
                    "default": None,
                    "description": "The output of an image step.",
                    "title": "Image",
                    "x-attribute": "image",
                },
                "config": {
                    "default": None,
                    "description": "The output of a config step.",
                    "title": "Config",
                    "x-attribute": "config",
                },
            },
            "title": "StepOutput",
            "type": "object",
        },
    },
    "additionalProperties": False,
    "description": "The configuration of a run that resolves the params of supply chains and deliveries and stamps their "
    "objects.",
    "properties": {
        "emit": {
            "default": ["params", "objects"],
            "description": "What is written: `params` one ResolvedParams per owner, `objects` the objects "
            "that its chain stamps. Everything is checked in any case.",
            "items": {"enum": ["params", "objects"], "type": "string"},
            "title": "Emit",
            "type": "array",
            "x-attribute": "emit",
        },
        "precedence": {
            "default": "released",
            "description": "`released`: as in every release of Cartographer; `rfc0010`: where the "
            "chain has no entry for a param, the template's default counts and the "
            "owner's value is ignored, and an entry may have neither `value` nor "
            "`default`.",
            "enum": ["released", "rfc0010"],
            "title": "Precedence",
            "type": "string",
            "x-attribute": "precedence",
        },
        "stepOutputs": {
            "additionalProperties": {"additionalProperties": {"$ref": "#/$defs/StepOutput"}, "type": "object"},
            "default": {},
            "description": "Outputs that are known in the cluster only: by owner "
            "(`<Kind>/<namespace>/<name>` or `*`), then by step.",
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
            "description": "The name of the owner's param that a step reads instead of its own: by "
            "chain (`<kind>/<name>`), step and param.",
            "title": "Rename",
            "type": "object",
            "x-attribute": "rename",
        },
        "workloadParamNames": {
            "default": False,
            "description": "Whether `workload-param-name` of a param entry names the "
            "owner's param that sets it, an idea of RFC 0010; else it is an "
            "error.",
            "title": "Workloadparamnames",
            "type": "boolean",
            "x-attribute": "workload_param_names",
        },
        "scoped": {
            "default": False,
            "description": "Whether an owner's param `step/name` sets `name` of that step only.",
            "title": "Scoped",
            "type": "boolean",
            "x-attribute": "scoped",
        },
        "ownerReferences": {
            "default": False,
            "description": "Whether stamped objects have `metadata.ownerReferences`, if their owner has a uid.",
            "title": "Ownerreferences",
            "type": "boolean",
            "x-attribute": "owner_references",
        },
        "ytt": {
            "default": False,
            "description": "Whether templates with `spec.ytt` are rendered, by the program that `--ytt` or "
            "`KRM_VALUES_YTT` names; otherwise their steps are skipped with a warning.",
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
