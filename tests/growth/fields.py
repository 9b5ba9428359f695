"""The fields of conformance cases, each grown: lists by elements, maps by keys, strings by their parts, also within texts."""

from __future__ import annotations

import base64
import binascii
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._explain.steps import Explained, Explanation
from krm_values._krm import findings
from krm_values._krm.names import API_VERSION, kind
from krm_values._run import invoke, report
from krm_values._yaml import emit
from tests.conformance import cases
from tests.conformance.systems import SYSTEMS
from tests.functions.flux_values import support as flux
from tests.growth.lists import Object, dumped, explained
from tests.growth.measure import Work, seconds

Path_: TypeAlias = tuple[Any, ...]
Grow: TypeAlias = Callable[[Any, int], Any]
FOLDER = Path(cases.__file__).parent
ALL = {**SYSTEMS, "flux": flux.SYSTEM}
_OF_FLUX = Path(flux.__file__).parent / "cases"
PARTS = 6
"""Of a string so many different words and signs are repeated."""
SMALL = 600
"""The smaller size of a sweep; the larger one is 2,400."""
SUSPECT = 6.5
"""How much longer a run at 2,400 takes than at 600: 4 is linear, 16 quadratic; n log n with the time that memory takes is below 6."""
_NOTICED = 0.12  # seconds


@dataclass(frozen=True)
class Text:
    """A step of a path into a text: `base64` of a Secret, and `yaml` or `json`."""

    form: str
    encoded: bool


@dataclass(frozen=True)
class Field:
    """A field of a case, and how it grows."""

    system: cases.System
    case: Object
    path: Path_
    how: str
    grow: Callable[[int], Object]

    @property
    def function(self) -> str:
        return self.system.function(self.case)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What it has in common with fields of other cases: the function, the kind of resource, and the place in it."""
        root, *rest = self.path
        first = self.case["input"][rest[0]].get("kind") if root == "items" and rest else ""
        place = tuple("*" if isinstance(step, int) else step for step in rest if not isinstance(step, Text))
        return self.function, root, first, place, self.how

    @property
    def is_string(self) -> bool:
        return self.how in _WAYS_OF_STRINGS or self.how.startswith("part ")

    def __str__(self) -> str:
        path = ".".join(step.form if isinstance(step, Text) else str(step) for step in self.path)
        return f"{self.case['id']} {path}: {self.how}"


def distinct(name: str) -> list[Field]:
    """One field of each shape among the cases of a system."""
    found: dict[tuple[Any, ...], Field] = {}
    system = ALL[name]
    for case in _cases(name):
        for field in fields(system, case) if not system.unmet(case) else ():
            found.setdefault(field.shape, field)
    return [*found.values()]


def _cases(name: str) -> Iterator[Object]:
    """The cases of a system; of Flux, which has no file of them, the lists of its tests."""
    for file in sorted(FOLDER.glob(f"{name}*.yaml")):
        yield from cases.of(ALL[name], file)
    for file in sorted(_OF_FLUX.glob("*/input.yaml")) if name == "flux" else ():
        listed = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
        config = listed["functionConfig"]
        yield {"id": file.parent.name, "input": listed["items"], "config": config.get("spec") or config.get("data") or {}}


def fields(system: cases.System, case: Object) -> Iterator[Field]:
    """Every field of the case's first list, each in every way in which it grows."""
    spec = {**system.config(case), **(case.get("config") or {})}
    whole = yaml.load(emit.as_json({"items": case["input"], "config": spec}), Loader=yaml.CSafeLoader)
    for path, value in _values(whole, ()):
        for how, grow in _ways(value):
            yield Field(
                system,
                case,
                path,
                how,
                lambda n, path=path, grow=grow: _set(whole, path, lambda old: grow(old, n)),  # type: ignore[misc]
            )


def _values(value: Any, path: Path_) -> Iterator[tuple[Path_, Any]]:
    if path and path != ("config",):
        yield path, value
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _values(entry, (*path, key))
    elif isinstance(value, list):
        for number, entry in enumerate(value):
            yield from _values(entry, (*path, number))
    elif isinstance(value, str) and (text := _text(value, path)):
        yield from (
            (inner, found)
            for inner, found in _values(_read(value, text), (*path, text))
            if inner != (*path, text) or not isinstance(found, str)
        )


def _text(value: str, path: Path_) -> Text | None:
    """How a string that is a map or list in YAML or JSON is read, or None."""
    encoded = len(path) > 2 and path[-2] == "data" and "values" in str(path[-1]) and _decoded(value) is not None
    raw = _decoded(value) if encoded else value
    if raw is None or not any(sign in raw for sign in ":-[{"):
        return None
    form = "json" if raw.lstrip()[:1] in ("{", "[") else "yaml"
    try:
        found = json.loads(raw) if form == "json" else yaml.load(raw, Loader=yaml.CSafeLoader)
    except (ValueError, yaml.YAMLError):
        return None
    return Text(form, encoded) if isinstance(found, dict | list) and found else None


def _decoded(value: str) -> str | None:
    try:
        return base64.b64decode(value, validate=True).decode() if len(value) % 4 == 0 and len(value) > 4 else None
    except (binascii.Error, ValueError):
        return None


def _read(value: str, text: Text) -> Any:
    raw = _decoded(value) if text.encoded else value
    return json.loads(raw or "") if text.form == "json" else yaml.load(raw or "", Loader=yaml.CSafeLoader)


def _written(value: Any, text: Text) -> str:
    raw = json.dumps(value) if text.form == "json" else dumped(value)
    return base64.b64encode(raw.encode()).decode() if text.encoded else raw


def _set(value: Any, path: Path_, change: Callable[[Any], Any]) -> Any:
    """A copy of the value whose part at the path is changed."""
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(step, Text):
        return _written(_set(_read(value, step), rest, change), step)
    copied = dict(value) if isinstance(value, dict) else list(value)
    copied[step] = _set(value[step], rest, change)
    return copied


def _ways(value: Any) -> Iterator[tuple[str, Grow]]:
    if isinstance(value, list):
        yield from _WAYS_OF_LISTS.items()
    elif isinstance(value, dict):
        yield from _WAYS_OF_MAPS.items()
    elif isinstance(value, str):
        yield from _WAYS_OF_STRINGS.items()
        for part in list(dict.fromkeys(re.findall(r"\w+|[^\w\s]", value)))[:PARTS]:
            yield f"part {part!r}", lambda text, n, part=part: text.replace(part, part * max(1, 4 * n // len(part)), 1)


def _same_elements(value: list[Any], n: int) -> list[Any]:
    return [*value, *(deepcopy(value[-1]) if value else "x" for _ in range(n))]


def _named_elements(value: list[Any], n: int) -> list[Any]:
    return [*value, *(_named(value[-1] if value else "x", number) for number in range(n))]


def _other_elements(value: list[Any], n: int) -> list[Any]:
    return [*value, *(_other(value[-1] if value else "x", number) for number in range(n))]


def _named(value: Any, number: int) -> Any:
    """A copy with another name."""
    if isinstance(value, dict):
        if isinstance(metadata := value.get("metadata"), dict) and "kind" in value:
            return {**value, "metadata": {**metadata, "name": f"{metadata.get('name', '')}{number}"}}
        found = {key: f"{text}{number}" for key, text in value.items() if isinstance(text, str) and key in _NAMES}
        return {**value, **(found or {next(iter(value), "x"): _other(next(iter(value.values()), ""), number)})}
    return _other(value, number)


_NAMES = ("name", "id", "key", "value", "path", "op", "configMap", "secret", "version")


def _other(value: Any, number: int) -> Any:
    """A copy of which every string and number is another one."""
    if isinstance(value, dict):
        return {
            key: entry if key in ("kind", "apiVersion", "namespace") else _other(entry, number) for key, entry in value.items()
        }
    if isinstance(value, list):
        return [_other(entry, number) for entry in value]
    if isinstance(value, str):
        return f"{value}{number}"
    return value + number if isinstance(value, int | float) and not isinstance(value, bool) else value


def _more_keys(value: Object, n: int) -> Object:
    last = next(reversed(value), "x")
    return {**value, **{f"{last}{number}": deepcopy(value.get(last, "x")) for number in range(n)}}


def _other_keys(value: Object, n: int) -> Object:
    first = next(iter(value), "x")
    return {**{f"a{number}": _other(value.get(first, "x"), number) for number in range(n)}, **value}


_WAYS_OF_LISTS: dict[str, Grow] = {
    "same elements": _same_elements,
    "named elements": _named_elements,
    "other elements": _other_elements,
}
_WAYS_OF_MAPS: dict[str, Grow] = {"keys": _more_keys, "other keys": _other_keys}
_WAYS_OF_STRINGS: dict[str, Grow] = {
    "letters": lambda text, n: text + "x" * (4 * n),
    "lines": lambda text, n: f"{text}\n" * n,
    "words": lambda text, n: f"{text} " * n,
}


def work(field: Field, n: int) -> Work:
    """A run on the grown list, its explanation, and a second run on what it wrote."""
    grown, function, programs = field.grow(n), field.function, field.system.programs(field.case)
    data = _listed(grown["items"], function, grown["config"], field.system.name(field.case))

    def run(given: bytes) -> bytes | None:
        source, outcome = invoke.answer(given, function, programs, DEFAULT)
        [findings.line(found) for found in outcome.findings]
        written = b"".join(source.apply(outcome, invoke.entries(outcome, source)))
        explained(Explanation((Explained(function, report.with_storage_warnings(outcome), items=source.items),)))
        return None if outcome.failed else written

    def both() -> None:
        try:
            written = run(data)
            if written is not None and written != data:
                run(written)
        except InputError:
            return

    return both


def sweep(name: str, most: float) -> None:
    """Print the fields of a system whose growth takes the processor more than n log n, and how many were tried.

    A run at 600 that takes no time is not grown further: what grows with the square of such a number takes no time that matters.
    """
    found = distinct(name)
    random.Random(1).shuffle(found)
    began, tried = time.process_time(), 0
    for field in found:
        if time.process_time() - began > most:
            break
        tried += 1
        try:
            small = seconds(work(field, SMALL))
            if small > _NOTICED and (large := seconds(work(field, 4 * SMALL))) > SUSPECT * small:
                print(f"{field}: {small:.2f} s at {SMALL}, {large:.2f} s at {4 * SMALL}", flush=True)
        except Exception as error:  # noqa: BLE001 - a defect of the function, whose field is wanted
            print(f"{field}: {type(error).__name__}: {str(error)[:200]}", flush=True)
    print(f"{name}: {tried} of {len(found)} fields", flush=True)


def _listed(items: Any, function: str, spec: Any, called: str) -> bytes:
    config = {"apiVersion": API_VERSION, "kind": kind(function), "metadata": {"name": called}, "spec": spec}
    return dumped(
        {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, "functionConfig": config}
    ).encode()
