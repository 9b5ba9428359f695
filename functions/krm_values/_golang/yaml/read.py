"""YAML as programs that use sigs.k8s.io/yaml 1.6.0 read it: YAML to JSON to maps.

Where Go's result depends on the order of a Go map (two keys with the same text) this reader refuses the text, and beyond 200 levels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._data.shown import type_of
from krm_values._golang.yaml import onepass
from krm_values._golang.yaml.decode import decode
from krm_values._golang.yaml.lines import Lines
from krm_values._golang.yaml.lints import Lint
from krm_values._golang.yaml.parser import first_document
from krm_values._yaml.encoding import by_lines

if TYPE_CHECKING:
    from typing import Protocol

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON

    class Places(Protocol):
        """The places of the values of a text."""

        def of(self, path: Path) -> tuple[int, int] | None: ...


__all__ = ["GoText", "Lint", "read"]


class GoText:
    """A text that was read: its `data` and its `lints` in the order of the text."""

    __slots__ = ("_lines", "_places", "_text", "data", "lints")

    def __init__(self, data: JSON, lints: tuple[Lint, ...], places: Places, text: str = "") -> None:
        self.data, self.lints, self._places, self._text = data, lints, places, text
        self._lines: Lines | None = places if isinstance(places, Lines) else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GoText) and (self._text, self.data, self.lints) == (other._text, other.data, other.lints)

    def __hash__(self) -> int:
        return hash(self._text)

    def line(self, path: Path) -> int | None:
        """Return the line, from 1, of the key or list element at `path`; None if there is none."""
        found = self.place(path)
        return found[0] if found else None

    def place(self, path: Path) -> tuple[int, int] | None:
        """Return line and column, from 1, of the key or list element at `path`; None if there is none."""
        found = self._places.of(path)
        return (found[0] + 1, found[1] + 1) if found else None

    def written(self, path: Path) -> str:
        """Return a scalar of the data as the text has it, without quotes and tag; "" where there is none."""
        if self._lines is None:
            self._lines = Lines(self._text, first_document(self._text).root)
        node = self._lines.node(path)
        return node.value if node is not None and node.kind == "scalar" else ""

    def mapping(self) -> dict[str, JSON]:
        """Return the data as a map, empty for null. InputError for anything else."""
        if self.data is None:
            return {}
        if isinstance(self.data, dict):
            return self.data
        raise InputError(f"must be a map, found {type_of(self.data)}", *(self.place(()) or (1, 1)))


def read(text: str, *, floats: bool = True, secret: bool = False, limits: Limits = DEFAULT) -> GoText:
    """Read a text as Go does; InputError (line and column from 1) where Go refuses it.

    floats: whether numbers are 64-bit floats, as `Unmarshal` into a map has them; else whole numbers keep their digits, as `YAMLToJSON` has
    them. A float without fraction below 1e21 is an int in the data, so that equal numbers are equal. secret: neither errors nor lints quote
    the text, except the keys in a lint's path.
    """
    try:
        found = _quick(text, floats=floats, limits=limits) or _whole(text, floats=floats, limits=limits)
    except InputError as error:
        if secret:
            error = InputError("is not YAML that Go reads", error.line, error.column)
        raise by_lines(text, error) from None
    if isinstance(found.data, dict) and isinstance(found.data.get("sops"), dict):
        found.lints += (Lint("sops", ("sops",), *(found.place(("sops",)) or (1, 1)), "sops"),)
    if secret:
        found.lints = tuple(replace(lint, text="") for lint in found.lints)
    return found


def _quick(text: str, *, floats: bool, limits: Limits) -> GoText | None:
    """Read an ordinary text, which has no lints."""
    read = onepass.read(text, floats=floats, limits=limits)
    return GoText(read[0], (), read[1], text) if read else None


def _whole(text: str, *, floats: bool, limits: Limits) -> GoText:
    document = first_document(text, limits)
    data, lints = decode(document.root, floats=floats, limits=limits) if document.root else (None, [])
    if document.further:
        lints.append(Lint("document", (), document.further, 1, ""))
    return GoText(data, tuple(lints), Lines(text, document.root), text)
