"""The functionConfig of glasskube-values."""

from __future__ import annotations

from typing import Any, Literal

from krm_values._krm.model import AllowMissing, Field, FunctionConfig


class GlasskubeValues(FunctionConfig):
    """The configuration of a run that resolves and checks the values of Glasskube packages, patches resources and writes Helm releases."""

    manifests: list[Any] = Field([])
    """PackageManifests as in package.yaml, without a version."""

    use_defaults: bool | list[str] = False
    """Whether values that are not configured take their `defaultValue`: `true` all of them, a list those that it names."""

    create_parents: bool | None = None
    """Whether `add` creates the missing and null parents of its path; if not given, in the values of charts only."""

    typed: bool | None = None
    """Whether booleans and numbers without a template are written as such, never into `data` of a ConfigMap or Secret; if not given, in the values of charts only."""

    allow_missing: list[AllowMissing] = Field([])
    """Secrets and ConfigMaps that may be absent from the list: a value that refers to one is resolved in the cluster only."""

    emit: list[Literal["resources", "helm"]] = Field(["resources", "helm"])
    """What is written: `resources` that targets patch, and `helm` releases with their repository. Everything is checked in any case."""

    strict: bool = False
    """Whether warnings are errors."""
