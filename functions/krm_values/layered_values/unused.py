"""Values without effect: those that no target and no reference takes, and those that Argo CD ignores or overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import get, to_field
from krm_values._kit.layers.merge import origin
from krm_values._kit.planner.item import Item
from krm_values._kit.planner.plan import Finding
from krm_values.layered_values.settings import Object
from krm_values.layered_values.tree import SCHEMA, leaves, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.plan import Origin
    from krm_values.layered_values.draft import Draft
    from krm_values.layered_values.merge import Document
    from krm_values.layered_values.settings import Settings
    from krm_values.layered_values.tree import Layer

_SHOWN = 9
_ARGO, _ARGO_KINDS = "argoproj.io", ("Application", "ApplicationSet")
_HELM, _OBJECT, _TEXT, _PARAMETERS = "helm", "valuesObject", "values", "parameters"


def untaken(settings: Settings, documents: list[Document]) -> Iterator[Finding]:
    """Yield one finding per layer with unused values: a warning for inline values, an information for others."""
    taken = _taken(settings)
    if () in taken:
        return
    unused: dict[str, dict[Path, Origin]] = {}
    layers: dict[str, Layer] = {}
    for document in documents:
        used = PathTree()
        for path in (*taken, *document.used):
            used.add(path, path)
        layers |= {layer.name: layer for layer in document.layers}
        for path, leaf in leaves(document.tree):
            at = origin(leaf)
            if not used.around(path) and at.layer != SCHEMA:
                unused.setdefault(at.layer, {})[path] = at
    for name, found in unused.items():
        yield _finding(layers[name], found)


def _taken(settings: Settings) -> set[Path]:
    """Return the paths of values that targets name."""
    found: set[Path] = set()
    for target in settings.targets:
        named = [target] if isinstance(target, Object) else [entry for field in target.fields for entry in field.entries]
        found |= {one.value for one in named}
    return found


def _finding(layer: Layer, found: dict[Path, Origin]) -> Finding:
    listed = ", ".join(f"`{to_field(path)}`{line_of(at)}" for path, at in [*found.items()][:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    text = f"layer {layer.name}: no target and no reference takes {listed}{more}"
    first, at = next(iter(found.items()))
    if isinstance(layer.item, Item):
        return Finding("info", "unused-value", "133", text, layer.item, at.path, at=at)
    place = ("layers", layer.number, "values", *first)
    return Finding("warning", "unused-value", "133", f"{text}: remove it, or name it in a target", config=place)


def unseen_by_argo(draft: Draft) -> Iterator[Finding]:
    """Yield warnings about the Helm sources of an Application or ApplicationSet into which values are written."""
    item = draft.item
    if item.group != _ARGO or item.kind not in _ARGO_KINDS:
        return
    written = [(leaf.path, leaf.inner or ()) for leaf in draft.leaves]
    for path in dict.fromkeys(found for one, _ in written if (found := _helm(one)) is not None):
        yield from _ignored(draft, path, written)
        yield from _overridden(draft, path, written)


def _helm(path: Path) -> Path | None:
    """Return the path of the Helm source that a path leads through."""
    return path[: path.index(_HELM) + 1] if _HELM in path else None


def _ignored(draft: Draft, path: Path, written: list[tuple[Path, Path]]) -> Iterator[Finding]:
    """Yield a warning about `values` beside `valuesObject`, which Argo CD ignores."""
    at = (*path, _TEXT)
    if any(one[: len(at)] == at for one, _ in written) and get(draft.data, (*path, _OBJECT)) not in (None, {}):
        text = "is ignored by Argo CD, as `valuesObject` is set beside it: write into `valuesObject`, or remove that"
        yield Finding("warning", "argo-ignored", "120", text, draft.item, at)


def _overridden(draft: Draft, path: Path, written: list[tuple[Path, Path]]) -> Iterator[Finding]:
    """Yield a warning for each parameter, not written by this function, that overrides a value that is."""
    values = {_name((*one, *inner)[len(path) + 1 :]) for one, inner in written if _is_values(one, path)}
    listed: Any = get(draft.data, (*path, _PARAMETERS))
    for index, parameter in enumerate(listed if isinstance(listed, list) else ()):
        at = (*path, _PARAMETERS, index)
        name = parameter.get("name") if isinstance(parameter, dict) else None
        if any(one[: len(at)] == at for one, _ in written) or not isinstance(name, str):
            continue
        if any(
            name == value or name.startswith((f"{value}.", f"{value}[")) or value.startswith((f"{name}.", f"{name}["))
            for value in values
        ):
            text = f"the parameter `{name}` overrides the value that is written: remove the parameter, or write that"
            yield Finding("warning", "argo-parameter", "121", text, draft.item, at)


def _is_values(one: Path, path: Path) -> bool:
    return one[: len(path)] == path and len(one) > len(path) and one[len(path)] in (_OBJECT, _TEXT)


def _name(path: Path) -> str:
    """Return the path of a value as the name of a Helm parameter."""
    return "".join(f"[{part}]" if isinstance(part, int) else "." + part.replace(".", "\\.") for part in path).lstrip(".")
