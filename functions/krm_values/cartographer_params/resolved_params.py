"""The ResolvedParams of an owner: each step of its chain with its state, and every param with the layer that set it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._data.record import lazy
from krm_values._data.scalars.tags import with_member
from krm_values._kit.planner import names
from krm_values._kit.planner.plan import Leaf, New, Origin
from krm_values.cartographer_params import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.precedence import Resolved
    from krm_values.cartographer_params.realise import Realised

KIND = "ResolvedParams"


def report(owner: Owner, chain: Chain, steps: Sequence[Realised], *, is_written: bool) -> New:
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
    return New(data, owner.item, "", files.of_report(owner), lazy(lambda: _leaves(steps)), written=is_written)


def _step(done: Realised) -> dict[str, JSON]:
    entry: dict[str, JSON] = {"name": done.step.name}
    if done.template:
        entry["template"] = {"kind": done.template.kind, "name": done.template.name}
    elif done.pass_through:
        entry["template"] = {"kind": done.step.kind, "passThrough": done.pass_through}
    entry["state"] = done.state
    if done.stamped:
        entry["object"] = _named(done.stamped)
    if done.output.state:
        entry["output"] = done.output.state
    if done.waiting:
        entry["waiting"] = list(done.waiting)
    if done.params:
        entry["params"] = [_param(resolved) for resolved in done.params]
    return entry


def _named(stamped: dict[str, Any]) -> dict[str, JSON]:
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
            yield Leaf(path, resolved.winner.value, _origin(resolved.winner, done, resolved), overridden)
            for index, origin in enumerate(overridden):
                if origin.secret:
                    yield Leaf((*path[:-1], "beat", index, "value"), origin.value, origin)


def _origin(param: Param, done: Realised, resolved: Resolved) -> Origin:
    facts: dict[str, JSON] = {"step": done.step.name, "param": resolved.name}
    if param.name != resolved.name:
        facts["ownerParam"] = param.name
    return Origin(param.origin, param.value, param.item, param.path, facts=facts)
