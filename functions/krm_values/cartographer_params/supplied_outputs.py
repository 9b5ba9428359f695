"""The outputs that the functionConfig supplies because they are known in the cluster only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.shown import described
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.suggest import Hints
    from krm_values.cartographer_params.blueprints import Blueprints
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams, StepOutput
    from krm_values.cartographer_params.owner_reader import Owner

ANY = "*"


def of_step(config: CartographerParams, owner: Owner, step: Step) -> StepOutput | None:
    """Return the output supplied for this step of this owner; the owner's entry replaces the one for all owners whole."""
    own = config.step_outputs.get(owner.key, {})
    given = own.get(step.name) or config.step_outputs.get(ANY, {}).get(step.name)
    return given if given and kind(given) == step.output else None


def path(config: CartographerParams, owner: Owner, step: Step) -> Path:
    """Return where the functionConfig has the output of this step."""
    own = step.name in config.step_outputs.get(owner.key, {})
    return "stepOutputs", owner.key if own else ANY, step.name, step.output


def kind(given: StepOutput) -> str:
    """Return the one field that is given: `source`, `image` or `config`."""
    return next(iter(given.model_fields_set))


def value(given: StepOutput) -> Any:
    """Return an output as plain data."""
    if kind(given) == "source":
        return {"url": given.source.url, "revision": given.source.revision}
    return getattr(given, kind(given))


def wrong(config: CartographerParams, owner: Owner, step: Step) -> Iterator[Finding]:
    """Yield an error if the supplied output is not of the kind of the step's output."""
    for key in (owner.key, ANY):
        given = config.step_outputs.get(key, {}).get(step.name)
        if given is None:
            continue
        if kind(given) != step.output:
            must = f"must be a `{step.output}`" if step.output else "must be absent: the step has no output"
            text = f"functionConfig `{_field('stepOutputs', key, step.name)}` {must}, as it is a {step.kind} of {owner.label}; found {described(kind(given))}"
            tags = {"owner": owner.key, "step": step.name}
            yield Finding("error", "supplied-kind", "107", text, tags=tags, config=("stepOutputs", key, step.name))
        return


def unmatched(
    config: CartographerParams, realised: dict[str, Chain | None], blueprints: Blueprints, owners: Container[str]
) -> Iterator[Finding]:
    """Yield a warning for each key of the functionConfig that matches nothing. realised: the chain of each owner by its key.

    owners: the keys of the owners that cannot be read.
    """
    hints = blueprints.hints
    every = [chain for chain in realised.values() if chain]
    for key, steps in config.step_outputs.items():
        if key in owners:
            continue
        if key != ANY and key not in realised:
            yield _warning(("stepOutputs", key), "names no owner of the list", realised, "107", hints)
            continue
        if key != ANY and realised[key] is None:
            continue
        known = _steps(every if key == ANY else [chain for chain in (realised[key],) if chain])
        for step in steps:
            if step not in known:
                yield _warning(("stepOutputs", key, step), "names no step of its chain", known, "107", hints)
    yield from _unmatched_renames(config, blueprints)


def _unmatched_renames(config: CartographerParams, blueprints: Blueprints) -> Iterator[Finding]:
    chains = {chain.label: chain for chain in blueprints.all_chains}
    unread = {f"{kind}/{name}" for kind, name in blueprints.unread}
    for label, steps in config.rename.items():
        if label in unread:
            continue
        if label not in chains:
            yield _warning(("rename", label), "names no chain of the list", chains, "10.3", blueprints.hints)
            continue
        known = {step.name: step for step in chains[label].steps}
        for name, params in steps.items():
            if name not in known:
                yield _warning(("rename", label, name), "names no step of the chain", known, "10.3", blueprints.hints)
            elif blueprints.is_complete(chains[label]):
                yield from _unmatched_params(("rename", label, name), params, chains[label], known[name], blueprints)


def _unmatched_params(
    path: tuple[str, ...], params: Iterable[str], chain: Chain, step: Step, blueprints: Blueprints
) -> Iterator[Finding]:
    """Yield a warning for each param of a `rename` that neither a template of the step, the step nor the chain has."""
    templates = blueprints.of_step(step)
    known = {*chain.params, *step.params, *(name for template in templates for name in template.known)}
    for param in params:
        if param not in known and not any(template.refers("") or template.may_mean(param) for template in templates):
            text = "names no param of the step, so it renames nothing"
            yield _warning((*path, param), text, sorted(known), "10.3", blueprints.hints)


def _steps(chains: Iterable[Chain]) -> dict[str, None]:
    return dict.fromkeys(step.name for chain in chains for step in chain.steps)


def _warning(path: tuple[str, ...], text: str, known: Iterable[str], rule: str, hints: Hints) -> Finding:
    hint = hints.hint(path[-1], known) or "; remove it or correct it"
    return Finding("warning", "config-unmatched", rule, f"functionConfig `{_field(*path)}` {text}{hint}", config=path)


def _field(*parts: str) -> str:
    return "spec." + parts[0] + "".join(f'["{part}"]' for part in parts[1:])
