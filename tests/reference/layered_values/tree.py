"""Values whose every part knows its layer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.reference.layered_values.scalars import Plain

Json = Any
REFERENCE = "$value"


@dataclass(frozen=True)
class Value:
    """A map of Values, a list of Values or a scalar; `literal`: never a reference [14]."""

    data: Json
    layer: str
    secret: bool = False
    literal: bool = False

    @property
    def reference(self) -> bool:
        """Whether it is a reference [50]."""
        return isinstance(self.data, dict) and REFERENCE in self.data and not self.literal

    @property
    def sort(self) -> str:
        """How it merges: a reference is a scalar."""
        if self.reference:
            return "scalar"
        return "map" if isinstance(self.data, dict) else "list" if isinstance(self.data, list) else "scalar"


def tree(data: Json, layer: str, *, secret: bool, literal: bool) -> Value:
    """Data as one layer has it."""
    if isinstance(data, dict):
        data = {key: tree(member, layer, secret=secret, literal=literal) for key, member in data.items()}
    elif isinstance(data, list):
        data = [tree(member, layer, secret=secret, literal=literal) for member in data]
    return Value(data, layer, secret, literal)


def plain(value: Value) -> Json:
    """The data without the layers."""
    if isinstance(value.data, dict):
        return {key: plain(member) for key, member in value.data.items()}
    return [plain(member) for member in value.data] if isinstance(value.data, list) else value.data


def secret(value: Value) -> bool:
    """Whether any leaf is a Secret's [110]."""
    if value.data and isinstance(value.data, dict):
        return any(map(secret, value.data.values()))
    if value.data and isinstance(value.data, list):
        return any(map(secret, value.data))
    return value.secret


def same(one: Json, other: Json) -> bool:
    """Equal as data: a boolean is not a number, a text is not a number."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def text_of(value: Json) -> str:
    """A scalar as text, for comparing names [47]."""
    if not isinstance(value, Plain):
        return str(value)
    return str(value.value).lower() if value.boolean else str(value.value)
