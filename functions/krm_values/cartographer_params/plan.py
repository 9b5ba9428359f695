"""Plan what Cartographer does for every owner of the list: select its chain, resolve its params, stamp its objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import blueprints as index
from krm_values.cartographer_params import collisions, inputs, supplied_outputs, table, unreachable
from krm_values.cartographer_params import lints as usage
from krm_values.cartographer_params.budget import Room
from krm_values.cartographer_params.kind_names import GROUP, OWNERS
from krm_values.cartographer_params.owner_reader import owner_of
from krm_values.cartographer_params.queue import Queue
from krm_values.cartographer_params.realise import Setting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.planner.plan import Plan
    from krm_values._kit.planner.resources import Resources
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.ytt import Renderer


def plan(config: CartographerParams, resources: Resources, tools: Renderer | None) -> Plan:
    """Realise every owner of the list, and every owner that is stamped for one.

    Yields errors and warnings of chains and templates; per owner a note with each chain's score, and its findings; a note per
    param of a selected chain; then the objects, by owner (namespace, kind, name) and step, each owner's ResolvedParams first.
    """
    report = Report()
    setting = Setting(index.read(resources, report, config), config, tools if config.ytt else None, Room(resources.limits))
    queue = Queue(setting)
    for item in sorted(resources.select(*OWNERS, group=GROUP), key=lambda item: (item.namespace, item.kind, item.name)):
        if isinstance(item.data, dict):
            queue.add(owner_of(item, report))
    if config.ytt and tools is None:
        text = "functionConfig `spec.ytt` needs a ytt program: name it with `--ytt` or `KRM_VALUES_YTT`, or remove the field"
        report.error("no-ytt", "80", text, config=("ytt",))
    yield from report.findings
    yield from _lints(setting)
    queue.run()
    yield from map(queue.stampings.placed, queue.entries)
    for chain in setting.blueprints.all_chains:
        yield from table.of_chain(chain, queue.realised.get(chain.label, ()), literal=config.precedence == "rfc0010")
    yield from _unselected(setting, queue)
    yield from supplied_outputs.unmatched(config, queue.chains, setting.blueprints, _unread(resources))
    yield from queue.made()


def _unread(resources: Resources) -> set[str]:
    """Return the keys of the owners that cannot be read."""
    every = resources.select(*OWNERS, group=GROUP)
    return {f"{item.kind}/{item.namespace}/{item.name}" for item in every if item.data is None}


def _lints(setting: Setting) -> Iterator[Finding]:
    """Yield what is legal in chains and templates, but probably a mistake."""
    blueprints = setting.blueprints
    yield from unreachable.of_chains(blueprints.all_chains)
    yield from usage.of_blueprints(blueprints, blueprints.hints)
    for chain in blueprints.all_chains:
        yield from collisions.renamed_twice(chain, setting.config)
        yield from inputs.unreachable(chain, blueprints.hints)
        yield from collisions.of_chain(chain, blueprints, setting.config)


def _unselected(setting: Setting, queue: Queue) -> Iterator[Finding]:
    """Yield a warning for each missing template of a chain that no owner selects."""
    selected = {chain.label for chain in queue.chains.values() if chain}
    for chain in setting.blueprints.all_chains:
        if chain.label in selected:
            continue
        for step, name in setting.blueprints.missing(chain):
            text = f"{step.kind} `{name}` is not in the list: the chain is not ready, although no owner of the list selects it"
            text += setting.blueprints.near(step.kind, name)
            path = (*step.path, "templateRef")
            yield Finding("warning", "missing-template", "32", text, chain.item, path, None, {"step": step.name})
