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
    "description": "The configuration of a run that resolves and checks the values of Glasskube packages, patches "
    "resources and writes Helm releases.",
    "properties": {
        "manifests": {
            "default": [],
            "description": "PackageManifests as in package.yaml, without a version.",
            "items": {},
            "title": "Manifests",
            "type": "array",
            "x-attribute": "manifests",
        },
        "useDefaults": {
            "anyOf": [{"type": "boolean"}, {"items": {"type": "string"}, "type": "array"}],
            "default": False,
            "description": "Whether values that are not configured take their `defaultValue`: "
            "`true` all of them, a list those that it names.",
            "title": "Usedefaults",
            "x-attribute": "use_defaults",
        },
        "createParents": {
            "anyOf": [{"type": "boolean"}, {"type": "null"}],
            "default": None,
            "description": "Whether `add` creates the missing and null parents of its path; if "
            "not given, in the values of charts only (profile `recommended`).",
            "title": "Createparents",
            "x-attribute": "create_parents",
        },
        "typed": {
            "anyOf": [{"type": "boolean"}, {"type": "null"}],
            "default": None,
            "description": "Whether booleans and numbers without a template are written as such, never "
            "into `data` of a ConfigMap or Secret; if not given, in the values of charts "
            "only (profile `recommended`).",
            "title": "Typed",
            "x-attribute": "typed",
        },
        "allowMissing": {
            "default": [],
            "description": "Secrets and ConfigMaps that may be absent from the list: a value that "
            "refers to one is resolved in the cluster only.",
            "items": {"$ref": "#/$defs/AllowMissing"},
            "title": "Allowmissing",
            "type": "array",
            "x-attribute": "allow_missing",
        },
        "emit": {
            "default": ["resources", "helm"],
            "description": "What is written: `resources` that targets patch, and `helm` releases with "
            "their repository. Everything is checked in any case.",
            "items": {"enum": ["resources", "helm"], "type": "string"},
            "title": "Emit",
            "type": "array",
            "x-attribute": "emit",
        },
        "record": {
            "default": True,
            "description": "Whether undo records are kept, in an annotation; `false` for the last build before a cluster.",
            "title": "Record",
            "type": "boolean",
            "x-attribute": "record",
        },
        "profile": {
            "default": "recommended",
            "description": "`upstream` behaves as the operator does, without warnings; `recommended` "
            "reports the errors of all stages and accepts variants that authors use.",
            "enum": ["recommended", "upstream"],
            "title": "Profile",
            "type": "string",
            "x-attribute": "profile",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "title": "GlasskubeValues",
    "type": "object",
}
