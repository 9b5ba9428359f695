"""Our answer beside Go's."""

from __future__ import annotations

from krm_values._data.errors import InputError
from krm_values._go import yaml
from tests.oracles.go import ask

RANDOM = "Go takes either"


def differences(texts: list[str]) -> list[str]:
    """What differs, one line each: the text, Go's answer, ours."""
    found = []
    for text, answer in zip(texts, ask("goyaml", list(texts)), strict=True):
        if line := difference(text, answer):
            found.append(f"{text!r}: {line}")
    return found


def difference(text: str, answer: dict[str, object]) -> str:
    """Empty if we read the text as Go does; two keys of one text, where Go's answer is random, must be refused."""
    for floats in (False, True):
        try:
            data = yaml.read(text, floats=floats).data
        except InputError as error:
            if "error" in answer or RANDOM in error.message:
                continue
            return f"Go reads {answer['json']!r}, we say {error}"
        if "error" in answer:
            return f"Go says {answer['error']}, we read {data!r}"
        expected = as_floats(answer["json"]) if floats else answer["json"]
        if not alike(as_floats(data) if floats else data, expected):
            return f"Go reads {expected!r}, we read {data!r}"
    return ""


def alike(ours: object, gos: object) -> bool:
    """Equal, and of one JSON type."""
    if isinstance(ours, dict) and isinstance(gos, dict):
        return ours.keys() == gos.keys() and all(alike(ours[key], gos[key]) for key in ours)
    if isinstance(ours, list) and isinstance(gos, list):
        return len(ours) == len(gos) and all(map(alike, ours, gos))
    return ours == gos and isinstance(ours, bool) == isinstance(gos, bool)


def as_floats(value: object) -> object:
    """The numbers as 64-bit floats."""
    if isinstance(value, dict):
        return {key: as_floats(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value
