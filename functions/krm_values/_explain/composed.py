"""The values of a resource as a YAML document: the content of a text, or the decided part of the resource."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, address
from krm_values._data.pointer import get, to_field
from krm_values._data.printable import printable
from krm_values._kit.planner.item import Item, is_secret
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.masking import Masking
    from krm_values._explain.values import Resource, Value

    Tree = dict[str | int, "Tree | Leaf"]


class Leaf:
    """A value as it is shown, and its origin."""

    __slots__ = ("comment", "text")

    def __init__(self, text: str, comment: str) -> None:
        self.text, self.comment = text, comment


def lines(resource: Resource, masks: Sequence[Masking], *, comments: bool) -> Iterator[str]:
    """Yield the lines of the document. comments: put its origin behind each leaf. Several texts and fields become documents with a heading each."""
    groups: dict[Path | None, list[Value]] = {}
    read: dict[str, JSON] = {}
    for value in resource.values:
        groups.setdefault(value.path if value.inner is not None else None, []).append(value)
    for number, (text, values) in enumerate(groups.items()):
        if len(groups) > 1:
            yield from ["---"] * bool(number)
            yield f"# {printable(to_field(text))}" if text is not None else "# fields"
        leaves = {path: Leaf(_safe(emit.flow(name), name), "") for value in values for path, name in _names(value, read)}
        leaves |= {_path(value): _leaf(value, masks[value.step], comments=comments) for value in values}
        prefix = _common([*leaves]) if text is None else ()
        yield from _block(_tree({path[len(prefix) :]: leaf for path, leaf in leaves.items()}), "")


def _names(value: Value, read: dict[str, JSON]) -> Iterator[tuple[Path, str]]:
    """Yield the names of the list elements around a field, which identify it. read: the parsed resources as steps leave them, by text."""
    item, at = value.item, value.decision.path
    sizes = [size for size in range(1, len(at)) if isinstance(at[size - 1], int)]
    if not sizes or value.inner is not None or (is_secret(item) if isinstance(item, Item) else item.is_secret):
        return
    text = value.edited
    if text and text not in read:
        read[text] = decode.to_data(decode.parse(text))
    for size in sizes:
        name = get(read[text] if text else item.data, (*at[:size], "name"))
        if isinstance(name, str):
            yield (*value.path[:size], "name"), name


def _path(value: Value) -> Path:
    return value.path if value.inner is None else value.inner


def _leaf(value: Value, masking: Masking, *, comments: bool) -> Leaf:
    shown, _ = masking.after(value.decision)
    return Leaf(_safe(emit.flow(shown), shown), origin(value) if comments else "")


def _safe(text: str, value: JSON) -> str:
    """Return a value as it is written, with escapes for characters that a terminal or a CI host would interpret."""
    if text.isprintable() and not text.startswith("::"):
        return text
    try:
        return printable(emit.as_json(value))
    except EditError:  # with a number that JSON does not have
        return printable(text)


def origin(value: Value) -> str:
    """Return layer and place of the winner: `userConfig layers/user.yaml:8`."""
    if value.way is None:
        return ""
    end = next(value.way.ends())
    place = address(end.file, end.line) if end.line else ""
    return printable(" ".join(filter(None, (value.way.origin.layer, place))))


def _common(paths: Sequence[Path]) -> Path:
    """Return the leading keys that all paths share, not counting their last parts."""
    shared: Path = ()
    for size in range(1, min(map(len, paths))):
        if len({path[:size] for path in paths}) != 1 or not isinstance(paths[0][size - 1], str):
            break
        shared = paths[0][:size]
    return shared


def _tree(leaves: dict[Path, Leaf]) -> Tree | Leaf:
    if () in leaves:
        return leaves[()]
    below: dict[str | int, dict[Path, Leaf]] = {}
    for path, leaf in leaves.items():
        below.setdefault(path[0], {})[path[1:]] = leaf
    return {key: _tree(inner) for key, inner in below.items()}


def _block(node: Tree | Leaf, indent: str) -> Iterator[str]:
    if isinstance(node, Leaf):
        yield _written(indent, node)
        return
    for key, below in sorted(node.items(), key=lambda one: one[0]) if _is_list(node) else node.items():
        head = "- " if isinstance(key, int) else f"{_safe(emit.scalar(key), key)}:"
        if isinstance(below, Leaf):
            yield _written(f"{indent}{head}" + " " * (not isinstance(key, int)), below)
        elif isinstance(key, int):
            first, *rest = _block(below, f"{indent}  ")
            yield f"{indent}- {first[len(indent) + 2 :]}"
            yield from rest
        else:
            yield f"{indent}{head}"
            yield from _block(below, indent if _is_list(below) else f"{indent}  ")


def _is_list(node: Tree) -> bool:
    return all(isinstance(key, int) for key in node)


def _written(head: str, leaf: Leaf) -> str:
    return f"{head}{leaf.text}" + (f"  # {leaf.comment}" if leaf.comment else "")
