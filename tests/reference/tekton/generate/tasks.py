"""Random pipelines and their tasks."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.reference.tekton.generate.dice import INNER, KEYS, SUPPLIED, WORDS, Dice, Json, Kinds
from tests.reference.tekton.generate.fields import Fields
from tests.reference.tekton.generate.params import chained, declaration, declarations, handed, value


@dataclass
class Scene:
    """What a task can see: the pipeline's names, its tasks' results, the Tasks of the package; and how deep it is."""

    dice: Dice
    tasks: list[dict[str, Json]]
    seen: Kinds
    depth: int = 0
    results: Kinds = field(default_factory=dict)


def pipeline(
    dice: Dice, tasks: list[dict[str, Json]], given: Kinds, *, depth: int = 0, stored: bool = False
) -> dict[str, Json]:
    """A pipeline's spec. tasks: the Tasks of the package. given: what a run or the task around it gives."""
    if stored:
        chosen = dice.some(dice.kinds, 0.5)
        declared = dice.doubled([declaration(dice, name, dice.kinds[name], default=dice.chance(0.5)) for name in chosen])
    else:
        declared = declarations(dice, given, dice.kinds, dice.pick((0, 0.3, 0.6)))
    declared = chained(dice, declared)
    scene = Scene(dice, tasks, given | {entry["name"]: dice.kind(entry["name"]) for entry in declared}, depth)
    spec: dict[str, Json] = {"params": declared} if declared or dice.chance(0.1) else {}
    spec["tasks"] = [pipeline_task(scene, f"t{number}") for number in range(dice.random.randint(1, 3))]
    if dice.chance(0.3):
        spec["finally"] = [pipeline_task(scene, "f0")]
    if dice.chance(0.1):
        spec["description"] = "reads $(params.nowhere)"
    if depth and dice.chance(0.3):
        spec["results"] = [{"name": "r", "type": dice.pick(("string", "array")), "value": "$(tasks.t0.results.r)"}]
    return spec


def pipeline_task(scene: Scene, name: str) -> dict[str, Json]:
    dice = scene.dice
    kind = dice.random.choices(("spec", "ref", "custom", "nested", "pipelineRef"), (60, 22, 7, 7 if scene.depth < 2 else 0, 3))[
        0
    ]
    supplied = names_of_matrix(scene, kind) if kind in ("spec", "ref", "custom") and dice.chance(0.15) else []
    task = {"name": name, **outer_fields(scene, supplied)}
    wanted = {name: known for name, known in (dice.kinds | INNER).items() if dice.chance(0.5)}
    if kind == "ref":
        task["taskRef"], wanted = task_ref(scene)
    chosen = [name for name in dice.some(wanted, 0.8 if kind == "ref" else 0.35) if name not in supplied or dice.odd(5)]
    if dice.odd(10):
        chosen, wanted = [*chosen, *supplied], wanted | dict.fromkeys(supplied, "string")
    values = [{"name": dice.name(n), "value": value(dice, n, wanted[n], scene.seen, scene.results)} for n in chosen]
    if values:
        task["params"] = dice.doubled(values)
    own = scene.seen | {v["name"]: dice.kind(v["name"], scene.seen) for v in values} | dict.fromkeys(supplied, "string")
    task |= embedded(scene, kind, own)
    known = known_result(dice, task)
    if known:
        scene.results[name] = known
    keys = dice.random.sample(list(task), len(task)) if dice.chance(0.3) else list(task)
    return {key: task[key] for key in keys}


def embedded(scene: Scene, kind: str, own: Kinds) -> dict[str, Json]:
    """What a pipeline task has inside. own: the names that are seen there."""
    dice = scene.dice
    if kind == "spec":
        return {"taskSpec": task_spec(dice, own)}
    if kind == "custom":
        inside = {"on": [Fields(dice, own).text()], "x": 1}
        return {"taskSpec": {"apiVersion": "ops.example.org/v1", "kind": "Wait", "spec": inside}}
    if kind == "nested":
        return {"pipelineSpec": pipeline(dice, scene.tasks, own, depth=scene.depth + 1)}
    return {"pipelineRef": {"name": dice.pick(("line", "gone"))}} if kind == "pipelineRef" else {}


def outer_fields(scene: Scene, supplied: list[str]) -> dict[str, Json]:
    """The fields that read the pipeline layer."""
    dice, fields = scene.dice, Fields(scene.dice, scene.seen)
    made: dict[str, Json] = {"matrix": matrix(scene, supplied)} if supplied else {}
    if dice.chance(0.15):
        made["when"] = [fields.guard()]
    if dice.chance(0.15):
        made["displayName"] = fields.text() + (f" $(params.{dice.pick(supplied)})" if supplied else "")
    if dice.chance(0.1):
        made["workspaces"] = [{"name": "w", "workspace": "w", "subPath": fields.text()}]
    if dice.chance(0.05):
        made["onError"] = fields.on_error()
    return made


def names_of_matrix(scene: Scene, kind: str) -> list[str]:
    dice = scene.dice
    free = [name for name in SUPPLIED if name not in scene.seen]
    names = dice.some(free, 0.6) or free[:1]
    if kind == "ref" or dice.odd(3):
        names += dice.some([name for name, known in scene.seen.items() if known == "string"], 0.2)
    return names


def matrix(scene: Scene, names: list[str]) -> Json:
    """A matrix that supplies these names: as a list, in `params`, in rows of `include`."""
    dice = scene.dice
    arrays = [name for name, known in scene.seen.items() if known == "array"]
    params = []
    for name in names:
        entries = ["red", Fields(dice, scene.seen).text() if dice.chance(0.2) else "blue"]
        star = arrays and dice.chance(0.2)
        params.append({"name": name, "value": handed(dice, dice.pick(arrays), "array") if star else entries})
    if dice.chance(0.15):
        return params
    split = 2 if dice.chance(0.7) or len(names) < 2 else 0
    made: dict[str, Json] = {"params": params[:split]} if split else {}
    rest = [*names[split:], *(names[:1] if not split or dice.chance(0.3) else [])]
    if names[split:] or dice.chance(0.3):
        row = [{"name": name, "value": dice.pick(WORDS)} for name in rest]
        made["include"] = [{"name": f"row $(params.{names[0]})", "params": row}]
    return made


def task_spec(dice: Dice, own: Kinds) -> dict[str, Json]:
    """An embedded task that sees these names."""
    declared = declarations(dice, own, dice.kinds | INNER, dice.pick((0, 0, 0.4, 0.8)))
    seen = own | {entry["name"]: dice.kind(entry["name"], own) for entry in declared}
    spec: dict[str, Json] = {"params": declared} if declared else {}
    return spec | task_results(dice, 0.3) | Fields(dice, seen).task()


def task_results(dice: Dice, share: float) -> dict[str, Json]:
    if not dice.chance(share):
        return {}
    kind = dice.pick(("", "string", "array", "object"))
    made: dict[str, Json] = {"name": "r", "description": "$(params.nobody)"} | ({"type": kind} if kind else {})
    if kind == "object":
        made["properties"] = {key: {"type": "string"} for key in KEYS}
    return {"results": [made]}


def known_result(dice: Dice, task: dict[str, Json]) -> str:
    """The type of the task's result `r`, a guess where a Task is referenced, "" where there is none."""
    found = (task.get("taskSpec") or task.get("pipelineSpec") or {}).get("results")
    if found:
        return str(found[0].get("type", "string"))
    return str(dice.pick(("string", "array"))) if "taskRef" in task and dice.chance(0.5) else ""


def task_ref(scene: Scene) -> tuple[dict[str, Json], Kinds]:
    """A reference to a Task of the package, or one that cannot be looked up; and what that Task declares."""
    dice = scene.dice
    if scene.tasks and dice.chance(0.7):
        task = dice.pick(scene.tasks)
        declared = {entry["name"]: dice.kind(entry["name"]) for entry in task["spec"].get("params", [])}
        return {"name": task["metadata"]["name"]} | ({"kind": "Task"} if dice.chance(0.2) else {}), declared
    text = Fields(dice, scene.seen).text()
    elsewhere: tuple[dict[str, Json], ...] = (
        {"name": "nowhere"},
        {"resolver": "git", "params": [{"name": "url", "value": text}]},
        {"name": "job", "bundle": "reg/x"},
        {"apiVersion": "ops.example.org/v1", "kind": "Wait", "name": "job"},
        {"name": "job", "kind": "ClusterTask"},
        {"name": text},
    )
    return dice.pick(elsewhere), {}
