"""Values in an Argo CD Application that Argo CD ignores or overrides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.draft import Draft

GROUP = "argoproj.io"
_KINDS = ("Application", "ApplicationSet")
_HELM, _OBJECT, _TEXT, _PARAMETERS = "helm", "valuesObject", "values", "parameters"


def findings_of(draft: Draft) -> Iterator[Finding]:
    """Yield warnings about the Helm sources of an Application or ApplicationSet into which values are written."""
    item = draft.item
    if item.group != GROUP or item.kind not in _KINDS:
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
