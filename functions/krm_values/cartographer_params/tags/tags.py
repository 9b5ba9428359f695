"""Stamping: the tags `$(path)$` of a simple template, replaced by what they find in a context (rules 60 to 70)."""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._data.scalars.tags import like
from krm_values._data.scalars.text import source_of
from krm_values._golang import encoding_json
from krm_values._golang.jsonpath.values import UNKNOWN, Raw, Unknown, boxed
from krm_values.cartographer_params.api import paths
from krm_values.cartographer_params.api.paths import PathError, WaitsError
from krm_values.cartographer_params.tags.budget import Room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._golang.jsonpath.values import GoValue

__all__ = ["UNKNOWN", "Fault", "Stamped", "context_of", "expressions", "stamp", "untagged"]

_OPEN, _CLOSE = "$(", ")$"


@record
class Fault:
    """A string of a template that cannot be stamped. path: inside the template. expression: as written between the marks.

    fact: what is wrong with it. missing: it led nowhere, as opposed to what can never be right. is_null: a null inside a text.
    """

    path: Path
    expression: str
    fact: str
    missing: bool = False
    is_null: bool = False


@record
class Stamped:
    """A template with its tags replaced; the value means something only without waiting expressions and faults.

    waiting: the expressions that touch an unknown output, as written, once each, sorted. faults: in the template's order.
    """

    value: JSON
    waiting: tuple[str, ...]
    faults: tuple[Fault, ...]


def context_of(plain: Mapping[str, JSON | Unknown], **typed: GoValue) -> dict[str, GoValue]:
    """A context of plain data, which may hold UNKNOWN anywhere, and of typed values (`workload`), as paths see it.

    Every number becomes a float, every entry of `params` is opaque (rules 69 and 75).
    """
    context: dict[str, GoValue] = {key: boxed(value) for key, value in plain.items() if key != "params"}
    params = plain.get("params")
    if isinstance(params, dict):
        context["params"] = {name: Raw(value) for name, value in params.items()}
    return {**context, **typed}


def stamp(template: JSON, context: Mapping[str, Any], room: Room | None = None) -> Stamped:
    """Replace every tag in every string of the template, at any depth; keys stay as they are.

    context: what `context_of` gives. room: what the objects may take. Numbers of the template pass through 64-bit floats as well (rule 75).
    """
    stamper = _Stamper(dict(context), room or Room())
    value = stamper.value(template, ())
    return Stamped(value, tuple(sorted(set(stamper.waiting))), tuple(stamper.faults))


def expressions(template: JSON) -> list[str]:
    """All expressions of a template, in its order: for who wants to know which params it may use."""
    if isinstance(template, dict):
        return [found for below in template.values() for found in expressions(below)]
    if isinstance(template, list):
        return [found for below in template for found in expressions(below)]
    if not isinstance(template, str):
        return []
    if _is_single(template):
        return [_expression(template)]
    return [piece for piece, is_tag in _pieces(template) if is_tag]


def untagged(written: str) -> str:
    """What follows the last tag of a string: the only part where `$(` is plain text."""
    return "" if _is_single(written) else _pieces(written)[-1][0]


class _Stamper:
    """One stamping: the context, and what went wrong so far."""

    __slots__ = ("_known", "_room", "context", "faults", "waiting")

    def __init__(self, context: dict[str, GoValue], room: Room) -> None:
        self.context, self._room = context, room
        self._known: dict[str, JSON | WaitsError | PathError] = {}
        self.waiting: list[str] = []
        self.faults: list[Fault] = []

    def value(self, value: JSON, path: Path) -> JSON:
        if isinstance(value, dict):
            return like(value, {key: self.value(below, (*path, key)) for key, below in value.items()})
        if isinstance(value, list):
            return like(value, [self.value(below, (*path, index)) for index, below in enumerate(value)])
        if isinstance(value, str):
            return self._string(value, path) if _OPEN in value else value
        try:
            return _kept(value)
        except ValueError as error:
            self.faults.append(Fault(path, "", str(error)))
            return None

    def _string(self, written: str, path: Path) -> JSON:
        if _is_single(written):
            return self._found(_expression(written), path)
        return "".join(self._text(piece, path) if is_tag else piece for piece, is_tag in _pieces(written))

    def _text(self, expression: str, path: Path) -> str:
        before = len(self.waiting) + len(self.faults)
        found = self._found(expression, path)
        if found is None and before == len(self.waiting) + len(self.faults):
            self.faults.append(Fault(path, expression, "is null, which has no place inside a text", is_null=True))
        return found if isinstance(found, str) else encoding_json.text(found)

    def _found(self, expression: str, path: Path) -> JSON:
        if self._room.is_full:
            return None
        try:
            found = self._one(expression)
            self._room.take(found)
            if not self._room.is_full:
                return found
            self.faults.append(Fault(path, expression, self._room.full))
        except WaitsError:
            self.waiting.append(expression)
        except PathError as error:
            fact = error.fact if expression else f"has a tag with nothing in it: `{_OPEN}{_CLOSE}`"
            self.faults.append(Fault(path, expression, fact, error.missing))
        return None

    def _one(self, expression: str) -> JSON:
        """The one value that an expression finds, or why there is none; it is followed once."""
        if expression not in self._known:
            try:
                self._known[expression] = paths.one(expression, self.context, self._room.paths)
            except (WaitsError, PathError) as error:
                self._known[expression] = error
        found = self._known[expression]
        if isinstance(found, WaitsError | PathError):
            raise found.with_traceback(None)
        return found


def _kept(value: JSON) -> JSON:
    """A literal as it is written, if it means the same after its way through a float; ValueError where a float cannot hold it."""
    held = encoding_json.normalised(value)
    return value if source_of(value) and held == value else held


def _is_single(written: str) -> bool:
    """Whether a string counts as one tag, and nothing else: its result keeps its type (rule 62)."""
    return written.startswith(_OPEN) and written.endswith(_CLOSE) and written.count(_OPEN) == 1


def _expression(written: str) -> str:
    return written.removesuffix(_CLOSE).removeprefix(_OPEN)


def _pieces(written: str) -> list[tuple[str, bool]]:
    """A string as (text, False) and (expression, True), as fasttemplate v1.2.2 cuts it."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    while (opened := written.find(_OPEN, at)) >= 0 and (closed := written.find(_CLOSE, opened + len(_OPEN))) >= 0:
        pieces += [(written[at:opened], False), (written[opened + len(_OPEN) : closed], True)]
        at = closed + len(_CLOSE)
    return [*pieces, (written[at:], False)]
