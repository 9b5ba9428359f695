"""Nodes to plain data as Go has it: the decoder of go-yaml v2.4.2, and the conversion to JSON of sigs.k8s.io/yaml.

Source: go.yaml.in/yaml/v2 `decode.go`, sigs.k8s.io/yaml `yaml.go` (`convertToJSONableObject`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import OLD_WORDS, UnfitTagError, is_date, is_whole, key_text, resolve, whole
from krm_values._data.limits import DEFAULT, too_deep
from krm_values._data.record import record
from krm_values._data.scalars import EXACT
from krm_values._yaml.decode import is_merge

if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    from krm_values._data.go_numbers import GoScalar
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.nodes import Node

    Kind: TypeAlias = Literal["document", "duplicate", "merged", "boolean", "digits", "date", "sops"]


# go-yaml's guard against documents that grow by aliases: a share that falls from 99% to 10%
_FEW_ALIASES, _FEW_VALUES, _LOW, _HIGH = 100, 1000, 400_000, 4_000_000


def decode(root: Node, *, floats: bool, limits: Limits = DEFAULT) -> tuple[JSON, list[Lint]]:
    """Return the data of a document and its lints; InputError where Go refuses it. floats: whether numbers are 64-bit floats."""
    decoder = _Decoder(floats=floats, limits=limits)
    return decoder.document(root), decoder.lints


def number(value: GoScalar, *, floats: bool) -> GoScalar:
    """Return a finite number as JSON gives it back; any other value unchanged."""
    if isinstance(value, float):
        return whole(value) if is_whole(value) else value
    if isinstance(value, int) and not isinstance(value, bool):
        return whole(float(value)) if floats and not -EXACT <= value <= EXACT else value
    return value


def key_of(node: Node) -> GoScalar:
    """Return the value of a map's key; InputError for a map or list."""
    found = node.target if node.kind == "alias" else node
    if found.kind != "scalar":
        raise InputError(
            f"must have scalar keys, found {'object' if found.kind == 'map' else 'array'} as a key",
            node.line + 1,
            node.column + 1,
        )
    return _resolved(found)


def sources_of(node: Node) -> list[Node]:
    """Return the maps that a merge key brings in, each overriding those before it."""
    sources = node.items[::-1] if node.kind == "list" else [node]
    for source in sources:
        if (source.target if source.kind == "alias" else source).kind != "map":
            raise InputError("must merge maps only with `<<`", source.line + 1, source.column + 1)
    return sources


class _Decoder:
    """One decoding. Until it is settled, a key that is not a string is a pair of its type and value, and infinities stay in the data."""

    __slots__ = (
        "_above",
        "_by_alias",
        "_depth",
        "_floats",
        "_infinite",
        "_keys",
        "_limits",
        "_path",
        "_places",
        "_read",
        "_within",
        "lints",
    )

    def __init__(self, *, floats: bool, limits: Limits) -> None:
        self._floats, self._limits = floats, limits
        self._path: list[str | int] = []
        self._places: list[Node] = []  # the keys and list elements of the path
        self.lints: list[Lint] = []
        self._keys: dict[tuple[int, Any], Node] = {}  # by the map that contains them
        self._infinite: Node | None = None
        self._read = 1  # Go counts the document, too
        self._by_alias = self._within = self._depth = 0
        self._above: dict[Any, Node] = {}  # the keys of a map above the `<<` that is being read

    def document(self, root: Node) -> JSON:
        """Return the data of a whole document."""
        data = self.value(root)
        return self._settled(data) if self._keys or self._infinite else data  # type: ignore[no-any-return]

    def value(self, node: Node, into: dict[Any, JSON] | None = None) -> Any:
        """Return the data of a node. into: the map that receives the entries of a merged map."""
        self._count(node)
        if node.kind == "scalar":
            return self._scalar(node) if node.tag or not node.style else node.value
        self._depth += 1
        if self._depth > self._limits.depth:
            raise InputError(too_deep(self._limits), node.line + 1, node.column + 1)
        if node.kind == "map":
            found: Any = self._map(node, {} if into is None else into)
        elif node.kind == "list":
            found = self._list(node)
        else:
            self._within += 1
            found = self.value(node.target, into)
            self._within -= 1
        self._depth -= 1
        return found

    def _scalar(self, node: Node) -> GoScalar:
        value = _resolved(node)
        if node.value in ORDINARY or node.value[0] not in SUSPECT:
            return value
        self._inspect(node, value)
        if isinstance(value, float) and not math.isfinite(value):
            self._infinite = self._infinite or node
            return value
        return number(value, floats=self._floats)

    def _inspect(self, node: Node, value: GoScalar) -> None:
        if not node.tag and not self._within:
            kind = kind_of(node.value, value, floats=self._floats)
            if kind:
                self._add(kind, node, node.value)

    def _add(self, kind: Kind, node: Node, text: str) -> None:
        place = self._places[-1] if self._places else node
        self.lints.append(Lint(kind, tuple(self._path), place.line + 1, place.column + 1, text))

    def _list(self, node: Node) -> list[JSON]:
        values: list[JSON] = []
        for index, item in enumerate(node.items):
            self._path.append(index)
            self._places.append(item)
            values.append(self.value(item))
            self._path.pop()
            self._places.pop()
        return values

    def _map(self, node: Node, into: dict[Any, JSON]) -> dict[Any, JSON]:
        own: dict[Any, Node] = {}
        above, self._above = self._above, {}
        path = self._path
        for key, item in zip(node.keys, node.items, strict=True):
            if key.kind == "scalar" and key.value == "<<" and is_merge(key):
                for source in sources_of(item):
                    self._above = above if self._within else own
                    self.value(source, into)
                self._above = {}
                continue
            name, text = self._key(key)
            path.append(text)
            self._places.append(key)
            if key.kind == "scalar" and not key.style:
                self._inspect(key, name[1] if isinstance(name, tuple) else name)
            if name in own and not self._within:
                self._add("duplicate", key, text)
            own[name] = key
            if name.__class__ is tuple:
                self._keys[id(into), name] = key
                into.pop(name, None)  # of -0.0 and 0.0, one key to Go, the text is the last one's
            value = self.value(item)
            path.pop()
            self._places.pop()
            if name in above and into.get(name) != value:
                self._dead(above.pop(name), text)
            into[name] = value
        return into

    def _dead(self, key: Node, text: str) -> None:
        """Report a key whose value nobody reads."""
        self._path.append(text)
        self._places.append(key)
        self._add("merged", key, text)
        self._path.pop()
        self._places.pop()

    def _key(self, node: Node) -> tuple[Any, str]:
        """Return the name of a key until the data is settled, and its text."""
        self._count(node)
        if node.kind == "alias":
            self._count(node.target, within=1)
        elif node.kind == "scalar" and node.style and not node.tag:
            return node.value, node.value
        value = key_of(node)
        if isinstance(value, str):
            return value, value
        name = (type(value), value if value == value else float("nan"))  # noqa: PLR0124 - of `.nan` each is a key of its own
        return name, key_text(value) or ""

    def _count(self, node: Node, within: int = 0) -> None:
        """Count a value; InputError where Go finds too many of them behind aliases."""
        self._read += 1
        if self._within or within:
            self._by_alias += 1
            too_many = self._by_alias > _FEW_ALIASES and self._read > _FEW_VALUES
            if too_many and self._by_alias / self._read > _allowed(self._read):
                raise InputError("must not hold so many values behind aliases", node.line + 1, node.column + 1)

    def _settled(self, value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            node = self._infinite
            raise InputError("must hold numbers that JSON knows, found an infinite one or `.nan`", *_place(node))
        if isinstance(value, list):
            return [self._settled(item) for item in value]
        if not isinstance(value, dict):
            return value
        return {text: self._settled(value[name]) for text, name in self._names(value).items()}

    def _names(self, entries: dict[Any, JSON]) -> dict[str, Any]:
        """Return the names of a map's keys by their text."""
        names: dict[str, Any] = {}
        for name in entries:
            text = name if isinstance(name, str) else key_text(name[1])
            if text is None:
                raise InputError(
                    "must have keys that JSON knows, found null or a whole number from 2^63",
                    *_place(self._keys.get((id(entries), name))),
                )
            if text in names:
                node = self._keys.get((id(entries), name)) or self._keys.get((id(entries), names[text]))
                raise InputError("must not have two keys that become the same text: Go takes either", *_place(node))
            names[text] = name
        return names


def _resolved(node: Node) -> GoScalar:
    try:
        return resolve(node.value, node.tag, plain=not node.style)
    except UnfitTagError:
        raise InputError("must have a value that fits its tag", node.line + 1, node.column + 1) from None


def _place(node: Node | None) -> tuple[int, int]:
    return (node.line + 1, node.column + 1) if node else (0, 0)


def _allowed(count: int) -> float:
    """Return the share of values that may come through aliases."""
    if count <= _LOW:
        return 0.99
    return 0.10 if count >= _HIGH else 0.99 - 0.89 * ((count - _LOW) / (_HIGH - _LOW))


# Notices about values that Go reads differently from how they look.

ORDINARY = frozenset(("", "true", "false", "null", "~"))
SUSPECT = frozenset("0123456789+-.yYnNoO")
"""What a plain scalar begins with that is a number, a date or one of YAML 1.1's booleans."""


@record
class Lint:
    """One notice with its place: `path` in the data; `line` and `column` of the text from 1, of a value those of its key; `text` as written.

    document: a further document is not read. duplicate: a key occurs twice in its map. merged: `<<` below a key has another value for it. boolean: a plain `y n yes no on off`, as a value or
    a key. digits: a number that does not keep its digits. date: a plain date, which stays a string. sops: there is a `sops` mapping.
    """

    kind: Kind
    path: Path
    line: int
    column: int
    text: str


def kind_of(text: str, value: GoScalar, *, floats: bool) -> Kind | None:
    """Return the kind of lint for a plain scalar or key, None for no lint."""
    if isinstance(value, bool):
        return "boolean" if text in OLD_WORDS else None
    if isinstance(value, str):
        return "date" if is_date(text) else None
    if isinstance(value, int):
        return "digits" if floats and abs(value) > EXACT and int(float(value)) != value else None
    return "digits" if isinstance(value, float) and _loses(text, value) else None


def _loses(text: str, value: float) -> bool:
    """Return whether a number with a fraction and no exponent ends in a zero, or has more digits than a 64-bit float keeps."""
    if value - value != 0:
        return False
    mantissa, exponent, _ = text.lower().replace("_", "").lstrip("+-").partition("e")
    ends_in_zero = "." in mantissa and mantissa.endswith("0") and value != 0 and not exponent
    return ends_in_zero or _digits(mantissa) != _digits(repr(value).lstrip("-").partition("e")[0])


def _digits(mantissa: str) -> str:
    return mantissa.replace(".", "").strip("0")
