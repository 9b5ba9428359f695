"""What an owner gets: the one chain that fits best, the option of each step, and the value of each param with the layers it overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._krm.plan import Note
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.kinds import CHAIN_OF, WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._go.jsonpath import GoValue
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import Finding
    from krm_values.cartographer_params.blueprints import Blueprints, Template
    from krm_values.cartographer_params.chains import Chain, ChainSelector, Option, Requirement, Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.paths import RunBudget

_SHOWN = 20  # chains that do not fit, in a note


@record
class _Candidate:
    """A chain and its match."""

    chain: Chain
    match: Match


def chain_of(
    owner: Owner, typed: GoValue, blueprints: Blueprints, budget: RunBudget, entries: list[Finding | Note]
) -> Chain | None:
    """Return the one chain that fits best; None, with an error in `entries`, if none or several do."""
    if not owner.labels:
        text = "must have a label: without one no chain is selected"
        entries.append(owner.finding("error", "40", "no-labels", text, ("metadata",)))
        return None
    kind = CHAIN_OF[owner.kind]
    chains, labels = blueprints.selectors(kind), owner.labels
    candidates = [_Candidate(chain, match(chain.selector, labels, typed, budget)) for chain in chains.of(labels)]
    best = _best(candidates)
    faults = [one for one in candidates if one.match.fault]
    chosen = best[0].chain if len(best) == 1 and not faults else None
    entries.append(Note("selection", owner.label, _note(candidates, chosen, chains.count)))
    entries += [_cannot_be_evaluated(owner, one) for one in faults if not one.chain.is_refused]
    if not faults and not chosen and not chains.is_refused:
        entries.append(_several(owner, best) if best else _none(owner, candidates, kind, chains.count))
    return chosen


def option_of(owner: Owner, typed: GoValue, step: Step, budget: RunBudget, report: Report) -> Option | None:
    """Return the one option that fits best; None, with an error in the report, if none or several do."""
    labels = owner.labels
    matches = [(option, match(option.selector, labels, typed, budget)) for option in step.options]
    top = max((found.score for _, found in matches), default=0)
    best = [option for option, found in matches if found.fits and found.score == top]
    for option, found in matches:
        if found.fault and found.unmet:
            text = f"`{found.unmet.key}` cannot be evaluated on {owner.label} for the option `{option.label}`: {found.fault}"
            report.add(owner.finding("error", "46", "selector-fault", text, step=step.name))
            return None
    if len(best) == 1:
        return best[0]
    if best:
        named = suggest.several([f"`{option.label}`" for option in best])
        text = f"the options {named} of the step `{step.name}` fit equally well: add a requirement to one of them"
    else:
        why = suggest.several([f"`{option.label}` wants {found.unmet.text}" for option, found in matches if found.unmet], "; ")
        text = f"no option of the step `{step.name}` fits: {why}"
    report.add(owner.finding("error", "47", "option", text, step=step.name))
    return None


def _best(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    top = max((one.match.score for one in candidates), default=0)
    return [one for one in candidates if one.match.fits and one.match.score == top]


def _note(candidates: Sequence[_Candidate], chosen: Chain | None, count: int) -> list[JSON]:
    """Return the chains that fit, and the first of those that do not, for the note of the selection."""
    unmet = [one for one in candidates if one.match.unmet][:_SHOWN]
    shown = {id(one) for one in unmet}
    listed = [_scored(one, chosen) for one in candidates if one.match.unmet is None or id(one) in shown]
    more: list[JSON] = [{"more": count - len(listed)}] if count > len(listed) else []
    return [*listed, *more]


def _scored(candidate: _Candidate, chosen: Chain | None) -> JSON:
    entry: dict[str, JSON] = {"kind": candidate.chain.kind, "name": candidate.chain.name}
    found = candidate.match
    if found.unmet is None:
        return {**entry, "score": found.score, "selected": candidate.chain is chosen}
    fault: dict[str, JSON] = {"fault": found.fault} if found.fault else {}
    return {**entry, "unmet": found.unmet.text, **fault}


def _cannot_be_evaluated(owner: Owner, candidate: _Candidate) -> Finding:
    asked = candidate.match.unmet
    key = asked.key if asked else ""
    text = f"`{key}`, which the {WORDS[candidate.chain.kind]} `{candidate.chain.name}` selects by, cannot be evaluated on it: {candidate.match.fault}"
    return owner.finding("error", "46", "selector-fault", text)


def _several(owner: Owner, best: Sequence[_Candidate]) -> Finding:
    named = suggest.several([f"`{one.chain.name}`" for one in best])
    score = best[0].match.score
    each = f"{score} requirement{'s' * (score > 1)} each"
    word = WORDS[best[0].chain.kind]
    text = f"fits the {word} {named} with {each}: add a requirement to one of them, or remove the label that the others select"
    return owner.finding("error", "42", "several-chains", text)


def _none(owner: Owner, candidates: Sequence[_Candidate], kind: str, count: int) -> Finding:
    wanted = [f"`{one.chain.name}` wants {one.match.unmet.text}" for one in candidates if one.match.unmet]
    why = f": {suggest.several(wanted, '; ', count)}" if wanted else f": the list has no {kind}"
    text = "is stamped, but no" if owner.is_stamped else "must fit a chain; no"
    return owner.finding("info" if owner.is_stamped else "error", "42", "no-chain", f"{text} {WORDS[kind]} fits{why}")


@record
class Match:
    """The result of matching a selector.

    score: the number of requirements if all hold, else 0. unmet: the first that does not hold. fault: why it cannot be evaluated.
    """

    score: int
    unmet: Requirement | None = None
    fault: str = ""

    @property
    def fits(self) -> bool:
        return self.unmet is None and self.score > 0


def match(selector: ChainSelector, labels: dict[str, str], owner: GoValue, budget: RunBudget) -> Match:
    """Match labels first, then fields. owner: the typed view of the owner, see `owner.typed`. budget: that of the run."""
    for asked in selector.labels:
        if not _has_label(asked, labels):
            return Match(0, asked)
    for asked in selector.fields:
        try:
            found = paths.find(asked.key, owner, budget)
        except paths.PathError as error:
            return Match(0, asked, error.fact)
        if len(found) > 1:
            return Match(0, asked, f"has {len(found)} results")
        if not _has_field(asked, found):
            return Match(0, asked)
    return Match(selector.count)


def _has_label(asked: Requirement, labels: dict[str, str]) -> bool:
    match asked.operator:
        case "In":
            return labels.get(asked.key) in asked.values
        case "NotIn":
            return labels.get(asked.key) not in asked.values
        case "Exists":
            return asked.key in labels
        case _:
            return asked.key not in labels


def _has_field(asked: Requirement, found: list[JSON]) -> bool:
    """Return whether a field requirement holds. A missing path or a null satisfies DoesNotExist only."""
    value = found[0] if found else None
    match asked.operator:
        case "DoesNotExist":
            return value is None
        case "Exists":
            return value is not None
        case "In":
            return isinstance(value, str) and value in asked.values
        case _:
            return value is not None and not (isinstance(value, str) and value in asked.values)


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

    @property
    def reason(self) -> str:
        """Why the winner overrides the others, where the order of the function does not say it; "" where it does."""
        layers = [param.origin.partition(".")[0] for param in (self.winner, *self.overridden)]
        if "blueprint" in layers and ("resource" in layers or (self.is_bare and layers[0] == "template")):
            return "the step's entry takes the place of the chain's"
        if layers[0] == "template" and "owner" in layers:
            return "the owner sets only what the chain offers with a value or default"
        return ""


def resolve_params(
    owner: Owner, chain: Chain, step: Step, template: Template | None, config: CartographerParams
) -> list[Resolved]:
    """Return the params of one step, sorted by name. template: None if it is missing."""
    given = owner_layers(owner, chain, step, config)
    declared = template.params if template else {}
    names = sorted({*given, *step.params, *chain.params, *declared})
    literal = config.precedence == "rfc0010"
    found = []
    for name in names:
        layers = step.params.get(name), chain.params.get(name), given.get(name, []), declared.get(name)
        if order := _order(*layers, literal=literal):
            is_bare = _bare(effective(chain, step, name)) is not None
            found.append(Resolved(name, order[0], tuple(order[1:]), is_bare=is_bare))
    return found


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
    scoped = {name: parts for name in owner.params if config.scoped and (parts := scope(name, chain))}
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


def scope(name: str, chain: Chain) -> tuple[str, str] | None:
    """Return the step and the param that an owner's param `step/name` means; None if it has another form."""
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
