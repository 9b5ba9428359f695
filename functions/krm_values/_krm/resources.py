"""The items that a planner can ask for: by header, without parsing them, or one object by a reference."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.data_edits import same
from krm_values._data.errors import address
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.limits import Limits
    from krm_values._krm.item import Item


_NEAR = 2  # as many as a message names


@record
class Missing:
    """The result of a lookup that found no object. `near`: at most two of the kind and name, one for each other namespace. `own`: whether this function generated one.

    name, others: the name that was looked up, and those of its kind in the namespace.
    """

    near: tuple[Item, ...] = ()
    own: bool = False
    name: str = ""
    others: Sequence[str] = ()

    @property
    def hint(self) -> str:
        """Return `; did you mean ...?` with the nearest name, "" if none is near."""
        return suggest.hint(self.name, self.others)


class Several:
    """The result of a lookup that found more than one object."""

    __slots__ = ("_is_one", "items")
    __match_args__ = ("items",)

    def __init__(self, items: tuple[Item, ...]) -> None:
        self.items = items
        self._is_one: bool | None = None

    @property
    def identical(self) -> Item | None:
        """Return the first of them if all have the same data; None if they differ."""
        first, *others = self.items
        if self._is_one is None:
            self._is_one = all(same(other.data, first.data) for other in others)
        return first if self._is_one else None

    @property
    def places(self) -> str:
        """Return their places: `a.yaml:3 and b.yaml:1`; of more than two the first two and the number of the others."""
        return listed(self.items)


def listed(items: Sequence[Item]) -> str:
    """Return the places of items, with their line, or their number if no file is known: two of them and the number of the others."""
    where = [
        address(item.position.path, item.position.line) if item.position.path else f"item {item.number}" for item in items[:2]
    ]
    return " and ".join(where) if len(items) < 3 else f"{where[0]}, {where[1]} and {len(items) - 2} more"


class Resources:
    """The items of a run, without those that this function generated earlier."""

    __slots__ = ("_found", "_generated", "_items", "_made", "_named", "_names", "_renamed", "limits", "missed")

    def __init__(self, items: Iterable[Item], generated: Iterable[Item] = (), limits: Limits = DEFAULT) -> None:
        self.limits = limits
        self._items = tuple(items)
        self._generated = tuple(generated)
        self.missed: set[tuple[str, str, str, str]] = set()
        """What was looked for with `find` and is not there: kind, group, namespace and name."""
        self._made: set[tuple[str, str, str, str]] | None = None
        self._named: dict[tuple[str, str, str], dict[str, list[Item]]] | None = None
        self._names: dict[tuple[str, str, str], list[str]] | None = None
        self._renamed: dict[str, dict[tuple[str, str], list[tuple[Item, set[str]]]]] = {}
        self._found: dict[tuple[str, str, str, str], Item | Several] = {}

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    @property
    def generated(self) -> Sequence[Item]:
        """The objects that this function generated earlier, which are not among the items."""
        return self._generated

    def select(self, *kinds: str, group: str) -> Sequence[Item]:
        """Return the items of these kinds (all kinds if none is named) and this API group, in list order."""
        return [item for item in self._items if item.group == group and (not kinds or item.kind in kinds)]

    def find(self, kind: str, group: str, namespace: str, name: str, by: Item | None = None) -> Item | Missing | Several:
        """Return the object of this kind, group, namespace and name; else the one that had them before a host renamed it; else Missing or Several.

        by: the object that refers to it. Of several that had the name, those renamed like it are meant.
        """
        sought = kind, group, namespace, name
        if sought in self._found:
            return self._found[sought]
        same = self._by_name().get((kind, group, name), {})
        if found := same.get(namespace):
            self._found[sought] = made = found[0] if len(found) == 1 else Several(tuple(found))
            return made
        if renamed := self.renamed(kind, group, namespace, name, by):
            return renamed[0] if len(renamed) == 1 else Several(tuple(renamed))
        self.missed.add(sought)
        near = tuple(items[0] for items in islice(same.values(), _NEAR))
        if self._is_made(sought):
            return Missing(near, own=True)
        return Missing(near, False, name, self.names(kind, group, namespace))

    def renamed(self, kind: str, group: str, namespace: str | None, name: str, by: Item | None = None) -> Sequence[Item]:
        """Return the items that had this kind and name before a host renamed them, in this namespace then or now (None: in any). by: as in `find`."""
        had = self._previously(group).get((kind, name), ())
        exact = [item for item, spaces in had if namespace is None or namespace in spaces]
        found = exact or [item for item, _ in had if item.namespace == namespace]
        return renamed_like(found, by) if by and len(found) > 1 else found

    def names(self, kind: str, group: str, namespace: str) -> Sequence[str]:
        """Return the names of a kind in a namespace, in list order."""
        if self._names is None:
            self._names = {}
            for item in self._items:
                self._names.setdefault((item.kind, item.group, item.namespace), []).append(item.name)
        return self._names.get((kind, group, namespace), ())

    def _is_made(self, identity: tuple[str, str, str, str]) -> bool:
        """Return whether this function generated an object of this kind, group, namespace and name."""
        if self._made is None:
            self._made = {(item.kind, item.group, item.namespace, item.name) for item in self._generated}
        return identity in self._made

    def _by_name(self) -> dict[tuple[str, str, str], dict[str, list[Item]]]:
        """Return the items by kind, group and name, and by namespace; indexed on first use."""
        if self._named is None:
            self._named = {}
            for item in self._items:
                spaces = self._named.setdefault((item.kind, item.group, item.name), {})
                spaces.setdefault(item.namespace, []).append(item)
        return self._named

    def _previously(self, group: str) -> dict[tuple[str, str], list[tuple[Item, set[str]]]]:
        """Return the items of a group by their previous kind and name, with the namespaces that they had then; indexed on first use."""
        if group not in self._renamed:
            found = self._renamed[group] = {}
            for item in self.select(group=group):
                spaces: dict[tuple[str, str], set[str]] = {}
                for kind, space, name in previous(item):
                    spaces.setdefault((kind, name), set()).add(space)
                for key, held in spaces.items():
                    found.setdefault(key, []).append((item, held))
        return self._renamed[group]


_INTERNAL = "internal.config.kubernetes.io/"
_AFFIXES = ("prefixes", "suffixes")


def previous(item: Item) -> set[tuple[str, str, str]]:
    """Return (kind, namespace, name) triples that the item had before, by kustomize's annotations, which write no namespace as `default`."""
    columns = [text.split(",") for text in _history(item, "previousKinds", "previousNamespaces", "previousNames")]
    if not columns[2][0]:
        return set()
    found = set(zip(*columns, strict=False))
    return found | {(kind, "", name) for kind, space, name in found if space == "default"}


def previous_names(item: Item) -> tuple[str, ...]:
    """Return the names of an item, the present one first, then those that it had before, the last one first."""
    names = _history(item, "previousNames")[0].split(",")
    return tuple(dict.fromkeys((item.name, *filter(None, reversed(names)))))


def renamed_like(items: Sequence[Item], by: Item) -> Sequence[Item]:
    """Return those that have got the same prefixes and suffixes as an item, else those that once were in its first namespace; all if there are none."""
    affixes, space = _history(by, *_AFFIXES), _first_namespace(by)
    return (
        [item for item in items if _history(item, *_AFFIXES) == affixes]
        or [item for item in items if _first_namespace(item) == space]
        or items
    )


def _history(item: Item, *keys: str) -> list[str]:
    return [item.reading.annotations.get(_INTERNAL + key, "") for key in keys]


def _first_namespace(item: Item) -> str:
    return _history(item, "previousNamespaces")[0].partition(",")[0] or item.namespace or "default"
