"""Selectors without the intended effect: options and chains that no owner gets, ties, and fields that always exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.selectors import Requirement

_ALWAYS = ("spec.serviceAccountName", "spec.build")


def of_chains(chains: Sequence[Chain]) -> Iterator[Finding]:
    """Yield the warnings about the selectors of these chains."""
    first: dict[object, Chain] = {}
    for chain in chains:
        yield from _tie(chain, first)
        for selector in chain.selectors:
            yield from _always_there(chain, selector.fields)
        yield from _dead(chain)


def _tie(chain: Chain, first: dict[object, Chain]) -> Iterator[Finding]:
    """Yield a warning if an earlier chain has the same requirements. first: the first chain of each selector so far."""
    other = first.setdefault((chain.kind, chain.selector.asks), chain)
    if chain.selector.count and other is not chain:
        text = f"selects the same owners as `{other.name}`: both fit equally well, so every such owner is refused; add a requirement to one of them"
        yield Finding("warning", "tie", "42", text, chain.item, ("spec",))


def _dead(chain: Chain) -> Iterator[Finding]:
    if key := _contradiction(chain.selector.labels, chain.selector.fields):
        text = f"can fit no owner: its requirements on `{key}` contradict each other"
        yield Finding("warning", "dead-selector", "13.2", text, chain.item, ("spec",))
        return
    for step in chain.steps:
        for option in step.options:
            labels = [*chain.selector.labels, *option.selector.labels]
            if key := _contradiction(labels, [*chain.selector.fields, *option.selector.fields]):
                text = f"the option `{option.label}` is never taken: its requirements and those of the chain on `{key}` contradict each other"
                yield Finding(
                    "warning", "dead-option", "13.2", text, chain.item, (*option.path, "selector"), None, {"step": step.name}
                )


def _contradiction(labels: Iterable[Requirement], fields: Iterable[Requirement]) -> str:
    """Return the key of two requirements that contradict each other, or ""."""
    for asked in (labels, fields):
        by_key: dict[str, list[Requirement]] = {}
        for one in asked:
            by_key.setdefault(one.key, []).append(one)
        for key, several in by_key.items():
            if _excludes(several):
                return key
    return ""


def _excludes(several: Sequence[Requirement]) -> bool:
    operators = {one.operator for one in several}
    if "DoesNotExist" in operators and operators & {"In", "Exists"}:
        return True
    wanted = [set(one.values) for one in several if one.operator == "In"]
    refused = {value for one in several if one.operator == "NotIn" for value in one.values}
    return bool(wanted) and not set.intersection(*wanted) - refused


def _always_there(chain: Chain, fields: Iterable[Requirement]) -> Iterator[Finding]:
    for asked in fields:
        if asked.key in _ALWAYS and asked.operator in ("Exists", "DoesNotExist"):
            holds = "always" if asked.operator == "Exists" else "never"
            text = f"{holds} holds: for the controller `{asked.key}` exists on every owner, written or not; compare its value instead"
            yield Finding("warning", "always-there", "45", text, chain.item, asked.path)
