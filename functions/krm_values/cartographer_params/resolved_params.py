"""The ResolvedParams of an owner: each step with its state and every param with the layer that set it; and the table of a chain's params."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._data.record import lazy
from krm_values._data.scalars import with_member
from krm_values._krm import names
from krm_values._krm.plan import Leaf, New, Note, Origin
from krm_values._run import generated
from krm_values.cartographer_params import stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values.cartographer_params.chains import Chain
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.realise import Realised
    from krm_values.cartographer_params.resolve import Resolved

KIND = "ResolvedParams"
_ENTRIES = ("resource.value", "resource.default", "blueprint.value", "blueprint.default")


def resolved_params(owner: Owner, chain: Chain, steps: Sequence[Realised], *, is_written: bool) -> New:
    """Return the ResolvedParams of one owner. is_written: whether it is among the outputs, or is planned only."""
    metadata: dict[str, JSON] = {"name": f"{owner.kind.lower()}-{owner.name}"}
    named: dict[str, JSON] = {"kind": owner.kind}
    if owner.namespace:
        metadata["namespace"] = named["namespace"] = owner.namespace
    metadata["annotations"] = {"config.kubernetes.io/local-config": "true"}
    spec: dict[str, JSON] = {
        "owner": {**named, "name": owner.name},
        "chain": {"kind": chain.kind, "name": chain.name},
        "steps": [_step(step) for step in steps],
    }
    data: dict[str, JSON] = {"apiVersion": names.API_VERSION, "kind": KIND, "metadata": metadata, "spec": spec}
    return New(data, owner.item, "", stamp.file_of(owner, stamp.REPORT), lazy(lambda: _leaves(steps)), written=is_written)


def _step(done: Realised) -> dict[str, JSON]:
    entry: dict[str, JSON] = {"name": done.step.name}
    if done.template:
        entry["template"] = {"kind": done.template.kind, "name": done.template.name}
    elif done.pass_through:
        entry["template"] = {"kind": done.step.kind, "passThrough": done.pass_through}
    entry["state"] = done.state
    if done.made:
        entry["object"] = _named(done.made.data)
    if done.output.state:
        entry["output"] = done.output.state
    if done.waiting:
        entry["waiting"] = list(done.waiting)
    if done.params:
        entry["params"] = [_param(resolved) for resolved in done.params]
    return entry


def _named(stamped: Any) -> dict[str, JSON]:
    metadata = stamped["metadata"]
    space: dict[str, JSON] = {"namespace": metadata["namespace"]} if "namespace" in metadata else {}
    return {"apiVersion": stamped["apiVersion"], "kind": stamped["kind"], **space, "name": metadata["name"]}


def _param(resolved: Resolved) -> dict[str, JSON]:
    winner = resolved.winner
    entry: dict[str, JSON] = _with_value({"name": resolved.name}, winner)
    entry["origin"] = winner.origin
    if resolved.owner_param:
        entry["ownerParam"] = resolved.owner_param
    if resolved.overridden:
        entry["beat"] = [_with_value({"origin": param.origin}, param) for param in resolved.overridden]
    return entry


def _with_value(entry: dict[str, JSON], param: Param) -> dict[str, JSON]:
    """Return an entry with the value of a param as its author wrote it."""
    return with_member(entry, "value", data_edits.copy(param.value), get(param.item.data, param.path[:-1]), param.path[-1])


def _leaves(steps: Sequence[Realised]) -> Iterator[Leaf]:
    for number, done in enumerate(steps):
        for place, resolved in enumerate(done.params):
            path = ("spec", "steps", number, "params", place, "value")
            overridden = tuple(_origin(param, done, resolved) for param in resolved.overridden)
            winner = _origin(resolved.winner, done, resolved)
            yield Leaf(path, resolved.winner.value, winner, overridden, reason=resolved.reason)
            for index, origin in enumerate(overridden):
                yield Leaf((*path[:-1], "beat", index, "value"), origin.value, origin, kind="copied")


def _origin(param: Param, done: Realised, resolved: Resolved) -> Origin:
    facts: dict[str, JSON] = {"step": done.step.name, "param": resolved.name}
    if param.name != resolved.name:
        facts["ownerParam"] = param.name
    return Origin(param.origin, param.value, param.item, param.path, facts=facts)


def table(chain: Chain, owners: Sequence[tuple[Owner, Sequence[Realised]]], *, literal: bool) -> Iterator[Note]:
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
