"""Precedence: which layer sets a param of a step, and which layers it overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.templates import Template


@record
class Resolved:
    """A param of a step: the layer that sets it, and the overridden ones by decreasing precedence.

    is_bare: whether an entry without `value` and `default` counts, so that no owner can set it.
    """

    name: str
    winner: Param
    overridden: tuple[Param, ...]
    is_bare: bool = False

    @property
    def owner_param(self) -> str:
        """The owner's name for it if that differs, else ""."""
        return self.winner.name if self.winner.name != self.name else ""


def resolve(owner: Owner, chain: Chain, step: Step, template: Template | None, config: CartographerParams) -> list[Resolved]:
    """Return the params of one step, sorted by name. template: None if it is missing."""
    given = owner_layers(owner, chain, step, config)
    declared = template.params if template else {}
    names = sorted({*given, *step.params, *chain.params, *declared})
    literal = config.precedence == "rfc0010"
    found = (
        (name, _order(step.params.get(name), chain.params.get(name), given.get(name, []), declared.get(name), literal=literal))
        for name in names
    )
    return [
        Resolved(name, order[0], tuple(order[1:]), is_bare=_is_bare(effective(chain, step, name)))
        for name, order in found
        if order
    ]


def effective(chain: Chain, step: Step, name: str) -> Param | None:
    """Return the entry of the step, else that of the chain (rule 3)."""
    return step.params.get(name) or chain.params.get(name)


def owner_names(chain: Chain, step: Step, config: CartographerParams) -> dict[str, str]:
    """Return the name of the owner's param for each param of the step whose name differs, by `workload-param-name` or `rename`."""
    entries = [*(one for one in chain.renamed if not step.params.get(one.name)), *step.params.values()]
    own = {entry.name: entry.owner_name for entry in entries if entry.owner_name}
    return {**own, **config.rename.get(chain.label, {}).get(step.name, {})}


def owner_layers(owner: Owner, chain: Chain, step: Step, config: CartographerParams) -> dict[str, list[Param]]:
    """Return the owner's params for each name of this step, highest precedence first: scoped, then renamed, then by the same name."""
    scoped = {name: parts for name in owner.params if config.scoped and (parts := _scope(name, chain))}
    layers = {name: [param] for name, param in owner.params.items() if name not in scoped}
    renamed = owner_names(chain, step, config)
    others = {name: owner.params[other] for name, other in renamed.items() if other in layers}
    for name in renamed:
        layers.pop(name, None)
    for name, param in others.items():
        layers[name] = [param]
    for long, (target, name) in scoped.items():
        if target == step.name:
            layers[name] = [owner.params[long], *layers.get(name, [])]
    return layers


def _scope(name: str, chain: Chain) -> tuple[str, str] | None:
    step, slash, param = name.partition("/")
    return (step, param) if slash and param and step in chain.step_names else None


def _order(
    step: Param | None, chain: Param | None, given: list[Param], template: Param | None, *, literal: bool
) -> list[Param]:
    """Return the layers that set a param by decreasing precedence; [] if none sets it."""
    order: list[Param] = []
    while dropped := _winner(step, chain, given, template, literal=literal) or (_bare(step or chain) if order else None):
        order += [] if dropped.is_bare else [dropped]
        step, chain, template = (None if layer is dropped else layer for layer in (step, chain, template))
        given = [param for param in given if param is not dropped]
    return [*order, *given] if order else []


def _bare(param: Param | None) -> Param | None:
    return param if param and param.is_bare else None


def _is_bare(param: Param | None) -> bool:
    return _bare(param) is not None


def _winner(
    step: Param | None, chain: Param | None, given: list[Param], template: Param | None, *, literal: bool
) -> Param | None:
    """Return the layer of highest precedence; None if none counts. literal: the owner's value counts only where the chain offers the name."""
    entry = step or chain
    if entry and entry.is_bare:
        return template
    if entry and entry.origin.endswith(".value"):
        return entry
    if given and (entry or not literal):
        return given[0]
    return entry or template
