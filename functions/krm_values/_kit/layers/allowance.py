"""The objects that may be absent, as a functionConfig's `allowMissing` lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Allowed(Protocol):
        """One entry: without a namespace it matches any; `*` in the name matches any run of characters."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str | None: ...
        @property
        def name(self) -> str: ...


class Allowance:
    """The entries of `allowMissing`, indexed by name; those with a star are matched one by one."""

    __slots__ = ("_exact", "_patterns")

    def __init__(self, entries: Iterable[Allowed]) -> None:
        listed = tuple(entries)
        self._exact = {(entry.kind, entry.namespace, entry.name) for entry in listed}
        patterns = {(entry.kind, entry.namespace, entry.name): entry for entry in listed if "*" in entry.name}
        self._patterns = tuple(patterns.values())

    def allows(self, kind: str, namespace: str, name: str) -> bool:
        """Return whether an entry matches this object."""
        if (kind, namespace, name) in self._exact or (kind, None, name) in self._exact:
            return True
        return any(
            entry.kind == kind and entry.namespace in (None, namespace) and fits(entry.name, name) for entry in self._patterns
        )


def fits(pattern: str, name: str) -> bool:
    """Return whether the name has the parts between the stars, in order; the first and the last at its ends."""
    first, *parts = pattern.split("*")
    if not parts:
        return name == pattern
    *middle, last = parts
    if len(first) + len(last) > len(name) or not (name.startswith(first) and name.endswith(last)):
        return False
    at, end = len(first), len(name) - len(last)
    for part in middle:
        at = name.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
