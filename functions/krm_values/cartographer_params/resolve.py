"""Selection of the chain of an owner, and of the option of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.record import record
from krm_values._kit.planner.plan import Note
from krm_values.cartographer_params.kind_names import CHAIN_OF, WORDS
from krm_values.cartographer_params.matching import match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue
    from krm_values._kit.planner.plan import Finding
    from krm_values._kit.planner.report import Report
    from krm_values.cartographer_params.blueprints import Blueprints
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Option, Step
    from krm_values.cartographer_params.matching import Match
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.path_budget import PathBudget


_SHOWN = 20  # chains that do not fit, in a note


@record
class Candidate:
    """A chain and its match."""

    chain: Chain
    match: Match


def chain_of(
    owner: Owner, typed: GoValue, blueprints: Blueprints, budget: PathBudget, entries: list[Finding | Note]
) -> Chain | None:
    """Return the one chain that fits best; None, with an error in `entries`, if none or several do."""
    if not owner.labels:
        entries.append(
            owner.finding("error", "40", "no-labels", "must have a label: without one no chain is selected", ("metadata",))
        )
        return None
    kind = CHAIN_OF[owner.kind]
    chains, labels = blueprints.selectors(kind), owner.labels
    candidates = [Candidate(chain, match(chain.selector, labels, typed, budget)) for chain in chains.of(labels)]
    best = _best(candidates)
    faults = [one for one in candidates if one.match.fault]
    chosen = best[0].chain if len(best) == 1 and not faults else None
    entries.append(Note("selection", owner.label, _note(candidates, chosen, chains.count)))
    entries += [_cannot_be_evaluated(owner, one) for one in faults if not one.chain.is_refused]
    if not faults and not chosen and not chains.is_refused:
        entries.append(_several(owner, best) if best else _none(owner, candidates, kind, chains.count))
    return chosen


def option_of(owner: Owner, typed: GoValue, step: Step, budget: PathBudget, report: Report) -> Option | None:
    """Return the one option that fits best; None, with an error in the report, if none or several do."""
    labels = owner.labels
    matches = [(option, match(option.selector, labels, typed, budget)) for option in step.options]
    top = max((found.score for _, found in matches), default=0)
    best = [option for option, found in matches if found.fits and found.score == top]
    for option, found in matches:
        if found.fault and found.unmet:
            text = f"cannot be evaluated on {owner.label} for the option `{option.label}`: {found.fault}"
            report.add(_of(owner, step, "46", "selector-fault", f"`{found.unmet.key}` {text}"))
            return None
    if len(best) == 1:
        return best[0]
    if best:
        named = suggest.several([f"`{option.label}`" for option in best])
        text = f"the options {named} of the step `{step.name}` fit equally well: add a requirement to one of them"
    else:
        why = suggest.several([f"`{option.label}` wants {found.unmet.text}" for option, found in matches if found.unmet], "; ")
        text = f"no option of the step `{step.name}` fits: {why}"
    report.add(_of(owner, step, "47", "option", text))
    return None


def _of(owner: Owner, step: Step, rule: str, kind: str, text: str) -> Finding:
    return owner.finding("error", rule, kind, text, step=step.name)


def _best(candidates: Sequence[Candidate]) -> list[Candidate]:
    top = max((one.match.score for one in candidates), default=0)
    return [one for one in candidates if one.match.fits and one.match.score == top]


def _note(candidates: Sequence[Candidate], chosen: Chain | None, count: int) -> list[JSON]:
    """Return the chains that fit, and the first of those that do not, for the note of the selection."""
    unmet = [one for one in candidates if one.match.unmet][:_SHOWN]
    shown = {id(one) for one in unmet}
    listed = [_scored(one, chosen) for one in candidates if one.match.unmet is None or id(one) in shown]
    more: list[JSON] = [{"more": count - len(listed)}] if count > len(listed) else []
    return [*listed, *more]


def _scored(candidate: Candidate, chosen: Chain | None) -> JSON:
    entry: dict[str, JSON] = {"kind": candidate.chain.kind, "name": candidate.chain.name}
    found = candidate.match
    if found.unmet is None:
        return {**entry, "score": found.score, "selected": candidate.chain is chosen}
    fault: dict[str, JSON] = {"fault": found.fault} if found.fault else {}
    return {**entry, "unmet": found.unmet.text, **fault}


def _cannot_be_evaluated(owner: Owner, candidate: Candidate) -> Finding:
    asked = candidate.match.unmet
    key = asked.key if asked else ""
    text = f"`{key}`, which the {WORDS[candidate.chain.kind]} `{candidate.chain.name}` selects by, cannot be evaluated on it: {candidate.match.fault}"
    return owner.finding("error", "46", "selector-fault", text)


def _several(owner: Owner, best: Sequence[Candidate]) -> Finding:
    named = suggest.several([f"`{one.chain.name}`" for one in best])
    score = best[0].match.score
    each = f"{score} requirement{'s' * (score > 1)} each"
    word = WORDS[best[0].chain.kind]
    text = f"fits the {word} {named} with {each}: add a requirement to one of them, or remove the label that the others select"
    return owner.finding("error", "42", "several-chains", text)


def _none(owner: Owner, candidates: Sequence[Candidate], kind: str, count: int) -> Finding:
    wanted = [f"`{one.chain.name}` wants {one.match.unmet.text}" for one in candidates if one.match.unmet]
    why = f": {suggest.several(wanted, '; ', count)}" if wanted else f": the list has no {kind}"
    text = "is stamped, but no" if owner.is_stamped else "must fit a chain; no"
    return owner.finding("info" if owner.is_stamped else "error", "42", "no-chain", f"{text} {WORDS[kind]} fits{why}")
