"""Random runs of Tekton with all that they refer to: mostly sound, most of the others with one mistake."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES = {
    "a": "string",
    "b": "string",
    "c-d": "string",
    "e.f": "string",
    "l": "array",
    "n": "array",
    "o": "object",
    "p": "object",
}
KEYS = ("k", "m")
WORDS = ("v", "w", "x y", "", "$HOME", "1")
CONFIGS: tuple[dict[str, Any], ...] = (
    {},
    {"mode": "propagate"},
    {"mode": "propagate", "references": True},
    {"references": True, "referenceDefaults": True},
)
ODD = (
    "$(params.a",
    "$$(params.a)",
    "$(params. a)",
    '$(params["o"].k)',
    "$(params.o)",
    "$(params.l)",
    "$(params.l[7])",
    "$(params.o.z)",
    "$(params.typo)",
    "$(param.a)",
    "pre-$(params.l[*])",
    '$(params["l"][*])',
    "$(params['a'])",
    "$(inputs.params.a)",
    "$(params.o[*])",
    "$(params.a[0])",
    "$(params.e.f)",
    "$(params.a.k)",
)

Map: TypeAlias = dict[str, Any]


class Maker:
    """One random list of objects, a function of its seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.config = CONFIGS[seed % 4]
        self.odd = self.chance(0.35)  # whether something is written that may be a mistake
        self.number = 0

    def items(self) -> list[Map]:
        kind = self.random.choice(["PipelineRun"] * 6 + ["TaskRun", "PipelineRef"])
        steps = [self.task_spec({}, stored=True) for _ in range(2)]
        stored = [_object("Task", f"do-{index}", spec) for index, spec in enumerate(steps)]
        self.tasks = {item["metadata"]["name"]: item["spec"] for item in stored}
        given = self.some(TYPES, 0.7)
        spec: Map = {"params": [{"name": name, "value": self.literal(name)} for name in given]}
        scope = {name: TYPES[name] for name in given}
        if kind == "TaskRun":
            spec |= {"taskRef": {"name": "do-0"}} if self.chance(0.2) else {"taskSpec": self.task_spec(scope, own=given)}
            main = _object("TaskRun", "run", spec)
        elif kind == "PipelineRef":
            main = _object("PipelineRun", "run", spec | {"pipelineRef": {"name": "pipe"}})
            stored.append(_object("Pipeline", "pipe", self.pipeline_spec({}, 0, given=given)))
        else:
            if self.chance(0.2):
                spec["workspaces"] = [{"name": "w", "subPath": self.text(scope), "emptyDir": {}}]
            main = _object("PipelineRun", "run", spec | {"pipelineSpec": self.pipeline_spec(scope, 0)})
        if self.odd and self.chance(0.4):
            self.mistake(main["spec"])
        action = {"image": "i", "params": [{"name": "s", "type": "string"}, {"name": "q", "default": "Q"}]}
        action |= {"args": ["$(params.s) $(params['q'])"], "env": [{"name": "E", "value": '$(params["s"])'}]}
        items = [main, *stored, _object("StepAction", "act", action)]
        names = {found["name"] for item in items for found in _references(item["spec"])}
        return [item for item in items if item is main or item["metadata"]["name"] in names]

    def pipeline_spec(self, outer: Map, depth: int, *, given: list[str] | None = None) -> Map:
        scope, declared = dict(outer), []
        for name in self.some(TYPES, 0.3 if given is None else 0.8):
            declared.append(
                self.declaration(
                    name,
                    required=name in (outer if given is None else given) or self.chance(0.02),
                    outer=scope,
                    nested=depth > 0,
                )
            )
            scope[name] = TYPES[name]
        spec: Map = {"params": declared} if declared else {}
        results: list[str] = []
        spec["tasks"] = [
            self.pipeline_task(f"t{index}", scope, depth, results) for index in range(self.random.choice([1, 1, 2, 3]))
        ]
        if self.chance(0.2):
            spec["finally"] = [self.pipeline_task("last", scope, depth, [])]
        if self.chance(0.2):
            spec["description"] = "uses $(params.a)"
        return spec

    def pipeline_task(self, name: str, outer: Map, depth: int, results: list[str]) -> Map:
        task: Map = {"name": name}
        scope, own = dict(outer), []
        for param in self.some(TYPES, 0.25):
            own.append({"name": param, "value": self.value(param, outer, results)})
            scope[param] = TYPES[param]
        if self.chance(0.15):
            task["matrix"], made = self.matrix(outer)
            scope |= made
        if self.chance(0.2):
            task["when"] = [self.when(outer)]
        if self.chance(0.1):
            task["displayName"] = self.text(outer)
        if self.chance(0.08):
            task["retries"] = 1
        elif self.chance(0.05):
            task["onError"] = "continue"
        return self.body(task, scope, own, outer, depth, results) | ({"params": own} if own else {})

    def body(self, task: Map, scope: Map, own: list[Map], outer: Map, depth: int, results: list[str]) -> Map:
        """The task with what it runs."""
        form = self.random.random()
        if form < 0.66:
            body = self.task_spec(
                scope,
                nested=depth > 0,
                embedded=True,
                matrix=[name for name in scope if name.startswith("x")],
                own={each["name"] for each in own},
            )
            if self.chance(0.3):
                results.append(task["name"])
                body["results"] = [{"name": "r"}, {"name": "rs", "type": "array"}]
            task["taskSpec"] = body
        elif form < 0.84:
            task["taskRef"] = {"name": self.random.choice(["do-0", "do-1"])}
            own.extend(self.required(task["taskRef"]["name"], {param["name"] for param in own}, outer, results))
        elif form < 0.94 and depth < 2:
            task["pipelineSpec"] = self.pipeline_spec({name: kind for name, kind in scope.items() if name in TYPES}, depth + 1)
            task.pop("matrix", None)
        else:
            task["taskSpec"] = {"apiVersion": "x.org/v1", "kind": "K", "spec": {"any": self.text(scope)}}
        return task

    def required(self, task: str, given: set[str], outer: Map, results: list[str]) -> Iterator[Map]:
        """Values for most of what a stored Task declares without a default, and some of the others."""
        for one in self.tasks[task].get("params", []):
            is_wanted = one["name"] not in given and ("default" not in one or self.chance(0.3))
            if is_wanted and (self.chance(0.7) or not self.config.get("references")):
                yield {"name": one["name"], "value": self.value(one["name"], outer, results)}

    def task_spec(
        self,
        outer: Map,
        *,
        stored: bool = False,
        embedded: bool = False,
        nested: bool = False,
        matrix: list[str] | None = None,
        own: Any = (),
    ) -> Map:
        scope, declared = dict(outer), [{"name": name, **({"type": "string"} if nested else {})} for name in matrix or []]
        for name in self.some(TYPES, 0.5 if stored else 0.2):
            declared.append(
                self.declaration(
                    name,
                    required=name in own or self.chance(0.08 if embedded else 0.3),
                    outer={} if embedded else scope,
                    nested=nested,
                )
            )
            scope[name] = TYPES[name]
        spec: Map = {"params": declared} if declared else {}
        spec["steps"] = [self.step(index, scope) for index in range(self.random.choice([1, 1, 2]))]
        if self.chance(0.12):
            spec["sidecars"] = [{"name": "side", "image": "s", "args": self.words(scope), "script": self.text(scope)}]
        if self.chance(0.1):
            spec["stepTemplate"] = {
                "env": [{"name": "T", "value": self.text(scope)}],
                "workingDir": "/$(params.a)" if "a" in scope else "/d",
            }
        if self.chance(0.08):
            spec["volumes"] = [{"name": "vol", "configMap": {"name": self.text(scope)}}]
        return spec

    def step(self, index: int, scope: Map) -> Map:
        if self.chance(0.12):
            given = [{"name": "s", "value": self.text(scope)}]
            if self.chance(0.1):
                given.append({"name": "q", "value": self.text(scope)})
            lacks = "s" in scope or (self.config.get("references") and self.chance(0.2))
            return {"name": f"s{index}", "ref": {"name": "act"}, **({} if lacks else {"params": given})}
        step: Map = {"name": f"s{index}", "image": self.random.choice(["i", "i:$(params.a)" if "a" in scope else "i"])}
        if self.chance(0.6):
            step["script"] = self.text(scope)
        else:
            step |= {"command": ["c"], "args": self.words(scope)}
        if self.chance(0.3):
            step["env"] = [{"name": "E", "value": self.text(scope)}]
        if self.chance(0.1):
            step["workingDir"] = self.text(scope)
        if self.chance(0.08):
            step["when"] = [self.when(scope)]
        return step

    def matrix(self, outer: Map) -> tuple[Map, Map]:
        names = self.random.sample(["xa", "xb"], self.random.choice([1, 1, 2]))
        made: list[Map] = [{"name": name, "value": self.array(outer)} for name in names]
        matrix: Map = {"params": made}
        if self.chance(0.4):
            row = {"name": names[0], "value": self.random.choice(["v", "other"])}
            extra = [{"name": "xc", "value": self.text(outer)}] if self.odd and self.chance(0.5) else []
            matrix["include"] = [{"name": "row", "params": [row, *extra]}]
            names += [each["name"] for each in extra]
        return matrix, dict.fromkeys(names, "string")

    def array(self, outer: Map) -> Any:
        arrays = [name for name in outer if outer[name] == "array"]
        if arrays and self.chance(0.4):
            name = self.random.choice(arrays)
            return self.random.choice([f"$(params.{name}[*])", [f"$(params.{name}[*])"], [f'$(params["{name}"][*])', "z"]])
        return ["v", self.text(outer)]

    def when(self, scope: Map) -> Map:
        values = [self.random.choice(["v", "", "z"]), self.text(scope)]
        arrays = [name for name in scope if scope[name] == "array"]
        if arrays and self.chance(0.3):
            values = [f"$(params.{self.random.choice(arrays)}[*])"]
        if self.chance(0.1):
            return {"cel": f"'{self.text(scope)}' == 'v'"}
        return {"input": self.text(scope), "operator": self.random.choice(["in", "notin"]), "values": values}

    def declaration(self, name: str, *, required: bool, outer: Map, nested: bool = False) -> Map:
        kind = TYPES[name]
        entry: Map = {"name": name}
        if kind == "object":
            entry["properties"] = {key: {"type": "string"} for key in KEYS}
        if not required or self.chance(0.25):
            entry["default"] = self.literal(name)
            texts = [each for each in outer if outer[each] == "string" and each != name and each != "e.f"]
            if texts and self.chance(0.25):
                entry["default"] = _filled(
                    kind,
                    self.random.choice(["$(params.{})", "$(params.{})/s", '$(params["{}"])'][: 3 if self.odd else 2]).format(
                        self.random.choice(texts)
                    ),
                )
            if self.odd and outer and self.chance(0.15):
                entry["default"] = _filled(kind, self.reference(self.random.choice(list(outer)), outer))
        if nested or self.chance(0.6) or (kind == "array" and "default" not in entry):
            entry["type"] = kind
        if kind == "string" and self.chance(0.06):
            entry["enum"] = sorted({*WORDS[:3], str(entry.get("default") or "w2")})
        return entry

    def value(self, name: str, outer: Map, results: list[str]) -> Any:
        kind = TYPES[name]
        same = [each for each in outer if outer[each] == kind]
        if not same or self.chance(0.3):
            return self.literal(name)
        other = self.random.choice(same)
        if kind == "array":
            if results and self.chance(0.3):
                return self.random.choice([[f"$(tasks.{results[-1]}.results.rs[*])"], f"$(tasks.{results[-1]}.results.rs[*])"])
            return self.random.choice(
                [[f"$(params.{other}[*])"], f"$(params.{other}[*])", [f"$(params.{other}[*])", "z"], [self.text(outer)]]
            )
        if kind == "object":
            return self.random.choice(
                [
                    f"$(params.{other}[*])",
                    {key: self.text(outer) for key in KEYS},
                    {"k": "mine"},
                    {"m": f"$(params.{other}.m)", "k": "mine"},
                ]
            )
        if results and self.chance(0.3):
            return (
                self.random.choice(["$(tasks.%s.results.r)", "z-$(tasks.%s.results.r)", "$(tasks.%s.results.rs[0])"])
                % results[-1]
            )
        return self.random.choice([self.reference(other, outer), self.text(outer), f"z {self.reference(other, outer)}"])

    def literal(self, name: str) -> Any:
        if TYPES[name] == "array":
            return self.random.choice(
                [[f"{name}1", f"{name}2"], [f"{name}1"], []] if self.odd else [[f"{name}1", f"{name}2"], [f"{name}1"]]
            )
        if TYPES[name] == "object":
            return {key: f"{name}{key}{self.next()}" for key in (KEYS if not self.odd or self.chance(0.7) else KEYS[:1])}
        return f"{name}{self.next()}" if self.chance(0.6) else self.random.choice(WORDS)

    def next(self) -> int:
        self.number += 1
        return self.number

    def words(self, scope: Map) -> list[str]:
        arrays = [name for name in scope if scope[name] == "array"]
        stars = [f"$(params.{name}[*])" for name in arrays] + [f"$(params['{name}'][*])" for name in arrays[:1]]
        return [self.text(scope), *(self.random.sample(stars, 1) if stars and self.chance(0.7) else [])]

    def text(self, scope: Map) -> str:
        texts = ["-", *(self.reference(name, scope) for name in self.some(scope, 2 / (len(scope) + 1)))]
        if self.chance(0.1):
            texts.append(self.random.choice(["$(context.pipelineRun.name)", "$$HOME", "$(context.pipeline.name)"]))
        if self.odd and self.chance(0.07):
            texts.append(self.random.choice(ODD))
        return " ".join(texts[1:] if len(texts) > 1 and self.chance(0.5) else texts)

    def reference(self, name: str, scope: Map) -> str:
        if scope[name] == "object":
            return f"$(params.{name}.{self.random.choice(KEYS)})"
        spelled = self.random.choice(
            [f'["{name}"]', f"['{name}']"] if "." in name else [f".{name}"] * 5 + [f'["{name}"]', f"['{name}']"]
        )
        return f"$(params{spelled}[0])" if scope[name] == "array" else f"$(params{spelled})"

    def mistake(self, spec: Map) -> None:
        """Damage a list of params anywhere, or put a reference where none is replaced."""
        lists = [found for found in _lists(spec) if found]
        if not lists:
            return
        entries = self.random.choice(lists)
        entry = self.random.choice(entries)
        kind = self.random.choice(["name", "twice", "gone", "type", "number", "surplus", "case"])
        if kind == "name":
            entry["name"] += "x"
        elif kind == "twice":
            entries.append(dict(entry))
        elif kind == "gone":
            entries.remove(entry)
        elif kind == "surplus":
            entries.append({"name": "surplus", ("default" if "type" in entry else "value"): "unused"})
        elif kind == "case":
            entries.append({**entry, "name": entry["name"].upper()})
        elif "value" in entry:
            entry["value"] = 80 if kind == "number" else self.random.choice([["t1"], {"k": "t2"}, "t3", [1, 2]])
        else:
            entry["type"] = self.random.choice(["string", "array"])

    def some(self, names: Any, share: float) -> list[str]:
        return [name for name in names if self.chance(share)]

    def chance(self, share: float) -> bool:
        return self.random.random() < share


def _filled(kind: str, text: str) -> Any:
    return [text] if kind == "array" else dict.fromkeys(KEYS, text) if kind == "object" else text


def _object(kind: str, name: str, spec: Map) -> Map:
    version = "v1beta1" if kind == "StepAction" else "v1"
    return {"apiVersion": f"tekton.dev/{version}", "kind": kind, "metadata": {"name": name}, "spec": spec}


def _references(value: Any) -> list[Any]:
    """Every reference to another object at any depth."""
    if isinstance(value, list):
        return [found for member in value for found in _references(member)]
    if not isinstance(value, dict):
        return []
    own = [value[key] for key in ("ref", "taskRef", "pipelineRef") if key in value]
    return own + [found for member in value.values() for found in _references(member)]


def _lists(value: Any) -> list[Any]:
    """Every list `params` at any depth."""
    if isinstance(value, list):
        return [found for member in value for found in _lists(member)]
    if not isinstance(value, dict):
        return []
    own = [value["params"]] if isinstance(value.get("params"), list) else []
    return own + [found for member in value.values() for found in _lists(member)]
