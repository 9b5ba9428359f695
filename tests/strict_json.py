"""JSON as a strict reader takes it: no key twice in an object, no `NaN` or `Infinity`, nothing that is not UTF-8."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def loads(text: str | bytes) -> Any:
    """Return the data of one document. ValueError for what a strict reader refuses."""
    whole = text if isinstance(text, str) else text.decode("utf-8")
    whole.encode("utf-8")  # no half of a surrogate pair
    return json.loads(whole, object_pairs_hook=_object, parse_constant=_refuse)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice: {[key for key, _ in pairs]}")
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
