"""Configure Glasskube packages: resolve and check their values, patch resources, and write their Helm releases."""

from __future__ import annotations

from krm_values._krm import names
from krm_values._krm.shapes import Served
from krm_values._run.function import Function
from krm_values.glasskube_values.packages import GROUP, KINDS, WRAPPER

function = Function(
    __name__,
    "config:GlasskubeValues",
    "plan:plan",
    record=lambda _: True,
    removal=lambda _: "warning",  # what a release installed is removed with it
    serves=(
        Served(GROUP, ("v1alpha1",), ("Package", "ClusterPackage", "PackageInfo"), ("PackageRepository",)),
        Served(names.GROUP, ("v1alpha1",), (WRAPPER,)),
    ),
    kinds=tuple(f"{kind}.{GROUP}" for kind in KINDS),
    precedence="the package's value replaces the existing one",
    order=("manifest", "default", "value", "transformation"),
    misspelt="S7",
)
