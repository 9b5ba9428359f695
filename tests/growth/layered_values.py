"""Dimensions of layered-values."""

from __future__ import annotations

import json
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


def _elements_by_name(n: int, values: str = "v", missing: str = "error", *, text: bool = False) -> Work:
    """Fields of the elements of a list of a resource, or of a text in it, each named."""
    listed = [{"name": f"e{i}", values: "b"} for i in range(n)]
    holder = (
        config_map("c", {"a.yaml": json.dumps({"l": listed})})
        if text
        else {**config_map("c", {}), "kind": "Thing", "l": listed}
    )
    path, kind = ('data["a.yaml"].l', "ConfigMap") if text else ("l", "Thing")
    field = {"missing": missing}
    fields = {f"{path}[name=e{i}].v": {"value": f"k{i}", **field} for i in range(n)}
    return _work(holder, layers=[_layer(n)], targets=[{"kind": kind, "fields": fields}], record=False)


def _layers_of_one_text(n: int, **source: Any) -> Work:
    """Layers that are each an element of the same list, in a text of a ConfigMap."""
    held = config_map("c", {"a": json.dumps({"l": [{"name": f"e{i}", "v": {f"k{i}": 0}} for i in range(n)]})})
    below = 'data["a"].' if "from" in source else ""
    return _work(held, layers=[{"name": f"e{i}", **source, "path": f"{below}l[name=e{i}].v"} for i in range(n)])


def _valueless(n: int) -> Work:
    """Fields for which no layer has a value, each an error."""
    target = {"kind": "ConfigMap", "fields": {f"data.A{i}": f"none{i}" for i in range(n)}}
    text = listed([config_map("c", {f"A{i}": "b" for i in range(n)})], NAME, layers=[_layer(5)], targets=[target])
    return whole(NAME, text, fails=True)


def _by_schema(value: Any, schema: Object, *, fails: bool = True) -> Work:
    given = listed([], NAME, layers=[{"values": value}], targets=_TARGETS, schema=schema)
    return whole(NAME, given, fails=fails)


def _elements(n: int) -> Work:
    """Elements of a list, each of another type than the schema wants."""
    return _by_schema({"l": ["x"] * n}, {"properties": {"l": {"items": {"type": "integer"}}}})


def _elements_of_a_text(n: int) -> Work:
    held = config_map("c", {"values.yaml": "l:\n" + "- x\n" * n})
    schema = {"properties": {"l": {"items": {"type": "integer"}}}}
    return whole(NAME, listed([held], NAME, layers=[{"configMap": "c"}], targets=_TARGETS, schema=schema), fails=True)


def _enum(n: int) -> Work:
    """Values, none of which is one of as many lists."""
    value = {f"k{i}": [i, 0] for i in range(n)}
    return _by_schema(value, {"additionalProperties": {"enum": [[i, 0, 0] for i in range(n)]}})


def _references_of_schemas(n: int) -> Work:
    forms = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}]} for i in range(n)}
    return _by_schema({"a": 1}, {"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {**forms, f"d{n}": {"type": "string"}}})


def _loops(n: int) -> Work:
    """Schemas that each lead to the next one and back to the first one."""
    forms = {f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": "#/$defs/d0"}]} for i in range(n)}
    return _by_schema({"a": 1}, {"$ref": "#/$defs/d0", "$defs": {**forms, f"d{n}": {}}})


def _merged(n: int, strategy: object, layers: int = 2) -> Work:
    lists = [{"name": f"l{i}", "values": {"l": [{"a": f"x{i}-{j}"} for j in range(n // layers)]}} for i in range(layers)]
    return _work(layers=lists, merge={"l": strategy})


def _strategies(n: int) -> Work:
    lists = [{"name": name, "values": {f"k{i}": [name] for i in range(n)}} for name in ("low", "high")]
    return _work(layers=lists, merge={f"k{i}": "append" for i in range(n)})


def _documents(n: int) -> Work:
    held = config_map("c", {"values.yaml": "".join(f"---\nk{i}: 1\n" for i in range(n))})
    return _work(held, layers=[{"configMap": "c"}])


def _values_of_elements(n: int, name: str = "a", *, fails: bool = False) -> Work:
    value = {"a": [f"x{i}" for i in range(n)], **{f"k{i}": {"$value": f"{name}[{i}]"} for i in range(n)}}
    return whole(NAME, listed([], NAME, layers=[{"values": value}], targets=_TARGETS), fails=fails)


def _anchors(n: int) -> Work:
    """Anchors of an item of which a field is set."""
    item = "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: c}\n  data:\n"
    item += "".join(f"    k{i}: &a{i} v\n" for i in range(n))
    target = {"kind": "ConfigMap", "fields": {"data.k0": "k0"}}
    return whole(NAME, listed(item, NAME, layers=[_layer(1)], targets=[target]))


def _labelled(n: int) -> list[Object]:
    return [{**config_map(f"c{i}", {"A": "b"}), "metadata": {"name": f"c{i}", "labels": {"a": f"x{i}"}}} for i in range(n)]


def _conditional(n: int, key: str = "labels", value: str = "x{}", base: int = 1) -> Work:
    """Layers for one target each, over layers of all targets; their `when` has a label, a name, or a name with a star."""
    when = [{"labels": {"a": value.format(i)}} if key == "labels" else {"name": value.format(i)} for i in range(n)]
    own = [{"name": f"l{i}", "values": {"k": f"v{i}"}, "when": when[i]} for i in range(n)]
    common = [{"name": f"b{i}", "values": {"k": "v"}} for i in range(base)]
    return _work(*_labelled(n), layers=[*common, *own], targets=[{"kind": "ConfigMap", "fields": {"data.A": "k"}}])


def _selecting(n: int, **selector: str) -> Work:
    """Targets of one kind, each for one resource."""
    targets = [
        {
            "kind": "ConfigMap",
            "fields": {"data.A": "k"},
            **({"labels": {"a": f"x{i}"}} if not selector else {"name": selector["name"].format(i)}),
        }
        for i in range(n)
    ]
    return _work(*_labelled(n), layers=[{"values": {"k": "v"}}], targets=targets)


def _spaced(n: int) -> Work:
    """Layers that are fields of resources of one name, in as many namespaces."""
    held = [
        {"apiVersion": "a/v1", "kind": "Settings", "metadata": {"name": "c", "namespace": f"n{i}"}, "spec": {"k": i}}
        for i in range(n)
    ]
    layers = [
        {"name": f"l{i}", "from": {"kind": "Settings", "name": "c", "namespace": f"n{i}"}, "path": "spec"} for i in range(n)
    ]
    return _work(*held, layers=layers)


def _misnamed(n: int) -> Work:
    """Targets that select nothing, near to many names."""
    targets = [{"kind": "ConfigMap", "name": f"d{i}", "fields": {"data.A": "k"}} for i in range(n)]
    text = listed(_labelled(n), NAME, layers=[{"values": {"k": "v"}}], targets=targets)
    return whole(NAME, text, fails=True)


def _near_values(n: int) -> Work:
    """Fields for which no layer has a value, near to many that there are."""
    target = {"kind": "ConfigMap", "fields": {f"data.A{i}": f"kx{i}" for i in range(n)}}
    text = listed([config_map("c", {f"A{i}": "b" for i in range(n)})], NAME, layers=[_layer(n)], targets=[target])
    return whole(NAME, text, fails=True)


DIMENSIONS = [
    Dimension("layers for one target each, by a label", _conditional),
    Dimension("layers for one target each, by a name", lambda n: _conditional(n, "name", "c{}")),
    Dimension("layers for one target each, by a name with a star", lambda n: _conditional(n, "name", "c{}*"), 50),
    Dimension("layers for one target each, over as many layers", lambda n: _conditional(n, base=n)),
    Dimension("targets with a label", _selecting),
    Dimension("targets with a star", lambda n: _selecting(n, name="*c{}"), 75),
    Dimension("layers that are fields in many namespaces", _spaced),
    Dimension("layers of one text", lambda n: _layers_of_one_text(n, configMap="c", key="a")),
    Dimension("layers of a text in a field", lambda n: _layers_of_one_text(n, **{"from": {"kind": "ConfigMap", "name": "c"}})),
    Dimension("fields of named elements", _elements_by_name, 225),
    Dimension("fields of named elements, which are made", lambda n: _elements_by_name(n, "w", "create"), 225),
    Dimension("fields of named elements of a text", lambda n: _elements_by_name(n, text=True)),
    Dimension("targets that select nothing", _misnamed),
    Dimension("fields without a value, near to many", _near_values, 100),
    Dimension("elements that do not fit a schema", _elements),
    Dimension("elements of a text that do not fit a schema", _elements_of_a_text),
    Dimension(
        "keys that do not fit a schema", lambda n: _by_schema(_layer(n)["values"], {"additionalProperties": {"type": "null"}})
    ),
    Dimension("values that are not in an enum", _enum, 50),
    Dimension("schemas through which references lead", _references_of_schemas),
    Dimension("loops of a schema", _loops),
    Dimension("elements of two lists by `unique`", lambda n: _merged(n, "unique")),
    Dimension("layers with a list by `unique`", lambda n: _merged(n, "unique", n)),
    Dimension("layers with a list by `append`", lambda n: _merged(n, "append", n)),
    Dimension("elements of two lists by a key", lambda n: _merged(n, {"by": "a"})),
    Dimension("strategies", _strategies),
    Dimension("documents of a text", _documents),
    Dimension("references to elements", _values_of_elements),
    Dimension("references to missing elements", lambda n: _values_of_elements(n, "b", fails=True)),
    Dimension("anchors of an item that is edited", _anchors),
    Dimension("layers", _layers),
    Dimension("keys of two layers", _keys),
    Dimension("resources that nothing targets", _resources),
    Dimension("objects that are written", _targets),
    Dimension("keys on a second run", _twice),
    Dimension("layers that are objects", _objects),
    Dimension("layers that are fields", _read_fields),
    Dimension("targets that name a resource", _named),
    Dimension("layers that are absent", _absent),
    Dimension("keys that change their type", _retyped),
    Dimension("resources that are edited", _edited),
    Dimension("fields of a resource", _fields),
    Dimension("fields without a value", _valueless),
]
