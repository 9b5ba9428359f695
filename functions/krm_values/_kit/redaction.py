"""What came out of a Secret into a resource that is none, known by its text: planners quote and copy what they read there.

Origins say where most values come from; this is for what is said or made without one.
"""

from __future__ import annotations

from krm_values._kit import withheld
from krm_values._kit.errors import InputError
from krm_values._kit.plan import Finding, Note, Origin
from krm_values._kit.record import replace
from krm_values._kit.scalars import text_of
from krm_values._kit.withheld import HIDDEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from krm_values._kit.data import JSON
    from krm_values._kit.item import Item
    from krm_values._kit.pointer import Path

_LONG = 6  # characters; what is shorter may be part of any word and is hidden in quotes only


class Redaction:
    """Hides the texts that stand in items where values came out of Secrets."""

    __slots__ = ("_texts",)

    def __init__(self, items: Iterable[Item]) -> None:
        texts = {text for item in items if item.withheld for text in _texts(item)}
        self._texts = sorted(texts, key=lambda text: (-len(text), text))

    def finding(self, finding: Finding) -> Finding:
        """The finding as it may be told."""
        if not self._texts:
            return finding
        found = finding.found
        return replace(
            finding,
            message=self._text(finding.message),
            found=found if isinstance(found, Origin) else self._value(found),
            tags={key: self._text(str(text)) for key, text in finding.tags.items()},
        )

    def note(self, note: Note) -> Note:
        """The note as it may be told."""
        return replace(note, subject=self._text(note.subject), data=self._value(note.data)) if self._texts else note

    def holds(self, value: object) -> bool:
        """Whether one of the texts is in a value."""
        return bool(self._texts) and any(True for _ in self.places(value))

    def operation(self, operation: dict[str, JSON]) -> dict[str, JSON]:
        """An RFC 6902 operation without the scalars in its value that hold one of the texts."""
        found = tuple(self.places(operation.get("value")))
        return {**operation, "value": withheld.concealed(operation["value"], (), found)} if found else operation

    def places(self, value: object) -> Iterator[Path]:
        """The scalars in a value that hold one of the texts."""
        for path, inner in _scalars(value, ()):
            text = text_of(inner) if isinstance(inner, str | int | float) and not isinstance(inner, bool) else ""
            if any(one in text for one in self._texts if len(one) >= _LONG):
                yield path

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: self._value(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [*map(self._value, value)]
        if isinstance(value, str):
            return HIDDEN if value in self._texts else self._text(value)
        return HIDDEN if value is not None and not isinstance(value, bool) and text_of(value) in self._texts else value

    def _text(self, text: str) -> str:
        for one in self._texts:
            if len(one) >= _LONG:
                text = text.replace(one, HIDDEN)
            else:
                text = text.replace(f'"{one}"', f'"{HIDDEN}"').replace(f"`{one}`", f"`{HIDDEN}`")
        return text


def _texts(item: Item) -> Iterator[str]:
    """Every text at the places of an item, and those in it where it is YAML."""
    for path, value in _scalars(item.data, ()):
        if not withheld.covers(item.withheld, path):
            continue
        text = text_of(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
        if text.strip():
            yield text
            yield from _inside(text)


def _scalars(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    if not isinstance(value, dict | list):
        yield path, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _scalars(inner, (*path, key))


def _inside(text: str) -> Iterator[str]:
    from krm_values._kit import goyaml  # noqa: PLC0415 - only where something is withheld

    yield from (line for line in map(str.strip, text.splitlines()) if len(line) >= _LONG)
    try:
        data = goyaml.read(text).data
    except InputError:
        return
    if isinstance(data, dict | list):
        for _, value in _scalars(data, ()):
            if isinstance(value, str) and value.strip():
                yield value
