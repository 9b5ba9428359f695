"""The functionConfig with its paths and selectors parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.layered_values.parts import Part
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.selectors import Selector

    Strategy: TypeAlias = "str | ByKey"


@record
class ByKey:
    """The merge strategy for lists of maps, whose elements are identified by the value of a key."""

    key: str


@record
class Source:
    """The source of a layer or a schema. at: its place in the config. kind: ConfigMap, Secret, from or values."""

    at: Path
    kind: str
    name: str = ""
    namespace: str | None = None
    key: str | None = None
    selector: Selector | None = None
    values: Mapping[str, JSON] | None = None
    path: Segments = ()
    path_text: str = ""


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
class Entry:
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
    entries: tuple[Entry, ...]


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


@record
class Settings:
    """The whole config, as far as it is usable, and its faults."""

    layers: tuple[Layer, ...]
    targets: tuple[Target | Object, ...]
    merge: tuple[tuple[Segments, Strategy, str], ...]
    schema: Source | None
    findings: tuple[Finding, ...]
