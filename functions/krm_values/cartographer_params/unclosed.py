"""Text of a template that looks like a tag without its closing `$`, and is stamped as text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding, part_of
from krm_values.cartographer_params import names
from krm_values.cartographer_params.kind_names import CONTEXT, RUN_CONTEXT, RUN_TEMPLATE
from krm_values.cartographer_params.tags import untagged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item

_OPENED = re.compile(r"\$\((\w+)[.\[]")
_BRACKET = re.compile(r"[()]")
_TEKTON = "tekton.dev/"
_LONGEST = 200  # characters of a text that are shown


def tags(item: Item, kind: str, body: JSON, path: Path) -> Iterator[Finding]:
    """Yield a warning for each such text of the body, which is at `path` of the template."""
    known = _known(kind, body)
    for at, text in _unclosed(body, known, path):
        message = f"`{text}` is plain text and not a tag, because a tag ends with `)$`; write `{text}$`"
        yield Finding(
            "warning",
            "unclosed-tag",
            "S16",
            message,
            item,
            at,
            tags={"text": text},
            inside=part_of(item, at, text.removesuffix("...")),
        )


def params(kind: str, body: JSON) -> frozenset[str]:
    """Return the params to which such strings refer; "" if one may refer to any."""
    texts = (text for _, text in _unclosed(body, _known(kind, body), ()))
    found = (names.parts(text.removeprefix("$(").removesuffix(")")) for text in texts)
    return frozenset(parts[1] if len(parts) > 1 else "" for parts in found if parts and parts[0] == "params")


def _known(kind: str, body: JSON) -> frozenset[str]:
    """Return the names with which a tag of this body may begin. In an object of Tekton `$(params.x)` is Tekton's own reference."""
    if kind == RUN_TEMPLATE:
        return frozenset(RUN_CONTEXT)
    version = body.get("apiVersion") if isinstance(body, dict) else None
    return frozenset(CONTEXT) - ({"params"} if str(version).startswith(_TEKTON) else set())


def _unclosed(value: JSON, known: frozenset[str], path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path and the text of each, in the order of the body; once per string and text."""
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _unclosed(below, known, (*path, key))
    elif isinstance(value, str) and "$(" in value:
        yield from ((path, text) for text in dict.fromkeys(_of_string(untagged(value), known)))


def _of_string(text: str, known: frozenset[str]) -> Iterator[str]:
    """Yield each closed `$(` of a text without tags that begins like a tag."""
    ends = _ends(text)
    for match in _OPENED.finditer(text):
        end = ends.get(match.start() + 1)
        if match[1] in known and end:
            yield text[match.start() : min(end, match.start() + _LONGEST)] + ("..." if end - match.start() > _LONGEST else "")


def _ends(text: str) -> dict[int, int]:
    """Map the position of each closed `(` to the position after its `)`."""
    opened: list[int] = []
    ends = {}
    for match in _BRACKET.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.end()
    return ends
