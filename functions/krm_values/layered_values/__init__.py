"""Merge values in layers, check them, and write them into generated objects or into fields of any resource."""

from __future__ import annotations

from krm_values._kit.api.function import Function
from krm_values.layered_values import plan

function = Function(__name__, "config:LayeredValues", plan.plan, record=plan.records, named=True)
