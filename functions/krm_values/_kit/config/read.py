"""Reads the functionConfig: the function that it names, and its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._data.scalars import text as scalars
from krm_values._data.shown import described, type_of
from krm_values._kit.config import schema_reader
from krm_values._kit.config.errors import ConfigError, Mistake
from krm_values._kit.planner import names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from krm_values._data.values import JSON

_TOP = ("apiVersion", "kind", "metadata", "spec")
_DATA = ("apiVersion", "kind", "metadata", "data")
_KPTS = "function-input"
_LONGEST = 40
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")


@record
class Form:
    """The fields of a functionConfig: their JSON Schema, and a function that imports the model, which explains mistakes.

    named: whether the config's name identifies it; the fields then include it as `config_name`. minimal: a valid `spec`, for messages.
    """

    schema: Mapping[str, Any]
    model: Callable[[], Any]
    named: bool = False
    minimal: str = "{}"


def is_missing(config: JSON) -> bool:
    """Return whether there is no config: None, `{}`, or the empty ConfigMap that kpt sends instead."""
    if not isinstance(config, dict) or not config:
        return config is None or config == {}
    metadata = config.get("metadata")
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return config.get("kind") == "ConfigMap" and name == _KPTS and not config.get("data")


def function_name(config: JSON) -> str:
    """Return the function whose kind the config has; "" for a ConfigMap, no config, or another group."""
    if not isinstance(config, dict) or not str(config.get("apiVersion", "")).startswith(names.GROUP + "/"):
        return ""
    return names.argument(str(config.get("kind") or ""))


def read(form: Form, name: str, config: JSON) -> Any:
    """Return the fields of a config of the function `name` as attributes. ConfigError with every mistake."""
    root, spec = ("spec", {}) if is_missing(config) else _spec(form, name, config)
    called, mistakes = _name(name, config) if form.named else ("", [])
    value = schema_reader.read(form.schema, spec) if not mistakes else None
    if value is not None:
        return _named(form, value, called)
    from krm_values._kit.config.model import validate  # noqa: PLC0415 - pydantic is slow to import

    value, unfit = validate(form.model(), spec)
    if not unfit and not mistakes:
        return _named(form, value, called)
    if is_missing(config):
        fields = suggest.several([f"`{path[0]}`" for path, _ in unfit])
        raise ConfigError(Mistake(f"{name} needs a functionConfig with {fields}, for example {_minimal(form, name)}"))
    raise ConfigError(*mistakes, *(Mistake(text, (root, *path)) for path, text in unfit))


def _named(form: Form, value: Any, called: str) -> Any:
    """Return the fields of a config, including its name if that identifies it."""
    if not form.named:
        return value
    fields = {part[schema_reader.ATTRIBUTE] for part in form.schema["properties"].values()}
    return schema_reader.Settings(
        {**{one: getattr(value, one) for one in fields}, "config_name": called}, value.model_fields_set
    )


def _name(name: str, config: JSON) -> tuple[str, list[Mistake]]:
    """Return the name of a config, or what is wrong with it. A config without a name gets the function's name."""
    metadata = config.get("metadata") if isinstance(config, dict) else None
    called = metadata.get("name") if isinstance(metadata, dict) else None
    if called is None or (called == _KPTS and isinstance(config, dict) and config.get("kind") == "ConfigMap"):
        return name, []
    if isinstance(called, str) and 0 < len(called) <= _LONGEST and _NAME.issuperset(called):
        return str(called), []
    text = (
        f"must be 1 to {_LONGEST} lower-case letters, digits, `-` and `.`, as annotations carry it; found {described(called)}"
    )
    return name, [Mistake(text, ("metadata", "name"))]


def _minimal(form: Form, name: str) -> str:
    """Return a valid config, on one line."""
    return f"{{apiVersion: {names.API_VERSION}, kind: {names.kind(name)}, metadata: {{name: {name}}}, spec: {form.minimal}}}"


def no_function(functions: list[str]) -> str:
    """Return the message that neither the call nor a config names one of these functions."""
    last = functions[-1]
    return (
        f"no functionConfig and no function named; name the function, as in `krm-values run {last}`, "
        f"or give its functionConfig (`kind: {names.kind(last)}`); functions: {', '.join(functions)}"
    )


def unknown_kind(config: JSON, functions: list[str]) -> str:
    """Return the message for a config whose kind names none of these functions."""
    kind = str(config.get("kind") or "") if isinstance(config, dict) else ""
    kinds = [names.kind(function) for function in functions]
    text = f"must be one of {', '.join(f'`{known}`' for known in kinds)} of `{names.API_VERSION}`"
    if kind != "ConfigMap":
        return f"{text}; found {described(kind)}{_near(kind, kinds)}"
    return (
        f"{text}; a ConfigMap names no function: call `krm-values run FUNCTION` or set KRM_FUNCTION "
        "(in an image: build it with --build-arg FUNCTION=...)"
    )


def _near(kind: str, kinds: list[str]) -> str:
    """Return the nearest kind of a functionConfig, and its function."""
    near = suggest.nearest(kind, kinds)
    return f"; did you mean `{near}`, the functionConfig of `{names.argument(near)}`?" if near else ""


def _spec(form: Form, name: str, config: JSON) -> tuple[str, object]:
    schema = form.schema
    if not isinstance(config, dict):
        raise ConfigError(Mistake(f"functionConfig must be a map; found {type_of(config)}; for example {_minimal(form, name)}"))
    api_version, kind = str(config.get("apiVersion") or ""), str(config.get("kind") or "")
    if kind == "ConfigMap" and api_version in ("v1", ""):
        _check_top(schema, config, _DATA)
        return "data", _from_texts(schema, config.get("data") or {})
    if (api_version, kind) != (names.API_VERSION, names.kind(name)):
        found = f"found {described(api_version)} and {described(kind)}"
        accepted = f"`apiVersion: {names.API_VERSION}`, `kind: {names.kind(name)}`, or a ConfigMap"
        raise ConfigError(Mistake(f"must be {accepted}; {found}", ("kind",)))
    _check_top(schema, config, _TOP)
    spec = config.get("spec")
    return "spec", {} if spec is None else spec


def _check_top(schema: Mapping[str, Any], config: dict[str, JSON], known: tuple[str, ...]) -> None:
    mistakes = []
    for key in config:
        if key in schema["properties"]:
            mistakes.append(Mistake(f"must be below `{known[-1]}`: `{known[-1]}.{key}`", (key,)))
        elif key not in known:
            listed = ", ".join(f"`{name}`" for name in known)
            mistakes.append(Mistake(f"must be one of {listed}{suggest.hint(key, known)}", (key,)))
    if mistakes:
        raise ConfigError(*mistakes)


def _from_texts(schema: Mapping[str, Any], data: JSON) -> JSON:
    """Convert a ConfigMap's data to the fields of a schema: text fields as written, all others parsed as YAML."""
    if not isinstance(data, dict):
        raise ConfigError(Mistake(f"must be a map of strings; found {described(data)}", ("data",)))
    known = schema["properties"]
    return {
        key: _from_text(key, value, as_text=key not in known or schema_reader.takes_text(schema, key))
        for key, value in data.items()
    }


def _from_text(key: str, value: JSON, *, as_text: bool) -> JSON:
    if isinstance(value, dict | list):
        fault = f"must be a string in a ConfigMap, found {described(value)}: write nested values as YAML text (`|`)"
        raise ConfigError(Mistake(fault, ("data", key)))
    text = scalars.text_of(value)
    if as_text:
        return text
    from krm_values._yaml import decode  # noqa: PLC0415 - only where something is nested

    try:
        return decode.to_data(decode.parse(text + "\n"))
    except InputError as error:
        inside = (error.line, error.column) if error.line else None
        raise ConfigError(Mistake(f"must be YAML text: {error.message}", ("data", key), inside)) from None
