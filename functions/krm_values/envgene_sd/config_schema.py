"""The functionConfig's schema as a run reads it, made from `config.py` by `make schemas`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

SCHEMA: dict[str, Any] = {
    "additionalProperties": False,
    "description": "Merges an incoming Solution Descriptor into the Full SD of each environment, and writes the Delta SD.",
    "properties": {
        "SD_SOURCE_TYPE": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": "",
            "description": "Where the incoming SDs come from: `artifact` (`SD_VERSION`) or `json` (`SD_DATA`).",
            "title": "Sd Source Type",
            "x-attribute": "sd_source_type",
        },
        "SD_VERSION": {
            "anyOf": [{"type": "string"}, {"items": {"type": "string"}, "type": "array"}, {"type": "null"}],
            "default": "",
            "description": "Artifacts as `application:version`: a string with one kind of separator "
            "(line break, comma, semicolon or space), or a list.",
            "title": "Sd Version",
            "x-attribute": "sd_version",
        },
        "SD_DATA": {
            "default": "",
            "description": "One SD or a list of SDs: JSON text, or the structure itself.",
            "title": "Sd Data",
            "type": ["string", "array", "object", "number", "boolean", "null"],
            "x-attribute": "sd_data",
        },
        "SD_REPO_MERGE_MODE": {
            "anyOf": [{"type": "string"}, {"type": "null"}],
            "default": "",
            "description": "`basic-merge` (the default), `basic-exclusion-merge`, `extended-merge` or `replace`.",
            "title": "Sd Repo Merge Mode",
            "x-attribute": "sd_repo_merge_mode",
        },
        "SD_DELTA": {
            "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "null"}],
            "default": "",
            "description": "Deprecated: `true` means `extended-merge`, `false` means `replace`.",
            "title": "Sd Delta",
            "x-attribute": "sd_delta",
        },
        "ENV_NAMES": {
            "anyOf": [{"type": "string"}, {"items": {"type": "string"}, "type": "array"}, {"type": "null"}],
            "default": "",
            "description": "The environments as `CLUSTER/ENV`, separated as in `SD_VERSION`, or a "
            "list; by default every environment that has items.",
            "title": "Env Names",
            "x-attribute": "env_names",
        },
        "strict": {
            "default": False,
            "description": "Whether warnings are errors; that includes both merge parameters at once "
            "and a delta or exclusion without a Full SD.",
            "title": "Strict",
            "type": "boolean",
            "x-attribute": "strict",
        },
    },
    "title": "EnvgeneSd",
    "type": "object",
}
