"""A YAML text in a field of an object, as Go reads it: its values, their lines, and its lints."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.go_numbers import is_date, is_whole, resolve, whole
from krm_values._data.limits import DEFAULT, KEPT, SHORT
from krm_values._data.pointer import get, to_field
from krm_values._data.record import record
from krm_values._data.scalars import quoted
from krm_values._data.shown import LONGEST, cut
from krm_values._go import yaml as goyaml
from krm_values._krm import places
from krm_values._krm.item import is_secret
from krm_values._krm.plan import Finding, Inside, Origin
from krm_values._krm.taint import in_nested, in_secret_of_text, in_values, may_be_nested
from krm_values._run.objects import decode, encode
from krm_values._yaml.emit import indented, is_literal, is_plain, literal_block, scalar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText
    from krm_values._go.yaml_decode import Lint
    from krm_values._krm.findings import Report
    from krm_values._krm.item import Item
    from krm_values._krm.plan import New, Severity
    from krm_values._run.traced import Layer


_CAUSES: Mapping[str, tuple[Severity, str]] = {
    "document": (
        "warning",
        "only the first YAML document is read, what begins at PLACES is not: remove it or give it an object of its own",
    ),
    "duplicate": ("warning", "PLACES: the key is in its map twice and the last one counts; remove the other"),
    "merged": (
        "warning",
        "PLACES: `<<` below has the key as well, and for Go that value counts, so this one is dead; write it below `<<`, or remove it",
    ),
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
        """Yield one finding per kind of lint, with its lines, as many as fit into a message. rules: the rule of each kind; kinds without a rule are not reported."""
        by_kind: dict[str, list[Lint]] = {}
        for fact in self.text.lints if self.text else ():
            if fact.kind in rules:
                by_kind.setdefault(fact.kind, []).append(fact)
        for kind, facts in sorted(by_kind.items(), key=lambda found: (found[1][0].line, found[1][0].column)):
            severity, template = _CAUSES[kind]
            text = template.replace("PLACES", self._places(facts))
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

    def _places(self, facts: list[Lint]) -> str:
        shown: list[str] = []
        size = 0
        for fact in facts:
            text = self._place(fact)
            size += len(text)
            if shown and size > LONGEST:
                return f"{', '.join(shown)} and {len(facts) - len(shown):,} more"
            shown.append(text)
        return ", ".join(shown)

    def _place(self, fact: Lint) -> str:
        """Return the place of a lint and, unless it is in a Secret, the text there."""
        if not fact.path:
            return self.line_shown(fact.line)
        hides = not fact.text or (self.item is not None and is_secret(self.item))
        field = to_field(fact.path) if hides else f"{to_field(fact.path)}: {fact.text}"
        return f"`{cut(field)}` ({self.line_shown(fact.line)})"


def values_at(data: JSON, path: Path, number: int = 0) -> JSON:
    """Return the values of the text at `path` of a ConfigMap's or Secret's data; an empty map if there is no readable text.

    number: of the YAML document of the text.
    """
    found = data_at(data, path, number)
    return found if isinstance(found, dict) else {}


def data_at(data: JSON, path: Path, number: int = 0) -> JSON:
    """Return the map or list in the text at `path` of a resource; an empty map if there is none. number: of the YAML document of the text."""
    text = get(data, path)
    is_encoded = get(data, ("kind",)) == "Secret" and path[:1] == ("data",)
    try:
        clear = decode(text) if is_encoded and isinstance(text, str) else text
        parts = goyaml.split(clear) if number and isinstance(clear, str) else [clear]
    except ValueError:
        return {}
    return data_in(parts[number]) if number < len(parts) else {}


def is_in_secret(data: JSON, path: Path, inner: Path | None) -> bool:
    """Return whether a place of a resource is in the values of a Secret that the resource, or its text there, contains."""
    if may_be_nested(path) and in_nested(data, path):
        return True
    if inner is None or not in_values(inner):
        return False
    text, is_encoded = get(data, path, None), get(data, ("kind",)) == "Secret" and path[:1] == ("data",)
    return isinstance(text, str) and any(in_secret_of_text(one, inner) for one in _data_of(text, is_encoded=is_encoded))


@lru_cache(8)
def _data_of(text: str, *, is_encoded: bool) -> Sequence[JSON]:
    """Return the data of each YAML document of a text."""
    try:
        return [*map(data_in, goyaml.split(decode(text) if is_encoded else text))]
    except ValueError:
        return []


def data_in(text: JSON) -> JSON:
    """Return the map or list in a text; an empty map if there is none."""
    try:
        found = goyaml.read(text, json=True).data if isinstance(text, str) else None
    except InputError:
        return {}
    return found if isinstance(found, (dict, list)) else {}


# The text of values in a ConfigMap or Secret: one form that YAML 1.1, YAML 1.2 and Go readers read as the same data.
#
# Block style, indented by 2, dashes at the parent's column, keys sorted by code point, one final line break; no folding, anchors or tags.
# Strings that any of these readers would retype or refuse are in double quotes.

_WRITTEN: dict[str, str] = {}
_KEY = 1000  # characters of a key that still fit on its line for every reader


def write(data: JSON) -> str:
    """Return the text of plain data; floats without a fraction are written as whole numbers."""
    return "\n".join(block(data)) + "\n"


def block(value: JSON) -> list[str]:
    """Return the lines of a value, the first without indentation."""
    if isinstance(value, dict) and value:
        return [line for key in sorted(value) for line in _entry(key, value[key])]
    if isinstance(value, list) and value:
        return [line for item in value for line in _element(item)]
    if isinstance(value, (dict, list)):
        return ["{}" if isinstance(value, dict) else "[]"]
    if isinstance(value, str):
        return literal_block(value, 2) if _is_block(value) else [one_line(value)]
    return [_constant(value)]


def _entry(key: str, value: JSON) -> list[str]:
    return entry(one_line(key), block(value), indent_of(value))


def _element(value: JSON) -> list[str]:
    return element(block(value), indent_of(value))


def indent_of(value: JSON) -> int | None:
    """Return how far the lines of a value are indented below its key; None for a value that begins behind it."""
    return None if not value or not isinstance(value, (dict, list)) else 2 if isinstance(value, dict) else 0


def entry(name: str, lines: list[str], indent: int | None) -> list[str]:
    """Return the lines of a key with those of its value, which are indented so far."""
    head = [f"{name}:"] if len(name) <= _KEY else [f"? {name}", ":"]
    return [*head[:-1], f"{head[-1]} {lines[0]}", *lines[1:]] if indent is None else [*head, *indented(lines, indent)]


def element(lines: list[str], indent: int | None) -> list[str]:
    """Return the lines of an element of a list. indent: that of its lines below a key."""
    return [f"- {lines[0]}", *(lines[1:] if indent is None else indented(lines[1:], 2))]


def one_line(value: str) -> str:
    """Return a string on one line. The result for short strings is cached, because most of them repeat."""
    found = _WRITTEN.get(value)
    if found is None:
        is_safe = is_plain(value) and isinstance(resolve(value), str) and not is_date(value)
        found = value if is_safe else quoted(value)
        if len(value) <= SHORT and len(_WRITTEN) < KEPT:
            _WRITTEN[value] = found
    return found


def _is_block(value: str) -> bool:
    """Return whether a text can be a literal block: no trailing spaces or empty lines at an end, which people and editors lose."""
    ends = (line[-1:] for line in value.split("\n"))
    return is_literal(value) and not value.endswith("\n\n") and not any(end in (" ", "\t") for end in ends)


def _constant(value: float | None) -> str:
    """Return the text of a number, a boolean or null."""
    if isinstance(value, float):
        return str(whole(value)) if is_whole(value) else scalar(float(value))
    return str(int(value)) if isinstance(value, int) and not isinstance(value, bool) else scalar(value)


# The ConfigMap or Secret that holds composed values as a text.


def values_object(metadata: dict[str, Any], key: str, text: str, *, is_secret: bool) -> dict[str, Any]:
    """Return the object, a Secret of type Opaque or a ConfigMap, with the text at `data[key]`."""
    head: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret" if is_secret else "ConfigMap", "metadata": metadata}
    return {**head, "type": "Opaque", "data": {key: encode(text)}} if is_secret else {**head, "data": {key: text}}


def metadata_of(name: str, namespace: str) -> dict[str, Any]:
    """Return the metadata of an object; without a namespace where that is ""."""
    return {"name": name, "namespace": namespace} if namespace else {"name": name}


def about_readable(new: New, rule: str, what: str, instead: str) -> Iterator[Finding]:
    """Yield the information that everybody who can read the files can read a written Secret. what: it holds. instead: the setting that avoids it."""
    if isinstance(new.data, dict) and new.data["kind"] == "Secret":
        text = f"stores {what} base64-encoded in its file; {instead}"
        yield Finding("info", "readable-secret", rule, text, new)


def sort_key(new: New) -> tuple[str, str, str]:
    """Return the sort key of new objects: namespace, name, part."""
    metadata: Any = new.data["metadata"] if isinstance(new.data, dict) else {}
    return str(metadata.get("namespace", "")), str(metadata["name"]), new.part


# Reads the text of a layer: its values and its findings.


def read_layer(
    item: Item, path: Path, text: str, rules: Mapping[str, str], report: Report, *, limits: Limits = DEFAULT
) -> Embedded | None:
    """Return the text at `path` of an object as values; None, with an error in the report, if it is not a YAML map.

    rules: the rule of an unusable text, by "text", and of each lint, by its kind.
    """
    try:
        read = goyaml.read(text, secret=is_secret(item), limits=limits)
        values = read.mapping()
    except InputError as error:
        inside = Inside(text, error.line, error.column) if error.line else None
        report.error("text", rules["text"], error.message, item, path, inside=inside)
        return None
    embedded = Embedded(item, path, read, isinstance(values.get("sops"), dict), text)
    if embedded.encrypted:
        return embedded
    report.extend(embedded.findings(rules))
    return embedded
