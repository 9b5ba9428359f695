"""The forms of an answer that programs read: JSON, and the same data as YAML."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from krm_values._data.scalars import Text
from krm_values._data.shown import json_text
from krm_values._run.terminal import send
from krm_values._yaml import emit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from krm_values._data.values import JSON

TEXT, JSON_FORM, YAML_FORM = "text", "json", "yaml"
_BATCH = 32


def put(pieces: Iterable[str], form: str) -> None:
    """Print a JSON document, given in pieces, in a form."""
    if form == JSON_FORM:
        send(_batches(iter(pieces)))
    else:
        put_data(json.loads("".join(pieces)), form)


def put_data(data: JSON, form: str) -> None:
    """Print data in a form, without characters that a terminal or a CI host would interpret."""
    if form == JSON_FORM:
        text = json_text(emit.as_json(data, indent=2))
    else:
        text = "\n".join(emit.block(_safe(data), literal=False))
    send([f"{text}\n".encode()])


def _batches(pieces: Iterator[str]) -> Iterator[bytes]:
    """Yield the pieces of a text in larger ones, with invisible characters escaped, as UTF-8."""
    while batch := "".join(itertools.islice(pieces, _BATCH)):
        yield json_text(batch).encode()


def _safe(data: JSON) -> JSON:
    """Return data whose strings are written as JSON writes them, where they hold what a terminal or a host interprets."""
    if isinstance(data, dict):
        return {_safe(key): _safe(value) for key, value in data.items()}  # type: ignore[misc] # of a string comes a string
    if isinstance(data, list):
        return [_safe(one) for one in data]
    if isinstance(data, str) and (not data.isprintable() or "::" in data or "##" in data):
        quoted = json_text(json.dumps(data, ensure_ascii=False)).replace("##", "#\\u0023")
        return Text(data, data, quoted)
    return data
