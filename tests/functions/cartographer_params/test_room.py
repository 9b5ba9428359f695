"""Tags that double a value from step to step, and chains that stamp their own owners: both end at a limit."""

from __future__ import annotations

from krm_values._cli import pipe
from krm_values._data.limits import Limits
from krm_values._kit.planner import findings
from tests.growth import cartographer
from tests.growth.lists import Object, listed

NAME = "cartographer-params"


def errors(*items: Object, limits: Limits | None = None) -> list[str]:
    _, outcome = pipe.answer(listed(list(items), NAME).encode(), NAME, limits=limits or Limits())
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
