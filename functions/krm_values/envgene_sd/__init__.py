"""Merge an incoming Solution Descriptor into the Full SD of each EnvGene environment, and write the Delta SD."""

from __future__ import annotations

from krm_values._krm import names
from krm_values._run.function import Function
from krm_values.envgene_sd import environments

function = Function(
    __name__,
    "config:EnvgeneSd",
    "plan:plan",
    serves=environments.SERVED,
    kinds=(f"{environments.SD}.{names.GROUP}",),
    precedence="the incoming SD replaces the version of the Full SD, and of several the last",
    order=("Full SD", "*"),
    misspelt="S7",
)
