"""The functionConfig of envgene-sd: the pipeline's parameters under their own names."""

from __future__ import annotations

from typing import Any, Literal

from krm_values._kit import emit
from krm_values._kit.errors import EditError
from krm_values._kit.model import Field, Model, field_validator
from krm_values._kit.shown import described

_TEXT: dict[str, Any] = {"type": ["string", "null"]}
_FLAG: dict[str, Any] = {"type": ["string", "boolean", "null"]}
_LIST: dict[str, Any] = {"type": ["string", "array", "null"], "items": {"type": "string"}}
_DATA: dict[str, Any] = {"type": ["string", "array", "object", "number", "boolean", "null"]}


class EnvgeneSd(Model):
    """Merges an incoming Solution Descriptor into the Full SD of each environment, and writes the Delta SD."""

    sd_source_type: str = Field("", alias="SD_SOURCE_TYPE", json_schema_extra=_TEXT)
    """Where the incoming SDs come from: `artifact` (`SD_VERSION`) or `json` (`SD_DATA`)."""

    sd_version: str = Field("", alias="SD_VERSION", json_schema_extra=_LIST)
    """Artifacts as `application:version`: text with one kind of separator (line break, comma, semicolon or blank), or a list."""

    sd_data: Any = Field("", alias="SD_DATA", json_schema_extra=_DATA)
    """One SD or a list of SDs: JSON text, or the structure itself."""

    sd_repo_merge_mode: str = Field("", alias="SD_REPO_MERGE_MODE", json_schema_extra=_TEXT)
    """`basic-merge` (the default), `basic-exclusion-merge`, `extended-merge` or `replace`."""

    sd_delta: str = Field("", alias="SD_DELTA", json_schema_extra=_FLAG)
    """Deprecated: `true` means `extended-merge`, `false` means `replace`."""

    env_names: str = Field("", alias="ENV_NAMES", json_schema_extra=_LIST)
    """The environments as `CLUSTER/ENV`, separated as in `SD_VERSION`, or a list; without it every environment that has items."""

    strict: bool = False
    """Whether warnings are errors; that includes both merge parameters at once and a delta or exclusion without a Full SD."""

    profile: Literal["recommended", "upstream"] = "recommended"
    """`upstream` does as EnvGene does today: exclusion changes no version, `replace` keeps only `applications`, and `extended-merge` takes one SD."""

    @field_validator("sd_source_type", "sd_repo_merge_mode", mode="before")
    @classmethod
    def _text(cls, value: Any) -> str:
        return _as_text(value)

    @field_validator("sd_delta", mode="before")
    @classmethod
    def _flag(cls, value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else _as_text(value)

    @field_validator("sd_version", "env_names", mode="before")
    @classmethod
    def _entries(cls, value: Any) -> str:
        return "\n".join(map(_entry, value)) if isinstance(value, list) else _as_text(value)

    @field_validator("sd_data", mode="before")
    @classmethod
    def _data(cls, value: Any) -> Any:
        """The JSON text, or the structure, whose numbers keep their text."""
        if value is None or isinstance(value, str):
            return value or ""
        try:
            emit.as_json(value)
        except EditError as error:
            raise ValueError(error.message) from None
        return value


def _as_text(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    raise ValueError(f"must be text; found {described(value)}")


def _entry(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"must be a list of texts; found {described(value)} in it")
