"""The functionConfig of glasskube-values."""

from __future__ import annotations

from typing import Any, Literal

from krm_values._kit.config.model import Config, Field


class AllowMissing(Config):
    """Objects that exist only in the cluster."""

    kind: Literal["ConfigMap", "Secret"]
    """The kind of the object."""

    namespace: str | None = None
    """Its namespace; any if it is not given."""

    name: str
    """Its name; `*` stands for any run of characters."""


class GlasskubeValues(Config):
    """Resolves and checks the values of Glasskube packages, patches resources and writes Helm releases."""

    manifests: list[Any] = Field([])
    """PackageManifests as they stand in package.yaml; they state no version."""

    use_defaults: bool | list[str] = False
    """Values that are not configured take their default: `true` all of them, a list those it names."""

    create_parents: bool = False
    """Whether `add` makes the missing and null parents of its path."""

    typed: bool = False
    """Whether booleans and numbers without a template are written as such, not as text; never into `data` of a ConfigMap or Secret."""

    allow_missing: list[AllowMissing] = Field([])
    """Secrets and ConfigMaps that may be absent from the list: a value that refers to one waits until the cluster has it."""

    emit: list[Literal["resources", "helm"]] = Field(["resources", "helm"])
    """What is written: `resources` that targets patch, and `helm` releases with their repository."""

    record: bool = True
    """Whether what was there before is kept in an annotation; `false` for the last build before a cluster."""

    profile: Literal["recommended", "upstream"] = "recommended"
    """`upstream` does what the operator does, without warnings; `recommended` reports all stages and reads what authors meant."""

    strict: bool = False
    """Whether warnings are errors."""
