"""Equality of JSON values for `test`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._golang.encoding_json import number_text

if TYPE_CHECKING:
    from krm_values._data.values import JSON


def equal(a: JSON, b: JSON, *, upstream: bool = False) -> bool:
    """Return whether two values are equal as JSON: numbers by value (RFC 6902), upstream by their text.

    Upstream a list that contains null never equals anything: comparing it crashes there.
    """
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(equal(a[key], b[key], upstream=upstream) for key in a)
    if isinstance(a, list):
        if not isinstance(b, list) or len(a) != len(b):
            return False
        return not (upstream and None in a) and all(
            equal(one, other, upstream=upstream) for one, other in zip(a, b, strict=True)
        )
    if isinstance(a, bool) or isinstance(b, bool) or not isinstance(a, int | float) or not isinstance(b, int | float):
        return type(a) is type(b) and a == b
    return number_text(a) == number_text(b) if upstream else a == b
