"""The extra layers of an App folded into its user level, for platforms that know no `extraConfigs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.pointer import get, to_field
from krm_values._data.record import replace
from krm_values._krm.plan import Drop, Leaf, Origin, Put
from krm_values._run import texts
from krm_values._run.traced import Map, merge, plain
from krm_values.giantswarm_config.app import EXTRA, KINDS
from krm_values.giantswarm_config.layers import merged, new_object

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.plan import New
    from krm_values.giantswarm_config.app import App
    from krm_values.giantswarm_config.layers import Resolved

_USER: Path = ("spec", "userConfig")
_EXTRAS: Path = ("spec", EXTRA)


def check(resolved: Resolved, report: Report) -> None:
    """Report the first key that a platform of two levels would merge to another value than the layers do."""
    for kind, folded in _folds(resolved):
        chain = resolved.chains[kind]
        fixed = merged([layer for layer in chain.layers if layer.reference.level in ("catalog", "config")], [])
        path = first_difference(plain(merge(fixed, folded, [])), plain(chain.values or Map()))
        if path is not None:
            text = (
                f"`{to_field(path)}`: the layers of {kind}s cannot be folded, since `fold` would give another value than they do:"
                " a null or a value of another kind hides what the Catalog or `config` sets below it; remove one of the two"
            )
            report.error("fold", "S18", text, resolved.app.item, _EXTRAS)


def objects(resolved: Resolved) -> Iterator[New]:
    """Make the folded objects."""
    app = resolved.app
    for kind, folded in _folds(resolved):
        part = "foldedSecrets" if kind == "Secret" else "foldedValues"
        metadata = texts.metadata_of(_name(app, kind), app.item.namespace)
        yield new_object(kind, metadata, "values", folded, app.item, part=part)


def edits(resolved: Resolved) -> Iterator[Put | Drop]:
    """Point `userConfig` at the folded objects and remove `extraConfigs`."""
    app, fields = resolved.app, {kind: field for field, kind in KINDS.items()}
    folded = {fields[kind]: {"name": _name(app, kind), "namespace": app.item.namespace} for kind, _ in _folds(resolved)}
    if not folded:
        return
    spec: Any = get(app.item.data, ("spec",))
    user = spec.get("userConfig")
    if isinstance(user, dict):
        for field, reference in folded.items():
            yield from _level(app, user.get(field), (*_USER, field), reference)
    else:
        after = next((key for key in ("config", "catalogNamespace", "catalog") if key in spec), None)
        yield Put(app.item, _USER, folded, tuple(_leaves(app, _USER, folded)), after=after)  # type: ignore[arg-type]
    yield Drop(app.item, _EXTRAS, _origin(app))


def first_difference(one: JSON, other: JSON, path: Path = ()) -> Path | None:
    """Return the first path, keys in order, at which two values differ, or None. A key that one lacks differs at its map."""
    if not (isinstance(one, dict) and isinstance(other, dict) and one and other):
        return None if data_edits.same(one, other) else path
    for key in sorted(one.keys() | other.keys()):
        if key not in one or key not in other:
            return path or (key,)
        found = first_difference(one[key], other[key], (*path, key))
        if found is not None:
            return found
    return None


def _folds(resolved: Resolved) -> Iterator[tuple[str, Map]]:
    """Yield each kind that has extra layers, with its layers from the first of them or `userConfig` on, merged."""
    for kind in sorted(resolved.app.extra_kinds):
        chain = resolved.chains.get(kind)
        if chain and chain.values is not None:
            levels = [layer.reference.level for layer in chain.layers]
            first = next(index for index, level in enumerate(levels) if level in (EXTRA, "userConfig"))
            yield kind, merged(chain.layers[first:], [])


def _level(app: App, written: JSON, path: Path, reference: dict[str, str]) -> Iterator[Put]:
    """Yield the puts of one kind's reference; the keys of a written one are replaced one by one."""
    if not isinstance(written, dict):
        yield Put(app.item, path, reference, tuple(_leaves(app, path, reference)))  # type: ignore[arg-type]
        return
    for key, value in reference.items():
        if written.get(key) != value:
            below = (Origin("userConfig", written.get(key), app.item, (*path, key)),) if key in written else ()
            yield Put(app.item, (*path, key), value, (Leaf((*path, key), value, _named(app, value), below, kind="derived"),))


def _leaves(app: App, path: Path, value: Any) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves(app, (*path, key), entry)
    else:
        yield Leaf(path, value, _named(app, value), kind="derived")


def _origin(app: App) -> Origin:
    return Origin(EXTRA, get(app.item.data, _EXTRAS), app.item, _EXTRAS)


def _named(app: App, value: str) -> Origin:
    """Return the origin of a reference to a folded object, which is there for the extra layers."""
    extras = _origin(app)
    return replace(extras, value=value, via=(extras,))


def _name(app: App, kind: str) -> str:
    return app.item.name + ("-folded-secrets" if kind == "Secret" else "-folded-values")
