"""The functionConfig of giantswarm-config."""

from __future__ import annotations

from typing import Literal

from krm_values._krm.model import Config, Field, FunctionConfig, ObjectName


class AllowMissing(ObjectName):
    """Objects that may be missing from the list."""

    kind: Literal["ConfigMap", "Secret", "Catalog"]
    """The kind of the object."""


class Levels(Config):
    """The priorities of the fixed levels."""

    catalog: int = 0
    """Priority of the Catalog's `spec.config` (default 0)."""

    config: int = 50
    """Priority of an App's `spec.config` (default 50)."""

    user_config: int = 100
    """Priority of an App's `spec.userConfig` (default 100)."""

    default: int | None = None
    """Priority of an entry of `extraConfigs` that has none (default: halfway between `catalog` and `config`, rounded up)."""


class GiantswarmConfig(FunctionConfig):
    """Writes what app-operator would merge for each App from its configuration layers."""

    outputs: list[Literal["configMap", "secret", "combined", "fold", "helmRelease"]] = Field(["configMap", "secret"])
    """What is written per App: `configMap` and `secret` as app-operator does, `combined` a Secret with exactly what Helm receives,
    `fold` the extra layers merged into the user level, `helmRelease` the Flux HelmRelease that the App means."""

    chart_namespace: str = "giantswarm"
    """The namespace of what is written; an empty string means that of each App."""

    allow_missing: list[AllowMissing] = Field([])
    """Referenced objects that may be missing from the list, or encrypted with SOPS; they count as empty."""

    assume: list[Literal["clusterValues", "userValues"]] = Field([])
    """Layers that only the cluster adds, if they are in the list: `clusterValues` by the admission webhook, `userValues` by the operator."""

    scalar_conflict: Literal["upstream", "override"] = "upstream"
    """What a Secret's map does to a ConfigMap's scalar or list: `upstream` drops the map as chart-operator does, `override` applies it."""

    levels: Levels | None = None
    """Other priorities of the fixed levels, at equal distances; those of Giant Swarm if it is not given: 0, 50, 100 and 25 for entries without one."""

    keys: Literal["one", "any"] = "one"
    """How many data keys a layer may have: exactly `one`, or `any` number of documents, merged in bytewise order of the keys."""

    strict: bool = False
    """Whether warnings are errors."""
