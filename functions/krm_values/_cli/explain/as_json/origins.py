"""The JSON of origins: the value of each layer, where it is, and the origins that it derives from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.explain.as_json.words import HIDDEN
from krm_values._cli.explain.facts import place_of
from krm_values._cli.masking import nested
from krm_values._data.record import record
from krm_values._kit.planner import places
from krm_values._kit.planner.item import Item

if TYPE_CHECKING:
    from collections.abc import Sequence

    from krm_values._cli.explain.as_json.words import Words
    from krm_values._cli.explain.trace.ways import Way
    from krm_values._kit.planner.plan import Leaf, Origin

    Plain = tuple["Pattern", list[str], list[str]]

_SOURCE = ',"step":0,"authored":true'


@record
class Field:
    """The JSON that all values of one layer in one field share: before the value, after it, and at the end.

    hidden: the field is in a Secret. has_lines: lines of the file are known. origin: one of the origins, kept so that ids are not reused.
    """

    begin: str
    at: str
    facts: str
    hidden: bool
    has_lines: bool
    origin: Origin


class Pattern:
    """The JSON that all values share which are decided by the same fields, the winner's first.

    is_plain: whether the ways of such values are just the layers, by step; filled in by the caller.
    """

    __slots__ = ("_decided", "_ways", "fields", "has_lines", "is_plain", "origins")

    def __init__(self, fields: tuple[Field, ...], origins: tuple[Origin, ...]) -> None:
        self.fields, self.origins = fields, origins
        self.has_lines = any(field.has_lines for field in fields)
        self.is_plain: dict[int, bool] = {}
        self._decided = _pieces(fields, ',"origin":', '},"beaten":[', ("", "}"), "]}")
        self._ways = _pieces(fields, ',"way":[', f'{_SOURCE}}}],"overridden":[', ("[", f"{_SOURCE}}}]"), "]")

    def decided(self, head: str, values: list[str], places: list[str]) -> str:
        """Return a decision. head: its JSON before the origins. values, places: of each origin the value and the place inside the field."""
        return _filled(self._decided, head, values, places)

    def ways(self, head: str, values: list[str], places: list[str], end: str) -> str:
        """Return a value whose ways are just the origins. end: its JSON after them."""
        return _filled(self._ways, head, values, places, end)

    def fits(self, origins: Sequence[Origin]) -> bool:
        """Return whether these origins are in its fields, in order."""
        if len(origins) != len(self.origins):
            return False
        for one, known in zip(origins, self.origins, strict=True):
            if one.item is not known.item or one.layer != known.layer or one.facts is not known.facts or one.path != known.path:
                return False
        return True


class Origins:
    """The JSON of origins, cached by origin and by field."""

    __slots__ = ("_fields", "_last", "_layers", "_lines", "_patterns", "_secret", "_words", "show_secrets")

    def __init__(self, words: Words, *, show_secrets: bool, lines: bool = True) -> None:
        self.show_secrets, self._words, self._lines = show_secrets, words, lines
        self._fields: dict[tuple[object, ...], Field] = {}
        self._patterns: dict[tuple[int, ...], Pattern] = {}
        self._last: Pattern | None = None
        self._layers: dict[tuple[int, bool], tuple[Origin, str, bool]] = {}
        self._secret: dict[int, tuple[Origin, bool]] = {}  # with the origin, so that no other takes its id over

    def plain(self, leaf: Leaf, *, hides: bool) -> Plain | None:
        """Return the pattern of a leaf's origins, their values and their places; None if one derives from another origin.

        hides: hide the values, whatever the origins say.
        """
        origins = (leaf.origin, *leaf.overridden)
        for one in origins:
            if one.via:
                return None
        pattern = self._last
        if pattern is None or not pattern.fits(origins):
            pattern = self._last = self._pattern(origins)
        words, inner, scalars = self._words, leaf.inner, self._words.scalars
        within = words.inner(inner)
        values: list[str] = []
        found: list[str] = []
        for one, field in zip(origins, pattern.fields, strict=True):
            value = one.value
            known = scalars.get(value.__class__)
            values.append(HIDDEN if hides or field.hidden else (known and known.get(value)) or words.value(value))
            at = within if one.inner == inner else words.inner(one.inner)
            found.append(at + _where(place_of(one)) if field.has_lines else at)
        return pattern, values, found

    def _pattern(self, origins: tuple[Origin, ...]) -> Pattern:
        fields = tuple([self._field(one) for one in origins])
        key = tuple(map(id, fields))
        if key not in self._patterns:
            self._patterns[key] = Pattern(fields, tuple([field.origin for field in fields]))
        return self._patterns[key]

    def way(self, way: Way, *, hides: bool) -> str:
        """Return a way as a list, nearest first; where it forks, its last element lists the branches."""
        found = self._hop(way, hides=hides)
        while len(way.via) == 1:
            (way,) = way.via
            found += f"}},{self._hop(way, hides=hides)}"
        if way.via:
            found += f',"via":[{",".join([self.way(one, hides=hides) for one in way.via])}]'
        return f"[{found}}}]"

    def _hop(self, way: Way, *, hides: bool) -> str:
        text, has_line = self._layer(way.origin, hides=hides)
        if not has_line and way.line:
            text, _ = self._written(way.origin, hides, way.place)
        return f'{text},"step":{way.step},"authored":true' if way.is_source else f'{text},"step":{way.step}'

    def origin(self, origin: Origin, *, hides: bool = False) -> str:
        """Return an origin with the origins that it derives from. hides: hide its value, whatever the origin says."""
        text, closing = self._layer(origin, hides=hides)[0], "}"
        while len(origin.via) == 1:
            (origin,) = origin.via
            text, closing = f'{text},"via":[{self._layer(origin, hides=hides)[0]}', "}]" + closing
        if origin.via:
            text += f',"via":[{",".join([self.origin(one, hides=hides) for one in origin.via])}]'
        return text + closing

    def _layer(self, origin: Origin, *, hides: bool) -> tuple[str, bool]:
        """Return an origin without those that it derives from, and whether its line is known."""
        known = self._layers.get((id(origin), hides))
        if known is None:
            text, has_line = self._written(origin, hides, place_of(origin) if self._lines else places.UNKNOWN)
            known = self._layers[id(origin), hides] = origin, text, has_line
        return known[1], known[2]

    def _written(self, origin: Origin, hides: bool, place: tuple[int, int]) -> tuple[str, bool]:  # noqa: FBT001
        field = self._field(origin)
        hidden = hides or field.hidden or (bool(origin.via) and not self.show_secrets and self._is_secret(origin))
        value = self._words.value(origin.value, hidden=hidden)
        return f"{field.begin}{value}{field.at}{self._words.inner(origin.inner)}{_where(place)}{field.facts}", place[0] > 0

    def _field(self, origin: Origin) -> Field:
        key = id(origin.item), origin.path, origin.layer, id(origin.facts)
        field = self._fields.get(key)
        if field is None:
            item, words = origin.item, self._words
            begin = f'{{"layer":{words.scalar(origin.layer)},"value":'
            at = "" if item is None else f',{words.resource(item)},"path":{words.path(origin.path)[0]}'
            hidden = not self.show_secrets and nested.is_hidden(origin)
            has_lines = self._lines and isinstance(item, Item) and item.position.line > 0
            field = self._fields[key] = Field(begin, at, words.facts(origin.facts), hidden, has_lines, origin)
        return field

    def _is_secret(self, origin: Origin) -> bool:
        """Return `origin.secret`, cached for each origin on the way, since values often share them."""
        left = [origin]
        while left:
            one = left[-1]
            unknown = [below for below in one.via if id(below) not in self._secret]
            if not unknown:
                self._secret[id(one)] = one, nested.is_hidden(one) or any(self._secret[id(below)][1] for below in one.via)
                left.pop()
            left += unknown
        return self._secret[id(origin)][1]


def _where(place: tuple[int, int]) -> str:
    line, column = place
    return f',"line":{line},"column":{column}' if column else f',"line":{line}' if line else ""


def _pieces(fields: tuple[Field, ...], opening: str, middle: str, around: tuple[str, str], closing: str) -> list[str]:
    """Return the pieces of a decision or value: its head, then for each field fixed JSON, the value, fixed JSON, and the place.

    opening, middle: before and after the first field. around: before and after each of the others. Pieces to be filled in are empty.
    """
    before, behind = around
    others = len(fields) - 1
    starts = [opening, *[before] * others]
    stops = [middle, *[f"{behind},"] * (others - 1), behind]
    found = ["", ""]
    for field, start, stop in zip(fields, starts, stops, strict=False):
        found[-1] += start + field.begin
        found += "", field.at, "", field.facts + stop
    found[-1] += closing
    return found


def _filled(pieces: list[str], head: str, values: list[str], places: list[str], end: str = "") -> str:
    found = pieces.copy()
    found[0], found[2::4], found[4::4] = head, values, places
    found.append(end)
    return "".join(found)
