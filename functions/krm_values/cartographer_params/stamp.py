"""Completion of a stamped object as the controller does it: namespace, name, labels and owner references."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._data.record import lazy
from krm_values._data.values import by_keys
from krm_values._golang import encoding_json
from krm_values._kit.engine import generated
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import New
from krm_values._yaml import emit
from krm_values.cartographer_params import files
from krm_values.cartographer_params.kind_names import DELIVERY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._kit.planner.plan import Finding, Leaf
    from krm_values._kit.planner.report import Report
    from krm_values.cartographer_params.chain import Chain
    from krm_values.cartographer_params.chains import Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.owner_reader import Owner
    from krm_values.cartographer_params.precedence import Resolved
    from krm_values.cartographer_params.target import Target
    from krm_values.cartographer_params.templates import Template

_LONGEST_LABEL, _LONGEST_NAME = 63, 253
_DIGITS = 8


def labels(owner: Owner, chain: Chain, step: Step, template: Template) -> dict[str, str]:
    """Return the labels that the controller adds to the object of a step; with options the template's name is empty, as upstream."""
    kind, chain_name = owner.kind.lower(), "delivery-name" if chain.kind == DELIVERY else "supply-chain-name"
    return {
        f"carto.run/{kind}-name": owner.name,
        f"carto.run/{kind}-namespace": owner.namespace,
        f"carto.run/{chain_name}": chain.name,
        "carto.run/resource-name": step.name,
        "carto.run/template-kind": step.kind,
        "carto.run/cluster-template-name": step.template,
        "carto.run/template-lifecycle": template.lifecycle,
    }


def complete(
    target: Target, rendered: JSON, params: Sequence[Resolved], config: CartographerParams, report: Report
) -> New | None:
    """Return the stamped object; None, with an error in the report, if it is not valid."""
    found = list(_faults(target, rendered))
    report.extend(found)
    if any(finding.severity == "error" for finding in found) or not isinstance(rendered, dict):
        return None
    stamped: dict[str, JSON] = data_edits.copy(rendered)
    stamped["metadata"] = _metadata(target, rendered, config)
    report.extend(_long(target, stamped["metadata"]))
    owner, is_written = target.owner, "objects" in config.emit
    origins = lazy(lambda: _leaves(target, params, stamped))
    made_of = target.feeds if isinstance(owner.item, Item) else (owner.item, *target.feeds)
    file = files.of_step(owner, target.step)
    return New(stamped, owner.item, target.step, file, origins, written=is_written, made_of=made_of)


def _leaves(target: Target, params: Sequence[Resolved], stamped: JSON) -> Iterator[Leaf]:
    from krm_values.cartographer_params import provenance  # noqa: PLC0415 - for `explain`, and where a Secret is read

    return provenance.leaves(target, params, stamped)


def _metadata(target: Target, rendered: dict[str, JSON], config: CartographerParams) -> dict[str, JSON]:
    found = rendered["metadata"]
    given = dict(found) if isinstance(found, dict) else {}
    labels = given.pop("labels", None)
    for key in ("namespace", "ownerReferences"):
        given.pop(key, None)
    metadata: dict[str, JSON] = {"name": given.pop("name", None) or _name(target, rendered)}
    if target.owner.namespace:
        metadata["namespace"] = target.owner.namespace
    metadata |= given
    metadata["labels"] = {**(labels if isinstance(labels, dict) else {}), **target.labels}
    if config.owner_references and target.owner.uid:
        metadata["ownerReferences"] = [_reference(target.owner)]
    return metadata


def _reference(owner: Owner) -> dict[str, JSON]:
    named: dict[str, JSON] = {"apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid}
    return {**named, "controller": True, "blockOwnerDeletion": True}


def _name(target: Target, rendered: dict[str, JSON]) -> str:
    """Return `generateName` and the first digits of a digest of the rendered object, because hosts refuse items without a name."""
    source = generated.identity(target.owner.item, target.step)
    text = emit.as_json(by_keys({"from": source, "object": encoding_json.normalised(rendered)}))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return str(get(rendered, ("metadata", "generateName"))) + digest[:_DIGITS]


def _faults(target: Target, rendered: JSON) -> Iterator[Finding]:
    owner, step = target.owner, target.step
    if not isinstance(rendered, dict):
        yield owner.finding("error", "96", "not-an-object", f"{target.what} does not render an object", step=step)
        return
    metadata = rendered.get("metadata")
    if not isinstance(metadata, dict):
        yield owner.finding("error", "96", "no-name", f"{target.what} renders an object without `metadata.name`", step=step)
        return
    for key, value in (("apiVersion", rendered.get("apiVersion")), ("kind", rendered.get("kind"))):
        if not isinstance(value, str) or not value:
            yield owner.finding(
                "error", "96", "not-text", f"{target.what} renders an object whose `{key}` is not a string", step=step
            )
    yield from _name_faults(target, metadata)
    yield from _metadata_faults(target, metadata)


def _name_faults(target: Target, metadata: dict[str, JSON]) -> Iterator[Finding]:
    owner, step = target.owner, target.step
    name, prefix = metadata.get("name"), metadata.get("generateName")
    for key, value in (("name", name), ("generateName", prefix)):
        if value is not None and not isinstance(value, str):
            yield owner.finding(
                "error", "96", "not-text", f"{target.what} renders an object whose `metadata.{key}` is not a string", step=step
            )
    if name:
        return
    if target.is_mutable:
        text = f"{target.what} renders an object without `metadata.name`: a mutable one is fetched by it; name it or set `lifecycle: immutable`"
        yield owner.finding("error", "96", "no-name", text, step=step)
    elif not prefix:
        text = f"{target.what} renders an object without `metadata.name` and `metadata.generateName`: give it one"
        yield owner.finding("error", "96", "no-name", text, step=step)


def _metadata_faults(target: Target, metadata: dict[str, JSON]) -> Iterator[Finding]:
    owner, step = target.owner, target.step
    namespace = metadata.get("namespace")
    if namespace is not None and namespace != owner.namespace:
        text = f'{target.what} renders an object of the namespace "{namespace}": it must be the owner\'s, or none'
        yield owner.finding("error", "90", "namespace", text, step=step)
    labels = metadata.get("labels")
    if labels is not None and (not isinstance(labels, dict) or any(not isinstance(value, str) for value in labels.values())):
        text = f"{target.what} renders labels that are not strings: the controller would lose all labels of the template; quote them"
        yield owner.finding("error", "94", "labels", text, step=step)
    if metadata.get("ownerReferences") is not None:
        text = f"{target.what} renders `metadata.ownerReferences`, which the controller replaces: remove them from the template"
        yield owner.finding("warning", "91", "owner-references", text, step=step)


def _long(target: Target, metadata: JSON) -> Iterator[Finding]:
    name = metadata["name"] if isinstance(metadata, dict) else ""
    if len(str(name)) > _LONGEST_NAME:
        text = f"{target.what} stamps an object whose name has more than {_LONGEST_NAME} characters: the API server refuses it"
        yield target.owner.finding("warning", "98", "name-length", text, step=target.step)
    for key, value in target.labels.items():
        if len(value) > _LONGEST_LABEL:
            text = f"{target.what} stamps an object whose label `{key}` has more than {_LONGEST_LABEL} characters: the API server refuses it"
            yield target.owner.finding("warning", "98", "label-length", text, step=target.step)
