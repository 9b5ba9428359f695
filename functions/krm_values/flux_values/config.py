"""The functionConfig of flux-values."""

from __future__ import annotations

from typing import Literal

from krm_values._krm.model import AllowMissing, Field, FunctionConfig


class FluxValues(FunctionConfig):
    """Composes the values that Flux passes to Helm for each HelmRelease."""

    output: Literal["object", "inline"] = "object"
    """Where the values are written: `object` a ConfigMap or Secret beside the release, `inline` the release itself, which then needs no ConfigMap."""

    allow_missing: list[AllowMissing] = Field([])
    """Referenced objects that may be missing from the list, or encrypted with SOPS; they count as empty."""

    strict: bool = False
    """Whether warnings are errors."""
