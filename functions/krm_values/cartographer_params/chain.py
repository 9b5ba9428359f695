"""Supply chains and deliveries: their selectors, params and steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner.report import Report
from krm_values.cartographer_params import chains as steps
from krm_values.cartographer_params import fields as params
from krm_values.cartographer_params import selectors
from krm_values.cartographer_params.kind_names import ALLOWED, SUPPLY_CHAIN, WORDS
from krm_values.cartographer_params.typed_fields import Fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._data.suggest import Hints
    from krm_values._kit.planner.item import Item
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.selectors import Selector


@record
class Chain:
    """A ClusterSupplyChain or ClusterDelivery.

    is_refused: it has an error, which has been reported. renamed: its params for which the owner has another name.
    """

    item: Item
    kind: str
    name: str
    selector: Selector
    params: Mapping[str, Param]
    steps: tuple[Step, ...]
    is_refused: bool
    step_names: frozenset[str]
    renamed: tuple[Param, ...]

    @property
    def selectors(self) -> list[Selector]:
        """Its selector and those of its steps' options."""
        return [self.selector, *(option.selector for step in self.steps for option in step.options)]

    @property
    def label(self) -> str:
        """`ClusterSupplyChain/c`."""
        return f"{self.kind}/{self.name}"


def read(item: Item, report: Report, hints: Hints, config: CartographerParams) -> Chain:
    """Read a chain; report everything that admission refuses in it."""
    own = Report()
    fields = Fields(item, own)
    paths = [("spec", key) for key in ("selector", "selectorMatchExpressions", "selectorMatchFields")]
    selector = selectors.read(fields, paths[0], paths[1], paths[2], item.kind)
    if not selector.count:
        text = f"must select by something: give the {WORDS[item.kind]} a `selector`, `selectorMatchExpressions` or `selectorMatchFields`"
        fields.error("23", "no-selector", ("spec",), text)
    given = params.read(fields, ("spec", "params"), "blueprint", config)
    resources = steps.read(fields, item.kind, hints, config)
    if item.kind == SUPPLY_CHAIN:
        _check_inputs(fields, resources, hints)
    report.extend(own.findings)
    names = frozenset(step.name for step in resources)
    renamed = tuple(param for param in given.values() if param.owner_name)
    return Chain(item, item.kind, item.name, selector, given, resources, own.failed, names, renamed)


def _check_inputs(fields: Fields, resources: tuple[Step, ...], hints: Hints) -> None:
    outputs = {step.name: step.output for step in resources if step.name}
    unclear = {step.name for step in resources if step.kind not in ALLOWED[SUPPLY_CHAIN]}
    for step in resources:
        for one in step.inputs:
            path = (*one.path, "resource")
            if one.resource not in outputs:
                text = f"must be a step of the chain; found {{found}}{hints.hint(one.resource, outputs)}"
                fields.error("27", "input", path, text, one.resource)
            elif outputs[one.resource] != one.kind and one.resource not in unclear:
                output = f"a {outputs[one.resource]}" if outputs[one.resource] else "none"
                text = f"must be a step whose output is a {one.kind}; found {{found}}, whose output is {output}"
                fields.error("27", "input", path, text, one.resource)
