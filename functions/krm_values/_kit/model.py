"""The base of every functionConfig: a class with annotated fields, whose good values are read without pydantic, which is slow to import.

Of what is not known here, and of whatever does not fit, `modelcheck` has pydantic decide.
"""

from __future__ import annotations

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from krm_values._kit import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self, TypeVar

    M = TypeVar("M", bound="Model")

__all__ = ["Field", "Model", "aliases", "field_validator", "fitting", "model_validator", "takes_text"]

_KNOWN = {"alias", "description", "json_schema_extra"}
_SCALARS = (str, bool, int, type(None))


class UnfitError(ValueError):
    """Not a value of the model, as far as can be told here."""


class Given:
    """What a model says of a field beside its annotation: the default (`...` for none), and pydantic's settings."""

    __slots__ = ("default", "settings")

    def __init__(self, default: Any, settings: Mapping[str, Any]) -> None:
        self.default, self.settings = default, settings


class Check:
    """A validator: its kind by pydantic's name, its mode, the fields it is for, and the function or class method."""

    __slots__ = ("fields", "function", "kind", "mode")

    def __init__(self, kind: str, mode: str, fields: tuple[str, ...], function: Any) -> None:
        self.kind, self.mode, self.fields, self.function = kind, mode, fields, function


def Field(default: Any = ..., **settings: Any) -> Any:  # noqa: N802 - pydantic's name
    """A field's default and settings, as pydantic's `Field` takes them."""
    return Given(default, settings)


def model_validator(*, mode: str) -> Callable[[Any], Any]:
    """As pydantic's. Known here is `mode="after"`: once all fields are read."""
    return lambda function: Check("model_validator", mode, (), function)


def field_validator(*fields: str, mode: str = "after") -> Callable[[Any], Any]:
    """As pydantic's. Known here is `mode="before"`: what it returns is read."""
    return lambda function: Check("field_validator", mode, fields, function)


class Model:
    """The `spec` of a functionConfig: strict types, camelCase names, unknown fields refused, read-only."""

    if TYPE_CHECKING:
        model_settings: Mapping[str, Any]  # pydantic's, of the class
        model_declared: tuple[Declared, ...]  # its fields, once they were asked for
        model_fields_set: frozenset[str]  # the fields that were given

    def __init_subclass__(cls, **settings: Any) -> None:
        cls.model_settings = settings

    def __init__(self, /, **spec: Any) -> None:
        """The fields by the names that users write. ValueError if they do not fit."""
        fields = declared(type(self))
        if not spec.keys() <= {field.alias for field in fields}:
            raise UnfitError(f"{type(self).__name__} has no such field")
        self.__dict__["model_fields_set"] = frozenset(field.name for field in fields if field.alias in spec)
        for field in fields:
            self.__dict__[field.name] = field.read(spec)
        for check in _checks(type(self), "model_validator"):
            if check.mode != "after":
                raise UnfitError(f"{type(self).__name__} has a validator that only pydantic knows")
            check.function(self)

    @classmethod
    def model_validate(cls, spec: Mapping[str, Any]) -> Self:
        """The value of plain data."""
        return cls(**spec)

    def model_dump(self) -> dict[str, Any]:
        """Plain data, by the names of the attributes."""
        return {field.name: _dumped(getattr(self, field.name)) for field in declared(type(self))}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and type(self) is type(other) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash(repr(self))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is read-only")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.model_dump().items())})"


class Declared:
    """One field of a model: `name` in the code, `alias` to users, and what its annotation means (`kind`)."""

    __slots__ = ("alias", "checks", "given", "kind", "model", "name")

    def __init__(self, model: type[Model], name: str, kind: Any) -> None:
        default = vars(model).get(name, ...)
        self.model, self.name, self.kind = model, name, kind
        self.given = default if isinstance(default, Given) else Given(default, {})
        self.alias: str = self.given.settings.get("alias") or _camel(name)
        self.checks = [check for check in _checks(model, "field_validator") if name in check.fields]

    def read(self, spec: Mapping[str, Any]) -> Any:
        """The field's value in a spec, or its default."""
        if not self.given.settings.keys() <= _KNOWN or [check.mode for check in self.checks] not in ([], ["before"]):
            raise UnfitError(f"`{self.name}` is declared in a way that only pydantic knows")
        if self.alias in spec:
            value = spec[self.alias]
            for check in self.checks:
                value = check.function.__get__(None, self.model)(value)
            return _read(self.kind, value)
        if self.given.default is ...:
            raise UnfitError(f"`{self.alias}` must be given")
        return plain.copy(self.given.default)


def declared(model: type[Model]) -> tuple[Declared, ...]:
    """The fields of a model, in order."""
    if "model_declared" not in vars(model):
        kinds = get_type_hints(model)
        model.model_declared = tuple(Declared(model, name, kinds[name]) for name in model.__annotations__)
    return model.model_declared


def aliases(model: type[Model]) -> list[str]:
    """The names of a model's fields as users write them."""
    return [field.alias for field in declared(model)]


def fitting(model: type[M], spec: object) -> M | None:
    """The model's value; None if pydantic must be asked."""
    try:
        return _read(model, spec)  # type: ignore[no-any-return]
    except ValueError:
        return None


def takes_text(model: type[Model], alias: str) -> bool:
    """Whether a ConfigMap's text is this field's value as it stands, rather than YAML to be read."""
    (field,) = (field for field in declared(model) if field.alias == alias)
    kinds = field.given.settings.get("json_schema_extra", {}).get("type")
    return "string" in kinds if kinds else _is_text(field.kind)


def _read(kind: Any, value: Any) -> Any:
    """The value as this kind has it; UnfitError if it is none, or the kind is not known here."""
    found, origin, parts = type(value), get_origin(kind), get_args(kind)
    if kind is Any or (found is kind and kind in _SCALARS) or (origin is Literal and found is str and value in parts):
        return value
    if found is list and origin is list:
        return [_read(parts[0], item) for item in value]
    if found is dict and origin is dict and parts[0] is str:
        return {_read(str, key): _read(parts[1], item) for key, item in value.items()}
    if found is dict and isinstance(kind, type) and issubclass(kind, Model) and all(type(key) is str for key in value):
        return kind(**value)
    if origin in (Union, UnionType):
        return _only([_tried(part, value) for part in parts])
    raise UnfitError(f"{value!r} is no {kind}")


def _tried(kind: Any, value: Any) -> list[Any]:
    try:
        return [_read(kind, value)]
    except UnfitError:
        return []


def _only(found: list[list[Any]]) -> Any:
    """The value of the one part of a union that it fits; pydantic knows which of several is the best."""
    values = [value for part in found for value in part]
    if len(values) != 1:
        raise UnfitError("not a value of exactly one part")
    return values[0]


def _checks(model: type[Model], kind: str) -> list[Check]:
    return [check for check in vars(model).values() if isinstance(check, Check) and check.kind == kind]


def _is_text(kind: Any) -> bool:
    parts = get_args(kind)
    if get_origin(kind) is Literal:
        return all(isinstance(part, str) for part in parts)
    return kind is str or (get_origin(kind) in (Union, UnionType) and all(map(_is_text, parts)))


def _dumped(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _dumped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_dumped(item) for item in value]
    return value.model_dump() if isinstance(value, Model) else value


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))
