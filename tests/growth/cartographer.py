"""Dimensions of cartographer-params."""

from __future__ import annotations

from typing import Any

from tests.growth.lists import Object, again, answered, listed, whole
from tests.growth.measure import Dimension, Work

NAME = "cartographer-params"
_API = "carto.run/v1alpha1"


def _template(name: str, params: list[Object], data: dict[str, str], kind: str = "ClusterTemplate", **more: Any) -> Object:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"$(workload.metadata.name)$-{name}"}, "data": data}
    return {"apiVersion": _API, "kind": kind, "metadata": {"name": name}, "spec": {"params": params, "template": body, **more}}


def _source(name: str) -> Object:
    return _template(name, [], {"u": "x"}, "ClusterSourceTemplate", urlPath=".data.u", revisionPath=".data.u")


def _step(name: str, template: str, kind: str = "ClusterTemplate", **more: Any) -> Object:
    return {"name": name, "templateRef": {"kind": kind, "name": template}, **more}


def _chain(steps: list[Object], name: str = "chain", **more: Any) -> Object:
    return {"apiVersion": _API, "kind": "ClusterSupplyChain", "metadata": {"name": name},
            "spec": {"selector": {"lane": name}, "resources": steps, **more}}  # fmt: skip


def _workload(name: str = "w", lane: str = "chain", **spec: Any) -> Object:
    return {"apiVersion": _API, "kind": "Workload", "metadata": {"name": name, "namespace": "team", "labels": {"lane": lane}},
            "spec": spec}  # fmt: skip


def _param(number: int, field: str = "value", name: str = "param") -> Object:
    return {"name": f"{name}-{number}", field: "v"}


def _work(*items: Object, fails: bool = False, **config: Any) -> Work:
    return whole(NAME, listed(list(items), NAME, **config), fails=fails)


def _params(n: int) -> list[Object]:
    data = {f"k{i}": f"$(params.param-{i})$" for i in range(n)}
    template = _template("t", [_param(i, "default") for i in range(n)], data)
    chain = _chain(
        [_step("s", "t", params=[_param(i, "default") for i in range(n)])], params=[_param(i, "default") for i in range(n)]
    )
    return [template, chain, _workload(params=[_param(i) for i in range(n)])]


def _near(n: int) -> Work:
    """Params of the owner that nothing uses, each near to many names."""
    data = {f"k{i}": f"$(params.parma-{i})$" for i in range(n)}
    template = _template("t", [_param(i, "default", "parma") for i in range(n)], data)
    return _work(template, _chain([_step("s", "t")]), _workload(params=[_param(i) for i in range(n)]))


def _undeclared(n: int) -> Work:
    data = {f"k{i}": f"$(params.parma-{i})$" for i in range(n)}
    template = _template("t", [_param(i, "default") for i in range(n)], data)
    return _work(template, _chain([_step("s", "t")]), _workload(params=[_param(i) for i in range(n)]), fails=True)


def _unused(n: int) -> Work:
    template = _template("t", [_param(i, "default") for i in range(n)], {"k": "x"})
    return _work(template, _chain([_step("s", "t", params=[_param(i) for i in range(n)])]), _workload())


def _steps(n: int) -> Work:
    steps = [_step(f"s{i}", f"t{i}") for i in range(n)]
    return _work(*(_template(f"t{i}", [], {"k": "x"}) for i in range(n)), _chain(steps), _workload())


def _steps_of_one_template(n: int) -> Work:
    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$"})
    template["spec"]["template"]["metadata"] = {"generateName": "made-"}
    template["spec"]["lifecycle"] = "immutable"
    return _work(template, _chain([_step(f"s{i}", "t") for i in range(n)]), _workload())


def _steps_in_a_row(n: int) -> Work:
    """Each takes what the one before hands on."""
    items, steps = [_source("t0")], [_step("s0", "t0", "ClusterSourceTemplate")]
    for i in range(1, n):
        items.append(_source(f"t{i}"))
        steps.append(_step(f"s{i}", f"t{i}", "ClusterSourceTemplate", sources=[{"name": "in", "resource": f"s{i - 1}"}]))
    return _work(*items, _chain(steps), _workload())


def _inputs(n: int) -> Work:
    """A step that takes what all others hand on."""
    items = [_source(f"t{i}") for i in range(n)]
    steps = [_step(f"s{i}", f"t{i}", "ClusterSourceTemplate") for i in range(n)]
    last = _template("last", [], {f"k{i}": f"$(sources.in{i}.url)$" for i in range(n)})
    takes = [{"name": f"in{i}", "resource": f"s{i}"} for i in range(n)]
    return _work(*items, last, _chain([*steps, _step("last", "last", sources=takes)]), _workload())


def _missing_inputs(n: int) -> Work:
    """Inputs from steps that are not there, near to many that are."""
    items = [_source(f"t{i}") for i in range(n)]
    steps = [_step(f"step-{i}", f"t{i}", "ClusterSourceTemplate") for i in range(n)]
    last = _template("last", [], {"k": "x"})
    takes = [{"name": f"in{i}", "resource": f"stpe-{i}"} for i in range(n)]
    return _work(*items, last, _chain([*steps, _step("last", "last", sources=takes)]), _workload(), fails=True)


def _missing_templates(n: int) -> Work:
    items = [_template(f"template-{i}", [], {"k": "x"}) for i in range(n)]
    return _work(*items, _chain([_step(f"s{i}", f"tempalte-{i}") for i in range(n)]), _workload(), fails=True)


def _chains(n: int) -> Work:
    chains = [_chain([_step("s", "t")], f"chain-{i}") for i in range(n)]
    return _work(_template("t", [], {"k": "x"}), *chains, *(_workload(f"w{i}", f"chain-{i}") for i in range(n)))


def _chains_that_fit(n: int) -> Work:
    """Many chains of one selector."""
    chains = [_chain([_step("s", "t")], f"chain-{i}") for i in range(n)]
    for chain in chains:
        chain["spec"]["selector"] = {"lane": "one"}
    return _work(_template("t", [], {"k": "x"}), *chains, _workload(lane="one"), fails=True)


def _many_to_many(n: int) -> Work:
    """Owners and chains of which none fits: no label of theirs tells them apart."""
    chains = [_chain([_step("s", "t")], f"chain-{i}") for i in range(n)]
    for chain in chains:
        chain["spec"]["selector"] = {"lane": "one", f"key-{chain['metadata']['name']}": "x"}
    return _work(_template("t", [], {"k": "x"}), *chains, *(_workload(f"w{i}", "one") for i in range(n)), fails=True)


def _expressions(n: int) -> Work:
    chains = [_chain([_step("s", "t")], f"chain-{i}") for i in range(n)]
    for i, chain in enumerate(chains):
        del chain["spec"]["selector"]
        chain["spec"]["selectorMatchExpressions"] = [{"key": "lane", "operator": "In", "values": [f"l{i}"]}]
    return _work(_template("t", [], {"k": "x"}), *chains, *(_workload(f"w{i}", f"l{i}") for i in range(n)))


def _workloads(n: int) -> Work:
    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$"})
    return _work(template, _chain([_step("s", "t")]), *(_workload(f"w{i}", params=[_param(0)]) for i in range(n)))


def _options(n: int) -> Work:
    """Options of a step."""
    options = [
        {"name": f"t{i}", "selector": {"matchFields": [{"key": "spec.image", "operator": "In", "values": [f"i{i}"]}]}}
        for i in range(n)
    ]
    step = {"name": "s", "templateRef": {"kind": "ClusterTemplate", "options": options}}
    return _work(*(_template(f"t{i}", [], {"k": "x"}) for i in range(n)), _chain([step]), _workload(image="i0"))


def _tags(n: int) -> Work:
    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$" * n})
    return _work(template, _chain([_step("s", "t")]), _workload())


def _looking(n: int, tags: list[str]) -> Work:
    """Tags that each look through the same list of n entries."""
    template = _template("t", [], {f"k{i}": tag for i, tag in enumerate(tags)})
    owner = _workload(env=[{"name": f"a{i}", "value": "v"} for i in range(n)])
    return _work(template, _chain([_step("s", "t")]), owner)


def _looking_for_each(n: int) -> Work:
    return _looking(n, [f'$(workload.spec.env[?(@.name=="a{i}")].value)$' for i in range(n)])


def _looking_for_one(n: int) -> Work:
    return _looking(n, ['$(workload.spec.env[?(@.name=="a0")].value)$'] * n)


def _unclosed(n: int) -> Work:
    template = _template("t", [], {"k": "$(workload.metadata.name) " * n})
    return _work(template, _chain([_step("s", "t")]), _workload())


def _open(n: int) -> Work:
    template = _template("t", [], {"k": "$(" * n})
    return _work(template, _chain([_step("s", "t")]), _workload())


def _body(n: int) -> Work:
    template = _template("t", [], {f"k{i}": "x" for i in range(n)})
    return _work(template, _chain([_step("s", "t")]), _workload())


def _collisions(n: int) -> Work:
    """Steps that stamp the same object."""
    items = [_template(f"t{i}", [], {"k": "x"}) for i in range(n)]
    for item in items:
        item["spec"]["template"]["metadata"]["name"] = "same"
    return _work(*items, _chain([_step(f"s{i}", f"t{i}") for i in range(n)]), _workload(), fails=True)


def _twice(n: int) -> Work:
    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$"})
    items = [template, _chain([_step("s", "t")]), *(_workload(f"w{i}", params=[_param(0)]) for i in range(n))]
    return again(NAME, listed(items, NAME))


def _gone(n: int) -> Work:
    """Generated objects whose owners are gone."""

    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$"})
    items = [template, _chain([_step("s", "t")]), *(_workload(f"w{i}", params=[_param(0)]) for i in range(n))]
    text = answered(NAME, listed(items, NAME).encode()).decode()
    return whole(NAME, text.replace("selector:\n      lane: chain", "selector:\n      lane: other"), fails=True)


def _rename(n: int) -> Work:
    names = {f"param-{i}": f"other-{i}" for i in range(n)}
    return _work(*_params(n), rename={"ClusterSupplyChain/chain": {"s": names}})


def _outputs(n: int) -> Work:
    steps = [_step(f"s{i}", f"t{i}", "ClusterSourceTemplate") for i in range(n)]
    outputs = {"Workload/team/w": {f"s{i}": {"source": {"url": "u", "revision": "r"}} for i in range(n)}}
    return _work(*(_source(f"t{i}") for i in range(n)), _chain(steps), _workload(), stepOutputs=outputs)


def _scoped(n: int) -> Work:
    steps = [_step(f"s{i}", "t") for i in range(n)]
    template = _template("t", [_param(0, "default")], {"k": "$(params.param-0)$"})
    template["spec"]["template"]["metadata"]["name"] = "$(params.param-0)$"
    return _work(
        template, _chain(steps), _workload(params=[{"name": f"s{i}/param-0", "value": f"v{i}"} for i in range(n)]), scoped=True
    )


def _runnables(n: int) -> Work:
    run = {"apiVersion": _API, "kind": "ClusterRunTemplate", "metadata": {"name": "r"},
           "spec": {"template": {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "x-"}, "data": {"k": "$(runnable.spec.inputs.a)$"}}}}  # fmt: skip
    runnables = [
        {"apiVersion": _API, "kind": "Runnable", "metadata": {"name": f"r{i}", "namespace": "team"},
         "spec": {"runTemplateRef": {"name": "r"}, "inputs": {"a": "x"}}}
        for i in range(n)
    ]  # fmt: skip
    return _work(run, *runnables)


def _taking(n: int) -> Work:
    """Steps that take what the one before hands on, each in two fields."""
    items, steps = [_source("t0")], [_step("s0", "t0", "ClusterSourceTemplate")]
    for i in range(1, n):
        items.append(_source(f"t{i}"))
        items[-1]["spec"]["template"]["data"] = {"u": "$(sources.in.url)$", "v": "$(sources.in.revision)$"}
        steps.append(_step(f"s{i}", f"t{i}", "ClusterSourceTemplate", sources=[{"name": "in", "resource": f"s{i - 1}"}]))
    return _work(*items, _chain(steps), _workload())


def _taking_secrets(n: int) -> Work:
    """The same, of an owner with a value that came out of a Secret: it is decided of each step whether it holds one, too."""
    items, steps = [_source("t0")], [_step("s0", "t0", "ClusterSourceTemplate")]
    items[0]["spec"]["template"]["data"] = {"u": "$(workload.spec.image)$"}
    for i in range(1, n):
        items.append(_source(f"t{i}"))
        items[-1]["spec"]["template"]["data"] = {"u": "$(sources.in.url)$", "v": "$(sources.in.revision)$"}
        steps.append(_step(f"s{i}", f"t{i}", "ClusterSourceTemplate", sources=[{"name": "in", "resource": f"s{i - 1}"}]))
    owner = _workload(image="secret")
    owner["metadata"]["annotations"] = {"krm-values.dev/from-secret": '["/spec/image"]'}
    return _work(*items, _chain(steps), owner)


def _taking_twice(n: int) -> Work:
    """Steps of which each field has both fields of the one before, so that the ways to the first one double with each step."""
    both = "$(sources.in.url)$ $(sources.in.revision)$"
    items, steps = [_source("t0")], [_step("s0", "t0", "ClusterSourceTemplate")]
    for i in range(1, n):
        items.append(_source(f"t{i}"))
        items[-1]["spec"] |= {"revisionPath": ".data.v"}
        items[-1]["spec"]["template"]["data"] = dict.fromkeys("uv", both)
        steps.append(_step(f"s{i}", f"t{i}", "ClusterSourceTemplate", sources=[{"name": "in", "resource": f"s{i - 1}"}]))
    outputs = {f"s{i}": {"source": {"url": "u", "revision": "r"}} for i in range(n)}
    return _work(*items, _chain(steps), _workload(), stepOutputs={"Workload/team/w": outputs})


def _refused_steps(n: int) -> Work:
    """Steps of one name, options of one selector and name, unknown kinds."""
    options = [{"name": "t", "selector": {"matchLabels": {"a": "b"}}} for _ in range(n)]
    steps = [_step("same", "t", "ClusterTmplate") for _ in range(n)]
    choice = {"name": "choice", "templateRef": {"kind": "ClusterTemplate", "options": options}}
    return _work(_template("t", [], {"k": "x"}), _chain([*steps, choice]), _workload(), fails=True)


def _ties(n: int) -> Work:
    """Chains that ask for the same, and no owner."""
    chains = [_chain([_step("s", "t")], f"chain-{i}") for i in range(n)]
    for chain in chains:
        chain["spec"]["selector"] = {"lane": "one"}
    return _work(_template("t", [], {"k": "x"}), *chains)


def _twins(n: int) -> Work:
    return _work(*(_template("t", [], {"k": "x"}) for _ in range(n)), fails=True)


def _wrong_outputs(n: int) -> Work:
    outputs = {f"Workload/team/q{i}": {"s": {"image": "x"}} for i in range(n)}
    return _work(
        _source("t"),
        _chain([_step("s", "t", "ClusterSourceTemplate")]),
        *(_workload(f"w{i}") for i in range(n)),
        stepOutputs=outputs,
    )


def _copied(n: int) -> Work:
    """Keys of a param that a template copies as a whole."""
    template = _template("t", [{"name": "p", "default": {f"k{i}": "v" for i in range(n)}}], {})
    template["spec"]["template"]["data"] = "$(params.p)$"
    return _work(template, _chain([_step("s", "t")]), _workload())


DIMENSIONS = [
    Dimension("params on all levels", lambda n: _work(*_params(n))),
    Dimension("params that are renamed", _rename),
    Dimension("params that are unused, each near to many names", _near),
    Dimension("params that nothing declares, each near to many names", _undeclared),
    Dimension("params of template and step that are unused", _unused),
    Dimension("steps, each with its template", _steps),
    Dimension("steps of one template", _steps_of_one_template),
    Dimension("steps, one after the other", _steps_in_a_row),
    Dimension("inputs of a step", _inputs),
    Dimension("inputs from missing steps", _missing_inputs),
    Dimension("missing templates", _missing_templates),
    Dimension("chains and owners", _chains),
    Dimension("chains that fit one owner", _chains_that_fit),
    Dimension("chains and owners, none fits", _many_to_many),
    Dimension("chains of expressions and owners", _expressions),
    Dimension("owners of one chain", _workloads),
    Dimension("options of a step", _options),
    Dimension("tags in a text", _tags),
    Dimension("tags without the closing dollar", _unclosed, 50),
    Dimension("tags that each look through one list", _looking_for_each),
    Dimension("tags of one path through one list", _looking_for_one),
    Dimension("tags that do not end", _open, 200),
    Dimension("keys of a body", _body, 100),
    Dimension("steps that stamp the same object", _collisions),
    Dimension("owners on a second run", _twice),
    Dimension("owners that left their chain", _gone),
    Dimension("outputs of steps in the config", _outputs),
    Dimension("params scoped to steps", _scoped),
    Dimension("Runnables", _runnables),
    Dimension("steps that take two fields of the one before", _taking, 40),
    Dimension("steps that hand on a value out of a Secret", _taking_secrets, 40),
    Dimension("steps that take each field from two of the one before", _taking_twice, 40),
    Dimension("steps and options of the same name", _refused_steps),
    Dimension("chains that ask for the same", _ties),
    Dimension("templates of the same name", _twins),
    Dimension("outputs of owners that are not there", _wrong_outputs),
    Dimension("keys of a param that a template copies", _copied),
]
