"""The object of a step or Runnable: completed as the controller does it, and where each of its values comes from.

The controller adds the namespace, labels and owner references. A value comes from a field of the template; what its tags took from
params, from the owner and from other steps' objects is derived from these.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import lazy, replace
from krm_values._data.shown import cut, type_of
from krm_values._data.values import by_keys
from krm_values._go import encoding_json
from krm_values._krm.findings import Report, title
from krm_values._krm.item import Item
from krm_values._krm.plan import Leaf, New, Origin
from krm_values._run import generated
from krm_values._yaml import emit
from krm_values.cartographer_params import paths, tags
from krm_values.cartographer_params.blueprints import BODY, YTT
from krm_values.cartographer_params.kinds import DELIVERY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.plan import Finding
    from krm_values.cartographer_params.blueprints import Template
    from krm_values.cartographer_params.chains import Chain, Step
    from krm_values.cartographer_params.config import CartographerParams
    from krm_values.cartographer_params.fields import Param
    from krm_values.cartographer_params.owner import Owner
    from krm_values.cartographer_params.rendering import StampTarget
    from krm_values.cartographer_params.resolve import Resolved

    _Names: TypeAlias = tuple[str | int, ...]

REPORT = "params"
_OTHERS = re.compile(r"[^A-Za-z0-9._-]")
_LONGEST_LABEL, _LONGEST_NAME = 63, 253
_DIGITS = 8
_NONE: AbstractSet[Path] = frozenset()
_COMPLETED = ("namespace", "labels", "ownerReferences")  # added by the controller


def labels(owner: Owner, chain: Chain, step: Step, template: Template) -> dict[str, str]:
    """Return the labels that the controller adds to the object of a step; with options the template's name is empty, as upstream."""
    kind, chain_name = owner.kind.lower(), "delivery-name" if chain.kind == DELIVERY else "supply-chain-name"
    return {
        f"carto.run/{kind}-name": owner.name,
        f"carto.run/{kind}-namespace": owner.namespace,
        f"carto.run/{chain_name}": chain.name,
        "carto.run/resource-name": step.name,
        "carto.run/template-kind": step.kind,
        "carto.run/cluster-template-name": template.name if step.template else "",
        "carto.run/template-lifecycle": template.lifecycle,
    }


def complete(
    target: StampTarget, rendered: JSON, params: Sequence[Resolved], config: CartographerParams, report: Report
) -> New | None:
    """Return the stamped object; None, with an error in the report, if it is not valid."""
    assert isinstance(rendered, dict)  # as `run_ytt` makes sure, and a body is one
    own = Report()
    own.extend(_faults(target, rendered))
    report.extend(own.findings)
    if own.failed:
        return None
    stamped: dict[str, JSON] = data_edits.copy(rendered)
    stamped["metadata"] = _metadata(target, rendered, config)
    report.extend(_long(target, stamped["metadata"]))
    owner, is_written = target.owner, "objects" in config.emit
    origins = lazy(lambda: _leaves(target, params, stamped))
    made_of = target.feeds if isinstance(owner.item, Item) else (owner.item, *target.feeds)
    file = file_of(owner, f"{target.step}-step" if target.step == REPORT else target.step or "run")
    return New(stamped, owner.item, target.step, file, origins, written=is_written, made_of=made_of)


def file_of(owner: Owner, name: str) -> str:
    """Return the file of an owner's object: of a step by its name, or its ResolvedParams by `REPORT`."""
    folders = [owner.namespace, f"{owner.kind.lower()}-{owner.name}", name]
    return "/".join(["cartographer", *(_OTHERS.sub("-", part) for part in folders if part)]) + ".yaml"


def _metadata(target: StampTarget, rendered: dict[str, JSON], config: CartographerParams) -> dict[str, JSON]:
    owner, found = target.owner, rendered["metadata"]
    given = dict(found) if isinstance(found, dict) else {}
    labels = given.pop("labels", None)
    for key in ("namespace", "ownerReferences"):
        given.pop(key, None)
    metadata: dict[str, JSON] = {"name": given.pop("name", None) or _name(target, rendered)}
    if owner.namespace:
        metadata["namespace"] = owner.namespace
    metadata |= given
    metadata["labels"] = {**(labels if isinstance(labels, dict) else {}), **target.labels}
    if config.owner_references and owner.uid:
        named = {"apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid}
        metadata["ownerReferences"] = [{**named, "controller": True, "blockOwnerDeletion": True}]
    return metadata


def _name(target: StampTarget, rendered: dict[str, JSON]) -> str:
    """Return `generateName` and the first digits of a digest of the rendered object, because hosts refuse items without a name."""
    source = generated.identity(target.owner.item, target.step)
    text = emit.as_json(by_keys({"from": source, "object": encoding_json.normalised(rendered)}))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return str(get(rendered, ("metadata", "generateName"))) + digest[:_DIGITS]


def _faults(target: StampTarget, rendered: dict[str, JSON]) -> Iterator[Finding]:
    metadata = rendered.get("metadata")
    if not isinstance(metadata, dict):
        yield target.finding("error", "96", "no-name", "renders an object without `metadata.name`")
        return
    for key in ("apiVersion", "kind"):
        if not isinstance(rendered.get(key), str) or not rendered[key]:
            yield target.finding("error", "96", "not-text", f"renders an object whose `{key}` is not a string")
    for key in ("name", "generateName"):
        if not isinstance(metadata.get(key), str | None):
            yield target.finding("error", "96", "not-text", f"renders an object whose `metadata.{key}` is not a string")
    if not metadata.get("name") and target.is_mutable:
        text = (
            "renders an object without `metadata.name`: a mutable one is fetched by it; name it or set `lifecycle: immutable`"
        )
        yield target.finding("error", "96", "no-name", text)
    elif not metadata.get("name") and not metadata.get("generateName"):
        text = "renders an object without `metadata.name` and `metadata.generateName`: give it one"
        yield target.finding("error", "96", "no-name", text)
    yield from _metadata_faults(target, metadata)


def _metadata_faults(target: StampTarget, metadata: dict[str, JSON]) -> Iterator[Finding]:
    namespace = metadata.get("namespace")
    if namespace is not None and namespace != target.owner.namespace:
        text = f'renders an object of the namespace "{namespace}": it must be the owner\'s, or none'
        yield target.finding("error", "90", "namespace", text)
    if not _is_text_map(metadata.get("labels")):
        text = "renders labels that are not strings: the controller would lose all labels of the template; quote them"
        yield target.finding("error", "94", "labels", text)
    if not _is_text_map(metadata.get("annotations")):
        text = f"renders annotations that are not a map of strings, found {_found(metadata['annotations'])}: quote them"
        yield _in_template(target, target.finding("error", "96", "annotations", text), ("metadata", "annotations"))
    if metadata.get("ownerReferences") is not None:
        text = "renders `metadata.ownerReferences`, which the controller replaces: remove them from the template"
        yield target.finding("warning", "91", "owner-references", text)


def _is_text_map(value: JSON) -> bool:
    return value is None or (isinstance(value, dict) and all(isinstance(one, str) for one in value.values()))


def _found(value: JSON) -> str:
    """Return the type of what should be a map of strings, or the key whose value is no string with the type of that."""
    if not isinstance(value, dict):
        return type_of(value)
    key, one = next((key, one) for key, one in value.items() if not isinstance(one, str))
    return f"{type_of(one)} at `{cut(str(key))}`"


def _in_template(target: StampTarget, finding: Finding, path: Path) -> Finding:
    """Return a finding at the place in the template that renders it, if the template is no text of ytt."""
    item = target.template.item
    if target.template.body is None or not isinstance(item, Item):
        return finding
    return replace(finding, item=item, path=(*BODY, *path), message=f"{finding.message} ({title(target.owner.item)})")


def _long(target: StampTarget, metadata: JSON) -> Iterator[Finding]:
    name = metadata["name"] if isinstance(metadata, dict) else ""
    if len(str(name)) > _LONGEST_NAME:
        text = f"stamps an object whose name has more than {_LONGEST_NAME} characters: the API server refuses it"
        yield target.finding("warning", "98", "name-length", text)
    for key, value in target.labels.items():
        if len(value) > _LONGEST_LABEL:
            text = f"stamps an object whose label `{key}` has more than {_LONGEST_LABEL} characters: the API server refuses it"
            yield target.finding("warning", "98", "label-length", text)


def _leaves(target: StampTarget, params: Sequence[Resolved], stamped: JSON) -> Iterator[Leaf]:
    """Yield a leaf for each scalar and each empty map or list that the template, a tag or a program has made."""
    named = {resolved.name: resolved for resolved in params}
    copied = _Copied(target)
    whole = [*_of_params(target, named, copied)]
    yield from whole
    for path, value in _scalars(stamped, (), {leaf.path for leaf in whole}):
        origin = _origin(target, named, path, value, copied)
        if origin:
            is_literal = target.template.body is not None and not tags.expressions(origin.value)
            kind = "" if not is_literal else "literal" if data_edits.same(origin.value, value) else "derived"
            yield Leaf(path, value, origin, kind=kind)


def _of_params(target: StampTarget, params: dict[str, Resolved], copied: _Copied) -> Iterator[Leaf]:
    """Yield a leaf for each field that is one param which several layers set: its value as a whole, and those that it overrides."""
    body = target.template.body
    for path, written in _scalars(body, ()) if any(one.overridden for one in params.values()) else ():
        resolved = params.get(tags.param_of(written))
        if resolved is not None and resolved.overridden and not _is_completed(target, path):
            winner, *losers = (_param(one, resolved.name) for one in (resolved.winner, *resolved.overridden))
            field = Origin("template", written, target.template.item, (*BODY, *path), via=(winner, *copied.withheld))
            overridden = tuple(replace(field, value=one.value, via=(one, *copied.withheld)) for one in losers)
            yield Leaf(path, winner.value, field, overridden, reason=resolved.reason)


def _scalars(value: JSON, path: Path, without: AbstractSet[Path] = _NONE) -> Iterator[tuple[Path, JSON]]:
    """Yield each scalar and each empty map or list. without: the paths of what is left out."""
    if path in without:
        return
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from _scalars(below, (*path, key), without)
    elif isinstance(value, list) and value:
        for index, below in enumerate(value):
            yield from _scalars(below, (*path, index), without)
    else:
        yield path, value


def _is_completed(target: StampTarget, path: Path) -> bool:
    """Return whether the controller adds what is at a path, or a part of it: of the labels its own."""
    if path[:2] == ("metadata", "labels") and path[2:]:
        return path[2] in target.labels
    return path in ((), ("metadata",)) or (path[0] == "metadata" and path[1] in _COMPLETED)


def _origin(target: StampTarget, params: dict[str, Resolved], path: Path, value: JSON, copied: _Copied) -> Origin | None:
    template = target.template
    if _is_completed(target, path):
        return None
    if template.body is None:
        return Origin("template", value, template.item, YTT, via=copied.withheld)
    source = _source(template.body, path)
    if get(template.body, source, ABSENT) is ABSENT:
        source = ("metadata", "generateName")
    written: JSON = get(template.body, source)
    if not tags.expressions(written):
        return Origin("template", written, template.item, (*BODY, *source))
    below = path[len(source) :]
    within = copied.in_param(written, below)
    via = (
        *(_part(_param(params[name].winner, name), within) for name in tags.params_of(written) if name in params),
        *copied.by(written, below),
        *copied.withheld,
    )
    return Origin("template", written, template.item, (*BODY, *source), via=via)


def _source(body: JSON, path: Path) -> Path:
    """Return the path of the template's field that gives the value at `path`: the same, or that of a tag above it."""
    for end in range(len(path) + 1):
        if not isinstance(get(body, path[:end], ABSENT), (dict, list)):
            return path[:end]
    return path


def _param(param: Param, name: str) -> Origin:
    return Origin(param.origin, param.value, param.item, param.path, facts={"param": name})


class _Copied:
    """The origins of what tags copy. withheld: those that hold values of a Secret, from which any field may have been copied."""

    __slots__ = ("_inputs", "_near", "_owner", "_places", "withheld")

    def __init__(self, target: StampTarget) -> None:
        self._owner, self._inputs, self.withheld = target.owner, target.inputs(), _withheld(target)
        self._near: dict[_Names, list[tuple[str, ...]]] = {}
        for key in self._inputs:
            for size in range(len(key) + 1):
                self._near.setdefault(key[:size], []).append(key)
        self._places: dict[str, _Names] = {}

    def by(self, written: JSON, below: Path) -> Iterator[Origin]:
        """Yield the origins of what the tags of a field take, once each. below: the path of the value in what a tag gives."""
        for name in dict.fromkeys((*self._place(expression), *below) for expression in tags.expressions(written)):
            if name[:1] and name[0] in tags.OWNERS:
                yield _part(Origin("owner", self._owner.data, self._owner.item), name[1:])
            else:
                yield from (_part(self._inputs[key], name[len(key) :]) for key in self._keys(name))

    def in_param(self, written: JSON, below: Path) -> Path:
        """Return where in the value of a param the only tag of a field finds what is at a path below; () for several tags, which are joined."""
        found = tags.expressions(written)
        return (*self._place(found[0])[2:], *below) if len(found) == 1 else ()

    def _place(self, expression: str) -> _Names:
        """Return the place of what an expression finds: exactly in the owner, elsewhere by the names with which it begins."""
        known = self._places.get(expression)
        if known is None:
            known = paths.plain_names(expression)
            if known[:1] and known[0] in tags.OWNERS:
                known = paths.place(expression, {known[0]: self._owner.data}) or known
            self._places[expression] = known
        return known

    def _keys(self, name: _Names) -> list[tuple[str, ...]]:
        """Return the inputs of this name: those that it is above, or the one that it is in."""
        found = next((name[:size] for size in range(len(name), 0, -1) if name[:size] in self._near), ())
        return [key for key in self._near.get(found, ()) if found in (name, key)]


def _part(origin: Origin, path: Path) -> Origin:
    """Return the origin of what is at a path of its value, or of the nearest above it that is there."""
    size = next(size for size in range(len(path), -1, -1) if get(origin.value, path[:size], ABSENT) is not ABSENT)
    at = None if origin.config is None else (*origin.config, *path[:size])
    return replace(origin, value=get(origin.value, path[:size]), path=(*origin.path, *path[:size]), config=at)


def _withheld(target: StampTarget) -> tuple[Origin, ...]:
    """Return the owner and the objects of other steps if they hold values of a Secret: any field may have been copied from them."""
    taken = [Origin("owner", None, target.owner.item), *(Origin("output", None, made) for made in target.feeds)]
    return tuple(origin for origin in taken if origin.secret)
