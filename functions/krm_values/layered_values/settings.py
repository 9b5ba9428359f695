"""The functionConfig with its paths and selectors parsed, checked across its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._krm.plan import CONFIG
from krm_values._run.traced import ByKey
from krm_values.layered_values import paths
from krm_values.layered_values.parts import Piece
from krm_values.layered_values.paths import PathError
from krm_values.layered_values.selectors import Source, selector_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._krm.findings import Report
    from krm_values._run.traced import Strategy
    from krm_values.layered_values.parts import Part
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.selectors import Selector

_KINDS = {"config_map": "ConfigMap", "secret": "Secret", "from_": "from", "values": "values"}
_OF_OBJECTS = ("key", "value", "as_")
_OF_SELECTED = ("api_version", "kind", "name", "labels", "fields", "missing", "optional")
_WRITTEN = {"config_map": "configMap", "from_": "from", "as_": "as", "api_version": "apiVersion"}


@record
class Settings:
    """The whole config, as far as it is usable."""

    layers: tuple[Layer, ...]
    targets: tuple[Target | Object, ...]
    merge: tuple[tuple[Segments, Strategy, str], ...]
    schema: Source | None


@record
class Layer:
    """A layer of the config. number: its place in the list. name: "" if it is called by its object's name."""

    number: int
    source: Source
    into: Path
    is_placed: bool
    part: Part | None
    name: str
    priority: int
    optional: bool
    when: Selector | None


@record
class PartValue:
    """A value for a field: the path of the value, the part of the field that it sets, and its form."""

    value: Path
    text: str
    part: Part | None = None
    form: str | None = None
    missing: str = "error"
    optional: bool = False


@record
class Field:
    """A field to write: its path, as segments and as written, and its entries: one, or several with parts."""

    at: Path
    path: Segments
    text: str
    entries: tuple[PartValue, ...]


@record
class Target:
    """Fields of selected resources."""

    number: int
    selector: Selector
    fields: tuple[Field, ...]
    optional: bool
    allows_secrets: bool


@record
class Object:
    """A data key of a generated object. form: `yaml`, `json`, or "" if the key's suffix decides."""

    number: int
    kind: str
    namespace: str
    name: str
    key: str
    value: Path
    text: str
    form: str
    allows_secrets: bool


def read(config: Any, report: Report) -> Settings:
    """Parse the paths and selectors of a config, and check what its schema cannot express."""
    return _Reader(report).settings(config)


class _Reader:
    __slots__ = ("_report",)

    def __init__(self, report: Report) -> None:
        self._report = report

    def settings(self, config: Any) -> Settings:
        for name in ("layers", "targets"):
            if not getattr(config, name):
                self._say("1", (name,), f"`{name}`: must have at least one entry")
        layers = tuple(self._layer(number, one) for number, one in enumerate(config.layers))
        targets = tuple(self._target(number, one) for number, one in enumerate(config.targets))
        return Settings(layers, targets, self._merge(config.merge), self._schema(config))

    def _say(self, rule: str, at: Path, text: str, kind: str = CONFIG) -> None:
        self._report.error(kind, rule, text, config=at)

    def _path(self, text: str, at: Path, read: Callable[[str], Any]) -> Any:
        """Return a path of the config, or () if it cannot be parsed."""
        try:
            return read(text)
        except PathError as error:
            self._say("60", at, f"`{text}` {error.message}", "path")
            return ()

    def _layer(self, number: int, one: Any) -> Layer:
        at: Path = ("layers", number)
        source = self._source(one, at, "10")
        when = None if one.when is None else selector_of(one.when)
        if when is not None and when.is_empty:
            self._say("20", (*at, "when"), f"`layers[{number}].when`: must have at least one field")
        name = one.name or ("values" if source.kind == "values" else source.name)
        if one.part is not None and one.at is None:
            self._say("24", at, f"`layers[{number}]`: `part` needs `at`, since a piece of a string is not a map of values")
        into = () if one.at is None else self._path(one.at, (*at, "at"), paths.key_path)
        part = self._part(one.part, (*at, "part"))
        return Layer(number, source, into, bool(into), part, name, one.priority, one.optional, when)

    def _source(self, one: Any, at: Path, rule: str) -> Source:
        given = [name for name in _KINDS if getattr(one, name, None) is not None]
        label = _label(at)
        if len(given) != 1:
            listed = (
                "`configMap`, `secret`, `from` and `values`" if hasattr(one, "values") else "`configMap`, `secret` and `from`"
            )
            found = " and ".join(f"`{_written(name)}`" for name in given) or "none"
            self._say(rule, at, f"`{label}`: must have exactly one of {listed}; found {found}")
        field = given[0] if given else "values"
        kind = _KINDS[field]
        value: Any = getattr(one, field, None)
        for name in ("namespace", "key"):
            if getattr(one, name) is not None and kind not in ("ConfigMap", "Secret"):
                self._say(rule, (*at, name), f"`{label}.{name}`: is for `configMap` and `secret` only")
        path = one.path or ""
        if path and kind == "values":
            self._say(rule, (*at, "path"), f"`{label}`: `path` is not for `values`")
        segments = self._path(path, (*at, "path"), paths.source_path) if path else ()
        name = value if isinstance(value, str) else ""
        selector = selector_of(value) if kind == "from" else None
        if kind == "from" and value.kind is None:
            self._say("14", (*at, "from"), f"`{label}`: `from` must have a `kind`")
        values = value if kind == "values" else None
        return Source(at, kind, name, one.namespace, one.key, selector, values, segments, path)

    def _part(self, part: Any, at: Path) -> Part | None:
        if part is None or isinstance(part, str):
            return part
        if part.index < 0:
            self._say("81", at, f"`{_label(at)}`: `index` counts from 0 and must not be negative; found {part.index}")
        if not part.split:
            self._say("81", at, f"`{_label(at)}`: `split` must not be empty")
        return Piece(part.split or "\0", max(part.index, 0))

    def _target(self, number: int, one: Any) -> Target | Object:
        at: Path = ("targets", number)
        generated = [name for name in ("config_map", "secret") if getattr(one, name) is not None]
        if len(generated) == 2:
            self._say("64", at, f"`targets[{number}]`: must have one of `configMap` and `secret`, found both")
        if generated:
            return self._object(number, one, generated[0])
        for name in _OF_OBJECTS:
            if getattr(one, name) is not None:
                self._say("64", (*at, _written(name)), f"`targets[{number}].{_written(name)}`: is for a generated object only")
        selector = selector_of(one)
        if selector.is_empty:
            must = "must name what it writes: `configMap` or `secret`, or at least one field of a selector"
            self._say("61", at, f"`targets[{number}]`: {must}")
        if not one.fields:
            self._say("64", at, f"`targets[{number}]`: must have `fields`")
        fields = tuple(self._field((*at, "fields", text), text, entry, one) for text, entry in (one.fields or {}).items())
        return Target(number, selector, fields, one.optional, one.allow_secrets)

    def _object(self, number: int, one: Any, source: str) -> Object:
        at: Path = ("targets", number)
        for name in _OF_SELECTED:
            if getattr(one, name) not in (None, False):
                text = f"`targets[{number}].{_written(name)}`: is for selected resources, not for a generated object"
                self._say("64", (*at, _written(name)), text)
        text = one.value or paths.WHOLE
        value = self._path(text, (*at, "value"), paths.value_path)
        key = "values.yaml" if one.key is None else one.key
        name = getattr(one, source)
        return Object(number, _KINDS[source], one.namespace or "", name, key, value, text, one.as_ or "", one.allow_secrets)

    def _field(self, at: Path, text: str, given: Any, target: Any) -> Field:
        path = self._path(text, at, paths.field_path)
        entries = given if isinstance(given, list) else [given]
        found = tuple(self._entry(one, at, target.missing or "error") for one in entries)
        if isinstance(given, list):
            self._check_parts(found, at, text)
        return Field(at, path, text, found)

    def _entry(self, given: Any, at: Path, missing: str) -> PartValue:
        if isinstance(given, str):
            return PartValue(self._path(given, at, paths.value_path), given, missing=missing)
        value, part = self._path(given.value, at, paths.value_path), self._part(given.part, at)
        if part is not None and given.as_ is not None:
            self._say("82", at, f"`{at[-1]}`: `part` and `as` cannot be used together")
        if part is not None and given.missing == "create":
            self._say("82", at, f"`{at[-1]}`: a part of a field that is absent cannot be created")
        is_made = part is None or missing != "create"
        return PartValue(
            value, given.value, part, given.as_, given.missing or (missing if is_made else "error"), given.optional
        )

    def _check_parts(self, entries: tuple[PartValue, ...], at: Path, text: str) -> None:
        """Check that a list has parts, all of one kind, each once."""
        parts = [entry.part for entry in entries]
        if not parts or any(part is None for part in parts):
            self._say("82", at, f"`{text}`: each entry of a list must have a `part`")
            return
        names = [part for part in parts if isinstance(part, str)]
        pieces = [part for part in parts if isinstance(part, Piece)]
        is_one_kind = not (names and pieces) and len({piece.split for piece in pieces}) < 2
        if not is_one_kind or len(set(map(repr, parts))) < len(parts):
            self._say("82", at, f"`{text}`: parts must be of one kind, each once")
        if "name" in names and {"registry", "repository"} & set(names):
            self._say("82", at, f"`{text}`: `name` is registry and repository; write either it or them")

    def _merge(self, entries: dict[str, Any]) -> tuple[tuple[Segments, Strategy, str], ...]:
        found: list[tuple[Segments, Strategy, str]] = []
        for text, strategy in entries.items():
            if path := self._path(text, ("merge", text), paths.strategy_path):
                found.append((path, strategy if isinstance(strategy, str) else ByKey(strategy.by), text))
        return tuple(found)

    def _schema(self, config: Any) -> Source | None:
        if config.schema_from is None:
            return None
        if config.schema_ is not None:
            self._say("58", ("schemaFrom",), "`schemaFrom`: must not be beside `schema`: keep one of them")
        return self._source(config.schema_from, ("schemaFrom",), "58")


def _label(at: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).lstrip(".")


def _written(name: str) -> str:
    return _WRITTEN.get(name, name)
