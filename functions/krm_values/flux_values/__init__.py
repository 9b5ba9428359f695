"""Compose the values that Flux passes to Helm for each HelmRelease from its valuesFrom and its inline values."""

from __future__ import annotations

from krm_values._krm.shapes import Served
from krm_values._run.function import Function
from krm_values.flux_values.upstream_fields import GROUP

function = Function(
    __name__,
    "config:FluxValues",
    "plan:plan",
    record=lambda config: bool(config.output == "inline"),
    serves=(Served(GROUP, (), ("HelmRelease",)),),  # of its versions the planner itself speaks
    kinds=(f"HelmRelease.{GROUP}",),
    precedence="spec.values is merged last",
    order=("valuesFrom", "values"),
    misspelt="S7",
)
