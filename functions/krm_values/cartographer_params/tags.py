"""Replacement of the tags `$(path)$` of a simple template by values of a context (rules 60 to 70)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record
from krm_values._data.scalars.tags import like
from krm_values._data.scalars.text import source_of
from krm_values._golang import encoding_json
from krm_values._golang.jsonpath.values import UNKNOWN, Raw, Unknown, boxed
from krm_values.cartographer_params import paths
from krm_values.cartographer_params.budget import Room
from krm_values.cartographer_params.paths import PathError, WaitsError

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
    """A string of a template that cannot be stamped.

    path: within the template. expression: as written between `$(` and `)$`. fact: what is wrong, as a predicate. missing: the path
    found nothing, as opposed to an expression that is never valid. is_null: a null within a longer string.
    """

    path: Path
    expression: str
    fact: str
    missing: bool = False
    is_null: bool = False


@record
class Stamped:
    """A template with its tags replaced; `value` is valid only without waiting expressions and faults.

    waiting: the expressions that refer to an unknown output, as written, once each, sorted. faults: in the template's order.
    """

    value: JSON
    waiting: tuple[str, ...]
    faults: tuple[Fault, ...]


def context_of(plain: Mapping[str, JSON | Unknown], **typed: GoValue) -> dict[str, GoValue]:
    """Return the context for paths. plain: plain data, which may hold UNKNOWN anywhere. typed: typed values, such as `workload`.

    Every number becomes a float, every entry of `params` is opaque (rules 69 and 75).
    """
    context: dict[str, GoValue] = {key: boxed(value) for key, value in plain.items() if key != "params"}
    params = plain.get("params")
    if isinstance(params, dict):
        context["params"] = {name: Raw(value) for name, value in params.items()}
    return {**context, **typed}


def stamp(template: JSON, context: Mapping[str, Any], room: Room | None = None) -> Stamped:
    """Replace every tag in every string of the template, at any depth; keys are left alone.

    context: made by `context_of`. room: the budget of the run. Numbers of the template pass through 64-bit floats as well (rule 75).
    """
    stamper = _Stamper(dict(context), room or Room())
    value = stamper.value(template, ())
    return Stamped(value, tuple(sorted(set(stamper.waiting))), tuple(stamper.faults))


def expressions(template: JSON) -> list[str]:
    """Return all expressions of a template, in order."""
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
    """Return the part of a string after its last tag, the only part in which `$(` is plain text."""
    return "" if _is_single(written) else _pieces(written)[-1][0]


class _Stamper:
    """The state of one replacement: the context, and the faults and waiting expressions so far."""

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
        return "".join(self._inserted(piece, path) if is_tag else piece for piece, is_tag in _pieces(written))

    def _inserted(self, expression: str, path: Path) -> str:
        before = len(self.waiting) + len(self.faults)
        found = self._found(expression, path)
        if found is None and before == len(self.waiting) + len(self.faults):
            self.faults.append(Fault(path, expression, "is null, which cannot be inserted into a longer string", is_null=True))
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
            fact = error.fact if expression else f"has an empty tag: `{_OPEN}{_CLOSE}`"
            self.faults.append(Fault(path, expression, fact, error.missing))
        return None

    def _one(self, expression: str) -> JSON:
        """Return the one value that an expression finds; WaitsError or PathError if there is none. It is evaluated once."""
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
    """Return a literal as written if a 64-bit float keeps its value, else the float's. Raises ValueError if a float cannot hold it."""
    held = encoding_json.normalised(value)
    return value if source_of(value) and held == value else held


def _is_single(written: str) -> bool:
    """Return whether a string counts as a single tag, so that the value keeps its type (rule 62)."""
    return written.startswith(_OPEN) and written.endswith(_CLOSE) and written.count(_OPEN) == 1


def _expression(written: str) -> str:
    return written.removesuffix(_CLOSE).removeprefix(_OPEN)


def _pieces(written: str) -> list[tuple[str, bool]]:
    """Split a string into (text, False) and (expression, True), as fasttemplate v1.2.2 does."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    while (opened := written.find(_OPEN, at)) >= 0 and (closed := written.find(_CLOSE, opened + len(_OPEN))) >= 0:
        pieces += [(written[at:opened], False), (written[opened + len(_OPEN) : closed], True)]
        at = closed + len(_CLOSE)
    return [*pieces, (written[at:], False)]
