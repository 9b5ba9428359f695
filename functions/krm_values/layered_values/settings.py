"""Parses the paths and selectors of the functionConfig, and checks it across its fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import CONFIG
from krm_values._kit.planner.report import Report
from krm_values.layered_values import paths, selectors
from krm_values.layered_values.parsed import ByKey, Entry, Field, Layer, Object, Settings, Source, Target
from krm_values.layered_values.parts import Piece
from krm_values.layered_values.paths import PathError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values.layered_values.parsed import Strategy
    from krm_values.layered_values.parts import Part
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.selectors import Selector

_SOURCES = ("config_map", "secret", "from_", "values")
_OBJECT_FIELDS = ("key", "value", "as_")
_SELECTING = ("api_version", "kind", "name", "labels", "fields", "missing", "optional")
_WRITTEN = {"config_map": "configMap", "from_": "from", "as_": "as", "api_version": "apiVersion"}


def read(config: Any) -> Settings:
    """Parse the paths and selectors of a config, and check what its schema cannot express."""
    return _Reader(config).settings()


class _Reader:
    """One reading of a config; faults are collected."""

    __slots__ = ("_config", "_report")

    def __init__(self, config: Any) -> None:
        self._config = config
        self._report = Report()

    def settings(self) -> Settings:
        config = self._config
        for name, rule in (("layers", "1"), ("targets", "1")):
            if not getattr(config, name):
                self._say(rule, (name,), f"`{name}`: must have at least one entry")
        layers = tuple(self._layer(number, one) for number, one in enumerate(config.layers))
        targets = tuple(found for number, one in enumerate(config.targets) if (found := self._target(number, one)))
        return Settings(layers, targets, self._merge(), self._schema(), tuple(self._report.findings))

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
        when = None if one.when is None else selectors.of(one.when)
        if when is not None and when.is_empty:
            self._say("20", (*at, "when"), f"`layers[{number}].when`: must have at least one field")
        name = one.name or (
            source.name if source.kind in ("ConfigMap", "Secret") else "values" if source.kind == "values" else ""
        )
        if one.part is not None and one.at is None:
            self._say("24", at, f"`layers[{number}]`: `part` needs `at`, since a piece of a string is not a map of values")
        into = () if one.at is None else self._path(one.at, (*at, "at"), paths.key_path)
        part = self._part(one.part, (*at, "part"))
        return Layer(number, source, into, bool(into), part, name, one.priority, one.optional, when)

    def _source(self, one: Any, at: Path, rule: str) -> Source:
        given = [name for name in _SOURCES if getattr(one, name, None) is not None]
        label = _label(at)
        if len(given) != 1:
            listed = (
                "`configMap`, `secret`, `from` and `values`" if hasattr(one, "values") else "`configMap`, `secret` and `from`"
            )
            found = " and ".join(f"`{_written(name)}`" for name in given) or "none"
            self._say(rule, at, f"{label}: must have exactly one of {listed}; found {found}")
        kind = given[0] if given else "values"
        for name in ("namespace", "key"):
            if getattr(one, name) is not None and kind not in ("config_map", "secret"):
                self._say(rule, (*at, name), f"`{_label(at)[1:-1]}.{name}`: is for `configMap` and `secret` only")
        path = one.path or ""
        if path and kind == "values":
            self._say(rule, (*at, "path"), f"{label}: `path` is not for `values`")
        segments = self._path(path, (*at, "path"), paths.source_path) if path else ()
        selector = self._from(one, at) if kind == "from_" else None
        kinds = {"config_map": "ConfigMap", "secret": "Secret", "from_": "from"}
        called = getattr(one, kind, None)
        return Source(
            at,
            kinds.get(kind, "values"),
            called if isinstance(called, str) else "",
            one.namespace,
            one.key,
            selector,
            getattr(one, "values", None) if kind == "values" else None,
            segments,
            path,
        )

    def _from(self, one: Any, at: Path) -> Selector:
        found = selectors.of(one.from_)
        if one.from_.kind is None:
            self._say("14", (*at, "from"), f"{_label(at)}: `from` must have a `kind`")
        return found

    def _part(self, part: Any, at: Path) -> Part | None:
        if part is None or isinstance(part, str):
            return part
        if part.index < 0:
            self._say("81", at, f"{_label(at)}: `index` counts from 0 and must not be negative; found {part.index}")
        if not part.split:
            self._say("81", at, f"{_label(at)}: `split` must not be empty")
        return Piece(part.split or "\0", max(part.index, 0))

    def _target(self, number: int, one: Any) -> Target | Object | None:
        at: Path = ("targets", number)
        generated = [name for name in ("config_map", "secret") if getattr(one, name) is not None]
        if len(generated) == 2:
            self._say("64", at, f"`targets[{number}]`: must have one of `configMap` and `secret`, found both")
        if generated:
            return self._object(number, one, generated[0])
        foreign = [name for name in _OBJECT_FIELDS if getattr(one, name) is not None]
        for name in foreign:
            self._say("64", (*at, _written(name)), f"`targets[{number}].{_written(name)}`: is for a generated object only")
        selector = selectors.of(one)
        if selector.is_empty:
            text = (
                f"`targets[{number}]`: must name what it writes: `configMap` or `secret`, or at least one field of a selector"
            )
            self._say("61", at, text)
        if not one.fields:
            self._say("64", at, f"`targets[{number}]`: must have `fields`")
        fields = tuple(self._field((*at, "fields", text), text, entry, one) for text, entry in (one.fields or {}).items())
        return Target(number, selector, fields, one.optional, one.allow_secrets)

    def _object(self, number: int, one: Any, source: str) -> Object:
        at: Path = ("targets", number)
        for name in _SELECTING:
            if getattr(one, name) not in (None, False):
                text = f"`targets[{number}].{_written(name)}`: is for selected resources, not for a generated object"
                self._say("64", (*at, _written(name)), text)
        value = self._path(one.value or paths.WHOLE, (*at, "value"), paths.value_path)
        kind = "ConfigMap" if source == "config_map" else "Secret"
        key = "values.yaml" if one.key is None else one.key
        name = getattr(one, source)
        return Object(
            number, kind, one.namespace or "", name, key, value, one.value or paths.WHOLE, one.as_ or "", one.allow_secrets
        )

    def _field(self, at: Path, text: str, given: Any, target: Any) -> Field:
        path = self._path(text, at, paths.field_path)
        entries = given if isinstance(given, list) else [given]
        found = tuple(self._entry(one, at, target.missing or "error") for one in entries)
        if isinstance(given, list):
            self._check_parts(found, at, text)
        return Field(at, path, text, found)

    def _entry(self, given: Any, at: Path, missing: str) -> Entry:
        if isinstance(given, str):
            return Entry(self._path(given, at, paths.value_path), given, missing=missing)
        value, part = self._path(given.value, at, paths.value_path), self._part(given.part, at)
        if part is not None and given.as_ is not None:
            self._say("82", at, f"`{at[-1]}`: `part` and `as` cannot be used together")
        if part is not None and given.missing == "create":
            self._say("82", at, f"`{at[-1]}`: a part of a field that is absent cannot be created")
        is_made = part is None or missing != "create"
        return Entry(value, given.value, part, given.as_, given.missing or (missing if is_made else "error"), given.optional)

    def _check_parts(self, entries: tuple[Entry, ...], at: Path, text: str) -> None:
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

    def _merge(self) -> tuple[tuple[Segments, Strategy, str], ...]:
        found: list[tuple[Segments, Strategy, str]] = []
        for text, strategy in self._config.merge.items():
            path = self._path(text, ("merge", text), paths.strategy_path)
            if path:
                found.append((path, strategy if isinstance(strategy, str) else ByKey(strategy.by), text))
        return tuple(found)

    def _schema(self) -> Source | None:
        config = self._config
        if config.schema_from is None:
            return None
        if config.schema_ is not None:
            self._say("58", ("schemaFrom",), "`schemaFrom`: must not be beside `schema`: keep one of them")
        return self._source(config.schema_from, ("schemaFrom",), "58")


def _label(at: Path) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in at).lstrip(".")
    return f"`{text}`"


def _written(name: str) -> str:
    return _WRITTEN.get(name, name)
