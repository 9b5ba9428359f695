"""A YAML text in a field of an object, as Go reads it: its values, their lines, and its lints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._kit.planner import places
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import Finding, Inside, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.yaml.lints import Lint
    from krm_values._golang.yaml.read import GoText
    from krm_values._kit.layers.merge import Layer
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import Severity

_CAUSES: Mapping[str, tuple[Severity, str]] = {
    "document": (
        "warning",
        "only the first YAML document is read, what begins at PLACES is not: remove it or give it an object of its own",
    ),
    "duplicate": ("warning", "PLACES: the key is in its map twice and the last one counts; remove the other"),
    "boolean": (
        "warning",
        "PLACES: Go reads a plain y, n, yes, no, on or off as true or false; write true or false, or quote it",
    ),
    "digits": ("warning", "PLACES: the number does not keep its digits; quote it if they matter"),
    "date": ("info", "PLACES: a plain date stays text for Go, but other readers make a date of it; quote it"),
}


@record
class Embedded:
    """The text at `path` of `item`. It has no values if there is no text, and no item if there is no object."""

    item: Item | None
    path: Path
    text: GoText | None
    encrypted: bool = False
    raw: str = ""  # what it was read from

    @property
    def values(self) -> dict[str, JSON]:
        """The values, a map."""
        return self.text.mapping() if self.text else {}

    def place(self, path: Path) -> tuple[int, int]:
        """Return line and column of a value within the text, from 1; those of its beginning for a value that is not in the text."""
        return (self.text.place(path) if self.text else None) or (1, 1)

    def as_layer(self, layer: str, facts: Mapping[str, JSON]) -> Layer:
        """Return the values as a layer of this name. facts: what is printed beside the name."""
        item, at, text = self.item, self.path, self.text

        def say(path: Path, value: JSON) -> Origin:
            return Origin(layer, value, item, at, path, None, (), facts, 0, None, text)

        return say

    def findings(self, rules: Mapping[str, str]) -> Iterator[Finding]:
        """Yield one finding per kind of lint, with all its lines. rules: the rule of each kind; kinds without a rule are not reported."""
        by_kind: dict[str, list[Lint]] = {}
        for fact in self.text.lints if self.text else ():
            if fact.kind in rules:
                by_kind.setdefault(fact.kind, []).append(fact)
        for kind, facts in sorted(by_kind.items(), key=lambda found: (found[1][0].line, found[1][0].column)):
            severity, template = _CAUSES[kind]
            text = template.replace("PLACES", ", ".join(map(self._place, facts)))
            inside = self.inside(facts[0].line, facts[0].column)
            yield Finding(severity, f"text-{kind}", rules[kind], text, self.item, self.path, inside=inside)

    def inside(self, line: int, column: int) -> Inside | None:
        """Return a place of the text, if its place in the file is known."""
        found = Inside(self.raw, line, column)
        return found if self.item and places.of_text(self.item, self.path, found)[0] else None

    def line_shown(self, line: int) -> str:
        """Return a line of the text for messages: the line of the file if it is known."""
        found = places.of_text(self.item, self.path, Inside(self.raw, line)) if self.item else places.UNKNOWN
        return f"line {found[0]}" if found[0] else f"line {line} of the text"

    def _place(self, fact: Lint) -> str:
        """Return the place of a lint and, unless it is in a Secret, the text there."""
        if not fact.path:
            return self.line_shown(fact.line)
        hides = not fact.text or (self.item is not None and is_secret(self.item))
        field = to_field(fact.path) if hides else f"{to_field(fact.path)}: {fact.text}"
        return f"`{field}` ({self.line_shown(fact.line)})"


def values_at(data: JSON, path: Path) -> JSON:
    """Return the values of the text at `path` of a ConfigMap's or Secret's data; an empty map if there is no readable text."""
    from krm_values._golang.yaml import read  # noqa: PLC0415 - only where a text is replaced
    from krm_values._kit.layers import configmaps  # noqa: PLC0415 - only where a text is replaced

    text = get(data, path)
    if not isinstance(text, str):
        return {}
    is_encoded = get(data, ("kind",)) == "Secret" and path[:1] == ("data",)
    try:
        return read.read(configmaps.decode(text) if is_encoded else text).mapping()
    except (InputError, ValueError):
        return {}
