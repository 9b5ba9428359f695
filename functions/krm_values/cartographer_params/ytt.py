"""Templates for ytt: the data values that the program gets, and how its output is read (rules 80 to 83)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._golang import encoding_json
from krm_values._golang.jsonpath.values import UNKNOWN, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue

    Renderer: TypeAlias = Callable[[str, Mapping[str, str]], str]  # the body and the data values as JSON texts; YttError


_BEYOND = 1 << 63


class YttError(Exception):
    """A body that was not rendered. fact: the reason, as a predicate of the body."""

    def __init__(self, fact: str) -> None:
        super().__init__(fact)
        self.fact = fact


def known(context: Mapping[str, GoValue]) -> tuple[dict[str, GoValue], list[str]]:
    """Return a context without the unknown outputs, as at run time before they arrive, and the names of their inputs.

    An input that has not arrived is left out, and so is its short name; a deployment is null.
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
    """Return the object that a ytt body renders: the first document of the program's output.

    context: as `known` returns it, including typed owners, which are passed as JSON. Raises YttError.
    """
    from krm_values._golang.yaml import read  # noqa: PLC0415 - few runs render with ytt

    text = render(body, {key: encoding_json.text(plain(value)) for key, value in context.items()})
    try:
        found = read.read(text, floats=False).data
    except InputError as error:
        raise YttError(f"renders something that is not YAML: {error}") from error
    if not isinstance(found, dict):
        raise YttError(
            f"renders {'nothing' if found is None else 'something that is not an object'}; its first document must be an object"
        )
    return _as_controller(found)


def _as_controller(value: JSON) -> JSON:
    """Return plain data as a controller reads it: a whole number beyond 64 bits becomes a float (rule 75)."""
    if isinstance(value, dict):
        return {key: _as_controller(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_as_controller(below) for below in value]
    return encoding_json.number(value) if isinstance(value, int) and not -_BEYOND <= value < _BEYOND else value
