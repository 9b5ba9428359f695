"""Merge values in layers, check them, and write them into generated objects or into fields of any resource."""

from __future__ import annotations

from krm_values._run.function import Function

function = Function(
    __name__,
    "config:LayeredValues",
    "plan:plan",
    record=lambda _: True,
    named=True,
    precedence="the schema's defaults are lowest, then come layers by rising priority, by their order in the list and in a text",
    order=("schema", "*"),
    minimal="{layers: [{values: {replicas: 2}}], targets: [{configMap: my-values}]}",
)
