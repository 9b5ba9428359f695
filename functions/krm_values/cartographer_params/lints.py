"""Params that nothing uses, probably because of a misspelt name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values.cartographer_params.precedence import owner_layers, owner_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.suggest import Hints
    from krm_values.cartographer_params.blueprints import Blueprints
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.realise import Realised
    from krm_values.cartographer_params.templates import Template

_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_RULE, _KIND = "13.2", "unused-param"


def of_blueprints(blueprints: Blueprints, hints: Hints) -> Iterator[Finding]:
    """Yield a warning for each param of a template, chain or step that no template uses."""
    for template in blueprints.templates:
        known = sorted(template.known - {*template.params})
        for param in template.params.values() if template.body is not None or template.ytt else ():
            if not template.refers(param.name) and not template.may_mean(param.name):
                perhaps = "perhaps " if template.body is None else ""
                yield _unused(param, f"is {perhaps}never referred to in this template", known, hints)
    for chain in blueprints.all_chains:
        if blueprints.is_complete(chain):
            yield from _of_chain(chain, blueprints, hints)


def of_owner(
    owner: Owner, chain: Chain, steps: Sequence[Realised], config: CartographerParams, hints: Hints
) -> Iterator[Finding]:
    """Yield a warning for each param of an owner that none of its templates and no selector uses."""
    if any(done.template and done.template.takes_owner_params for done in steps):
        return
    used = {param.name for done in steps for param in _used(owner, chain, done, config)}
    known = sorted({name for done in steps for name in _known(chain, done, config)})
    asked = [one.key for selector in chain.selectors for one in selector.fields]
    quoted = {word for key in asked for found in _QUOTED.findall(key) for word in found}
    for name, param in owner.params.items():
        if name not in used and name not in quoted:
            text = f"is used by no template of {chain.kind} `{chain.name}`"
            yield _unused(param, text, known, hints, {"owner": owner.key})


def _of_chain(chain: Chain, blueprints: Blueprints, hints: Hints) -> Iterator[Finding]:
    every = [template for step in chain.steps for template in blueprints.of_step(step)]
    known, takes_any = _named(every), any(template.refers("") for template in every)
    names = frozenset(known)
    for param in chain.params.values():
        if param.name not in names and not takes_any and not any(one.may_mean(param.name) for one in every):
            yield _unused(param, "is used by no template of the chain", known, hints)
    for step in chain.steps:
        yield from _of_step(step, blueprints.of_step(step), hints)


def _of_step(step: Step, templates: list[Template], hints: Hints) -> Iterator[Finding]:
    known, takes_any = _named(templates), any(template.refers("") for template in templates)
    names = frozenset(known)
    for param in step.params.values():
        if param.name not in names and not takes_any and not any(one.may_mean(param.name) for one in templates):
            yield _unused(param, f"is used by no template of the step `{step.name}`", known, hints, {"step": step.name})


def _used(owner: Owner, chain: Chain, done: Realised, config: CartographerParams) -> Iterator[Param]:
    """Yield the owner's params that the step's template may use under some name."""
    if done.template:
        for name, params in owner_layers(owner, chain, done.step, config).items():
            if done.template.uses(name) or done.template.may_mean(name):
                yield from params


def _known(chain: Chain, done: Realised, config: CartographerParams) -> set[str]:
    """Return the names by which an owner can set params of a step."""
    step = done.step
    renamed = owner_names(chain, step, config)
    inside = {*(done.template.known if done.template else ()), *step.params, *chain.params}
    scoped = {f"{step.name}/{name}" for name in inside} if config.scoped else set()
    return {renamed.get(name, name) for name in inside} | scoped


def _named(templates: Iterable[Template]) -> list[str]:
    return sorted({name for template in templates for name in template.known})


def _unused(param: Param, text: str, known: list[str], hints: Hints, more: dict[str, str] | None = None) -> Finding:
    hint = hints.hint(param.name, (name for name in known if name != param.name)) or "; remove it or correct its name"
    tags = {**(more or {}), "param": param.name}
    return Finding("warning", _KIND, _RULE, f"the param `{param.name}` {text}{hint}", param.item, param.path[:-1], None, tags)
