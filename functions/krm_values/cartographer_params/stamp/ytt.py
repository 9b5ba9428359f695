"""Templates that are written for ytt: what is handed to the program, and what is read of its answer (rules 80 to 83)."""

from __future__ import annotations

from krm_values._data.errors import InputError
from krm_values._golang import encoding_json
from krm_values._golang.jsonpath.values import UNKNOWN, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue

    Renderer: TypeAlias = Callable[[str, Mapping[str, str]], str]  # the body and the data values as JSON texts; YttError


_BEYOND = 1 << 63


class YttError(Exception):
    """A body that was not rendered. fact: why, about the body."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact


def known(context: Mapping[str, GoValue]) -> tuple[dict[str, GoValue], list[str]]:
    """A context as it is at run time while some outputs are not there yet, and the inputs that these belong to.

    An input that has not arrived is left out, and so is its alias; a deployment is null.
    """
    found: dict[str, GoValue] = {}
    missing = []
    for key, value in context.items():
        if key == "deployment" and value is UNKNOWN:
            found[key] = None
            missing.append(key)
        elif isinstance(value, dict):
            found[key] = {name: below for name, below in value.items() if below is not UNKNOWN}
            missing += [f"{key}.{name}" for name in value if name not in found[key]]
        elif value is not UNKNOWN:
            found[key] = value
    return found, missing


def rendered(body: str, context: Mapping[str, GoValue], render: Renderer) -> JSON:
    """The object that a ytt body renders to: the first document of what the program writes.

    context: what `known` gives, typed owners included, which are handed over as JSON. YttError.
    """
    from krm_values._golang.yaml import read  # noqa: PLC0415 - few runs render with ytt

    text = render(body, {key: encoding_json.text(plain(value)) for key, value in context.items()})
    try:
        found = read.read(text, floats=False).data
    except InputError as error:
        raise YttError(f"renders to what is no YAML: {error}") from error
    if not isinstance(found, dict):
        raise YttError(f"renders to {'nothing' if found is None else 'what is no object'}; its first document must be one")
    return _held(found)


def _held(value: JSON) -> JSON:
    """Plain data as a controller holds it: a whole number that takes more than 64 bits with its sign is a float there (rule 75)."""
    if isinstance(value, dict):
        return {key: _held(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_held(below) for below in value]
    return encoding_json.number(value) if isinstance(value, int) and not -_BEYOND <= value < _BEYOND else value
