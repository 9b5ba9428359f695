"""Random Tekton packages: mostly valid, few names, every rule of the mapping within reach."""

from __future__ import annotations

from tests.reference.tekton import resolve as tekton
from tests.reference.tekton.generate.dice import INNER, TYPES, Dice, Json
from tests.reference.tekton.generate.fields import Fields
from tests.reference.tekton.generate.params import declaration, declarations, literal, run_params
from tests.reference.tekton.generate.tasks import pipeline, task_results, task_spec
from tests.reference.tekton.values import mapping

MODES: dict[str, dict[str, Json]] = {
    "implicit": {"mode": "implicit"},
    "propagate": {"mode": "propagate"},
    "implicit-references": {"mode": "implicit", "references": True},
    "propagate-references": {"mode": "propagate", "references": True},
    "implicit-defaults": {"mode": "implicit", "references": True, "referenceDefaults": True},
    "propagate-defaults": {"mode": "propagate", "references": True, "referenceDefaults": True},
}
DAMAGE: dict[str, tuple[Json, ...]] = {
    "params": (None, [], [None], ["x"]),
    "tasks": (None, []),
    "steps": (None, [], [None]),
    "properties": (None, {}, []),
    "type": (None, ""),
    "default": (None, "", [None]),
    "value": (None, [], {}, 3, [None]),
}
OTHERS: tuple[dict[str, Json], ...] = (
    {"apiVersion": "v1", "kind": "ConfigMap", "data": {"t": "$(params.a)"}},
    {"apiVersion": "tekton.dev/v1alpha1", "kind": "PipelineRun", "spec": {"params": [{"name": "1st"}], "pipelineSpec": {}}},
    {"apiVersion": "example.org/v1", "kind": "Pipeline", "spec": {"params": [{"name": "a"}], "tasks": []}},
    {
        "apiVersion": "tekton.dev/v1",
        "kind": "Task",
        "spec": {"params": [{"name": "1st"}], "steps": [{"script": "$(params.z)"}]},
    },
)


def package(seed: int | str) -> list[dict[str, Json]]:
    """The items of one seed: fresh ones, or what a run left of them, changed a little."""
    dice = Dice(seed)
    items = objects(dice)
    if dice.chance(0.05):
        items = [{**item, "spec": damaged(dice, item["spec"])} if "spec" in item else item for item in items]
    if dice.chance(0.15):
        left = tekton.resolve(items, dice.pick(MODES.values())).items
        items = [changed(dice, item) for item in left]
    return items


def objects(dice: Dice) -> list[dict[str, Json]]:
    """Tasks, runs and Pipelines, in any order."""
    tasks = [stored_task(dice, name) for name in dice.some(("job", "job", "tool"), 0.5)]
    items = list(tasks)
    for number in range(dice.pick((1, 1, 1, 1, 2, 3))):
        kind = dice.random.choices(("PipelineRun", "TaskRun", "Pipeline"), (60, 15, 25))[0]
        if kind == "PipelineRun":
            items.append(pipeline_run(dice, number, tasks))
        elif kind == "TaskRun":
            items.append(task_run(dice, number))
        else:
            spec = pipeline(dice, tasks, {}, stored=True)
            items.append(made(dice, "Pipeline", dice.pick(("line", f"line{number}")), spec))
    if dice.chance(0.1):
        items.append({**dice.pick(OTHERS), "metadata": {"name": "by"}})
    dice.random.shuffle(items)
    if dice.chance(0.5):
        items.append(step_action(dice))
    return placed(dice, items)


def made(dice: Dice, kind: str, name: str, spec: dict[str, Json]) -> dict[str, Json]:
    version = dice.pick(("v1", "v1", "v1beta1"))
    metadata: dict[str, Json] = {"generateName": name} if kind.endswith("Run") and dice.chance(0.05) else {"name": name}
    if dice.chance(0.1):
        metadata["namespace"] = "dev"
    return {"apiVersion": f"tekton.dev/{version}", "kind": kind, "metadata": metadata, "spec": spec}


def placed(dice: Dice, items: list[dict[str, Json]]) -> list[dict[str, Json]]:
    """In packages and sub-packages, now and then."""
    if not dice.chance(0.25):
        return items
    for number, item in enumerate(items):
        item["metadata"]["annotations"] = {
            "internal.config.kubernetes.io/package-path": dice.pick(("/r", "/r/one", "/r/one/in", "/r/two")),
            "internal.config.kubernetes.io/path": f"f{number}.yaml",
            "internal.config.kubernetes.io/index": "0",
        }
    return items


def stored_task(dice: Dice, name: str) -> dict[str, Json]:
    some = {known: kind for known, kind in dice.kinds.items() if dice.chance(0.4)}
    if some and dice.chance(0.1):
        some[dice.pick(some)] = dice.pick(TYPES)
    declared = declarations(dice, some, INNER, 0.5)
    spec: dict[str, Json] = {"params": declared} if declared else {}
    steps = [{"name": "s", "image": "busybox", "script": "true"}]
    if dice.chance(0.2):
        steps.append({"name": "by", "ref": {"name": "action"}})
    return made(dice, "Task", name, spec | task_results(dice, 0.5) | {"steps": steps})


def step_action(dice: Dice) -> dict[str, Json]:
    """What the steps refer to."""
    some = {known: kind for known, kind in dice.kinds.items() if dice.chance(0.2)}
    declared = [declaration(dice, name, kind, default=dice.chance(0.92)) for name, kind in some.items()]
    if not dice.odd(2):
        typed = {"type": "array", "default": []} if dice.odd() else {"default": ""} if dice.chance(0.85) else {}
        declared.append({"name": "act", **typed})
    action = made(dice, "StepAction", "action", {"params": declared, "image": "busybox", "script": "true"})
    return {**action, "apiVersion": dice.pick(("tekton.dev/v1beta1", "tekton.dev/v1alpha1"))}


def pipeline_run(dice: Dice, number: int, tasks: list[dict[str, Json]]) -> dict[str, Json]:
    params = run_params(dice)
    given = {entry["name"]: dice.kind(entry["name"]) for entry in params}
    spec: dict[str, Json] = {"params": params} if params or dice.chance(0.1) else {}
    if dice.chance(0.15):
        twice = [{"name": "url", "value": "x"}, {"name": dice.pick(("URL", "path")), "value": "y"}]
        remote = {"resolver": "git", "params": twice}
        spec["pipelineRef"] = dice.pick(({"name": "line"}, {"name": "line"}, remote, {"name": "gone"}))
    else:
        spec["pipelineSpec"] = pipeline(dice, tasks, given)
    run = made(dice, "PipelineRun", f"run{number}", spec)
    if dice.chance(0.2):
        key = "podTemplate" if run["apiVersion"] == "tekton.dev/v1" else "taskPodTemplate"
        template = {"nodeSelector": {"zone": Fields(dice, given).text()}}
        spec["taskRunSpecs"] = [{"pipelineTaskName": dice.pick(("t0", "t1", "t9")), key: template}]
    if dice.chance(0.15):
        spec["workspaces"] = [{"name": "w", "persistentVolumeClaim": {"claimName": Fields(dice, given).text()}}]
    return run


def task_run(dice: Dice, number: int) -> dict[str, Json]:
    params = run_params(dice)
    spec: dict[str, Json] = {"params": params} if params else {}
    if dice.chance(0.3):
        spec["taskRef"] = dice.pick(({"name": "job"}, {"name": "job"}, {"name": "gone"}, {"resolver": "hub"}))
    else:
        spec["taskSpec"] = task_spec(dice, {entry["name"]: dice.kind(entry["name"]) for entry in params})
    return made(dice, "TaskRun", f"alone{number}", spec)


def damaged(dice: Dice, value: Json) -> Json:
    """With a part that is not what it should be, now and then."""
    if isinstance(value, list):
        return [damaged(dice, member) for member in value]
    if not isinstance(value, dict):
        return value
    return {
        key: dice.pick(DAMAGE[key]) if key in DAMAGE and dice.chance(0.02) else damaged(dice, member)
        for key, member in value.items()
    }


def changed(dice: Dice, item: dict[str, Json]) -> dict[str, Json]:
    """A run or Pipeline with a param less or with another type, or as it is."""
    params = mapping(item.get("spec")).get("params")
    if (
        item["kind"] in ("Task", "StepAction")
        or not params
        or not all(isinstance(entry, dict) for entry in params)
        or dice.chance(0.4)
    ):
        return item
    number = dice.random.randrange(len(params))
    before, entry, after = params[:number], dict(params[number]), params[number + 1 :]
    key = "value" if "value" in entry else "default"
    if key in entry and dice.chance(0.5):
        entry[key] = literal(dice, dice.pick(TYPES))
        entry.pop("type", None)
        before = [*before, entry]
    return {**item, "spec": {**item["spec"], "params": [*before, *after]}}
