"""The extra layers of an App folded into its user level, for platforms that know no `extraConfigs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._kit.engine.generated import beside
from krm_values._kit.layers import values_text
from krm_values._kit.layers.configmaps import encode
from krm_values._kit.layers.merge import leaves, merge, values
from krm_values._kit.planner.plan import Drop, Finding, Leaf, New, Origin, Put
from krm_values.giantswarm_config.layers.chains import merged
from krm_values.giantswarm_config.layers.difference import first_difference
from krm_values.giantswarm_config.spec.references import EXTRA, KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.layers.merge import Tree
    from krm_values.giantswarm_config.layers.chains import Chain
    from krm_values.giantswarm_config.spec.app import App

_FIELDS = {kind: field for field, kind in KINDS.items()}
_SUFFIXES = {"ConfigMap": "-folded-values", "Secret": "-folded-secrets"}
_USER: Path = ("spec", "userConfig")
_EXTRAS: Path = ("spec", EXTRA)


@record
class Fold:
    """One kind of layers. values: those of the folded object. below: those of the Catalog and `config`. layered: those of all layers."""

    kind: str
    values: Tree
    below: Tree
    layered: Tree


def kinds_of(app: App) -> set[str]:
    """Return the kinds of the entries of `extraConfigs`."""
    return {reference.kind for reference in app.references if reference.level == EXTRA}


def folds(app: App, chains: Mapping[str, Chain | None]) -> list[Fold]:
    """Fold each kind that has entries: its layers from the first entry or `userConfig` on."""
    found = []
    for kind in sorted(kinds_of(app)):
        chain = chains.get(kind)
        if chain is None:
            continue
        levels = [layer.reference.level for layer in chain.layers]
        first = next(index for index, level in enumerate(levels) if level in (EXTRA, "userConfig"))
        fixed = [layer for layer in chain.layers if layer.reference.level in ("catalog", "config")]
        found.append(Fold(kind, merged(chain.layers[first:], []), merged(fixed, []), chain.values))
    return found


def findings_of(app: App, found: Iterable[Fold]) -> Iterator[Finding]:
    """Report the first key that a platform of two levels would merge to another value than the layers do."""
    for fold in found:
        folded, layered = values(merge(fold.below, fold.values, [])), values(fold.layered)
        path = first_difference(folded, layered)
        if path is not None:
            text = (
                f"`{to_field(path)}`: the layers of {fold.kind}s cannot be folded, since `fold` would give another value than they do:"
                " a null or a value of another kind hides what the Catalog or `config` sets below it; remove one of the two"
            )
            yield Finding("error", "fold", "S18", text, app.item, _EXTRAS)


def made(app: App, found: Iterable[Fold]) -> Iterator[New]:
    """Make the folded objects."""
    for fold in found:
        text, name = values_text.write(values(fold.values)), _name(app, fold.kind)
        is_secret = fold.kind == "Secret"
        metadata: dict[str, Any] = {"name": name}
        if app.item.namespace:
            metadata["namespace"] = app.item.namespace
        data: dict[str, Any] = {"apiVersion": "v1", "kind": fold.kind, "metadata": metadata}
        if is_secret:
            data["type"] = "Opaque"
        data["data"] = {"values": encode(text) if is_secret else text}
        part = "foldedSecrets" if is_secret else "foldedValues"
        explained = leaves(fold.values, ("data", "values"))
        yield New(data, app.item, part, beside(app.item, name), explained, reads_secrets=is_secret)


def edits(app: App, found: Iterable[Fold]) -> Iterator[Put | Drop]:
    """Point `userConfig` at the folded objects and remove `extraConfigs`."""
    folded: dict[str, JSON] = {_FIELDS[fold.kind]: _reference(app, fold.kind) for fold in found}
    if not folded:
        return
    spec: Any = get(app.item.data, ("spec",))
    user = spec.get("userConfig")
    if isinstance(user, dict):
        for field, reference in folded.items():
            yield from _level(app, user.get(field), (*_USER, field), reference)
    else:
        after = next((key for key in ("config", "catalogNamespace", "catalog") if key in spec), None)
        yield Put(app.item, _USER, folded, tuple(_leaves(app, _USER, folded)), after=after)
    yield Drop(app.item, _EXTRAS, _origin(app))


def _level(app: App, written: JSON, path: Path, reference: JSON) -> Iterator[Put]:
    """Yield the puts of one kind's reference; the keys of a written one are replaced one by one."""
    if not isinstance(written, dict):
        yield Put(app.item, path, reference, tuple(_leaves(app, path, reference)))
        return
    for key, value in reference.items() if isinstance(reference, dict) else ():
        if written.get(key) != value:
            below = (Origin("userConfig", written.get(key), app.item, (*path, key)),) if key in written else ()
            yield Put(app.item, (*path, key), value, (Leaf((*path, key), value, _origin(app), below),))


def _leaves(app: App, path: Path, value: JSON) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves(app, (*path, key), entry)
    else:
        yield Leaf(path, value, _origin(app))


def _origin(app: App) -> Origin:
    return Origin(EXTRA, get(app.item.data, _EXTRAS), app.item, _EXTRAS)


def _reference(app: App, kind: str) -> dict[str, JSON]:
    return {"name": _name(app, kind), "namespace": app.item.namespace}


def _name(app: App, kind: str) -> str:
    return app.item.name + _SUFFIXES[kind]
