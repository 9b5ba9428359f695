"""Credentials in plain ConfigMaps, recognized by their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.pointer import to_field
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.layers.embedded import Embedded

_CREDENTIALS = ("password", "passwd", "secret", "token", "apikey", "api_key", "privatekey", "private_key")


def credentials(embedded: Embedded, rule: str) -> Iterator[Finding]:
    """Yield an information, of this rule, that lists the keys of a ConfigMap that are named like credentials."""
    if embedded.item is None or is_secret(embedded.item):
        return
    named = list(_named_so(embedded.values, ()))
    found = [f"`{to_field(path)}` ({embedded.line_shown(embedded.place(path)[0])})" for path in named]
    if found:
        text = f"{', '.join(found)}: looks like a credential; keep it in a Secret"
        inside = embedded.inside(*embedded.place(named[0]))
        yield Finding("info", "credential", rule, text, embedded.item, embedded.path, inside=inside)


def is_credential(name: str) -> bool:
    """Return whether a key is named like one that holds a credential."""
    return name.lower().endswith(_CREDENTIALS)


def _named_so(value: JSON, path: Path) -> Iterator[Path]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        if isinstance(entry, str):
            if entry and isinstance(key, str) and is_credential(key):
                yield (*path, key)
        elif isinstance(entry, dict | list):
            yield from _named_so(entry, (*path, key))
