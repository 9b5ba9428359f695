"""A rendered package as values that can be compared with those of another state of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data.pointer import ABSENT, get, scalars
from krm_values._data.record import record, replace
from krm_values._explain import gather, nested, values
from krm_values._explain.authored import Authored
from krm_values._explain.masking import Masking
from krm_values._explain.ways import Trace, Way
from krm_values._kit.layers.embedded import values_at
from krm_values._kit.planner import findings, places
from krm_values._kit.planner.item import is_secret, withholds
from krm_values._kit.planner.plan import New, Origin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from krm_values._cli.package.rendering import Rendered
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.values import Resource, Value
    from krm_values._kit.planner.item import Item

    Key = tuple[str, str, Path, Path | None]  # the resource, its file where two are called alike, and the place

WRITTEN = "resource"
"""The layer of a value that no function decides."""


@record
class Entry:
    """A value: itself, as it may be shown, its origins, and the layers that it overrides. shown: None if it is hidden.

    decided: the value as a step decided it, None if no step did. source, file: of its resource.
    """

    reference: Mapping[str, JSON]
    value: JSON
    shown: JSON
    hidden: bool
    way: Way | None
    overridden: tuple[Way, ...]
    decided: Value | None = None
    source: str = ""
    file: str = ""


class State:
    """The values of a rendered package, without those that a step removes."""

    __slots__ = ("_before", "_below", "_items", "_made", "_shows", "_texts", "_tree", "authored", "trace", "values")

    def __init__(self, done: Rendered, *, show_secrets: bool) -> None:
        explanation = gather.of_package(done)
        masks = [Masking(entry.outcome, show_secrets=show_secrets) for entry in explanation.steps]
        self.trace, self.authored = Trace(explanation), Authored(explanation.before)
        resources = values.collect(self.trace)
        titles = Counter(one.title for one in resources)
        self._tree, self._before, self._shows = done.loaded.tree, explanation.before, show_secrets
        self.values: dict[Key, Entry] = {
            (one.title, one.file if titles[one.title] > 1 else "", value.path, value.inner): _entry(one, value, masks)
            for one in resources
            for value in _left(one)
        }
        made = [one for one in resources if any(isinstance(value.item, New) for value in one.values)]
        self._made = [(one.title, one.file if titles[one.title] > 1 else "") for one in made]
        self._items: dict[str, list[Item]] = {}
        self._texts: dict[tuple[int, Path], JSON] = {}  # by items that the tree keeps
        self._below: dict[Key, Entry] = {}

    def entry(self, key: Key) -> Entry | None:
        """Return the value at a place: as a step decided it, else as part of a decided value, else as authored."""
        if key in self.values:
            return self.values[key]
        title, file, path, inner = key
        item = self._item(title, file)
        if item is None:
            return None
        return self._written(item, path) if inner is None else self._composed(item, key)

    def literals(self) -> dict[Key, JSON]:
        """Return the parts of generated objects that no step decided: literals of templates, and fixed fields of a function's output."""
        decided = {(title, file, path) for title, file, path, _ in self.values}
        found: dict[Key, JSON] = {}
        for title, file in self._made:
            item = self._item(title, file)
            for path, value in scalars(item.data) if item else ():
                if not any((title, file, path[:size]) in decided for size in range(len(path) + 1)):
                    found[title, file, path, None] = value
        return found

    def _item(self, title: str, file: str) -> Item | None:
        return next((one for one in self._titled(title) if file in ("", one.position.path)), None)

    def _composed(self, item: Item, key: Key) -> Entry | None:
        """Return a value of a text that a step decided as part of another value, or in parts."""
        at = id(item), key[2]
        if at not in self._texts:
            self._texts[at] = values_at(item.data, key[2])
        value = get(self._texts[at], key[3] or (), ABSENT)
        near = self._near(key) if value is not ABSENT else None
        if near is None:
            return None
        hidden = not self._shows and (
            is_secret(item) or withholds(item, key[2]) or nested.is_inside(item.data, key[2]) or near.hidden
        )
        return replace(near, value=value, shown=None if hidden else value, hidden=hidden, decided=None)

    def _near(self, key: Key) -> Entry | None:
        """Return the nearest decided value above a place, else the first one below it."""
        *head, inner = key
        for size in range(len(inner or ()), -1, -1):
            if found := self.values.get((*head, (inner or ())[:size])):  # type: ignore[arg-type]
                return found
        if not self._below:
            for (title, file, path, at), one in self.values.items():
                for size in range(len(at or ())):
                    self._below.setdefault((title, file, path, (at or ())[:size]), one)
        return self._below.get(key)

    def _titled(self, title: str) -> list[Item]:
        """Return the resources with this title."""
        if not self._items:
            for item in map(self._tree.item, range(len(self._tree.documents))):
                self._items.setdefault(findings.title(item), []).append(item)
        return self._items.get(title, [])

    def _written(self, item: Item, path: Path) -> Entry | None:
        value = get(item.data, path, ABSENT)
        if value is ABSENT:
            return None
        hidden = not self._shows and (withholds(item, path) or nested.is_inside(item.data, path))
        before = self._before.get(item.position.path, item.position.index) or item
        origin = Origin(WRITTEN, value, before, path)
        made = self.trace.generated(item, path)
        way = Way(origin, -1, item.position.path, places.of_field(before, path), is_source=True)
        way = made[2] if made and made[2] else way
        shown = None if hidden else value
        return Entry(findings.reference(item), value, shown, hidden, way, (), file=item.position.path)


def _left(resource: Resource) -> list[Value]:
    return [value for value in resource.values if not value.is_removed]


def _entry(resource: Resource, value: Value, masks: list[Masking]) -> Entry:
    shown, hidden = masks[value.step].after(value.decision)
    after = value.decision.after
    return Entry(
        findings.reference(value.item),
        None if after is ABSENT else after,
        None if hidden else shown,
        hidden,
        value.way,
        value.overridden,
        decided=value,
        source=resource.source,
        file=resource.file,
    )
