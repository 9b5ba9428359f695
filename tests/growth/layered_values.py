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


def _objects(n: int) -> Work:
    """Layers that are objects, in texts."""
    held = [config_map(f"c{i}", {"values.yaml": f"k: {i}\nown{i}: x\n"}) for i in range(n)]
    return _work(*held, layers=[{"configMap": f"c{i}"} for i in range(n)])


def _read_fields(n: int) -> Work:
    """Layers that are fields of resources."""
    held = [{"apiVersion": "a/v1", "kind": "Settings", "metadata": {"name": f"c{i}"}, "spec": {"k": i}} for i in range(n)]
    return _work(*held, layers=[{"from": {"kind": "Settings", "name": f"c{i}"}, "path": "spec"} for i in range(n)])


def _named(n: int) -> Work:
    """Targets that select a resource each."""
    targets = [{"kind": "ConfigMap", "name": f"c{i}", "fields": {"data.A": "k0"}} for i in range(n)]
    return _work(*(config_map(f"c{i}", {"A": "b"}) for i in range(n)), layers=[_layer(5)], targets=targets)


def _absent(n: int) -> Work:
    return _work(layers=[_layer(5), *({"configMap": f"c{i}", "optional": True} for i in range(n))])


def _retyped(n: int) -> Work:
    """Each key is a map below and a text above, which is a warning."""
    low = {"name": "low", "values": {f"k{i}": {"a": i} for i in range(n)}}
    return _work(layers=[low, _layer(n, "high")])


def _edited(n: int) -> Work:
    """Resources with a field that a target sets."""
    target = {"kind": "ConfigMap", "fields": {"data.A": "k0"}}
    return _work(*(config_map(f"c{i}", {"A": "b"}) for i in range(n)), layers=[_layer(5)], targets=[target])


def _fields(n: int) -> Work:
    """Fields of one resource."""
    target = {"kind": "ConfigMap", "fields": {f"data.A{i}": f"k{i}" for i in range(n)}}
    return _work(config_map("c", {f"A{i}": "b" for i in range(n)}), layers=[_layer(n)], targets=[target])


def _valueless(n: int) -> Work:
    """Fields for which no layer has a value, each an error."""
    target = {"kind": "ConfigMap", "fields": {f"data.A{i}": f"none{i}" for i in range(n)}}
    text = listed([config_map("c", {f"A{i}": "b" for i in range(n)})], NAME, layers=[_layer(5)], targets=[target])
    return whole(NAME, text, fails=True)


DIMENSIONS = [
    Dimension("layers", _layers),
    Dimension("keys of two layers", _keys),
    Dimension("resources that nothing targets", _resources),
    Dimension("objects that are written", _targets),
    Dimension("keys on a second run", _twice, 300),
    Dimension("layers that are objects", _objects),
    Dimension("layers that are fields", _read_fields),
    Dimension("targets that name a resource", _named),
    Dimension("layers that are absent", _absent),
    Dimension("keys that change their type", _retyped),
    Dimension("resources that are edited", _edited),
    Dimension("fields of a resource", _fields),
    Dimension("fields without a value", _valueless),
]
