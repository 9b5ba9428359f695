"""What Tekton itself makes of a run: a small implementation of its reconciler (v1, documented merging of objects), to compare with.

`resolve` gives the fields of every step as they would run, and raises Rejected where a run or child run fails.
Source: tektoncd/pipeline, pkg/reconciler/{pipelinerun,taskrun}/resources/apply.go and validate_params.go.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import product
from typing import Any


class Rejected(Exception):
    """The run, or a child of it, fails."""


@dataclass
class Replacements:
    """Texts, arrays and objects by the expression between `$(` and `)`."""

    strings: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, list[str]] = field(default_factory=dict)
    objects: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, name: str, value: Any, *, inside: bool = False) -> None:
        spellings = [f"params.{name}", f'params["{name}"]', f"params['{name}']", *([f"inputs.params.{name}"] if inside else [])]
        for spelling in spellings:
            if isinstance(value, list):
                self.arrays[spelling] = value
                self.strings |= {f"{spelling}[{index}]": text for index, text in enumerate(value)}
            elif isinstance(value, dict):
                self.objects[spelling] = value
            else:
                self.strings[spelling] = value
        if isinstance(value, dict):
            self.strings |= {f"params.{name}.{key}": text for key, text in value.items()}

    def copy(self) -> Replacements:
        return Replacements(dict(self.strings), dict(self.arrays), dict(self.objects))

    def text(self, text: str) -> str:
        done, rest = "", text
        while rest:
            for expression, value in self.strings.items():
                if rest.startswith(f"$({expression})"):
                    done, rest = done + value, rest[len(expression) + 3 :]
                    break
            else:
                done, rest = done + rest[0], rest[1:]
        return done

    def entry(self, text: str) -> list[str]:
        for expression, value in self.arrays.items():
            if text in (f"$({expression})", f"$({expression}[*])"):
                return value
        return [self.text(text)]

    def value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [text for entry in value for text in self.entry(entry)]
        if isinstance(value, dict):
            return {key: self.text(text) for key, text in value.items()}
        if value.startswith("$(") and value.endswith(")") and not set(value) & set("\"' "):
            bare = value[2:-1].removesuffix("[*]")
            if bare in self.arrays:
                return self.entry(value)
            if bare in self.objects:
                return self.objects[bare]
        return self.text(value)


def decode(value: Any) -> Any:
    """A param's value as Tekton decodes it."""
    if isinstance(value, list | dict):
        members = value if isinstance(value, list) else value.values()
        return value if all(isinstance(member, str) for member in members) else json.dumps(value, separators=(",", ":"))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def resolve(kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    given = {param["name"]: decode(param["value"]) for param in spec.get("params", [])}
    if kind == "TaskRun":
        return {"": task_run(spec["taskSpec"], given)}
    return pipeline_run(spec["pipelineSpec"], given)


def pipeline_run(spec: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    declared = {param["name"]: param for param in spec.get("params", [])}
    check(declared, given)
    replacements = Replacements()
    for name, param in declared.items():
        if "default" in param and not (name in given and not isinstance(given[name], dict)):
            default = decode(param["default"])
            replacements.add(name, {**default, **given.get(name, {})} if isinstance(default, dict) else default)
    for name, value in given.items():
        if name not in declared or not isinstance(value, dict) or "default" not in declared[name]:
            replacements.add(name, value)
    out: dict[str, Any] = {}
    for task in [*spec.get("tasks", []), *spec.get("finally", [])]:
        out[task["name"]] = pipeline_task(task, replacements)
    return out


def pipeline_task(task: dict[str, Any], replacements: Replacements) -> Any:
    values = {param["name"]: replacements.value(decode(param["value"])) for param in task.get("params", [])}
    rows: list[dict[str, Any]] = [{}]
    for param in task.get("matrix", {}).get("params", []):
        rows = [{**row, param["name"]: text} for row, text in product(rows, replacements.value(param["value"]))]
    guards = [replacements.text(guard["input"]) for guard in task.get("when", [])]
    title = replacements.text(task.get("displayName", ""))
    if "$(params" in "".join([*guards, title]):
        raise Rejected("a guard or title keeps a reference")
    if "taskRef" in task:
        return guards, title
    if "pipelineSpec" in task:
        return guards, title, [pipeline_run(task["pipelineSpec"], values | row) for row in rows]
    if task["taskSpec"].get("apiVersion"):
        return guards, title
    overlaid = overlay(replacements, values)
    return guards, title, [task_run(substitute(task["taskSpec"], overlaid), values | row) for row in rows]


def overlay(replacements: Replacements, values: dict[str, Any]) -> Replacements:
    """What a task's own values change in what is propagated into it: elements of arrays they do not."""
    own = replacements.copy()
    for name, value in values.items():
        for spelling in (f"params.{name}", f'params["{name}"]', f"params['{name}']"):
            if spelling in own.strings:
                own.strings[spelling] = value if isinstance(value, str) else ""
            if spelling in own.arrays:
                own.arrays[spelling] = value if isinstance(value, list) else []
            if spelling in own.objects:
                own.objects[spelling] = value if isinstance(value, dict) else {}
                own.strings |= {f"params.{name}.{key}": text for key, text in value.items()} if isinstance(value, dict) else {}
    return own


def task_run(spec: dict[str, Any], given: dict[str, Any]) -> Any:
    declared = {param["name"]: param for param in spec.get("params", [])}
    check(declared, given)
    replacements = Replacements()
    for name, param in declared.items():
        if "default" in param:
            replacements.add(name, decode(param["default"]), inside=True)
    for name, value in given.items():
        replacements.add(name, value, inside=True)
    steps = substitute(spec, replacements)["steps"]
    if "$(params" in str(steps):
        raise Rejected("a step keeps a reference")
    return steps


def check(declared: dict[str, Any], given: dict[str, Any]) -> None:
    for name, param in declared.items():
        default = param.get("default")
        if name not in given and default is None:
            raise Rejected(f"{name} has no value")
        expected = param.get("type") or ("object" if "properties" in param else type_of(default))
        if name in given and type_of(given[name]) != expected:
            raise Rejected(f"{name} is no {expected}")
        if expected == "object":
            provided = {**(default or {}), **given.get(name, {})}
            if set(param.get("properties", {})) - set(provided):
                raise Rejected(f"{name} lacks keys")


def type_of(value: Any) -> str:
    return "array" if isinstance(value, list) else "object" if isinstance(value, dict) else "string"


def substitute(spec: dict[str, Any], replacements: Replacements) -> dict[str, Any]:
    """The steps of a task with references replaced."""
    steps = []
    for step in spec.get("steps", []):
        words = {
            key: [text for entry in step.get(key, []) for text in replacements.entry(entry)] for key in ("command", "args")
        }
        texts = {key: replacements.text(step[key]) for key in ("name", "image", "script") if key in step}
        steps.append({**texts, **words})
    return {**spec, "steps": steps}
