"""Dimensions of layered-values."""

from __future__ import annotations

from typing import Any

from tests.growth.lists import Object, again, config_map, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "layered-values"
_TARGETS = [{"configMap": "b"}]


def _work(*items: Object, layers: list[Object], targets: list[Object] | None = None, **more: Any) -> Work:
    return whole(NAME, listed(list(items), NAME, layers=layers, targets=targets or _TARGETS, **more))


def _layer(n: int, value: str = "v") -> Object:
    return {"name": value, "values": {f"k{i}": value for i in range(n)}}


def _layers(n: int) -> Work:
    return _work(layers=[{"name": f"l{i}", "values": {"k": f"v{i}", f"own{i}": "x"}} for i in range(n)])


def _keys(n: int) -> Work:
    return _work(layers=[_layer(n, "low"), _layer(n, "high")])


def _resources(n: int) -> Work:
    return _work(*(config_map(f"c{i}", {"A": "b"}) for i in range(n)), layers=[_layer(5)])


def _targets(n: int) -> Work:
    return _work(layers=[_layer(5)], targets=[{"configMap": f"b{i}"} for i in range(n)])


def _twice(n: int) -> Work:
    return again(NAME, listed([], NAME, layers=[_layer(n)], targets=_TARGETS))


DIMENSIONS = [
    Dimension("layers", _layers),
    Dimension("keys of two layers", _keys),
    Dimension("resources that nothing targets", _resources),
    Dimension("objects that are written", _targets),
    Dimension("keys on a second run", _twice),
]
