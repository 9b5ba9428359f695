"""What the document of `explain --json` says of values, as tests ask for it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._explain.steps import Explained

_MOVES = ("line", "column", "document", "before", "because")
"""What a render may change of an answer: lines, the order of objects, and what the files have now."""


def of_steps(explained: Iterable[Explained], *, show_secrets: bool = False) -> str:
    """The document of steps that have run."""
    from krm_values._explain.as_json import document  # noqa: PLC0415 - most tests read what a command has printed
    from krm_values._explain.ledger import Ledger  # noqa: PLC0415
    from krm_values._explain.steps import Explanation  # noqa: PLC0415

    ledger = Ledger(Explanation(tuple(explained)))
    listed = ledger.listed(ledger.resources(), complete=True, authored=False)
    return "".join(document(ledger, listed, show_secrets=show_secrets))


def decided(text: str | bytes) -> list[dict[str, Any]]:
    """The values that a step decided, without the constants and copies around them in generated objects."""
    return [value for value in json.loads(text)["values"] if "rule" in value]


def cells(value: dict[str, Any]) -> list[dict[str, Any]]:
    """The contributions to a value, the winner first."""
    return [value["winner"], *value["overridden"]] if "winner" in value else []


def whole(cell: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A contribution and what it was composed of."""
    yield cell
    for part in cell.get("parts", ()):
        yield from whole(part)


def file_of(document: dict[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The file of a value's object, and its index there."""
    return document["documents"][value["document"]]


def facts(values: Iterable[dict[str, Any]]) -> set[str]:
    """What is said of values, without what a render may change."""
    return {json.dumps(_settled(value), sort_keys=True) for value in values}


def _settled(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: entry if key == "value" else _settled(entry) for key, entry in value.items() if key not in _MOVES}
    return [_settled(entry) for entry in value] if isinstance(value, list) else value
