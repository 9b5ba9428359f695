"""Write the ConfigMap and Secret that Giant Swarm's app-operator would merge for each App from its configuration layers."""

from __future__ import annotations

from krm_values._krm.shapes import Served
from krm_values._run.function import Function
from krm_values.giantswarm_config.app import BANDS, GROUP

function = Function(
    __name__,
    "config:GiantswarmConfig",
    "plan:plan",
    record=lambda config: "fold" in config.outputs,
    serves=(Served(GROUP, ("v1alpha1",), ("App", "Catalog", "AppCatalog"), ("AppCatalogEntry", "Chart")),),
    kinds=(f"App.{GROUP}",),
    precedence="the higher priority overrides the lower, and of equal ones the later",
    order=tuple(f"{kind} {band}" for kind in ("ConfigMap", "Secret") for band in BANDS),
    misspelt="S7",
)
