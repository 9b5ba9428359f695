"""What is written where something else was: the field's type wins [71-77]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.reference.layered_values.faults import Stop
from tests.reference.layered_values.layers import document_in
from tests.reference.layered_values.paths import ABSENT, By
from tests.reference.layered_values.scalars import Plain, core

Json = Any
TEXT_MAPS = ("labels", "annotations", "matchLabels", "nodeSelector")
OWN_TYPE = ("port", "targetPort", "maxSurge", "maxUnavailable", "minAvailable")


@dataclass(frozen=True)
class Text:
    """A text of which only what it means is compared."""

    data: Json


def always_text(item: Json, at: tuple[Json, ...]) -> bool:
    """Whether Kubernetes takes only texts at a place [72]."""
    if len(at) == 2 and at[0] in ("data", "stringData") and item["kind"] in ("ConfigMap", "Secret"):
        return True
    if len(at) >= 2 and at[-2] in TEXT_MAPS:
        return True
    lists = ("env", "parameters") if item["kind"] == "Application" else ("env",)
    return len(at) >= 3 and at[-1] == "value" and isinstance(at[-2], (int, By)) and at[-3] in lists


def as_text(value: Json) -> str:
    """A scalar as text [71, 73]."""
    if isinstance(value, Plain):
        if not value.keeps_spelling:
            raise Stop("spelling")
        return value.text
    if not isinstance(value, str):
        raise Stop("type")
    return value


def converted(item: Json, at: tuple[Json, ...], old: Json, value: Json, wanted: str | None, *, inside: bool) -> Json:
    """The value as the field takes it; `wanted` is `as` [75]; the fields of 72 and 74 are those of Kubernetes, not of a text."""
    if wanted in ("yaml", "json"):
        return Text(value)
    if wanted:
        return _forced(value, wanted)
    if not inside and always_text(item, at):
        return as_text(value)
    if not inside and at[-1] in OWN_TYPE:
        number = core(value) if isinstance(value, str) and isinstance(old, Plain) and not old.boolean else None
        return number if isinstance(number, Plain) and not number.boolean else value
    if old is ABSENT or old is None:
        return value
    if isinstance(old, str):
        return as_text(value)
    if isinstance(old, Plain):
        return _like(value, boolean=old.boolean)
    if isinstance(value, str):
        value = _read(value)
    if type(value) is not type(old):
        raise Stop("type")
    return value


def _read(text: str) -> Json:
    try:
        return document_in(text)
    except Stop as stop:
        raise Stop("type") from stop


def _like(value: Json, *, boolean: bool) -> Json:
    found = core(value) if isinstance(value, str) else value
    if not isinstance(found, Plain) or found.boolean != boolean:
        raise Stop("type")
    return found


def _forced(value: Json, wanted: str) -> Json:
    if wanted == "text":
        return as_text(value)
    return _like(value, boolean=wanted == "boolean")
