"""Rows of many packages, grouped: what is the same in the same packages is one group."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    _Key: TypeAlias = tuple[int, str]

_FEW = 5
_FIRST = 3


@record
class Group:
    """What packages have in common. packages: their numbers, ascending."""

    packages: tuple[int, ...]
    rows: tuple[dict[str, Any], ...]


class Groups:
    """Takes the rows of packages in whatever order they arrive; the groups do not depend on it."""

    def __init__(self) -> None:
        self._packages: dict[_Key, list[int]] = {}
        self._first: dict[_Key, tuple[int, int]] = {}

    def add(self, package: int, rows: Iterable[dict[str, Any]]) -> None:
        """Take the rows of a package."""
        seen: Counter[str] = Counter()
        for position, row in enumerate(rows):
            text = json.dumps(row, sort_keys=True)
            key = seen[text], text  # a package may have one row twice
            seen[text] += 1
            self._packages.setdefault(key, []).append(package)
            self._first[key] = min(self._first.get(key, (package, position)), (package, position))

    def found(self) -> list[Group]:
        """Return the groups, the largest first; rows in the order of the first package that has them."""
        by_packages: dict[tuple[int, ...], list[_Key]] = {}
        for key, packages in self._packages.items():
            by_packages.setdefault(tuple(sorted(packages)), []).append(key)
        found = [
            Group(packages, tuple(json.loads(text) for _, text in sorted(keys, key=self._first.__getitem__)))
            for packages, keys in by_packages.items()
        ]
        return sorted(found, key=lambda one: (-len(one.packages), one.packages))


def named(packages: Sequence[int], names: Sequence[str], among: Sequence[int], *, all_names: bool) -> str:
    """Return the packages of a group as words: all of few, those that it lacks where they are few, else the first ones. among: all that were asked."""
    own = {*packages}
    count = f"{len(own):,} package{'' if len(own) == 1 else 's'}"
    if all_names or len(own) <= _FEW:
        return f"{count}: {', '.join(names[number] for number in packages)}"
    lacking = [number for number in among if number not in own]
    if not lacking:
        return f"all {count}"
    if len(lacking) <= _FEW:
        return f"{count}, all but {', '.join(names[number] for number in lacking)}"
    first = ", ".join(names[number] for number in packages[:_FIRST])
    return f"{count}: {first} and {len(own) - _FIRST:,} more"
