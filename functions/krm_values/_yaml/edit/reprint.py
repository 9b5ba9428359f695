"""The fallback where one place of the text is several places of the data, and `shared` cannot separate them: ruamel.yaml's round trip.

What is left for it: a block that ends with a scalar that keeps its last blank lines (`|+`) and is copied above others.
Imported only when a document needs it. A result counts only if our reader and a YAML 1.1 reader both get the intended data, and each
number and tag is written as before.
"""

from __future__ import annotations

import io
import warnings
from collections import Counter
from typing import TYPE_CHECKING

import yaml as pyyaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString, SingleQuotedScalarString

from krm_values._data import data_edits, scalars
from krm_values._data.data_edits import Remove
from krm_values._data.scalars import Float, Int, source_of
from krm_values._yaml import emit
from krm_values._yaml.decode import parse, scalar_value, to_data

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from krm_values._data.data_edits import Edit
    from krm_values._data.values import JSON
    from krm_values._yaml.decode import Node

_WIDE = 1 << 20


def rewrite(text: str, after: JSON, edits: Sequence[Edit], *, step: int, dash: int) -> str | None:
    """Return the document reprinted with the data `after`; None if that fails. edits: those that led to that data.

    No comment may be duplicated, and none may disappear unless something is removed.
    """
    try:
        before = to_data(parse(text))
        with warnings.catch_warnings():  # one about a repeated anchor quotes lines, which may be a Secret's
            warnings.simplefilter("ignore")
            result = _reprinted(text, before, after, step, dash)
        meant = to_data(parse(text), _scalar_11)
        for edit in edits:
            edit.apply(meant)
        read = parse(result)
        data = to_data(read)
        faithful = (
            data_edits.same(data, after)
            and _sources(before) & _sources(after) <= _sources(data)
            and data_edits.same(to_data(read, _scalar_11), meant)
        )
    except Exception:  # noqa: BLE001 - whatever the library fails on, it cannot reprint the item
        return None
    comments, now = _comments(text), _comments(result)
    removes = any(isinstance(edit, Remove) for edit in edits)
    kept = len(now) <= len(comments) and set(now) <= set(comments) if removes else now == comments
    return result if faithful and kept else None


def _reprinted(text: str, before: JSON, after: JSON, step: int, dash: int) -> str:
    loader = YAML(typ="rt")
    loader.preserve_quotes, loader.width = True, _WIDE
    loader.indent(mapping=step, sequence=dash + 2, offset=dash)
    loader.explicit_start = text.startswith("---")
    document = loader.load(text.replace("\r\n", "\n"))
    _without_repeats(document, [])
    _adapt(document, before, after, set())
    out = io.StringIO()
    loader.dump(document, out)
    lines = emit.indented(_with_comments(out.getvalue().split("\n"), text.splitlines()), len(text) - len(text.lstrip(" ")))
    result = "\n".join(lines) if text.endswith("\n") else "\n".join(lines).removesuffix("\n")
    return result.replace("\n", "\r\n") if "\r\n" in text else result


def _with_comments(lines: list[str], source: list[str]) -> list[str]:
    """Put back the comments that the library moves from behind an anchor or alias to a line of their own."""
    were = {" ".join(line.split()) for line in source}
    alone = {line.strip() for line in source}
    done: list[str] = []
    for line in lines:
        comment = line.strip()
        last = done[-1] if done else ""
        if not comment.startswith("#") or comment in alone or "#" in last:
            done.append(line)
        elif " ".join([*last.split(), *comment.split()]) in were:
            done[-1] += " " + comment
        else:
            done.append(" " * (len(last) - len(last.lstrip())) + comment)
    return done


def _adapt(node: Any, before: Any, after: Any, seen: set[int]) -> None:
    """Change a loaded map or list from the data `before` to the data `after`.

    A node in `seen` is shared with an earlier place and stays as that place needs it.
    """
    seen.add(id(node))
    if isinstance(node, CommentedMap):
        for key in [key for key in node if _text(key) not in after]:
            del node[key]
        places = {_text(key): key for key in node}
        before = {places[key]: value for key, value in before.items() if key in places}
        parts: list[tuple[Any, Any]] = [(places.get(key, key), value) for key, value in after.items()]
    else:
        del node[len(after) :]
        parts = list(enumerate(after))
    for part, value in parts:
        if isinstance(node, CommentedSeq) and part == len(node):
            node.append(_new(value))
        elif part not in node and isinstance(node, CommentedMap):
            node[part] = _new(value)
        elif not data_edits.same(before[part], value):
            if _is_like(node[part], value) and id(node[part]) not in seen:
                _adapt(node[part], before[part], value, seen)
            else:
                node[part] = _new(value)
        else:
            _mark(node[part], seen)


def _mark(node: Any, seen: set[int]) -> None:
    if isinstance(node, (CommentedMap, CommentedSeq)):
        seen.add(id(node))
        for item in node.values() if isinstance(node, CommentedMap) else node:
            _mark(item, seen)


def _without_repeats(node: Any, met: list[Any]) -> None:
    """Remove the comments that the loader also attaches to the aliases of an anchored scalar."""
    if not isinstance(node, (CommentedMap, CommentedSeq)) or any(node is other for other in met):
        return
    met.append(node)
    for tokens in node.ca.items.values():
        for slot, token in enumerate(tokens):
            if any(token is other for other in met):
                tokens[slot] = None
            elif token is not None:
                met.append(token)
    for item in node.values() if isinstance(node, CommentedMap) else node:
        _without_repeats(item, met)


def _comments(text: str) -> list[str]:
    """Return everything that follows a `#`, sorted; strings that only look like comments are the same before and after."""
    return sorted(line[at:].strip() for line in text.splitlines() if (at := f" {line}".find(" #")) >= 0)


def _sources(value: JSON) -> Counter[str]:
    """Count the source strings that the scalars of a value remember."""
    if isinstance(value, (dict, list)):
        return sum(map(_sources, value.values() if isinstance(value, dict) else value), Counter())
    return Counter([found] if (found := source_of(value)) else [])


def _is_like(node: Any, value: JSON) -> bool:
    return bool(value) and isinstance(
        node, CommentedMap if isinstance(value, dict) else CommentedSeq if isinstance(value, list) else ()
    )


def _plain(node: Any) -> Any:
    """Convert a loaded value to plain data."""
    if isinstance(node, dict):
        return {_text(key): _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(item) for item in node]
    if node is None or isinstance(node, bool):
        return node
    kinds: tuple[type, ...] = (str, int, float)
    return next((kind(node) for kind in kinds if isinstance(node, kind)), str(node))


def _text(key: Any) -> str:
    return key if isinstance(key, str) else emit.scalar(_plain(key))


def _new(value: JSON) -> Any:
    if isinstance(value, dict):
        return CommentedMap({_new(key): _new(item) for key, item in value.items()})
    if isinstance(value, list):
        return CommentedSeq([_new(item) for item in value])
    if not isinstance(value, str):
        return next((kind(value) for kind in (float, int) if type(value) in (Float, Int) and isinstance(value, kind)), value)
    if emit.is_plain(value, flow=True):
        return value
    if emit.is_literal(value):
        return LiteralScalarString(value)
    return SingleQuotedScalarString(value) if scalars.is_printable(value) else DoubleQuotedScalarString(value)


def _scalar_11(node: Node) -> Any:
    """Return the value of a scalar for a YAML 1.1 reader."""
    if node.style or node.tag:
        return scalar_value(node)
    resolver: Any = pyyaml.resolver.Resolver()
    tag = resolver.resolve(pyyaml.ScalarNode, node.value, (True, False))
    try:
        return pyyaml.constructor.SafeConstructor().construct_object(pyyaml.ScalarNode(tag, node.value))
    except (pyyaml.YAMLError, ValueError):
        return tag, node.value
