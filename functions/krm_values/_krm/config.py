"""Reads the functionConfig: the function that it names, and its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, scalars, suggest
from krm_values._data.errors import InputError, UserError
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record, replace
from krm_values._data.scalars import Text
from krm_values._data.shown import described, type_of
from krm_values._krm import names
from krm_values._krm.names import ATTRIBUTE
from krm_values._krm.plan import CONFIG, Finding, Inside, Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item


_TOP = ("apiVersion", "kind", "metadata", "spec")
_DATA = ("apiVersion", "kind", "metadata", "data")
FUNCTION = "function"
"""The key of a ConfigMap that names the function; no field of a config has this name."""
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
    """Return the function that the config names: by its kind, a ConfigMap by the key `function`; "" for no config, or another group."""
    if not isinstance(config, dict):
        return ""
    if is_config_map(config):
        named = get(config, ("data", FUNCTION))
        return "" if isinstance(named, (dict, list)) else scalars.text_of(named)
    if not str(config.get("apiVersion", "")).startswith(names.GROUP + "/"):
        return ""
    return names.argument(str(config.get("kind") or ""))


def is_config_map(config: JSON) -> bool:
    """Return whether the fields of a config are the strings of a ConfigMap."""
    return isinstance(config, dict) and config.get("kind") == "ConfigMap" and config.get("apiVersion") in ("v1", "", None)


def identity(config: JSON) -> tuple[str, str]:
    """Return the name and namespace of a config, "" for what it lacks. The ConfigMap that kpt makes of a `configMap` has neither."""
    metadata = config.get("metadata") if isinstance(config, dict) else None
    if not isinstance(config, dict) or not isinstance(metadata, dict):
        return "", ""
    config_name, namespace = (text if isinstance(text := metadata.get(key), str) else "" for key in ("name", "namespace"))
    return ("", "") if config_name == _KPTS and config.get("kind") == "ConfigMap" else (config_name, namespace)


def read(form: Form, name: str, config: JSON) -> Any:
    """Return the fields of a config of the function `name` as attributes. ConfigError with every mistake."""
    root, spec = ("spec", {}) if is_missing(config) else _spec(form, name, config)
    config_name, mistakes = _name(name, config) if form.named else ("", [])
    value = read_by_schema(form.schema, spec) if not mistakes else None
    if value is not None:
        return _named(form, value, config_name)
    from krm_values._krm.model import validate  # noqa: PLC0415 - pydantic is slow to import

    value, unfit = validate(form.model(), spec)
    if not unfit and not mistakes:
        return _named(form, value, config_name)
    if is_missing(config):
        fields = suggest.several([f"`{path[0]}`" for path, _ in unfit])
        raise ConfigError(Mistake(f"{name} needs a functionConfig with {fields}, for example {_minimal(form, name)}"))
    raise ConfigError(*mistakes, *(Mistake(text, (root, *path)) for path, text in unfit))


def _named(form: Form, value: Any, config_name: str) -> Any:
    """Return the fields of a config, including its name if that identifies it."""
    if not form.named:
        return value
    fields = {part[ATTRIBUTE] for part in form.schema["properties"].values()}
    return Settings({**{one: getattr(value, one) for one in fields}, "config_name": config_name}, value.model_fields_set)


def _name(name: str, config: JSON) -> tuple[str, list[Mistake]]:
    """Return the name of a config, or what is wrong with it. A config without a name gets the function's name."""
    metadata = config.get("metadata") if isinstance(config, dict) else None
    config_name = metadata.get("name") if isinstance(metadata, dict) else None
    if config_name is None or (config_name == _KPTS and isinstance(config, dict) and config.get("kind") == "ConfigMap"):
        return name, []
    if isinstance(config_name, str) and 0 < len(config_name) <= _LONGEST and _NAME.issuperset(config_name):
        return str(config_name), []
    text = f"must be 1 to {_LONGEST} lower-case letters, digits, `-` and `.`, as annotations carry it; found {described(config_name)}"
    return name, [Mistake(text, ("metadata", "name"))]


def _minimal(form: Form, name: str) -> str:
    """Return a valid config, on one line."""
    return f"{{apiVersion: {names.API_VERSION}, kind: {names.kind(name)}, metadata: {{name: {name}}}, spec: {form.minimal}}}"


def no_function(functions: Sequence[str], call: Sequence[str] = ("run",), *, of_resources: bool = False) -> str:
    """Return the message that neither the call nor a config names one of these functions, of which the first is suggested.

    call: the command, and what stands behind the function. of_resources: whether these are the functions that the resources are for.
    """
    command, *files = call
    named = " ".join((command, functions[0], *files))
    listed = ", ".join(functions if of_resources else sorted(functions))
    return (
        f"no functionConfig and no function named; name the function, as in `krm-values {named}`, or give its functionConfig "
        f"(`kind: {names.kind(functions[0])}`); functions{' for these resources' * of_resources}: {listed}"
    )


def unknown_function(config: JSON, functions: Sequence[str]) -> Mistake:
    """Return the mistake of a config that names none of these functions."""
    kind = str(config.get("kind") or "") if isinstance(config, dict) else ""
    kinds = [names.kind(function) for function in functions]
    text = f"must be one of {', '.join(f'`{known}`' for known in kinds)} of `{names.API_VERSION}`"
    if kind != "ConfigMap":
        return Mistake(f"{text}; found {described(kind)}{_near(kind, kinds)}", ("kind",))
    named = get(config, ("data", FUNCTION))
    if named is not None:
        text = f"must be one of {', '.join(functions)}; found {described(named)}"
        return Mistake(text + suggest.hint(str(named), functions), ("data", FUNCTION))
    return Mistake(
        f"{text}; a ConfigMap names one with the key `function`, a call with `krm-values run FUNCTION` or KRM_FUNCTION",
        ("kind",),
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
    if is_config_map(config):
        _check_top(schema, config, _DATA)
        return "data", _from_texts(schema, config.get("data") or {})
    if (api_version, kind) != (names.API_VERSION, names.kind(name)):
        found = f"found {described(api_version)} and {described(kind)}"
        accepted = f"`apiVersion: {names.API_VERSION}`, `kind: {names.kind(name)}`, or a ConfigMap"
        near = suggest.hint(kind, [names.kind(name)]) if kind != names.kind(name) else ""
        raise ConfigError(Mistake(f"must be {accepted}; {found}{near}", ("kind",)))
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
        key: _from_text(key, value, as_text=key not in known or takes_text(schema, key))
        for key, value in data.items()
        if key != FUNCTION or isinstance(value, (dict, list))
    }


def _from_text(key: str, value: JSON, *, as_text: bool) -> JSON:
    if isinstance(value, (dict, list)):
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


# Errors of a functionConfig.


class ConfigError(UserError):
    """All mistakes of a functionConfig, in the order of the fields."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.mistakes = mistakes


@record
class Mistake:
    """One invalid field of a functionConfig. inside: line and column, from 1, in the string that the field holds."""

    text: str
    path: Path = ()
    inside: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"functionConfig `{to_field(self.path)}`: {self.text}" if self.path else self.text


# The place of a functionConfig's fields: in a resource of its own, in a ResourceList, or in the `configMap` of a Kptfile's step.

_TEXTS = "data"


@record
class ConfigPlace:
    """The resource that holds a functionConfig. step: the step of a Kptfile whose `configMap` it is, or that has none."""

    item: Item
    step: Path | None = None

    def mistake(self, mistake: Mistake) -> Finding:
        """Return a mistake of the functionConfig as a finding with its place."""
        path = self._at(mistake.path)
        found = get(self.item.data, path)
        inside = Inside(found, *mistake.inside) if mistake.inside and isinstance(found, str) else None
        is_absent = self.step is not None and get(self.item.data, (*self.step, "configMap")) is None
        text = f"{mistake.text}; add `configPath: FILE` to this step" if is_absent else mistake.text
        return Finding("error", CONFIG, None, text, self.item, path, inside=inside)

    def located(self, finding: Finding) -> Finding:
        """Return a planner's finding with the place of the config if it is about the config; any other unchanged."""
        if finding.config is None:
            return finding
        if finding.item is not None:
            return replace(finding, config=None, at=Origin("functionConfig", None, self.item, self._path(finding.config)))
        shows_field = bool(finding.path)
        return replace(finding, item=self.item, path=self._path(finding.config), config=None if shows_field else finding.config)

    def origin(self, origin: Origin) -> Origin:
        """Return the origin of a value of the functionConfig as one of its resource; any other unchanged."""
        return origin if origin.config is None else replace(origin, item=self.item, path=self._path(origin.config), config=None)

    def _path(self, config: Path) -> Path:
        """Return the path in the resource of a field of the spec."""
        data = self.item.data
        is_texts = self.step is not None or (isinstance(data, dict) and data.get("kind") == "ConfigMap")
        return self._at((_TEXTS if is_texts else "spec", *config))

    def _at(self, path: Path) -> Path:
        """Return a path of the functionConfig as a path of the resource."""
        if self.step is None:
            return path
        return (*self.step, "configMap", *path[1:]) if path[:1] == (_TEXTS,) else self.step


def not_located(finding: Finding) -> Finding:
    """Return a finding where the place of the config is not known: one about an item has the place of that item."""
    return replace(finding, config=None) if finding.item is not None else finding


def nowhere() -> ConfigPlace | None:
    """Return None: the place of the functionConfig is not known, or there is no config."""
    return None


# Reads a functionConfig's `spec` by its JSON Schema, so that a valid config does not need pydantic, which is slow to import.
#
# It knows the keywords that pydantic writes for the models of this package. A value that does not fit, and any other keyword, is left to
# pydantic, which explains every mistake.

_SAYS_NOTHING = {"title", "description", "default", ATTRIBUTE, "$defs", "then", "required"}
_STRINGS = ("type", "enum", "const")
_TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "null": type(None), "array": list, "object": dict}


class UnfitError(ValueError):
    """A value that does not fit the schema, as far as this reader can decide."""


class Settings:
    """The fields of a config as attributes; `model_fields_set` has the given ones, as in pydantic's models."""

    def __init__(self, fields: Mapping[str, Any], given: frozenset[str]) -> None:
        self.__dict__.update(fields, model_fields_set=given)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} is read-only")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


def read_by_schema(schema: Mapping[str, Any], spec: object) -> Settings | None:
    """Return the values of a spec, with the defaults of absent fields; None if pydantic has to decide."""
    try:
        value: Settings = _read(schema, spec, schema.get("$defs", {}))
    except UnfitError:
        return None
    return value


def takes_text(schema: Mapping[str, Any], field: str) -> bool:
    """Return whether the string of a ConfigMap is the value of a field as it is, rather than YAML to be parsed."""
    return _is_text(schema["properties"][field], schema.get("$defs", {}))


def _read(form: Mapping[str, Any], value: Any, shared: Mapping[str, Any]) -> Any:
    """Return a value by a schema. shared: the schemas that `$ref` refers to."""
    if "$ref" in form:
        return _read(shared[form["$ref"].rpartition("/")[2]], value, shared)
    if "anyOf" in form:
        return _only([found for option in form["anyOf"] for found in _tried(option, value, shared)])
    if type(value) is Text and not form.keys().isdisjoint(_STRINGS):
        value = str(value)
    for keyword, wanted in form.items():
        _check(keyword, wanted, value, form)
    if type(value) is dict:
        return _object(form, value, shared)
    if type(value) is list and "items" in form:
        return [_read(form["items"], entry, shared) for entry in value]
    return value


def _check(keyword: str, wanted: Any, value: Any, form: Mapping[str, Any]) -> None:
    """Raise UnfitError where a keyword of a schema refuses a value, or is not known here."""
    match keyword:
        case "type":
            fits = type(value) in [_TYPES.get(name, ...) for name in ([wanted] if isinstance(wanted, str) else wanted)]
        case "enum" | "const":
            fits = type(value) is str and value in ([wanted] if keyword == "const" else wanted)
        case "minProperties" | "maxProperties":
            fits = type(value) is dict and (len(value) >= wanted if keyword == "minProperties" else len(value) <= wanted)
        case "if":
            fits = not _has(wanted, value) or _has(form["then"], value)
        case "properties" | "additionalProperties" | "items":
            fits = True  # read below
        case _:
            fits = keyword in _SAYS_NOTHING
    if not fits:
        raise UnfitError(keyword)


def _object(form: Mapping[str, Any], value: dict[Any, Any], shared: Mapping[str, Any]) -> Any:
    if not all(type(key) is str for key in value):
        raise UnfitError("keys must be strings")
    known = form.get("properties")
    if known is None:
        entries = form.get("additionalProperties")
        return value if not isinstance(entries, dict) else {key: _read(entries, value[key], shared) for key in value}
    if not value.keys() <= known.keys() or not value.keys() >= {*form.get("required", ())}:
        raise UnfitError("a field is unknown or missing")
    fields = {
        part[ATTRIBUTE]: _read(part, value[key], shared) if key in value else data_edits.copy(part.get("default"))
        for key, part in known.items()
    }
    return Settings(fields, frozenset(known[key][ATTRIBUTE] for key in value))


def _tried(form: Mapping[str, Any], value: Any, shared: Mapping[str, Any]) -> Iterator[Any]:
    try:
        yield _read(form, value, shared)
    except UnfitError:
        return


def _only(found: list[Any]) -> Any:
    """Return the value by the one option that it fits; pydantic decides which of several is best."""
    if len(found) != 1:
        raise UnfitError("not a value of exactly one option")
    return found[0]


def _has(form: Mapping[str, Any], value: Any) -> bool:
    """Return whether a map has the constants of a condition."""
    return isinstance(value, dict) and all(
        value.get(key, ...) is part["const"] if key in value else key not in form["required"]
        for key, part in form["properties"].items()
    )


def _is_text(form: Mapping[str, Any], shared: Mapping[str, Any]) -> bool:
    if "$ref" in form:
        return _is_text(shared[form["$ref"].rpartition("/")[2]], shared)
    if "anyOf" in form:
        return any(_is_text(option, shared) for option in form["anyOf"])
    return "string" in form.get("type", ())
