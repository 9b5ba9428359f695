"""Any two functions in one pipeline, and all seven: every host gives what the others give, and a value says the same of itself afterwards."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from tests.hosts import chains
from tests.hosts.hosts import Printing, kubectl_legacy_plugin, kustomize_legacy_plugin
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, Package

READS = {
    "layered-values": {"glasskube-values", "cartographer-params"},
    "glasskube-values": {"layered-values", "cartographer-params", "giantswarm-config", "flux-values"},
    "cartographer-params": {"glasskube-values"},
    "giantswarm-config": {"layered-values", "glasskube-values", "cartographer-params", "flux-values"},
    "flux-values": {"layered-values", "glasskube-values", "cartographer-params", "giantswarm-config"},
    "tekton-params": {"glasskube-values", "cartographer-params"},
    "envgene-sd": set[str](),
}
"""Whose writing each function reads in these packages. One that stands before the writer sees that in the next run, where no Kptfile tells the order."""
NOT_EXPLAINED = ("envgene-sd",)
"""An SD that is merged is not merged again, so there is nothing to explain.

The other exceptions do not occur here: no config has `record: false`, and no entry is written as a function would write it.
"""
PAIRS = [
    (first, second)
    for first, second in permutations(chains.ALL, 2)
    if second in READS[first] or first in READS[second] or first < second  # two that have nothing in common: in one order
]
ROWS = [(order, "object") for order in (*PAIRS, chains.ALL, chains.ALL[::-1])]
ROWS += [(order, "inline") for order, _ in ROWS[:-1] if "flux-values" in order]

in_every_order = pytest.mark.parametrize(
    ("order", "output"), ROWS, ids=lambda part: "-".join(part) if isinstance(part, tuple) else part
)


def is_early(order: tuple[str, ...]) -> bool:
    """Whether a function reads what one behind it writes."""
    return any(writer in reads(reader, order) for place, reader in enumerate(order) for writer in order[place + 1 :])


def reads(reader: str, order: tuple[str, ...]) -> set[str]:
    """Whose writing a function reads; layered-values only its own layers where it comes first."""
    return READS[reader] if reader != "layered-values" or order[0] != reader else set()


@in_every_order
def test_every_host_gives_the_same_in_every_run(order: tuple[str, ...], output: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt", "kustomize")
    package, other = (chains.write(tmp_path / name, order, output) for name in ("render", "kpt"))
    states, piped = [chains.contents(package)], ""
    for number, _ in enumerate(order):  # as many runs as functions: what the last one wrote has come to the first by then
        if number > 1 and states[-1] == states[-2]:
            break  # every further run is the one before again
        built = None
        if number < 2:
            piped = chains.pipe(package, order, piped)
            built = chains.data(chains.kustomize(machine, package, order))
        states.append(chains.contents(chains.render(package)))
        assert chains.contents(chains.kpt(machine, other)) == states[-1]
        if built is not None and not (
            number and is_early(order)
        ):  # where no Kptfile tells the order, a reader sees what a later step wrote
            assert chains.data(piped) == chains.data(package)
            assert built == chains.data(package, annotated=False)
    assert states[1] != states[0]
    assert is_early(order) or states[2] == states[1]
    assert chains.contents(chains.render(package)) == states[-1]


@in_every_order
def test_explain_says_the_same_before_and_after(order: tuple[str, ...], output: str, tmp_path: Path) -> None:
    package = chains.write(tmp_path / "package", order, output)
    for _ in order[1:] if is_early(order) else ():
        chains.render(package)
    before = chains.explained(package)
    after = chains.explained(chains.render(package))
    for name in order:
        if name not in NOT_EXPLAINED:
            assert after[name] == before[name]
            assert before[name]


@pytest.mark.parametrize("name", ["all-six", "all-seven", "layers-to-flux"])
@pytest.mark.parametrize("host", [kubectl_legacy_plugin, kustomize_legacy_plugin], ids=lambda host: host.__name__)
def test_the_examples_kustomization_gives_what_its_kptfile_gives(
    name: str, host: Printing, machine: Machine, tmp_path: Path
) -> None:
    story = EXAMPLES / "pipelines" / name
    rendered = chains.render(Package.copy(story, tmp_path / "rendered").path)
    assert chains.data(host(machine, Package.copy(story, tmp_path / "built"))) == chains.data(rendered, annotated=False)
