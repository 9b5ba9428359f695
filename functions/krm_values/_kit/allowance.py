"""Which objects may be absent, as a functionConfig's `allowMissing` says."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class Allowed(Protocol):
        """One entry: without a namespace any namespace is meant; `*` in the name stands for any run of characters."""

        @property
        def kind(self) -> str: ...
        @property
        def namespace(self) -> str | None: ...
        @property
        def name(self) -> str: ...


def allows(entries: Iterable[Allowed], kind: str, namespace: str, name: str) -> bool:
    """Whether one of the entries names this object."""
    return any(
        entry.kind == kind and entry.namespace in (None, namespace) and _pattern(entry.name).fullmatch(name)
        for entry in entries
    )


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL)
