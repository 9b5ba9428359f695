"""Random objects of Tekton: mostly sound, with a few mistakes; and damaged ones."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

TYPES = {"a": "string", "b": "string", "d.t": "string", "l": "array", "l.z": "array", "o": "object"}
NAMES = list(TYPES)
KEYS = ("k", "m")
JUNK: list[Any] = [
    None,
    True,
    0,
    1.5,
    "",
    "x",
    "$(params.a)",
    [],
    {},
    [None],
    [[]],
    [1],
    {"a": None},
    {"name": None},
    {"name": 1},
]
JUNK += [[{"name": "a"}], [{"name": "a", "value": [[1]]}], {"name": ["x"]}, [{"name": True, "type": []}], {"properties": 5}]
MODES: list[dict[str, Any]] = [
    {},
    {"mode": "propagate"},
    {"mode": "propagate", "references": True},
    {"references": True, "referenceDefaults": True},
]


class Generator:
    """One random list of objects, a function of its seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.config = self.random.choice(MODES)

    def items(self) -> list[Any]:
        return [self.main(), *(self.item("Task", name, self.task_spec()) for name in ("do", "other"))]

    def main(self) -> dict[str, Any]:
        kind = self.random.choice(["PipelineRun", "PipelineRun", "PipelineRun", "Pipeline", "TaskRun"])
        spec: dict[str, Any] = {"params": [{"name": name, "value": self.literal(name)} for name in self.most()]}
        if kind == "TaskRun":
            spec["taskSpec"] = self.task_spec()
        elif kind == "PipelineRun":
            spec["pipelineSpec"] = self.pipeline_spec(0)
        else:
            spec = self.pipeline_spec(0)
            declared = {entry["name"] for entry in spec.get("params", [])}
            spec["params"] = [
                *spec.get("params", []),
                *(self.declaration(name) for name in self.most() if name not in declared),
            ]
        return self.item(kind, "n", spec)

    def item(self, kind: str, name: str, spec: dict[str, Any]) -> dict[str, Any]:
        version = self.random.choice(["v1", "v1beta1"])
        return {"apiVersion": f"tekton.dev/{version}", "kind": kind, "metadata": {"name": name}, "spec": spec}

    def pipeline_spec(self, depth: int) -> dict[str, Any]:
        spec: dict[str, Any] = {"params": [self.declaration(name) for name in self.some(3)]} if self.chance(0.5) else {}
        spec["tasks"] = [self.pipeline_task(f"t{index}", depth) for index in range(self.random.randint(0, 3))]
        if self.chance(0.2):
            spec["finally"] = [self.pipeline_task("last", depth)]
        return spec

    def pipeline_task(self, name: str, depth: int) -> dict[str, Any]:
        task: dict[str, Any] = {"name": name}
        if self.chance(0.4):
            task["params"] = [{"name": name, "value": self.value(name)} for name in self.some(3)]
        if self.chance(0.1):
            task["matrix"] = {"params": [{"name": name, "value": ["x", "y"]} for name in self.some(2)]}
        if self.chance(0.2):
            task["when"] = [{"input": self.text(), "operator": "in", "values": ["v"]}]
        if self.chance(0.1):
            task["displayName"] = self.text()
        return task | self.body(depth)

    def body(self, depth: int) -> dict[str, Any]:
        kind = self.random.random()
        if kind < 0.65:
            return {"taskSpec": self.task_spec()}
        if kind < 0.8:
            return {"taskRef": {"name": self.random.choice(["do", "other", "absent"])}}
        if kind < 0.9 or depth > 1:
            return {"taskSpec": {"apiVersion": "x.org/v1", "kind": "K", "spec": {"any": self.text()}}}
        return {"pipelineSpec": self.pipeline_spec(depth + 1)}

    def task_spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = {"params": [self.declaration(name) for name in self.some(3)]} if self.chance(0.5) else {}
        if self.chance(0.3):
            spec["results"] = [{"name": "r", "type": self.random.choice(["string", "array"])}]
        words = [self.text(), "$(params.l[*])"]
        steps = self.random.randint(0, 2)
        return spec | {
            "steps": [{"name": "s", "script": self.text(), "args": words[: self.random.randint(0, 2)]} for _ in range(steps)]
        }

    def declaration(self, name: str) -> dict[str, Any]:
        kind = TYPES[name]
        entry: dict[str, Any] = {"name": name}
        if kind == "object":
            entry["properties"] = {key: self.random.choice([{"type": "string"}, {}]) for key in KEYS}
        if self.chance(0.5):
            entry["default"] = self.literal(name)
        if self.chance(0.7) or (kind == "array" and "default" not in entry):
            entry["type"] = kind
        if self.chance(0.2):
            entry["description"] = "text"
        if kind == "string" and self.chance(0.1):
            entry["enum"] = self.random.sample(["v", "w", "y"], 3)
        return entry

    def value(self, name: str) -> Any:
        if self.chance(0.4):
            return self.literal(name)
        if TYPES[name] == "array":
            return self.random.choice(
                [[f'$(params["{name}"][*])'], "$(params.l[*])", ["$(params.l[*])", "z"], "$(tasks.t0.results.r[*])"]
            )
        if TYPES[name] == "object":
            return self.random.choice(["$(params.o[*])", {"k": "mine"}, {"m": "$(params.o.m)", "k": "mine"}])
        other = self.reference(self.random.choice(NAMES))
        return self.random.choice([other, f"z {other}", f'$(params["{name}"])', "$(tasks.absent.results.r)", 1])

    def literal(self, name: str) -> Any:
        if TYPES[name] == "array":
            return self.random.choice([["p", "q"], ["p"]])
        if TYPES[name] == "object":
            return {key: "v" + key for key in self.random.sample(KEYS, self.random.choice([2, 2, 1]))}
        return self.random.choice(["v", "w", "y"])

    def text(self) -> str:
        return " ".join(self.reference(name) for name in self.some(2))

    def reference(self, name: str) -> str:
        spelled = f'["{name}"]' if "." in name else f".{name}"
        if TYPES[name] == "object":
            return f"$(params.{name}.{self.random.choice(KEYS)})"
        return f"$(params{spelled}[0])" if TYPES[name] == "array" else f"$(params{spelled})"

    def most(self) -> list[str]:
        return list(NAMES) if self.chance(0.7) else self.some(4)

    def some(self, most: int) -> list[str]:
        return self.random.sample(NAMES, self.random.randint(0, most))

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def damaged(self) -> list[Any]:
        """The same with up to three values replaced by something that does not belong there."""
        items = self.items()
        for item in items:
            for _ in range(self.random.randint(1, 3)):
                self.damage(item)
        return items

    def damage(self, item: dict[str, Any]) -> None:
        holder, key = self.random.choice(list(_places(item["spec"])) or [(item, "spec")])
        holder[key] = deepcopy(self.random.choice(JUNK))


def _places(value: Any) -> Any:
    """(map or list, key or index) of every value below."""
    for key, member in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield value, key
        yield from _places(member)
