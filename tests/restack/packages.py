"""Random packages whose steps write into the same places, as data that can be changed and written as files."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from krm_values._yaml import emit
from tests.restack import menu

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

LAYOUTS = {"one": ("",), "sub": ("", "sub"), "siblings": ("", "a", "b")}
"""The packages of a layout, the outermost first."""
KIND = {
    "layered-values": "LayeredValues",
    "glasskube-values": "GlasskubeValues",
    "flux-values": "FluxValues",
    "tekton-params": "TektonParams",
    "giantswarm-config": "GiantswarmConfig",
    "cartographer-params": "CartographerParams",
}
RESOURCE = {
    "flux-values": "HelmRelease",
    "tekton-params": "PipelineRun",
    "giantswarm-config": "App",
    "cartographer-params": "Workload",
}
"""What a function reads, unless it takes any resource."""
LOCAL = {"config.kubernetes.io/local-config": "true"}


class Package:
    """A package. kinds: of the resources that steps write, by their names. steps: in the order of their lists; those of sub-packages run first.

    values: of the ConfigMaps that HelmReleases read, by their names.
    """

    def __init__(self, layout: str, kinds: dict[str, str], functions: list[str]) -> None:
        self.layout, self.kinds, self.functions = layout, kinds, functions
        self.steps: list[dict[str, Any]] = []
        self.values: dict[str, dict[str, Any]] = {}
        self.made = 0

    def copy(self) -> Package:
        return deepcopy(self)

    @property
    def holders(self) -> list[str]:
        """The packages that have resources."""
        return [path for path in LAYOUTS[self.layout] if path or self.layout == "one"]

    def in_order(self) -> list[dict[str, Any]]:
        """The steps in the order in which they run: those of sub-packages first."""
        order = [*LAYOUTS[self.layout][1:], ""]
        return sorted(self.steps, key=lambda step: order.index(step["package"]))

    def files(self) -> dict[str, str]:
        """Every file by its path."""
        found = {}
        for path in LAYOUTS[self.layout]:
            found[f"{path}/Kptfile".lstrip("/")] = self._kptfile(path)
        for name, kind in self.kinds.items():
            if kind not in menu.TEXTS:
                continue  # a step makes it
            holder = _holder(name)
            folder = "" if holder == "root" else f"{holder}/"
            found[f"{folder}{name}.yaml"] = menu.TEXTS[kind].format(name=name)
            for end, text in menu.BESIDE.get(kind, {}).items():
                found[f"{folder}{name}-{end}.yaml"] = text.format(name=name)
            if kind == "HelmRelease":
                for part in ("base", "site"):
                    if (values := self.values.get(f"{name}-{part}")) is not None:
                        found[f"{folder}{name}-{part}.yaml"] = _config_map(f"{name}-{part}", {"values.yaml": _yaml(values)})
        for step in self.steps:
            found |= {f"{step['package']}/{file}".lstrip("/"): text for file, text in _files(step, self.kinds).items()}
        return found

    def _kptfile(self, path: str) -> str:
        text = f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: {path or 'demo'}\n"
        steps = [step for step in self.steps if step["package"] == path]
        if steps:
            text += "pipeline:\n  mutators:\n"
        for step in steps:
            text += f"  - exec: krm-{step['function']}\n    configPath: {step['file']}\n"
            if step["selects"]:
                kind, _, name = step["selects"].partition("/")
                text += f"    selectors: [{{kind: {kind}{f', name: {name}' if name else ''}}}]\n"
        return text


def _holder(name: str) -> str:
    """What a resource's name says about its package."""
    return name.rpartition("-")[2]


def _kind(kind: str) -> str:
    return "ConfigMap" if kind == "Layer" else kind


def _files(step: dict[str, Any], kinds: dict[str, str]) -> dict[str, str]:
    """The functionConfig of a step, and the files that it reads, by their names."""
    if step["function"] == "layered-values":
        spec, files = _layered(step, kinds)
    elif step["function"] == "glasskube-values":
        spec, files = _glasskube(step, kinds)
    else:
        spec, files = step["spec"], {}
    config: dict[str, Any] = {
        "apiVersion": "krm-values.dev/v1alpha1",
        "kind": KIND[step["function"]],
        "metadata": {"name": step["name"], "annotations": LOCAL},
        "spec": spec,
    }
    return {step["file"]: _yaml(config), **files}


def _layered(step: dict[str, Any], kinds: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    files = {}
    layers: list[dict[str, Any]] = []
    for layer in step["layers"]:
        name = f"{step['id']}-{layer['id']}"
        if layer["source"] == "inline" or step["selects"]:  # which gets no file with a layer
            layers.append({"name": name, "values": layer["values"]})
            continue
        is_typed = layer["source"] == "typed"
        texts = {"values": _yaml(layer["values"])}
        if is_typed:
            texts = {key: _as_text(value) for key, value in layer["values"].items()}
        files[f"layer-{name}.yaml"] = _config_map(f"layer-{name}", texts)
        layers.append({"configMap": f"layer-{name}", "name": name, **({"key": "*"} if is_typed else {})})
    targets = []
    for name in dict.fromkeys(field["name"] for field in step["fields"]):
        fields: dict[str, Any] = {}
        for field in step["fields"]:
            entry = {"value": field["key"], "optional": True}
            if field["name"] == name and field["kind"] in (menu.TAG, menu.REPOSITORY):
                fields.setdefault(field["path"], []).append(entry | {"part": field["kind"]})
            elif field["name"] == name:
                fields[field["path"]] = entry | {"missing": field["missing"]}
        targets.append({"kind": _kind(kinds[name]), "name": name, "fields": fields, "optional": True})
    return {"layers": layers, "targets": targets}, files


def _glasskube(step: dict[str, Any], kinds: dict[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    name = f"glass-{step['id']}"
    definitions = {
        key: {"type": "text", "targets": [_target(one, kinds) for one in definition["targets"]]}
        for key, definition in step["definitions"].items()
    }
    manifest = {"name": name, "scope": "Namespaced", "defaultNamespace": "demo", "valueDefinitions": definitions}
    values = {key: {"value": one["value"]} for key, one in step["definitions"].items() if one["value"] is not None}
    package: dict[str, Any] = {
        "apiVersion": "packages.glasskube.dev/v1alpha1",
        "kind": "Package",
        "metadata": {"name": name, "namespace": "demo"},
        "spec": {"packageInfo": {"name": name, "version": "v1.0.0"}, "values": values},
    }
    return {"manifests": [manifest]}, {f"{name}.yaml": _yaml(package)}


def _target(one: dict[str, Any], kinds: dict[str, str]) -> dict[str, Any]:
    kind = kinds[one["name"]]
    resource = {"apiGroup": menu.API[kind], "kind": _kind(kind), "name": one["name"], "namespace": "demo"}
    template = {"valueTemplate": one["template"].replace("NAME", one["name"])} if one["template"] else {}
    return {"resource": resource, "patch": {"op": one["op"], "path": one["path"]}, **template}


def _yaml(value: Any) -> str:
    return "\n".join(emit.block(value)) + "\n"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _config_map(name: str, texts: dict[str, str]) -> str:
    data: Any = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "demo", "annotations": LOCAL},
        "data": texts,
    }
    return _yaml(data)


# Random packages.


def package(chance: random.Random, functions: list[str]) -> Package:
    """A random package with two to four steps of these functions."""
    functions = _chosen(chance, functions)
    layout = chance.choice(["one", "one", "sub", "sub", "siblings"])
    chosen = chance.choices(functions, k=chance.randint(2, 4))
    if len(functions) > 1 and len(set(chosen)) == 1 and chance.random() < 0.7:
        chosen[chance.randrange(len(chosen))] = chance.choice(functions)
    kinds = [RESOURCE[function] for function in functions if function in RESOURCE] or ["Target", "ConfigMap"]
    found = Package(layout, {}, functions)
    for holder in found.holders:
        for kind in chance.sample(kinds, chance.randint(1, len(kinds))):
            name = f"{kind.lower()}-{holder or 'root'}"
            found.kinds[name] = kind
            if kind == "App":
                found.kinds |= {f"{layer}-{name}": "Layer" for layer in menu.LAYERS}
            if kind == "Workload":
                found.kinds[f"stamp-{name}"] = "Stamp"
            if kind == "HelmRelease":
                found.values[f"{name}-base"] = _flux_layer(chance)
                if chance.random() < 0.9:  # without it, the run is refused
                    found.values[f"{name}-site"] = _flux_layer(chance)
    for function in chosen:
        _add(found, function, chance)
    return found


def _chosen(chance: random.Random, functions: list[str]) -> list[str]:
    """Choose which of the functions that read resources of one kind a package has: mostly one, or none, so that steps meet."""
    others = [function for function in functions if function not in RESOURCE]
    readers = [function for function in functions if function in RESOURCE]
    if readers and chance.random() < 0.8:
        readers = [chance.choice(readers)]
    return others if others and chance.random() < 0.2 else [*others, *readers]


def _flux_layer(chance: random.Random) -> dict[str, Any]:
    keys = {"x": menu.NUMBER, "b": menu.NUMBER, "m": menu.MAP, "l": menu.LIST}
    return {key: menu.value(keys[key], chance) for key in chance.sample(list(keys), chance.randint(1, 3))}


def _add(found: Package, function: str, chance: random.Random) -> None:
    found.made += 1
    path = chance.choice(LAYOUTS[found.layout])
    step: dict[str, Any] = {"function": function, "id": found.made, "package": path, "file": f"step-{found.made}.yaml"}
    step["name"] = _name(found, step, chance)
    step["selects"] = _selected(found, step, chance) if chance.random() < 0.15 else ""
    if function == "layered-values":
        step |= {"fields": [], "layers": [], "layers_made": 0}
        for _ in range(chance.randint(1, 4)):
            _add_field(found, step, chance)
        for _ in range(chance.randint(1, 3)):
            _add_layer(step, chance)
    elif function == "glasskube-values":
        step["definitions"] = {}
        for number in range(chance.randint(1, 3)):
            step["definitions"][f"v{number}"] = {
                "value": menu.value(menu.STRING, chance),
                "targets": [_patch(found, step, chance)],
            }
    elif function == "flux-values":
        step["spec"] = {"output": "inline", "allowMissing": [{"kind": "ConfigMap", "name": "*-site"}]}
    elif function == "giantswarm-config":
        step["spec"] = {"outputs": _outputs(chance), "allowMissing": [{"kind": "Catalog", "name": "*"}]}
    elif function == "cartographer-params":
        step["spec"] = {"emit": _emitted(chance)}
    else:
        step["spec"] = {"mode": chance.choice(["propagate", "implicit"]), "record": True}
    at = chance.randint(0, len(found.steps))
    found.steps.insert(at, step)


def _outputs(chance: random.Random) -> list[str]:
    return chance.choice([["fold"], ["fold"], ["fold", "configMap"], ["configMap"]])


def _emitted(chance: random.Random) -> list[str]:
    return chance.choice([["objects"], ["objects"], ["params", "objects"], ["params"]])


def _selected(found: Package, step: dict[str, Any], chance: random.Random) -> str:
    """A selector, `kind` or `kind/name`, of resources that a step may get."""
    name = chance.choice(_reached(found, step))
    kind = _kind(found.kinds[name])
    return chance.choice([kind, f"{kind}/{name}"])


def _name(found: Package, step: dict[str, Any], chance: random.Random) -> str:
    """A name that no other step of the function has in its package: steps of different packages often have the same."""
    taken = {
        other["name"] for other in found.steps if (other["package"], other["function"]) == (step["package"], step["function"])
    }
    return chance.choice(
        [name for name in ("web", "web", "base", "shop", "site", "prod", "other") if name not in taken | {step.get("name")}]
    )


def _reached(found: Package, step: dict[str, Any]) -> list[str]:
    """The resources that a step of this package gets."""
    names = [name for name in found.kinds if not step["package"] or _holder(name) == step["package"]]
    return names or []


def _add_field(found: Package, step: dict[str, Any], chance: random.Random) -> bool:
    """Add a field to a step of layered-values, if one can be found that it may write."""
    for _ in range(8):
        name = chance.choice(_reached(found, step))
        path, kind = chance.choice(menu.FIELDS[found.kinds[name]])
        parts = (menu.TAG, menu.REPOSITORY)
        beside = [field for field in step["fields"] if field["name"] == name and menu.conflict(field["path"], path)]
        if all(kind in parts and field["kind"] in parts and field["kind"] != kind for field in beside):
            key = f"{name}-{path}-{kind}" if kind in parts else f"{name}-{path}"
            key = "".join(char if char.isalnum() else "-" for char in key)
            missing = chance.choice(["create", "create", "create", "skip"])
            field = {"name": name, "path": path, "kind": kind, "key": key, "missing": missing}
            step["fields"].append(field)
            for layer in step["layers"]:
                if chance.random() < 0.7:
                    _set(layer, field, chance)
            return True
    return False


def _add_layer(step: dict[str, Any], chance: random.Random) -> None:
    step["layers_made"] += 1
    layer = {"id": step["layers_made"], "source": chance.choice(["inline", "file", "typed"]), "values": {}}
    for field in step["fields"]:
        if not step["layers"] or chance.random() < 0.5:
            _set(layer, field, chance)
    step["layers"].insert(chance.randint(0, len(step["layers"])), layer)


def _set(layer: dict[str, Any], field: dict[str, Any], chance: random.Random) -> None:
    value = menu.value(field["kind"], chance, field["name"])
    if chance.random() < 0.04 and layer["source"] != "typed":
        value = None
    layer["values"][field["key"]] = value


def _patch(found: Package, step: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    name = chance.choice(_reached(found, step))
    op, path, template = chance.choice(menu.PATCHES[found.kinds[name]])
    return {"name": name, "op": op, "path": path, "template": template}


# Random changes. Each returns what it did, "" if it is not possible here.


def _of(found: Package, function: str, chance: random.Random) -> dict[str, Any]:
    steps = [step for step in found.steps if step["function"] == function]
    return chance.choice(steps) if steps else {}


def value_changed(found: Package, chance: random.Random) -> str:
    step = chance.choice(found.steps)
    if step["function"] == "layered-values":
        layer, field = chance.choice(step["layers"]), chance.choice(step["fields"])
        _set(layer, field, chance)
        return f"step {step['id']} layer {layer['id']}: {field['key']} = {layer['values'][field['key']]!r}"
    if step["function"] == "glasskube-values":
        key = chance.choice(list(step["definitions"]))
        step["definitions"][key]["value"] = menu.value(menu.STRING, chance)
        return f"step {step['id']}: value {key} = {step['definitions'][key]['value']!r}"
    if step["function"] == "flux-values" and found.values:
        name = chance.choice(list(found.values))
        found.values[name] = _flux_layer(chance)
        return f"{name} = {found.values[name]!r}"
    if step["function"] == "giantswarm-config":
        step["spec"]["outputs"] = _outputs(chance)
        return f"step {step['id']}: outputs = {step['spec']['outputs']}"
    if step["function"] == "cartographer-params":
        step["spec"]["emit"] = _emitted(chance)
        return f"step {step['id']}: emit = {step['spec']['emit']}"
    if step["function"] == "tekton-params":
        step["spec"]["mode"] = "implicit" if step["spec"]["mode"] == "propagate" else "propagate"
        return f"step {step['id']}: mode = {step['spec']['mode']}"
    return ""


def value_removed(found: Package, chance: random.Random) -> str:
    step = chance.choice(found.steps)
    if step["function"] == "layered-values":
        layer = chance.choice(step["layers"])
        if layer["values"]:
            key = chance.choice(list(layer["values"]))
            del layer["values"][key]
            return f"step {step['id']} layer {layer['id']}: {key} removed"
    if step["function"] == "glasskube-values":
        key = chance.choice(list(step["definitions"]))
        step["definitions"][key]["value"] = None
        return f"step {step['id']}: value {key} removed"
    return ""


def layer_added(found: Package, chance: random.Random) -> str:
    if not (step := _of(found, "layered-values", chance)):
        return ""
    _add_layer(step, chance)
    return f"step {step['id']}: layer {step['layers_made']} added"


def layer_removed(found: Package, chance: random.Random) -> str:
    step = _of(found, "layered-values", chance)
    if not step or len(step["layers"]) < 2:
        return ""
    gone = step["layers"].pop(chance.randrange(len(step["layers"])))
    return f"step {step['id']}: layer {gone['id']} removed"


def target_added(found: Package, chance: random.Random) -> str:
    step = chance.choice(found.steps)
    if step["function"] == "layered-values" and _add_field(found, step, chance):
        return f"step {step['id']}: field {step['fields'][-1]['path']} added"
    if step["function"] == "glasskube-values":
        key = chance.choice(list(step["definitions"]))
        step["definitions"][key]["targets"].append(_patch(found, step, chance))
        return f"step {step['id']}: target {step['definitions'][key]['targets'][-1]} added"
    return ""


def target_removed(found: Package, chance: random.Random) -> str:
    step = chance.choice(found.steps)
    if step["function"] == "layered-values" and len(step["fields"]) > 1:
        gone = step["fields"].pop(chance.randrange(len(step["fields"])))
        for layer in step["layers"]:
            layer["values"].pop(gone["key"], None)
        return f"step {step['id']}: field {gone['path']} removed"
    if step["function"] == "glasskube-values" and len(step["definitions"]) > 1:
        key = chance.choice(list(step["definitions"]))
        del step["definitions"][key]
        return f"step {step['id']}: definition {key} removed"
    return ""


def step_added(found: Package, chance: random.Random) -> str:
    if len(found.steps) > 4:
        return ""
    _add(found, chance.choice(found.functions), chance)
    step = next(step for step in found.steps if step["id"] == found.made)
    return f"step {step['id']} {step['function']}/{step['name']} of `{step['package']}` added"


def step_removed(found: Package, chance: random.Random) -> str:
    if len(found.steps) < 2:
        return ""
    gone = found.steps.pop(chance.randrange(len(found.steps)))
    return f"step {gone['id']} {gone['function']}/{gone['name']} of `{gone['package']}` removed"


def steps_swapped(found: Package, chance: random.Random) -> str:
    one = chance.choice(found.steps)
    others = [step for step in found.steps if step is not one and step["package"] == one["package"]]
    if not others:
        return ""
    here, there = (next(at for at, step in enumerate(found.steps) if step is one_of) for one_of in (one, chance.choice(others)))
    found.steps[here], found.steps[there] = found.steps[there], found.steps[here]
    return f"steps {found.steps[there]['id']} and {found.steps[here]['id']} swapped"


def config_renamed(found: Package, chance: random.Random) -> str:
    step = chance.choice(found.steps)
    before = step["name"]
    step["name"] = _name(found, step, chance)
    return f"step {step['id']}: {before} renamed to {step['name']}"


def selector_changed(found: Package, chance: random.Random) -> str:
    """A step gets other resources, or all again. A resource that none gets keeps its records, which a render names."""
    step = chance.choice(found.steps)
    step["selects"] = "" if step["selects"] else _selected(found, step, chance)
    return f"step {step['id']} selects {step['selects'] or 'all'}"


CHANGES: list[Callable[[Package, random.Random], str]] = [
    value_changed,
    value_changed,
    value_removed,
    layer_added,
    layer_removed,
    target_added,
    target_removed,
    step_added,
    step_removed,
    steps_swapped,
    config_renamed,
    selector_changed,
]


def changed(before: Package, chance: random.Random) -> tuple[str, Package]:
    """What a random change does, and the package after it."""
    while True:
        after = before.copy()
        if said := chance.choice(CHANGES)(after, chance):
            return said, after


def described(found: Package) -> list[str]:
    """A line for each step."""
    lines = []
    for step in found.in_order():
        what: Any = ""
        if step["function"] == "layered-values":
            what = [(field["name"], field["path"], field["missing"]) for field in step["fields"]]
            what = f"{what} from {[(layer['id'], layer['source'], layer['values']) for layer in step['layers']]}"
        elif step["function"] == "glasskube-values":
            what = step["definitions"]
        elif step["function"] == "giantswarm-config":
            what = step["spec"]["outputs"]
        elif step["function"] in ("tekton-params", "cartographer-params"):
            what = step["spec"]
        what = f"{what}, selects {step['selects']}" if step["selects"] else what
        lines.append(f"step {step['id']} {step['function']}/{step['name']} of `{step['package']}`: {what}")
    return lines
