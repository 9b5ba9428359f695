"""The functionConfig of envgene-sd: the pipeline's parameters under their own names."""

from __future__ import annotations

from typing import Any

from krm_values._krm.model import Field, FunctionConfig

_DATA: dict[str, Any] = {"type": ["string", "array", "object", "number", "boolean", "null"]}


class EnvgeneSd(FunctionConfig):
    """Merges an incoming Solution Descriptor into the Full SD of each environment, and writes the Delta SD."""

    sd_source_type: str | None = Field("", alias="SD_SOURCE_TYPE")
    """Where the incoming SDs come from: `artifact` (`SD_VERSION`) or `json` (`SD_DATA`)."""

    sd_version: str | list[str] | None = Field("", alias="SD_VERSION")
    """Artifacts as `application:version`: a string with one kind of separator (line break, comma, semicolon or space), or a list."""

    sd_data: Any = Field("", alias="SD_DATA", json_schema_extra=_DATA)
    """One SD or a list of SDs: JSON text, or the structure itself."""

    sd_repo_merge_mode: str | None = Field("", alias="SD_REPO_MERGE_MODE")
    """`basic-merge` (the default), `basic-exclusion-merge`, `extended-merge` or `replace`."""

    sd_delta: str | bool | None = Field("", alias="SD_DELTA")
    """Deprecated: `true` means `extended-merge`, `false` means `replace`."""

    env_names: str | list[str] | None = Field("", alias="ENV_NAMES")
    """The environments as `CLUSTER/ENV`, separated as in `SD_VERSION`, or a list; by default every environment that has items."""

    strict: bool = False
    """Whether warnings are errors; that includes both merge parameters at once and a delta or exclusion without a Full SD."""
