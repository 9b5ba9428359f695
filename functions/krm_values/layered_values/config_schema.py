"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "$defs": {
        "By": {
            "additionalProperties": False,
            "description": "A merge strategy for lists of maps, which merge element by element.",
            "properties": {
                "by": {
                    "description": "The key by whose value elements are the same.",
                    "title": "By",
                    "type": "string",
                    "x-attribute": "by",
                }
            },
            "required": ["by"],
            "title": "By",
            "type": "object",
        },
        "Layer": {
            "additionalProperties": False,
            "description": "One layer: exactly one of `configMap`, `secret`, `from` and `values`.",
            "properties": {
                "configMap": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a ConfigMap.",
                    "title": "Configmap",
                    "x-attribute": "config_map",
                },
                "secret": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a Secret.",
                    "title": "Secret",
                    "x-attribute": "secret",
                },
                "from": {
                    "anyOf": [{"$ref": "#/$defs/Selector"}, {"type": "null"}],
                    "default": None,
                    "description": "The one resource that a field is read from.",
                    "x-attribute": "from_",
                },
                "values": {
                    "anyOf": [{"additionalProperties": True, "type": "object"}, {"type": "null"}],
                    "default": None,
                    "description": "Values written here.",
                    "title": "Values",
                    "x-attribute": "values",
                },
                "namespace": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The namespace of the ConfigMap or Secret; any if it is not given.",
                    "title": "Namespace",
                    "x-attribute": "namespace",
                },
                "key": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The data key of the ConfigMap or Secret; `*` makes each "
                    "key a value. Without it the object must have exactly one.",
                    "title": "Key",
                    "x-attribute": "key",
                },
                "path": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The part that is taken: of the resource, or within the string of a ConfigMap or Secret.",
                    "title": "Path",
                    "x-attribute": "path",
                },
                "at": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Where in the values it is put; a scalar or a list needs it.",
                    "title": "At",
                    "x-attribute": "at",
                },
                "part": {
                    "anyOf": [
                        {"enum": ["registry", "repository", "name", "tag", "digest"], "type": "string"},
                        {"$ref": "#/$defs/Split"},
                        {"type": "null"},
                    ],
                    "default": None,
                    "description": "The piece of a string that is taken.",
                    "title": "Part",
                    "x-attribute": "part",
                },
                "name": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "What explain and errors call the layer; the name of its object if it is not given.",
                    "title": "Name",
                    "x-attribute": "name",
                },
                "priority": {
                    "default": 0,
                    "description": "Layers with a higher one are merged later, over the others.",
                    "title": "Priority",
                    "type": "integer",
                    "x-attribute": "priority",
                },
                "optional": {
                    "default": False,
                    "description": "Whether its object, key, path or part may be absent.",
                    "title": "Optional",
                    "type": "boolean",
                    "x-attribute": "optional",
                },
                "when": {
                    "anyOf": [{"$ref": "#/$defs/Selector"}, {"type": "null"}],
                    "default": None,
                    "description": "The targets that the layer counts for; all if it is not given.",
                    "x-attribute": "when",
                },
            },
            "title": "Layer",
            "type": "object",
        },
        "SchemaSource": {
            "additionalProperties": False,
            "description": "A ConfigMap, a Secret or a field that holds a JSON Schema.",
            "properties": {
                "configMap": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a ConfigMap.",
                    "title": "Configmap",
                    "x-attribute": "config_map",
                },
                "secret": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a Secret.",
                    "title": "Secret",
                    "x-attribute": "secret",
                },
                "from": {
                    "anyOf": [{"$ref": "#/$defs/Selector"}, {"type": "null"}],
                    "default": None,
                    "description": "The one resource that it is read from.",
                    "x-attribute": "from_",
                },
                "namespace": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The namespace of the ConfigMap or Secret; any if it is not given.",
                    "title": "Namespace",
                    "x-attribute": "namespace",
                },
                "key": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The data key of the ConfigMap or Secret.",
                    "title": "Key",
                    "x-attribute": "key",
                },
                "path": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The part that is taken.",
                    "title": "Path",
                    "x-attribute": "path",
                },
            },
            "title": "SchemaSource",
            "type": "object",
        },
        "Selector": {
            "additionalProperties": False,
            "description": "Selects resources by their header; an absent field matches all, and at least "
            "one field is required.",
            "properties": {
                "apiVersion": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their apiVersion; `*` stands for any run of characters.",
                    "title": "Apiversion",
                    "x-attribute": "api_version",
                },
                "kind": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their kind; `*` as above.",
                    "title": "Kind",
                    "x-attribute": "kind",
                },
                "name": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their name; `*` as above.",
                    "title": "Name",
                    "x-attribute": "name",
                },
                "namespace": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their namespace; `*` as above.",
                    "title": "Namespace",
                    "x-attribute": "namespace",
                },
                "labels": {
                    "anyOf": [{"additionalProperties": {"type": "string"}, "type": "object"}, {"type": "null"}],
                    "default": None,
                    "description": "Labels that they all have; the value `*` stands for any.",
                    "title": "Labels",
                    "x-attribute": "labels",
                },
            },
            "title": "Selector",
            "type": "object",
        },
        "Split": {
            "additionalProperties": False,
            "description": "The piece of a string between separators.",
            "properties": {
                "split": {"description": "The separator.", "title": "Split", "type": "string", "x-attribute": "split"},
                "index": {
                    "description": "Which piece, counted from 0.",
                    "title": "Index",
                    "type": "integer",
                    "x-attribute": "index",
                },
            },
            "required": ["split", "index"],
            "title": "Split",
            "type": "object",
        },
        "Target": {
            "additionalProperties": False,
            "description": "A generated ConfigMap or Secret, or fields of selected resources.",
            "properties": {
                "configMap": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a ConfigMap that is generated.",
                    "title": "Configmap",
                    "x-attribute": "config_map",
                },
                "secret": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The name of a Secret that is generated.",
                    "title": "Secret",
                    "x-attribute": "secret",
                },
                "key": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The data key of the generated object, `values.yaml` if it "
                    "is not given; `*` makes a key of each value.",
                    "title": "Key",
                    "x-attribute": "key",
                },
                "value": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The path of the value that the generated object holds; "
                    "the whole document if it is not given.",
                    "title": "Value",
                    "x-attribute": "value",
                },
                "as": {
                    "anyOf": [{"enum": ["yaml", "json"], "type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The form of the generated text; by the suffix of the key if it is not given.",
                    "title": "As",
                    "x-attribute": "as_",
                },
                "apiVersion": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The apiVersion of the selected resources; `*` stands for any run of characters.",
                    "title": "Apiversion",
                    "x-attribute": "api_version",
                },
                "kind": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their kind; `*` as above.",
                    "title": "Kind",
                    "x-attribute": "kind",
                },
                "name": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their name; `*` as above.",
                    "title": "Name",
                    "x-attribute": "name",
                },
                "namespace": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "Their namespace, `*` as above; of a generated object the namespace that it gets.",
                    "title": "Namespace",
                    "x-attribute": "namespace",
                },
                "labels": {
                    "anyOf": [{"additionalProperties": {"type": "string"}, "type": "object"}, {"type": "null"}],
                    "default": None,
                    "description": "Labels that they all have; the value `*` stands for any.",
                    "title": "Labels",
                    "x-attribute": "labels",
                },
                "fields": {
                    "anyOf": [
                        {
                            "additionalProperties": {
                                "anyOf": [
                                    {"type": "string"},
                                    {"$ref": "#/$defs/Value"},
                                    {"items": {"$ref": "#/$defs/Value"}, "type": "array"},
                                ]
                            },
                            "type": "object",
                        },
                        {"type": "null"},
                    ],
                    "default": None,
                    "description": "By the path of a field the path of its value, or more "
                    "about it; a list writes several parts of one field.",
                    "title": "Fields",
                    "x-attribute": "fields",
                },
                "missing": {
                    "anyOf": [{"enum": ["error", "create", "skip"], "type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "What is done where a field is absent: an `error` if "
                    "it is not given, or `create` it, or `skip` the "
                    "resource.",
                    "title": "Missing",
                    "x-attribute": "missing",
                },
                "optional": {
                    "default": False,
                    "description": "Whether there may be no such resource.",
                    "title": "Optional",
                    "type": "boolean",
                    "x-attribute": "optional",
                },
                "allowSecrets": {
                    "default": False,
                    "description": "Whether values from Secrets may be written here although it is not a Secret.",
                    "title": "Allowsecrets",
                    "type": "boolean",
                    "x-attribute": "allow_secrets",
                },
            },
            "title": "Target",
            "type": "object",
        },
        "Value": {
            "additionalProperties": False,
            "description": "The value of a field.",
            "properties": {
                "value": {
                    "description": "The path of the value in the merged document; `.` is the whole document.",
                    "title": "Value",
                    "type": "string",
                    "x-attribute": "value",
                },
                "part": {
                    "anyOf": [
                        {"enum": ["registry", "repository", "name", "tag", "digest"], "type": "string"},
                        {"$ref": "#/$defs/Split"},
                        {"type": "null"},
                    ],
                    "default": None,
                    "description": "The piece of the field that is written.",
                    "title": "Part",
                    "x-attribute": "part",
                },
                "as": {
                    "anyOf": [{"enum": ["text", "number", "boolean", "yaml", "json"], "type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "The form in which it is written; by the field's type if it is not given.",
                    "title": "As",
                    "x-attribute": "as_",
                },
                "missing": {
                    "anyOf": [{"enum": ["error", "create", "skip"], "type": "string"}, {"type": "null"}],
                    "default": None,
                    "description": "What is done where the field is absent; as the target says if it is not given.",
                    "title": "Missing",
                    "x-attribute": "missing",
                },
                "optional": {
                    "default": False,
                    "description": "Whether the field is left alone where no layer sets the value.",
                    "title": "Optional",
                    "type": "boolean",
                    "x-attribute": "optional",
                },
            },
            "required": ["value"],
            "title": "Value",
            "type": "object",
        },
    },
    "additionalProperties": False,
    "description": "Merges values in layers and writes them into generated objects or fields of any resource.",
    "properties": {
        "layers": {
            "description": "The layers, in merge order: later ones override earlier ones.",
            "items": {"$ref": "#/$defs/Layer"},
            "title": "Layers",
            "type": "array",
            "x-attribute": "layers",
        },
        "targets": {
            "description": "Where the merged values are written.",
            "items": {"$ref": "#/$defs/Target"},
            "title": "Targets",
            "type": "array",
            "x-attribute": "targets",
        },
        "merge": {
            "additionalProperties": {
                "anyOf": [
                    {"enum": ["merge", "replace", "append", "prepend", "unique"], "type": "string"},
                    {"$ref": "#/$defs/By"},
                ]
            },
            "default": {},
            "description": "How the values at a path are merged, if not as usual: maps key by key, everything else replaced.",
            "title": "Merge",
            "type": "object",
            "x-attribute": "merge",
        },
        "nulls": {
            "default": "keep",
            "description": "Whether keys whose value is null in the end stay, so that Helm removes the chart's default, or go.",
            "enum": ["keep", "remove"],
            "title": "Nulls",
            "type": "string",
            "x-attribute": "nulls",
        },
        "schema": {
            "anyOf": [{"additionalProperties": True, "type": "object"}, {"type": "null"}],
            "default": None,
            "description": "The JSON Schema that merged documents must fit, and its defaults, which are the lowest layer.",
            "title": "Schema",
            "x-attribute": "schema_",
        },
        "schemaFrom": {
            "anyOf": [{"$ref": "#/$defs/SchemaSource"}, {"type": "null"}],
            "default": None,
            "description": "Where that schema is, if it is not written here.",
            "x-attribute": "schema_from",
        },
        "references": {
            "default": True,
            "description": "Whether a map `{$value: PATH}` stands for the value at that path.",
            "title": "References",
            "type": "boolean",
            "x-attribute": "references",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
        "check": {
            "default": False,
            "description": "Whether nothing is written and each object that would change is an error.",
            "title": "Check",
            "type": "boolean",
            "x-attribute": "check",
        },
    },
    "required": ["layers", "targets"],
    "title": "LayeredValues",
    "type": "object",
}
