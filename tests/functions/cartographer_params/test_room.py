"""Tags that double a value from step to step, and chains that stamp their own owners: both end at a limit."""

from __future__ import annotations

from typing import Any

import pytest

from krm_values._data.limits import Limits
from krm_values._krm import findings
from krm_values._run import invoke
from krm_values.cartographer_params import paths
from tests.growth import cartographer
from tests.growth.lists import Object, listed

NAME = "cartographer-params"


def errors(*items: Object, limits: Limits | None = None) -> list[str]:
    _, outcome = invoke.answer(listed(list(items), NAME).encode(), NAME, limits=limits or Limits())
    return [findings.line(found) for found in outcome.findings if found.severity == "error"]


def doubling(steps: int, written: object) -> list[Object]:
    """Steps that each hand on twice what they take."""
    source, step = cartographer._source, cartographer._step
    items, made = [source("t0")], [step("s0", "t0", "ClusterSourceTemplate")]
    for number in range(1, steps):
        items.append(source(f"t{number}"))
        items[-1]["spec"]["template"]["data"] = {"u": written}
        takes = [{"name": "in", "resource": f"s{number - 1}"}]
        made.append(step(f"s{number}", f"t{number}", "ClusterSourceTemplate", sources=takes))
    return [*items, cartographer._chain(made), cartographer._workload()]


def test_a_text_that_doubles_ends_at_the_limit():
    found = errors(*doubling(64, "$(sources.in.url)$$(sources.in.url)$"))
    assert any("makes all stamped objects larger than 67,108,864 bytes together" in text for text in found)
    assert any("(limit `decoded_bytes`)" in text for text in found)


def test_a_map_that_doubles_ends_at_the_limit():
    items = doubling(64, {"a": "$(sources.in.url)$", "b": "$(sources.in.url)$"})
    found = errors(*items, limits=Limits(decoded_bytes=1 << 20))
    assert any("makes all stamped objects larger than 1,048,576 bytes together" in text for text in found)


def test_a_few_steps_that_double_are_within_the_limit():
    assert errors(*doubling(8, "$(sources.in.url)$$(sources.in.url)$")) == []


def fan(width: int) -> list[Object]:
    """A chain that stamps owners of its own."""
    templates = [cartographer._template(f"t{number}", [], {}) for number in range(width)]
    for number, template in enumerate(templates):
        template["spec"]["template"] = {
            "apiVersion": "carto.run/v1alpha1",
            "kind": "Workload",
            "metadata": {"name": f"$(workload.metadata.name)$-{number}", "labels": {"lane": "chain"}},
            "spec": {},
        }
    steps = [cartographer._step(f"s{number}", f"t{number}") for number in range(width)]
    return [*templates, cartographer._chain(steps), cartographer._workload()]


def test_a_chain_that_stamps_its_own_owners_ends_at_the_limit():
    found = errors(*fan(6), limits=Limits(chains=100))
    said = "is stamped by a chain, and more than 100 steps of chains are followed for such owners"
    assert sum(said in text for text in found) == 1
    assert any("(limit `chains`)" in text for text in found)


def test_owners_of_the_list_are_not_counted():
    step = cartographer._step("s", "t")
    owners = [cartographer._workload(f"w{number}") for number in range(30)]
    items = [cartographer._template("t", [], {"k": "x"}), cartographer._chain([step]), *owners]
    assert errors(*items, limits=Limits(chains=3)) == []


def env(entries: int) -> list[Object]:
    return [{"name": f"a{number}", "value": "v"} for number in range(entries)]


def looking(entries: int, tags: list[str], owners: int = 1) -> list[Object]:
    """Tags that look through a list of so many entries."""
    template = cartographer._template("t", [], {f"k{number}": tag for number, tag in enumerate(tags)})
    workloads = [cartographer._workload(f"w{number}", env=env(entries)) for number in range(owners)]
    return [template, cartographer._chain([cartographer._step("s", "t")]), *workloads]


def each(entries: int) -> list[str]:
    return [f'$(workload.spec.env[?(@.name=="a{number}")].value)$' for number in range(entries)]


OVER = "is not followed: the paths of this run have taken 2,000,000 steps"


def test_paths_through_long_lists_end_at_the_budget_of_a_run():
    found = errors(*looking(1600, each(1600), 3))
    assert [OVER in text for text in found] == [True]


def test_equal_paths_on_one_context_are_followed_once(monkeypatch):
    followed: list[str] = []
    find = paths.find

    def counting(expression: str, *more: Any) -> Any:
        followed.append(expression)
        return find(expression, *more)

    monkeypatch.setattr(paths, "find", counting)
    assert errors(*looking(2000, ['$(workload.spec.env[?(@.name=="a1")].value)$'] * 2000)) == []
    assert len(followed) < 5


def test_short_paths_of_many_owners_take_nothing_of_the_budget(monkeypatch):
    monkeypatch.setattr(paths, "MOST", 200)
    assert errors(*looking(5, ["$(workload.metadata.name)$", *each(5)], 60)) == []
    assert sum(OVER.replace("2,000,000", "200") in text for text in errors(*looking(80, each(80)))) == 1


@pytest.mark.parametrize("where", ["selector", "option", "output"])
def test_paths_of_selectors_and_outputs_count_too(where, monkeypatch):
    monkeypatch.setattr(paths, "MOST", 300)
    path = 'spec.env[?(@.name=="a1")].value'
    fields = [{"key": path, "operator": "Exists"}]
    step = cartographer._step("s", "t")
    template = cartographer._template("t", [], {"k": "x"})
    if where == "output":
        step["templateRef"]["kind"] = template["kind"] = "ClusterConfigTemplate"
        template["spec"]["configPath"] = '.spec.env[?(@.name=="a1")].value'
        body = {"apiVersion": "demo.example/v1", "kind": "Widget", "metadata": {"name": "$(workload.metadata.name)$"}}
        template["spec"]["template"] = {**body, "spec": {"env": env(200)}}
    chain = cartographer._chain([step])
    if where == "selector":
        chain["spec"]["selectorMatchFields"] = fields
    if where == "option":
        never = {"matchFields": [{"key": path, "operator": "In", "values": ["no"]}]}
        options = [{"name": "t", "selector": {"matchFields": fields}}, {"name": "u", "selector": never}]
        step["templateRef"] = {"kind": "ClusterTemplate", "options": options}
    other = cartographer._template("u", [], {"k": "x"})
    owners = [cartographer._workload(f"w{number}", env=env(200)) for number in range(6)]
    found = errors(template, other, chain, *owners)
    assert [text for text in found if OVER.replace("2,000,000", "300") not in text] == []
    assert len(found) == 1
