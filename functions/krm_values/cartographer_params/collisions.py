"""Name collisions: one param of the owner that sets params of several templates with different meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._kit.planner.plan import Finding
from krm_values.cartographer_params.fields import OWNER_NAME
from krm_values.cartographer_params.precedence import effective, owner_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values.cartographer_params.blueprints import Blueprints
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.realise import Realised
    from krm_values.cartographer_params.templates import Template


def of_chain(chain: Chain, blueprints: Blueprints, config: CartographerParams) -> Iterator[Finding]:
    """Yield an information for each name that two templates declare with different defaults while the owner may set it."""
    declared: dict[str, list[tuple[Step, Template, Param]]] = {}
    for step in chain.steps:
        for template in blueprints.of_step(step):
            for name, param in template.params.items():
                if _may_set(chain, step, name, config):
                    renamed = owner_names(chain, step, config)
                    declared.setdefault(renamed.get(name, name), []).append((step, template, param))
    for name, found in sorted(declared.items()):
        first, *others = found
        other = next((one for one in others if not data_edits.same(one[2].value, first[2].value)), None)
        if other:
            means = " and ".join(_of(step, template) for step, template, _ in (first, other))
            text = f"the owner's param `{name}` sets two params with different defaults, {means}: separate them with `rename` or `scoped`, or lock one"
            yield Finding("info", "collision", "13.3", text, chain.item, (), None, {"param": name})


def renamed_twice(chain: Chain, config: CartographerParams) -> Iterator[Finding]:
    """Yield an error for each param whose entry and `rename` of the functionConfig name different params of the owner."""
    for step in chain.steps:
        for name, other in config.rename.get(chain.label, {}).get(step.name, {}).items():
            entry = effective(chain, step, name)
            if entry and entry.owner_name not in ("", other):
                text = (
                    f"names the owner's param `{entry.owner_name}`, but `rename` of the functionConfig names `{other}` "
                    f"for `{name}` of the step `{step.name}`: keep one"
                )
                path = (*entry.path[:-1], OWNER_NAME)
                yield Finding("error", "owner-name", "S15", text, chain.item, path, None, {"step": step.name, "param": name})


def overrides(owner: Owner, chain: Chain, steps: Sequence[Realised], config: CartographerParams) -> Iterator[Finding]:
    """Yield an information for each value of the owner that counts although the chain does not offer the name."""
    if config.precedence == "rfc0010":
        return
    for done in steps:
        for resolved in done.params:
            silent = resolved.name not in done.step.params and resolved.name not in chain.params
            if done.template and resolved.name in done.template.params and silent and resolved.winner.origin == "owner.value":
                text = (
                    f"the param `{resolved.winner.name}` overrides the default of {done.step.kind} `{done.template.name}` in the step "
                    f"`{done.step.name}`, although the chain does not offer it: RFC 0010 keeps the default (`precedence: rfc0010`)"
                )
                tags = {"owner": owner.key, "step": done.step.name, "param": resolved.name}
                yield Finding("info", "override", "6", text, owner.item, resolved.winner.path[:-1], None, tags)


def _of(step: Step, template: Template) -> str:
    return f"of {template.kind} `{template.name}` in the step `{step.name}`"


def _may_set(chain: Chain, step: Step, name: str, config: CartographerParams) -> bool:
    entry = effective(chain, step, name)
    if entry is None:
        return config.precedence == "released"
    return entry.origin.endswith(".default")
