"""Which objects may be absent, as a functionConfig's `allowMissing` says."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Allowed(Protocol):
        """One entry: without a namespace any namespace is meant; `*` in the name matches any run of characters."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str | None: ...
        @property
        def name(self) -> str: ...


class Allowance:
    """The entries of `allowMissing`: those that name one object by it, those with a star unchanged."""

    __slots__ = ("_exact", "_patterns")

    def __init__(self, entries: Iterable[Allowed]) -> None:
        listed = tuple(entries)
        self._exact = {(entry.kind, entry.namespace, entry.name) for entry in listed}
        patterns = {(entry.kind, entry.namespace, entry.name): entry for entry in listed if "*" in entry.name}
        self._patterns = tuple(patterns.values())

    def allows(self, kind: str, namespace: str, name: str) -> bool:
        """Whether one of the entries names this object."""
        if (kind, namespace, name) in self._exact or (kind, None, name) in self._exact:
            return True
        return any(
            entry.kind == kind and entry.namespace in (None, namespace) and fits(entry.name, name) for entry in self._patterns
        )


def fits(pattern: str, name: str) -> bool:
    """Whether the name has the parts between the stars, in their order; the first and the last at its ends."""
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
