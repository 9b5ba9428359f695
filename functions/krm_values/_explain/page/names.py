"""Paths with the names of list elements: `tasks[build].params[url]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get, to_field
from krm_values._explain import nested
from krm_values._explain.masking import hides_leaf
from krm_values._kit.planner.item import Item, withholds
from krm_values._yaml import decode

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.facts import Explained
    from krm_values._explain.values import Value
    from krm_values._kit.planner.plan import New

_NAME = "name"
_LONGEST = 60


class Names:
    """The names of list elements in the resources of one step, as it leaves them. A Secret's value is never used as a name."""

    __slots__ = ("_edited", "_hidden", "_kept", "_known", "_shows")

    def __init__(self, entry: Explained, *, show_secrets: bool) -> None:
        self._shows = show_secrets
        self._edited = entry.outcome.edited
        decisions = () if show_secrets else entry.outcome.decisions
        self._hidden = {(id(one.item), one.path) for one in decisions if hides_leaf(one)}
        self._known: dict[int, JSON] = {}
        self._kept: dict[tuple[int, Path], str] = {}

    def path(self, value: Value) -> str:
        """Return the path of a value in its resource; an index stays if the element has no name, or one that is not unique."""
        text, at = "", value.decision.path
        for size, part in enumerate(value.path):
            name = self._name(value.decision.item, at[: size + 1]) if isinstance(part, int) else ""
            text += f"[{name}]" if name else to_field((part,)) if not text or isinstance(part, int) else _joined(part)
        return text

    def _name(self, item: Item | New, path: Path) -> str:
        key = id(item), path
        if key not in self._kept:
            self._kept[key] = self._found(item, path)
        return self._kept[key]

    def _found(self, item: Item | New, path: Path) -> str:
        names = get(self._data(item), path[:-1])
        element = get(self._data(item), path)
        name = element.get(_NAME) if isinstance(element, dict) else None
        if not isinstance(name, str) or not isinstance(names, list) or not 0 < len(name) <= _LONGEST:
            return ""
        same = [one for one in names if isinstance(one, dict) and one.get(_NAME) == name]
        return name if len(same) == 1 and self._is_shown(item, (*path, _NAME)) else ""

    def _is_shown(self, item: Item | New, path: Path) -> bool:
        if self._shows:
            return True
        hidden = withholds(item, path) if isinstance(item, Item) else item.withholds(path)
        hidden = hidden or nested.is_inside(item.data, path)
        return not hidden and not any((id(item), path[:size]) in self._hidden for size in range(len(path) + 1))

    def _data(self, item: Item | New) -> JSON:
        if not isinstance(item, Item) or item.number not in self._edited:
            return item.data
        if item.number not in self._known:
            try:
                self._known[item.number] = decode.data(self._edited[item.number])
            except InputError:
                self._known[item.number] = None
        return self._known[item.number]


def _joined(part: str | int) -> str:
    text = to_field((part,))
    return text if text.startswith("[") else f".{text}"
