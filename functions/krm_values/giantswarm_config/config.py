"""The functionConfig of giantswarm-config."""

from __future__ import annotations

from typing import Literal

from krm_values._kit.config.model import Config, Field


class AllowMissing(Config):
    """Objects that may be absent from the list."""

    kind: Literal["ConfigMap", "Secret", "Catalog"]
    """The kind of the object."""

    namespace: str | None = None
    """Its namespace; any if it is not given."""

    name: str
    """Its name; `*` stands for any run of characters."""


class GiantswarmConfig(Config):
    """Writes what app-operator would merge for each App from its layers of configuration."""

    outputs: list[Literal["configMap", "secret", "combined"]] = Field(["configMap", "secret"])
    """What is written per App: `configMap` and `secret` as app-operator does, `combined` a Secret with exactly what Helm receives."""

    chart_namespace: str = "giantswarm"
    """The namespace of what is written; an empty text means each App's own."""

    allow_missing: list[AllowMissing] = Field([])
    """Referenced objects that may be absent, or encrypted with SOPS: they count as empty."""

    assume: list[Literal["clusterValues", "userValues"]] = Field([])
    """Layers that only the cluster adds: `clusterValues` by the admission webhook, `userValues` by the operator, if they are in the list."""

    scalar_conflict: Literal["upstream", "override"] = "upstream"
    """What a Secret's map does to a ConfigMap's scalar or list: `upstream` drops the map as chart-operator does, `override` lets it win."""

    strict: bool = False
    """Whether warnings are errors."""
