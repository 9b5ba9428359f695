"""The params of a chain: the templates that declare them, the chain's entries, whether an owner may set them, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.engine import generated
from krm_values._kit.planner.plan import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.precedence import Resolved
    from krm_values.cartographer_params.realise import Realised

_ENTRIES = ("resource.value", "resource.default", "blueprint.value", "blueprint.default")


def of_chain(chain: Chain, owners: Sequence[tuple[Owner, Sequence[Realised]]], *, literal: bool) -> Iterator[Note]:
    """Yield a note for each param of a chain that a template uses, sorted by name, with the steps that use it.

    owners: those that have this chain, with its steps as realised for each. literal: an owner may set only what the chain offers.
    """
    found: dict[str, dict[str, list[tuple[Owner, Resolved]]]] = {}
    for owner, steps in owners:
        for done in steps:
            for resolved in (one for one in done.params if done.template and done.template.uses(one.name)):
                found.setdefault(resolved.name, {}).setdefault(done.step.name, []).append((owner, resolved))
    for name in sorted(found):
        rows = [_row(step, found[name][step], literal=literal) for step in found[name]]
        yield Note("params", f"{chain.kind} {chain.name} {name}", rows)


def _row(step: str, given: Sequence[tuple[Owner, Resolved]], *, literal: bool) -> JSON:
    """Return the row of one step: the default of each template, the chain's entries, whether the owner may set it, and each owner's value."""
    templates: dict[str, JSON] = {}
    entries: dict[str, JSON] = {}
    for param in (param for _, resolved in given for param in (resolved.winner, *resolved.overridden)):
        if param.origin == "template.default":
            templates[generated.header_of(param.item.data)[3]] = param.value
        elif param.origin in _ENTRIES:
            entries[param.origin] = param.value
    may = "is ignored" if any(resolved.is_bare for _, resolved in given) else _may(entries, literal=literal)
    values: dict[str, JSON] = {owner.key: resolved.winner.value for owner, resolved in given}
    return {"step": step, "templates": templates, **entries, "owner": may, "values": values}


def _may(entries: Mapping[str, JSON], *, literal: bool) -> str:
    effective = next((origin for origin in _ENTRIES if origin in entries), "")
    return "is ignored" if effective.endswith(".value") or (literal and not effective) else "may set it"
