"""The YAML reader: text to nodes that know their place, and nodes to plain data.

PyYAML's constructor is not used: `_data.scalars` decides what a scalar means.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, RepeatedKeyError, UnfitValueError
from krm_values._data.limits import DEFAULT, beyond, too_deep
from krm_values._data.scalars import json_key, plain_key, read_plain, read_tagged, tagged, tagged_source
from krm_values._yaml import fast
from krm_values._yaml.nodes import Node, parse, walk
from krm_values._yaml.parser import input_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.block_places import BlockPlaces

__all__ = [
    "Finder",
    "Node",
    "above_merges",
    "block_places",
    "data",
    "find",
    "inherited",
    "input_error",
    "is_merge",
    "key_text",
    "ordinary",
    "parse",
    "scalar_value",
    "to_data",
    "written",
]

_STANDARD = "tag:yaml.org,2002:"
_STR = f"{_STANDARD}str"
_MERGE_TAGS = ("!", f"{_STANDARD}merge")
_TAGS = tuple(
    _STANDARD + name for name in ("binary", "bool", "float", "int", "map", "merge", "null", "seq", "str", "timestamp")
)
"""Tags that messages show; any other may be a password that begins with `!`."""


def to_data(node: Node, read: Callable[[Node], JSON] | None = None, limits: Limits = DEFAULT) -> JSON:
    """Convert a node to plain data: aliases are followed, merge keys applied, keys are strings.

    `read` returns a scalar's value; the default is Go's, with words as in YAML 1.2. InputError for a repeated or complex key, and for aliases
    that nest or multiply beyond the limits.
    """
    return _Data(read or scalar_value, limits).of(node, 0)


def data(text: str, root: Callable[[], Node] | None = None, limits: Limits = DEFAULT) -> JSON:
    """Return the plain data of a text, as `to_data(parse(text))` does but faster. root: makes the nodes; it is called only if they are needed."""
    try:
        return fast.read(text, _ORDINARY, limits)
    except fast.UnusualError:
        return to_data(root() if root else parse(text, None, limits), limits=limits)


def ordinary(text: str, limits: Limits = DEFAULT) -> JSON:
    """Return the plain data of an ordinary text; None for any other, and for null."""
    try:
        return fast.read(text, _ORDINARY, limits)
    except fast.UnusualError:
        return None


def block_places(text: str) -> BlockPlaces:
    """Return where the keys and elements of a text that can be read begin, as far as its lines say it."""
    from krm_values._yaml.block_places import BlockPlaces  # noqa: PLC0415 - only for findings and explanations

    _ORDINARY.trim()
    return BlockPlaces(text, _ORDINARY)


def scalar_value(node: Node) -> JSON:
    """Return the value of a scalar node by its tag and style. InputError where Go refuses its tag, and for a number that JSON cannot hold."""
    if node.style and not node.tag:
        return node.value
    value = _tagged(node, node.tag) if node.tag else read_plain(node.value)
    if isinstance(value, float) and not isfinite(value):
        raise UnfitValueError("must be a number that JSON can hold", node.value, node.line + 1, node.column + 1)
    return value


def key_text(node: Node) -> str:
    """Return a map key as Go's readers do: `1.2` of `1.20`, `509` of `0775`; words (`on`, `~`) stay. InputError for a map or list."""
    if node.kind == "alias":
        node = node.target
    if node.kind != "scalar":
        raise InputError(
            f"must have scalar keys, found {'object' if node.kind == 'map' else 'array'} as a key",
            node.line + 1,
            node.column + 1,
        )
    return _name(node)


def is_merge(key: Node) -> bool:
    """Return whether a map key is Go's merge key: `<<`, `! <<` or, as yq writes it, `!!merge <<`."""
    return key.kind == "scalar" and key.value == "<<" and (key.tag in _MERGE_TAGS if key.tag else not key.style)


def find(node: Node, path: Path) -> Node | None:
    """Return the node at `path` without following aliases or merge keys, or None."""
    for part in path:
        if node.kind == "map":
            for key, item in zip(node.keys, node.items, strict=True):
                if key.kind == "scalar" and _name(key) == part:
                    node = item
                    break
            else:
                return None
        elif node.kind == "list" and isinstance(part, int) and 0 <= part < len(node.items):
            node = node.items[part]
        else:
            return None
    return node


class Finder:
    """`find` for many paths of the same nodes: the indices of a map's keys are cached."""

    __slots__ = ("_indices",)

    def __init__(self) -> None:
        self._indices: dict[int, dict[str, int]] = {}  # by the node's id: the caller keeps the nodes

    def find(self, root: Node, path: Path) -> Node | None:
        """Return the node at `path` without following aliases or merge keys, or None."""
        node = root
        for part in path:
            index = self.key_indices(node).get(part) if node.kind == "map" else part  # type: ignore[arg-type]
            if node.kind not in ("map", "list") or not isinstance(index, int) or not 0 <= index < len(node.items):
                return None
            node = node.items[index]
        return node

    def key_indices(self, node: Node) -> dict[str, int]:
        """Return the index of each key of a map; of a repeated key that of the first."""
        if id(node) not in self._indices:
            keys = enumerate(node.keys)
            self._indices[id(node)] = {_name(key): index for index, key in reversed([*keys]) if key.kind == "scalar"}
        return self._indices[id(node)]


def written(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node, Node]]:
    """Yield the path, the key and the value of each entry in the order of the text; an element of a list is its own key.

    The target of an alias is left out; a map that is written inside a merge key counts as its own entries. InputError for a complex key.
    """
    if node.kind == "list":
        for number, item in enumerate(node.items):
            yield (*path, number), item, item
            yield from written(item, (*path, number))
    for key, item in zip(node.keys, node.items, strict=True) if node.kind == "map" else ():
        if not is_merge(key):
            yield (*path, key_text(key)), key, item
            yield from written(item, (*path, key_text(key)))
            continue
        for source in item.items if item.kind == "list" else [item]:
            yield from written(source, path) if source.kind == "map" else ()


def inherited(root: Node, path: Path) -> Node | None:
    """Return the key, or the list element, at `path` through aliases and merge keys; None where it is not in this text."""
    own = {id(node) for node in walk(root)}
    node, key = root, root
    for part in path:
        holder = node.target if node.kind == "alias" else node
        found = _entry(holder, part) if id(holder) in own else None
        if found is None:
            return None
        key, node = found
    return key if id(key) in own else None


def _entry(node: Node, part: str | int) -> tuple[Node, Node] | None:
    """Return the key and the value of an entry of a map or list, its own or one that it merges."""
    if node.kind == "list":
        return (node.items[part], node.items[part]) if isinstance(part, int) and 0 <= part < len(node.items) else None
    if node.kind != "map":
        return None
    entries = [*zip(node.keys, node.items, strict=True)]
    for key, item in entries:
        if key.kind == "scalar" and not is_merge(key) and _name(key) == part:
            return key, item
    merged = (source for key, item in entries if is_merge(key) for source in (item.items if item.kind == "list" else [item]))
    tried = (_entry(source.target if source.kind == "alias" else source, part) for source in merged)
    return next((found for found in tried if found), None)


def above_merges(node: Node, path: Path = (), known: dict[int, dict[str, Node]] | None = None) -> Iterator[Path]:
    """Yield the path of each entry above a `<<` that has the key with another value, which then counts for go-yaml before version 3.

    The data of the text must have been read: that limits what is merged. known: what each map has with its merges.
    """
    known = {} if known is None else known
    if node.kind == "list":
        for index, item in enumerate(node.items):
            yield from above_merges(item, (*path, index), known)
    above: dict[str, Node] = {}
    for key, item in zip(node.keys, node.items, strict=True) if node.kind == "map" else ():
        if is_merge(key):
            merged = _merged(item, known)
            hidden = [name for name in above if name in merged and not _is_same(above[name], merged[name])]
            yield from ((*path, name) for name in hidden)
            above = {name: one for name, one in above.items() if name not in merged}
        elif key.kind == "scalar":
            above[_name(key)] = item
            yield from above_merges(item, (*path, _name(key)), known)


def _merged(node: Node, known: dict[int, dict[str, Node]]) -> dict[str, Node]:
    """Return the entries of a map, or of the maps of a list, with those that it merges."""
    node = node.target if node.kind == "alias" else node
    if id(node) in known:
        return known[id(node)]
    found = known[id(node)] = dict[str, Node]()
    if node.kind == "list":
        for item in reversed(node.items):
            found |= _merged(item, known)
    else:
        for key, item in zip(node.keys, node.items, strict=True):
            found |= _merged(item, known) if is_merge(key) else {_name(key): item} if key.kind == "scalar" else {}
    return found


def _is_same(one: Node, other: Node) -> bool:
    """Return whether two nodes are one or are written alike, without a look at tags."""
    one, other = (node.target if node.kind == "alias" else node for node in (one, other))
    if one is other or one.kind != other.kind:
        return one is other
    if one.kind == "scalar":
        return (one.value, one.style) == (other.value, other.style)
    pairs = [*zip(one.items, other.items, strict=False)]
    pairs += zip(one.keys, other.keys, strict=False) if one.kind == "map" else ()
    return len(one.items) == len(other.items) and all(_is_same(*pair) for pair in pairs)


class _Data:
    """One conversion, with the number of nodes read through aliases."""

    __slots__ = ("behind", "copies", "limits", "read")

    def __init__(self, read: Callable[[Node], JSON], limits: Limits) -> None:
        self.read, self.limits = read, limits
        self.behind = self.copies = 0

    def of(self, node: Node, depth: int) -> JSON:
        if self.behind:
            self._count(node, depth)
        if node.kind == "scalar":
            return self.read(node)
        if node.kind == "list":
            values = [self.of(item, depth + 1) for item in node.items]
            return tagged(values, self._tags(enumerate(node.items))) if _has_tags(node) else values
        if node.kind == "map":
            return self._map(node, depth + 1)
        self.behind += 1
        value = self.of(node.target, depth)
        self.behind -= 1
        return value

    def _map(self, node: Node, depth: int) -> JSON:
        own: dict[str, JSON] = {}
        merged: dict[str, JSON] = {}
        seen: set[str] = set()
        for key, item in zip(node.keys, node.items, strict=True):
            name = key_text(key)
            if name in seen:
                raise RepeatedKeyError(name, key.line + 1, key.column + 1)
            seen.add(name)
            if not is_merge(key):
                own[name] = self.of(item, depth)
                continue
            for source in self._sources(item, depth):
                for inherited, value in source.items():
                    merged.setdefault(inherited, value)
        whole = {**merged, **own} if merged else own
        if len(own) == len(node.items) and _has_tags(node):
            return tagged(whole, self._tags(zip(own, node.items, strict=True)))
        return whole

    def _tags(self, items: Iterable[tuple[Any, Node]]) -> dict[Any, tuple[JSON, str]]:
        """Return the source text of tagged scalars that cannot remember it themselves, by key or index."""
        values = ((key, self.read(node), node) for key, node in items if node.kind == "scalar" and node.tag)
        return {
            key: (value, tagged_source(node.value, node.tag or "", plain=not node.style))
            for key, value, node in values
            if value is None or isinstance(value, bool)
        }

    def _sources(self, node: Node, depth: int) -> list[dict[str, JSON]]:
        value = self.of(node, depth)
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            raise InputError("must merge maps only with `<<`", node.line + 1, node.column + 1)
        return sources  # type: ignore[return-value]

    def _count(self, node: Node, depth: int) -> None:
        self.copies += 1
        if self.copies > self.limits.aliases:
            text = f"must not repeat more than {self.limits.aliases:,} values by aliases, found more"
            raise InputError(beyond(self.limits, "aliases", text), node.line + 1, node.column + 1)
        if depth > self.limits.depth:
            raise InputError(too_deep(self.limits), node.line + 1, node.column + 1)


def _has_tags(node: Node) -> bool:
    """Return whether a member of a map or list has a tag of its own."""
    return any(item.tag for item in node.items)


def _ordinary_value(text: str) -> JSON:
    value = read_plain(text)
    if isinstance(value, float) and not isfinite(value):
        raise fast.UnusualError
    return value


def _ordinary_key(text: str) -> str:
    if text == "<<":
        raise fast.UnusualError
    return plain_key(text)


_ORDINARY = fast.Scalars(_ordinary_value, _ordinary_key)


def _name(key: Node) -> str:
    """Return the text of a scalar key. InputError where Go refuses its tag."""
    if key.style and not key.tag:
        return key.value
    if not key.tag:
        return plain_key(key.value)
    name = json_key(_tagged(key, key.tag))
    return key.value if name is None else name


def _tagged(node: Node, tag: str) -> JSON:
    if tag == _STR and node.style in ("|", ">"):
        return node.value
    try:
        return read_tagged(node.value, tag, plain=not node.style)
    except ValueError:
        shown = f" `{tag.replace(_STANDARD, '!!')}`" if tag in _TAGS else ""
        text = f"must be a value that fits its tag{shown}"
        raise UnfitValueError(text, node.value, node.line + 1, node.column + 1) from None
