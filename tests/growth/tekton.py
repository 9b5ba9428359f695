"""Dimensions of tekton-params."""

from __future__ import annotations

from typing import Any

from tests.growth.lists import Object, again, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "tekton-params"


def _run(params: list[Object], tasks: list[Object], name: str = "run", **spec: Any) -> Object:
    return {
        "apiVersion": "tekton.dev/v1",
        "kind": "PipelineRun",
        "metadata": {"name": name, "namespace": "ci"},
        "spec": {"params": params, "pipelineSpec": {"tasks": tasks}, **spec},
    }


def _task(name: str, script: str, **more: Any) -> Object:
    return {"name": name, "taskSpec": {"steps": [{"name": "s", "image": "i", "script": script}]}, **more}


def _param(number: int, value: object = "v", name: str = "param") -> Object:
    return {"name": f"{name}-{number}", "value": value}


def _work(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(NAME, listed(list(items), NAME, **config), fails=fails)


def _used(n: int) -> Work:
    return _work(
        _run([_param(i) for i in range(n)], [_task("t", " ".join(f"$(params.param-{i})" for i in range(n)))]), mode="propagate"
    )


def _implicit(n: int) -> Work:
    return _work(_run([_param(i) for i in range(n)], [_task("t", "$(params.param-0)")]))


def _unused(n: int) -> Work:
    return _work(_run([_param(i) for i in range(n)], [_task("t", "x")]), mode="propagate")


def _near(n: int) -> Work:
    """Params that nothing uses, each with many names near to it."""
    script = " ".join(f"$(params.parma-{i})" for i in range(n))
    declared = [{"name": f"parma-{i}", "default": "d"} for i in range(n)]
    task = _task("t", script)
    task["taskSpec"]["params"] = declared
    return _work(_run([_param(i) for i in range(n)], [task]), mode="propagate")


def _undeclared(n: int) -> Work:
    """References that nothing declares, near to many names."""
    script = " ".join(f"$(params.parma-{i})" for i in range(n))
    return _work(_run([_param(i) for i in range(n)], [_task("t", script)]), mode="propagate", fails=True)


def _references(n: int) -> Work:
    return _work(_run([_param(0)], [_task("t", "$(params.param-0)\n" * n)]), mode="propagate")


def _steps(n: int) -> Work:
    steps = [{"name": f"s{i}", "image": "i", "script": "$(params.param-0)"} for i in range(n)]
    return _work(_run([_param(0)], [{"name": "t", "taskSpec": {"steps": steps}}]), mode="propagate")


def _tasks(n: int) -> Work:
    return _work(_run([_param(0)], [_task(f"t{i}", "$(params.param-0)") for i in range(n)]), mode="propagate")


def _tasks_in_a_row(n: int) -> Work:
    tasks = [_task(f"t{i}", "$(params.param-0)", runAfter=[f"t{j}" for j in range(max(i - 1, 0), i)]) for i in range(n)]
    return _work(_run([_param(0)], tasks), mode="propagate")


def _own_params(n: int) -> Work:
    """Tasks that have a param each of their own."""
    tasks = [_task(f"t{i}", "$(params.own)", params=[{"name": "own", "value": "$(params.param-0)"}]) for i in range(n)]
    return _work(_run([_param(0)], tasks), mode="propagate")


def _runs(n: int) -> Work:
    return _work(*(_run([_param(0)], [_task("t", "$(params.param-0)")], name=f"run-{i}") for i in range(n)), mode="propagate")


def _referenced(n: int) -> Work:
    """Tasks of the list that tasks refer to."""
    tasks: list[Object] = [{"name": f"t{i}", "taskRef": {"name": f"task-{i}"}} for i in range(n)]
    items = [
        {"apiVersion": "tekton.dev/v1", "kind": "Task", "metadata": {"name": f"task-{i}", "namespace": "ci"},
         "spec": {"params": [{"name": "param-0"}], "steps": [{"name": "s", "image": "i", "script": "$(params.param-0)"}]}}
        for i in range(n)
    ]  # fmt: skip
    return _work(_run([_param(0)], tasks), *items, references=True, mode="propagate")


def _missing(n: int) -> Work:
    """Runs that refer to Pipelines and Tasks that are not there."""
    items: list[Object] = [
        {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": {"name": f"run-{i}", "namespace": "ci"},
         "spec": {"pipelineRef": {"name": f"pipe-{i}"}}}
        for i in range(n)
    ]  # fmt: skip
    items += [
        {"apiVersion": "tekton.dev/v1", "kind": "Pipeline", "metadata": {"name": f"pipa-{i}", "namespace": "ci"},
         "spec": {"tasks": [_task("t", "x")]}}
        for i in range(n)
    ]  # fmt: skip
    return _work(*items, references=True)


def _unknown_keys(n: int) -> Work:
    steps = [{"name": f"s{i}", "image": "i", "scirpt": "x", f"comand{i}": []} for i in range(n)]
    return _work(_run([], [{"name": "t", "taskSpec": {"steps": steps}}]))


def _one_step_of_unknown_keys(n: int) -> Work:
    return _work(
        _run([], [{"name": "t", "taskSpec": {"steps": [{"name": "s", "image": "i", **{f"scirpt{i}": 1 for i in range(n)}}]}}])
    )


def _objects(n: int) -> Work:
    """An object param of many keys, each of which is used."""
    value = {f"key-{i}": "v" for i in range(n)}
    script = " ".join(f"$(params.param-0.key-{i})" for i in range(n))
    return _work(_run([_param(0, value)], [_task("t", script)]), mode="propagate")


def _arrays(n: int) -> Work:
    return _work(
        _run([_param(0, ["v"] * n)], [_task("t", " ".join(f"$(params.param-0[{i}])" for i in range(n)))]), mode="propagate"
    )


def _passed(n: int) -> Work:
    """Values that refer to other params."""
    params = [{"name": f"own-{i}", "value": f"$(params.param-{i})"} for i in range(n)]
    script = " ".join(f"$(params.own-{i})" for i in range(n))
    return _work(_run([_param(i) for i in range(n)], [_task("t", script, params=params)]), mode="propagate")


def _depth(n: int) -> Work:
    """Pipelines in pipelines."""
    inner: list[Object] = [_task("t", "$(params.param-0)")]
    for level in range(n):
        inner = [{"name": f"p{level}", "pipelineSpec": {"tasks": inner}}]
    return _work(_run([_param(0)], inner), mode="propagate")


def _twice(n: int) -> Work:
    tasks = [_task(f"t{i}", "$(params.param-0)") for i in range(n)]
    return again(NAME, listed([_run([_param(0)], tasks)], NAME, mode="propagate"))


def _repeated(n: int) -> Work:
    """A name that stands many times among the params."""
    return _work(_run([_param(0)] * n, [_task("t", "$(params.param-0)")]), mode="propagate", fails=True)


def _defaults(n: int) -> Work:
    task = _task("t", " ".join(f"$(params.d-{i})" for i in range(n)))
    task["taskSpec"]["params"] = [{"name": f"d-{i}", "default": "x"} for i in range(n)]
    return _work(_run([{"name": f"d-{i}", "value": "v"} for i in range(n)], [task]))


def _results(n: int) -> Work:
    """Tasks that read the results of the one before."""
    tasks = [_task(f"t{i}", f"$(tasks.t{i - 1}.results.r)" if i else "x") for i in range(n)]
    for task in tasks:
        task["taskSpec"]["results"] = [{"name": "r"}]
    return _work(_run([_param(0)], tasks))


def _triggers(n: int) -> Work:
    templates = [_run([_param(0, f"$(tt.params.p{i})")], [_task("t", "$(params.param-0)")]) for i in range(n)]
    item = {"apiVersion": "triggers.tekton.dev/v1beta1", "kind": "TriggerTemplate", "metadata": {"name": "t", "namespace": "ci"},
            "spec": {"params": [{"name": f"p{i}"} for i in range(n)], "resourcetemplates": templates}}  # fmt: skip
    return _work(item)


def _undeclared_triggers(n: int) -> Work:
    templates = [_run([_param(0, f"$(tt.params.q{i})")], [_task("t", "$(params.param-0)")]) for i in range(n)]
    item = {"apiVersion": "triggers.tekton.dev/v1beta1", "kind": "TriggerTemplate", "metadata": {"name": "t", "namespace": "ci"},
            "spec": {"params": [{"name": f"p{i}"} for i in range(n)], "resourcetemplates": templates}}  # fmt: skip
    return _work(item, fails=True)


def _default_chain(n: int) -> Work:
    """Defaults that read the next one."""
    task = _task("t", "$(params.d-0)")
    task["taskSpec"]["params"] = [{"name": f"d-{i}", "default": f"$(params.d-{i + 1})" if i + 1 < n else "x"} for i in range(n)]
    return _work(_run([], [task]), fails=n > 10)


def _default_circle(n: int) -> Work:
    task = _task("t", "$(params.d-0)")
    task["taskSpec"]["params"] = [{"name": f"d-{i}", "default": f"$(params.d-{(i + 1) % n})"} for i in range(n)]
    return _work(_run([], [task]), fails=True)


def _enums(n: int) -> Work:
    """Params with an enum each, and values that are none of it."""
    task = _task("t", " ".join(f"$(params.d-{i})" for i in range(n)))
    task["taskSpec"]["params"] = [{"name": f"d-{i}", "enum": ["a", "b"]} for i in range(n)]
    return _work(_run([{"name": f"d-{i}", "value": "c"} for i in range(n)], [task]), fails=True)


def _unknown_keys_of_an_object(n: int) -> Work:
    script = " ".join(f"$(params.param-0.q{i})" for i in range(n))
    return _work(_run([_param(0, {f"k{i}": "v" for i in range(n)})], [_task("t", script)]), fails=True)


def _only_elsewhere(n: int) -> Work:
    """Tasks that read what only another task has."""
    tasks = [_task(f"t{i}", f"$(params.own-{i + 1})", params=[{"name": f"own-{i}", "value": "x"}]) for i in range(n)]
    return _work(_run([], tasks), fails=True)


def _by_case(n: int) -> Work:
    """Params of a task that differ by case only."""
    params = [{"name": name, "value": "x"} for i in range(n) for name in (f"own-{i}", f"OWN-{i}")]
    return _work(_run([], [_task("t", "x", params=params)]), fails=True)


def _wrong_types(n: int) -> Work:
    """Declarations of another type than the value has."""
    task = _task("t", " ".join(f"$(params.param-{i})" for i in range(n)))
    task["taskSpec"]["params"] = [{"name": f"param-{i}", "type": "array"} for i in range(n)]
    return _work(_run([_param(i) for i in range(n)], [task]), fails=True)


def _several(n: int) -> Work:
    """References to a name that many Tasks have."""
    items = [
        {"apiVersion": "tekton.dev/v1", "kind": "Task", "metadata": {"name": "task", "namespace": "ci"}, "spec": {"steps": [{"name": "s", "image": "i"}]}}
        for _ in range(n)
    ]  # fmt: skip
    return _work(_run([], [{"name": f"t{i}", "taskRef": {"name": "task"}} for i in range(n)]), *items, references=True)


def _rows(n: int) -> Work:
    """Rows of a matrix's `include`, each with a name of its own."""
    rows = [{"name": f"row-{i}", "params": [{"name": f"own-{i}", "value": "x"}]} for i in range(n)]
    return _work(_run([], [_task("t", "x", matrix={"include": rows})]))


DIMENSIONS = [
    Dimension("params that are used", _used),
    Dimension("params, implicit", _implicit),
    Dimension("params unused", _unused),
    Dimension("params unused, each near to many names", _near),
    Dimension("references that nothing declares, near to many names", _undeclared),
    Dimension("references of one param", _references),
    Dimension("steps", _steps),
    Dimension("tasks", _tasks),
    Dimension("tasks, one after the other", _tasks_in_a_row),
    Dimension("tasks with a param of their own", _own_params),
    Dimension("tasks on a second run", _twice),
    Dimension("results", _results),
    Dimension("PipelineRuns", _runs),
    Dimension("referenced Tasks", _referenced),
    Dimension("missing Pipelines", _missing, 50),
    Dimension("unknown keys, a few in each step", _unknown_keys, 100),
    Dimension("unknown keys in one step", _one_step_of_unknown_keys, 100),
    Dimension("keys of an object param", _objects),
    Dimension("elements of an array param", _arrays),
    Dimension("params of a task that refer to params of the run", _passed),
    Dimension("a param that stands many times", _repeated),
    Dimension("declarations with a default", _defaults),
    Dimension("resource templates", _triggers),
    Dimension("undeclared params of resource templates", _undeclared_triggers, 100),
    Dimension("defaults that read each other in a row", _default_chain),
    Dimension("defaults that read each other in a circle", _default_circle),
    Dimension("enums and values outside of them", _enums),
    Dimension("keys that an object does not have", _unknown_keys_of_an_object),
    Dimension("params that only another task has", _only_elsewhere),
    Dimension("params that differ by case", _by_case),
    Dimension("declarations of another type", _wrong_types, n=50),  # below, texts are too short to be read line by line
    Dimension("references to a name that many Tasks have", _several),
    Dimension("rows of a matrix's include", _rows),
]
