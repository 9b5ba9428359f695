"""Random Tekton packages: mostly valid, few names, every rule of the mapping within reach."""

from __future__ import annotations

import itertools
import random
from typing import Any

from tests.readings import tekton
from tests.readings.steps import Fields

Json = Any

KINDS = {
    "a": "string", "b": "string", "c-d": "string", "x.y": "string", "A": "string", "_u": "string",
    "l": "array", "m": "array", "l.z": "array",
    "o": "object", "p": "object",
}  # fmt: skip
OWN = {"w": "string", "v": "array", "q": "object", "n": "string"}
FAN = ("f", "g", "arch")
KEYS = ("k", "j", "h-1")
WORDS = ("red", "green", "blue", "yes", "010", "on", "")
STRANGE: tuple[Json, ...] = (5, 1.5, True, None, ["s", 1], {"k": 1}, [["s"]], {"k": ["$(params.a)"]}, [], {})
MODES: dict[str, dict[str, Json]] = {
    "implicit": {"mode": "implicit"},
    "propagate": {"mode": "propagate"},
    "implicit-references": {"mode": "implicit", "references": True},
    "propagate-references": {"mode": "propagate", "references": True},
    "implicit-defaults": {"mode": "implicit", "references": True, "referenceDefaults": True},
    "propagate-defaults": {"mode": "propagate", "references": True, "referenceDefaults": True},
}


def spelled(name: str, suffix: str = "") -> str:
    return f'$(params["{name}"]{suffix})' if "." in name else f"$(params.{name}{suffix})"


class Package:
    """One package from one seed. `wild` is how often something is done that is likely to be rejected."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)
        self.wild = self.random.choice((0, 0, 0, 0, 0.01, 0.04))
        self.kinds = dict(KINDS)
        if self.random.random() < 0.8:
            del self.kinds["A"]
        if self.odd(3):
            self.kinds[self.pick(self.kinds)] = self.pick(("string", "array", "object"))
        self.tasks: list[dict[str, Json]] = []
        self.names: list[str] = []

    # --- choices ---

    def odd(self, weight: float = 1) -> bool:
        return self.random.random() < self.wild * weight

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, options: Json) -> Json:
        return self.random.choice(list(options))

    def some(self, options: Json, share: float = 0.5) -> list[Json]:
        chosen = [option for option in options if self.chance(share)]
        self.random.shuffle(chosen)
        return chosen

    # --- values ---

    def literal(self, kind: str, *, partial: bool = False) -> Json:
        if self.odd():
            return self.pick(STRANGE)
        if kind == "array":
            return [self.pick(WORDS) for _ in range(self.random.randint(0, 3))]
        if kind == "object":
            keys = self.some(KEYS, 0.6) if partial else KEYS[: 3 - self.odd(2)]
            return {key: self.pick((*WORDS, None)) if self.chance(0.1) else self.pick(WORDS) for key in keys}
        return self.pick((7, 2.5, False, None, ["s", 2], {"k": True})) if self.chance(0.08) else self.pick(WORDS)

    def value(self, name: str, kind: str, seen: dict[str, str], results: dict[str, str]) -> Json:
        """A task value: literal, a pass-through of its own name or of another, glued, a result."""
        alike = [other for other, known in seen.items() if known == kind]
        roll = self.random.random()
        if roll < 0.2 and name in alike:
            return self.star(name, kind)
        if roll < 0.4 and alike:
            return self.star(self.pick(alike), kind)
        if roll < 0.55 and results:
            task, typed = self.pick(results.items())
            return self.result(task, typed, kind)
        if roll < 0.7:
            return self.mixed(kind, seen)
        return self.literal(kind, partial=name in seen)

    def star(self, name: str, kind: str) -> Json:
        if kind == "array" and self.chance(0.1):
            return [str(self.pick(("$(params['{}'][*])", '$(params["{}"][*])', "$(params['{}'])"))).format(name)]
        if kind == "string" and self.chance(0.1):
            return str(self.pick(("$(params['{}'])", '$(params["{}"])'))).format(name)
        if kind == "array":
            return spelled(name, "[*]") if self.chance(0.4) and "." not in name else [spelled(name, "[*]")]
        return spelled(name, "[*]" if kind == "object" else "")

    def result(self, task: str, typed: str, kind: str) -> Json:
        if typed == "object" and kind == "string":
            return f"$(tasks.{task}.results.r.k)"
        if typed == "array" and kind == "string":
            return f"$(tasks.{task}.results.r[0])"
        return f"$(tasks.{task}.results.r{'[*]' if typed != 'string' and self.chance(0.7) else ''})"

    def mixed(self, kind: str, seen: dict[str, str]) -> Json:
        """A literal with references in it."""
        inside = Fields(self, seen)
        if kind == "array":
            return [inside.entry() for _ in range(self.random.randint(1, 3))]
        if kind == "object":
            return {key: inside.text() for key in self.some(KEYS, 0.7)}
        return inside.text()

    def name(self, name: str) -> str:
        if self.odd(0.7):
            return str(self.pick(("1st", "a b", "o.k", name.upper(), name + ".")))
        return name

    def run_params(self) -> list[dict[str, Json]]:
        params = []
        for name in self.some(self.kinds, self.pick((0.2, 0.5, 0.8))):
            kind = self.pick(("string", "array", "object")) if self.odd() else self.kinds[name]
            value = self.literal(kind, partial=self.odd(2))
            if kind == "string" and self.chance(0.05):
                value = f"$(params.{self.pick(self.kinds)})"
            if self.odd(0.5):
                value = "$(tasks.t0.results.r)"
            params.append({"name": self.name(name), "value": value})
        return self.doubled(params)

    def damaged(self, value: Json) -> Json:
        """With a part that is not what it should be, now and then."""
        if isinstance(value, dict):
            return {key: self.damage(key, self.damaged(member)) for key, member in value.items()}
        return [self.damaged(member) for member in value] if isinstance(value, list) else value

    def damage(self, key: str, value: Json) -> Json:
        options: dict[str, tuple[Json, ...]] = {
            "params": (None, [], [None], ["x"]),
            "tasks": (None, []),
            "steps": (None, [], [None]),
            "properties": (None, {}, []),
            "type": (None, ""),
            "default": (None, "", [None]),
            "value": (None, [], {}, 3, [None]),
        }
        return self.pick(options[key]) if key in options and self.chance(0.02) else value

    def doubled(self, entries: list[dict[str, Json]]) -> list[dict[str, Json]]:
        if entries and self.odd():
            twin = dict(self.pick(entries))
            if self.chance(0.5):
                twin["name"] = str(twin["name"]).swapcase()
            entries.append(twin)
        return entries

    # --- declarations ---

    def declaration(self, name: str, kind: str, *, default: bool, seen: dict[str, str] | None = None) -> dict[str, Json]:
        kind = self.pick(("string", "array", "object")) if self.odd() else kind
        made: dict[str, Json] = {"name": self.name(name)}
        if self.chance(0.75) or (not default and kind == "array"):
            made["type"] = kind
        if self.chance(0.2):
            made["description"] = f"what {name} is; see $(params.nothing)"
        if kind == "object" and not self.odd(2):
            made["properties"] = {
                key: {"type": "string"} if self.chance(0.8) else {} for key in KEYS[: self.pick((2, 3, 3, 3))]
            }
        if default:
            made["default"] = self.default(kind, list(made.get("properties", KEYS)), seen or {})
        if kind == "string" and self.chance(0.15):
            self.enumerate(made)
        return made

    def default(self, kind: str, keys: list[str], seen: dict[str, str]) -> Json:
        if self.odd():
            return self.literal(self.pick(("string", "array", "object")))
        if kind == "object":
            return {key: self.pick(WORDS) for key in keys if self.chance(0.9)}
        if kind == "string" and seen and self.chance(0.15):
            return "x" + Fields(self, seen).text()
        return self.literal(kind)

    def enumerate(self, declaration: dict[str, Json]) -> None:
        allowed = [*WORDS] if self.chance(0.8) else self.some(WORDS, 0.6)
        default = declaration.get("default", "red")
        if not isinstance(default, str) or "$(" in default:
            return
        self.random.shuffle(allowed)
        declaration["enum"] = allowed if default in allowed else [default, *allowed]

    def declarations(self, given: dict[str, str], extra: dict[str, str], share: float) -> list[dict[str, Json]]:
        """Some of the given names, with or without a default, some of the extra ones, with a default."""
        made = [self.declaration(name, given[name], default=self.chance(0.4)) for name in self.some(given, share)]
        free = [name for name in extra if name not in given]
        made += [self.declaration(name, extra[name], default=not self.odd(), seen=given) for name in self.some(free, share / 2)]
        self.random.shuffle(made)
        return self.doubled(made)

    # --- pipelines ---

    def pipeline(self, given: dict[str, str], *, depth: int = 0, stored: bool = False) -> dict[str, Json]:
        if stored:
            chosen = self.some(self.kinds, 0.5)
            declared = [self.declaration(name, self.kinds[name], default=self.chance(0.5)) for name in chosen]
            declared = self.doubled(declared)
        else:
            declared = self.declarations(given, self.kinds, self.pick((0, 0.3, 0.6)))
        seen = given | {entry["name"]: self.kinds.get(entry["name"], "string") for entry in declared}
        if self.chance(0.15):
            self.chained(declared, seen)
        spec: dict[str, Json] = {"params": declared} if declared or self.chance(0.1) else {}
        results: dict[str, str] = {}
        tasks = [self.task(f"t{number}", seen, results, depth) for number in range(self.random.randint(1, 3))]
        spec["tasks"] = tasks
        if self.chance(0.3):
            spec["finally"] = [self.task("f0", seen, results, depth)]
        if self.chance(0.1):
            spec["description"] = "reads $(params.nowhere)"
        if depth and self.chance(0.3):
            spec["results"] = [{"name": "r", "type": self.pick(("string", "array")), "value": "$(tasks.t0.results.r)"}]
        return spec

    def chained(self, declared: list[dict[str, Json]], seen: dict[str, str]) -> None:
        """Defaults that read other names of the layer."""
        strings = [entry for entry in declared if entry.get("default") is not None and "enum" not in entry]
        strings = [entry for entry in strings if isinstance(entry["default"], str)]
        for first, second in itertools.pairwise(strings):
            first["default"] = "x" + spelled(second["name"])
        if strings and self.odd(5):
            strings[-1]["default"] = spelled(strings[0]["name"])

    def task(self, name: str, seen: dict[str, str], results: dict[str, str], depth: int) -> dict[str, Json]:
        task: dict[str, Json] = {"name": name}
        kind = self.random.choices(("spec", "ref", "custom", "nested", "pipelineRef"), (60, 22, 7, 7 if depth < 2 else 0, 3))[0]
        fields = Fields(self, seen)
        fan = self.fan(task, seen, kind) if kind in ("spec", "ref", "custom") and self.chance(0.15) else []
        if self.chance(0.15):
            task["when"] = [fields.guard()]
        if self.chance(0.15):
            task["displayName"] = fields.text() + (f" $(params.{self.pick(fan)})" if fan else "")
        if self.chance(0.1):
            task["workspaces"] = [{"name": "w", "workspace": "w", "subPath": fields.text()}]
        if self.chance(0.05):
            task["onError"] = fields.text()
        if kind == "ref":
            task["taskRef"], wanted = self.task_ref(fields)
        else:
            wanted = {name: known for name, known in (self.kinds | OWN).items() if self.chance(0.5)}
        values = self.task_values(wanted, seen, fan, results)
        if values:
            task["params"] = values
        own = seen | {entry["name"]: self.known(entry["name"], seen) for entry in values} | dict.fromkeys(fan, "string")
        if kind == "spec":
            task["taskSpec"] = self.task_spec(own, {entry["name"] for entry in values})
        elif kind == "custom":
            task["taskSpec"] = {
                "apiVersion": "ops.example.org/v1",
                "kind": "Wait",
                "spec": {"on": [Fields(self, own).text()], "x": 1},
            }
        elif kind == "nested":
            task["pipelineSpec"] = self.pipeline(own, depth=depth + 1)
        elif kind == "pipelineRef":
            task["pipelineRef"] = {"name": "line"}
        known = self.results_of(task)
        if known:
            results[name] = known
        return self.reordered(task)

    def known(self, name: str, seen: dict[str, str]) -> str:
        return seen.get(name) or (self.kinds | OWN).get(name, "string")

    def results_of(self, task: dict[str, Json]) -> str:
        found = (task.get("taskSpec") or task.get("pipelineSpec") or {}).get("results")
        if found:
            return str(found[0].get("type", "string"))
        return str(self.pick(("string", "array"))) if "taskRef" in task and self.chance(0.5) else ""

    def reordered(self, task: dict[str, Json]) -> dict[str, Json]:
        keys = list(task)
        if self.chance(0.3):
            self.random.shuffle(keys)
        return {key: task[key] for key in keys}

    def fan(self, task: dict[str, Json], seen: dict[str, str], kind: str) -> list[str]:
        """A matrix; the names that it supplies."""
        free = [name for name in FAN if name not in seen]
        names = self.some(free, 0.6) or free[:1]
        if kind == "ref" or self.odd(3):
            names += self.some([name for name, known in seen.items() if known == "string"], 0.2)
        arrays = [name for name, known in seen.items() if known == "array"]
        params = [
            {"name": name, "value": self.star(self.pick(arrays), "array") if arrays and self.chance(0.2) else ["red", "blue"]}
            for name in names
        ]
        if self.chance(0.15):
            task["matrix"] = params
            return names
        task["matrix"] = {}
        if self.chance(0.7) or len(names) < 2:
            task["matrix"]["params"], rest = params[:2], names[2:]
        else:
            rest = names
        if rest or self.chance(0.3):
            rows = [
                {
                    "name": f"row $(params.{names[0]})",
                    "params": [
                        {"name": name, "value": self.pick(WORDS)} for name in [*rest, *names[: rest != names or self.odd()]]
                    ],
                }
            ]
            task["matrix"]["include"] = rows
        return [*names]

    def task_values(
        self, wanted: dict[str, str], seen: dict[str, str], fan: list[str], results: dict[str, str]
    ) -> list[dict[str, Json]]:
        chosen = [name for name in self.some(wanted, 0.35) if name not in fan or self.odd()]
        values = [{"name": self.name(name), "value": self.value(name, wanted[name], seen, results)} for name in chosen]
        return self.doubled(values)

    def task_spec(self, own: dict[str, str], _values: set[str]) -> dict[str, Json]:
        declared = self.declarations(own, self.kinds | OWN, self.pick((0, 0, 0.4, 0.8)))
        seen = own | {entry["name"]: self.known(entry["name"], own) for entry in declared}
        spec: dict[str, Json] = {"params": declared} if declared else {}
        if self.chance(0.3):
            spec["results"] = [self.task_result()]
        return spec | Fields(self, seen).task()

    def task_result(self) -> dict[str, Json]:
        kind = self.pick(("", "string", "array", "object"))
        made: dict[str, Json] = {"name": "r", "description": "$(params.nobody)"}
        if kind:
            made["type"] = kind
        if kind == "object":
            made["properties"] = {key: {"type": "string"} for key in KEYS}
        return made

    # --- references ---

    def task_ref(self, fields: Fields) -> tuple[dict[str, Json], dict[str, str]]:
        roll = self.random.random()
        if roll < 0.7 and self.tasks:
            task = self.pick(self.tasks)
            declared = {entry["name"]: self.known(entry["name"], {}) for entry in task["spec"].get("params", [])}
            reference = {"name": task["metadata"]["name"]}
            if self.chance(0.2):
                reference["kind"] = "Task"
            return reference, declared
        reference = self.pick(
            (
                {"name": "nowhere"},
                {"resolver": "git", "params": [{"name": "url", "value": fields.text()}]},
                {"name": "job", "bundle": "reg/x"},
                {"apiVersion": "ops.example.org/v1", "kind": "Wait", "name": "job"},
                {"name": "job", "kind": "ClusterTask"},
                {"name": fields.text()},
            )
        )
        return reference, {}

    def stored_task(self, name: str) -> dict[str, Json]:
        declared = self.declarations({name: kind for name, kind in self.kinds.items() if self.chance(0.4)}, OWN, 0.5)
        spec: dict[str, Json] = {"params": declared} if declared else {}
        if self.chance(0.5):
            spec["results"] = [self.task_result()]
        spec["steps"] = [{"name": "s", "image": "busybox", "script": "true"}]
        return self.made("Task", name, spec)

    # --- objects ---

    def made(self, kind: str, name: str, spec: dict[str, Json]) -> dict[str, Json]:
        version = self.pick(("v1", "v1", "v1beta1"))
        metadata: dict[str, Json] = {"name": name}
        if self.chance(0.1):
            metadata["namespace"] = "dev"
        if self.packages:
            path = self.pick(("/r", "/r/one", "/r/one/in", "/r/two"))
            number = len(self.names)
            metadata["annotations"] = {
                "internal.config.kubernetes.io/package-path": path,
                "internal.config.kubernetes.io/path": f"f{number}.yaml",
                "internal.config.kubernetes.io/index": "0",
            }
        self.names.append(name)
        return {"apiVersion": f"tekton.dev/{version}", "kind": kind, "metadata": metadata, "spec": spec}

    def pipeline_run(self, number: int) -> dict[str, Json]:
        params = self.run_params()
        given = {entry["name"]: self.kinds.get(entry["name"], "string") for entry in params}
        spec: dict[str, Json] = {"params": params} if params or self.chance(0.1) else {}
        if self.chance(0.15):
            spec["pipelineRef"] = self.pick(({"name": "line"}, {"name": "line"}, {"resolver": "git"}, {"name": "gone"}))
        else:
            spec["pipelineSpec"] = self.pipeline(given)
        if self.chance(0.2):
            template = {"nodeSelector": {"zone": Fields(self, given).text()}}
            spec["taskRunSpecs"] = [{"pipelineTaskName": self.pick(("t0", "t1", "t9")), "podTemplate": template}]
        if self.chance(0.15):
            spec["workspaces"] = [{"name": "w", "persistentVolumeClaim": {"claimName": Fields(self, given).text()}}]
        run = self.made("PipelineRun", f"run{number}", spec)
        if run["apiVersion"].endswith("beta1"):
            for entry in spec.get("taskRunSpecs", []):
                entry["taskPodTemplate"] = entry.pop("podTemplate")
        return run

    def task_run(self, number: int) -> dict[str, Json]:
        params = self.run_params()
        given = {entry["name"]: self.kinds.get(entry["name"], "string") for entry in params}
        spec: dict[str, Json] = {"params": params} if params else {}
        if self.chance(0.3):
            spec["taskRef"] = self.pick(({"name": "job"}, {"name": "job"}, {"name": "gone"}, {"resolver": "hub"}))
        else:
            spec["taskSpec"] = self.task_spec(given, set())
        return self.made("TaskRun", f"alone{number}", spec)

    def other(self) -> dict[str, Json]:
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "by"}, "data": {"t": "$(params.a)"}}

    def items(self) -> list[dict[str, Json]]:
        """The package."""
        self.packages = self.chance(0.25)
        names = self.some(("job", "job", "tool"), 0.5)
        self.tasks = [self.stored_task(name) for name in names]
        items = list(self.tasks)
        for number in range(self.pick((1, 1, 1, 2))):
            make = self.random.choices((self.pipeline_run, self.task_run, self.stored), (60, 15, 25))[0]
            items.append(make(number))
        if self.chance(0.1):
            items.append(self.other())
        self.random.shuffle(items)
        return items

    def stored(self, number: int) -> dict[str, Json]:
        return self.made("Pipeline", self.pick(("line", f"line{number}")), self.pipeline({}, stored=True))


def package(seed: int | str) -> list[dict[str, Json]]:
    """The items of one seed: fresh ones, or what a run left of them, changed a little."""
    made = Package(seed)
    items = made.items()
    if made.chance(0.05):
        items = [item if "metadata" not in item else {**item, "spec": made.damaged(item.get("spec"))} for item in items]
    if made.chance(0.15):
        left = tekton.resolve(items, made.pick(MODES.values())).items
        items = [changed(made, item) for item in left]
    return items


def changed(made: Package, item: dict[str, Json]) -> dict[str, Json]:
    """A run with a param less, another type, or as it is."""
    params = tekton.mapping(item.get("spec")).get("params")
    if item["kind"] == "Task" or not params or not all(isinstance(entry, dict) for entry in params) or made.chance(0.4):
        return item
    number = made.random.randrange(len(params))
    entry = dict(params[number])
    key = "value" if "value" in entry else "default"
    if key in entry and made.chance(0.5):
        entry[key] = made.literal(made.pick(("string", "array", "object")))
        entry.pop("type", None)
        kept = [*params[:number], entry, *params[number + 1 :]]
    else:
        kept = params[:number] + params[number + 1 :]
    return {**item, "spec": {**item["spec"], "params": kept}}
