"""The functionConfig of giantswarm-config."""

from __future__ import annotations

from typing import Literal

from krm_values._kit.config.model import Config, Field


class AllowMissing(Config):
    """Objects that may be missing from the list."""

    kind: Literal["ConfigMap", "Secret", "Catalog"]
    """The kind of the object."""

    namespace: str | None = None
    """Its namespace; any if it is not given."""

    name: str
    """Its name; `*` matches any characters."""


class GiantswarmConfig(Config):
    """Writes what app-operator would merge for each App from its configuration layers."""

    outputs: list[Literal["configMap", "secret", "combined"]] = Field(["configMap", "secret"])
    """What is written per App: `configMap` and `secret` as app-operator does, `combined` a Secret with exactly what Helm receives."""

    chart_namespace: str = "giantswarm"
    """The namespace of what is written; an empty string means that of each App."""

    allow_missing: list[AllowMissing] = Field([])
    """Referenced objects that may be missing from the list, or encrypted with SOPS; they count as empty."""

    assume: list[Literal["clusterValues", "userValues"]] = Field([])
    """Layers that only the cluster adds, if they are in the list: `clusterValues` by the admission webhook, `userValues` by the operator."""

    scalar_conflict: Literal["upstream", "override"] = "upstream"
    """What a Secret's map does to a ConfigMap's scalar or list: `upstream` drops the map as chart-operator does, `override` applies it."""

    strict: bool = False
    """Whether warnings are errors."""
