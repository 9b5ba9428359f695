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
                    "enum": ["ConfigMap", "Secret", "Catalog"],
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
        },
        "Levels": {
            "additionalProperties": False,
            "description": "The priorities of the fixed levels.",
            "properties": {
                "catalog": {
                    "default": 0,
                    "description": "That of the Catalog's `spec.config`.",
                    "title": "Catalog",
                    "type": "integer",
                    "x-attribute": "catalog",
                },
                "config": {
                    "default": 50,
                    "description": "That of an App's `spec.config`.",
                    "title": "Config",
                    "type": "integer",
                    "x-attribute": "config",
                },
                "userConfig": {
                    "default": 100,
                    "description": "That of an App's `spec.userConfig`.",
                    "title": "Userconfig",
                    "type": "integer",
                    "x-attribute": "user_config",
                },
                "default": {
                    "anyOf": [{"type": "integer"}, {"type": "null"}],
                    "default": None,
                    "description": "That of an entry of `extraConfigs` without one; if it "
                    "is not given, the middle of `catalog` and `config`, "
                    "rounded up.",
                    "title": "Default",
                    "x-attribute": "default",
                },
            },
            "title": "Levels",
            "type": "object",
        },
    },
    "additionalProperties": False,
    "description": "Writes what app-operator would merge for each App from its configuration layers.",
    "properties": {
        "outputs": {
            "default": ["configMap", "secret"],
            "description": "What is written per App: `configMap` and `secret` as app-operator does, "
            "`combined` a Secret with exactly what Helm receives,\n"
            "`fold` the extra layers merged into the user level, `helmRelease` the Flux "
            "HelmRelease that the App means.",
            "items": {"enum": ["configMap", "secret", "combined", "fold", "helmRelease"], "type": "string"},
            "title": "Outputs",
            "type": "array",
            "x-attribute": "outputs",
        },
        "chartNamespace": {
            "default": "giantswarm",
            "description": "The namespace of what is written; an empty string means that of each App.",
            "title": "Chartnamespace",
            "type": "string",
            "x-attribute": "chart_namespace",
        },
        "allowMissing": {
            "default": [],
            "description": "Referenced objects that may be missing from the list, or encrypted with SOPS; they count as empty.",
            "items": {"$ref": "#/$defs/AllowMissing"},
            "title": "Allowmissing",
            "type": "array",
            "x-attribute": "allow_missing",
        },
        "assume": {
            "default": [],
            "description": "Layers that only the cluster adds, if they are in the list: `clusterValues` "
            "by the admission webhook, `userValues` by the operator.",
            "items": {"enum": ["clusterValues", "userValues"], "type": "string"},
            "title": "Assume",
            "type": "array",
            "x-attribute": "assume",
        },
        "scalarConflict": {
            "default": "upstream",
            "description": "What a Secret's map does to a ConfigMap's scalar or list: "
            "`upstream` drops the map as chart-operator does, `override` applies "
            "it.",
            "enum": ["upstream", "override"],
            "title": "Scalarconflict",
            "type": "string",
            "x-attribute": "scalar_conflict",
        },
        "levels": {
            "anyOf": [{"$ref": "#/$defs/Levels"}, {"type": "null"}],
            "default": None,
            "description": "Other priorities of the fixed levels, at equal distances; those of Giant "
            "Swarm if it is not given: 0, 50, 100 and 25 for entries without one.",
            "x-attribute": "levels",
        },
        "keys": {
            "default": "one",
            "description": "How many data keys a layer may have: exactly `one`, or `any` number of "
            "documents, merged in bytewise order of the keys.",
            "enum": ["one", "any"],
            "title": "Keys",
            "type": "string",
            "x-attribute": "keys",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "title": "GiantswarmConfig",
    "type": "object",
}
