"""Writes values into fields of selected resources: finds each field, checks that it may be written, and converts the value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.printable import printable
from krm_values._data.record import record, replace
from krm_values._data.shown import cut
from krm_values._kit.layers.merge import Assigned, origin
from krm_values._kit.planner.item import is_secret
from krm_values._kit.planner.plan import RESOURCE, Finding, Leaf, Origin
from krm_values._kit.planner.report import Report
from krm_values.layered_values import nodes, parts, permitted, records, spelling, types
from krm_values.layered_values.draft import Draft
from krm_values.layered_values.fault import FieldError
from krm_values.layered_values.inside import Text
from krm_values.layered_values.locate import Place, check_makeable, created, places
from krm_values.layered_values.origins import Overridden
from krm_values.layered_values.paths import Match, path_text, with_dots
from krm_values.layered_values.references import BROKEN

if TYPE_CHECKING:
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values.layered_values.document import Document
    from krm_values.layered_values.nodes import Node
    from krm_values.layered_values.parsed import Entry, Field, Target
    from krm_values.layered_values.paths import Segments

_ADVICE = ": set `missing: create` to make it, or `skip`"
_LEADS_BELOW = ("target-type", "not-a-map")  # of errors about a path that continues below a scalar
_TEXT = "\0text"
"""Separates, in one path, the path of a text and a path in it."""


@record
class _Write:
    """One write of a field: its target and field, whether only parts of it are set, and the value."""

    target: int
    field: str
    in_parts: bool
    value: Any


@record
class _Given:
    """An entry of a field and its node."""

    entry: Entry
    node: Node


class Fields:
    """Writes fields. `drafts` has the resources by number, `report` the findings."""

    __slots__ = ("_config_name", "_limits", "_others", "drafts", "overridden", "report")

    def __init__(self, config_name: str, limits: Limits) -> None:
        self._config_name, self._limits = config_name, limits
        self._others: dict[int, list[tuple[str, Path]]] = {}
        self.drafts: dict[int, Draft] = {}
        self.overridden = Overridden()
        self.report = Report()

    def write(self, target: Target, item: Item, document: Document) -> None:
        """Write all fields of a target into one resource."""
        if item.data is None:
            return
        for field in target.fields:
            if not field.path:
                continue
            given = self._given(target, field, document)
            if given:
                self._field(target, field, item, document, given)

    def _given(self, target: Target, field: Field, document: Document) -> list[_Given]:
        """Return the values of a field; none if it is left unchanged."""
        found: list[_Given] = []
        for entry in field.entries:
            node: Any = document.find(entry.value)
            if node is ABSENT:
                if not entry.optional:
                    text = f"`targets[{target.number}]`: no layer sets `{entry.text}`, which `{field.text}` takes"
                    hint = document.near(entry.value, entry.text)
                    self.report.error("no-value", "65", text + hint, config=field.at)
            elif not any(leaf.value is BROKEN for _, leaf in nodes.scalars(node)):
                found.append(_Given(entry, node))
        return found

    def _field(self, target: Target, field: Field, item: Item, document: Document, given: list[_Given]) -> None:
        draft = self.drafts.get(item.number) or Draft(item)
        self.drafts[item.number] = draft
        try:
            for place in [*places(item.data, field.path)]:
                writing = _Writing(self, draft, document, of=(target, field), given=given)
                writing.at(place)
        except FieldError as error:
            meant = with_dots(item.data, error.path, field.path) if error.path and error.kind in _LEADS_BELOW else ()
            if meant:
                error = FieldError(
                    error.kind, error.rule, f"{error.message}; did you mean `{path_text(meant)}`?", path=error.path
                )
            self.report.add(_finding(error, target, field, item))

    def conflicts(self, item: Item, path: Path) -> None:
        """Raise FieldError if the undo record of another config has an entry at a field, around it or inside it."""
        if item.number not in self._others:
            self._others[item.number] = [*records.of_others(item, self._config_name)]
        for name, other in self._others[item.number]:
            if path[: len(other)] == other or other[: len(path)] == path:
                by = f"LayeredValues {name}"
                what = f"is written by {by} as well" if other == path else f"overlaps `{to_field(other)}`, which {by} writes"
                text = f"{what}: write it in one of the two configs"
                raise FieldError("other-config", "86", text)

    def text(self, draft: Draft, path: Path) -> Text:
        """Return the text at a path of a resource, which is parsed once."""
        if path not in draft.texts:
            draft.texts[path] = Text(str(get(draft.item.data, path)), path, self._limits)
        return draft.texts[path]


class _Writing:
    """One field of one resource, which may be in a text, or in a text within a text."""

    __slots__ = ("_above", "_document", "_draft", "_field", "_fields", "_given", "_inner", "_item", "_outer", "_target")

    def __init__(
        self, fields: Fields, draft: Draft, document: Document, *, of: tuple[Target, Field], given: list[_Given]
    ) -> None:
        self._fields, self._draft, self._document = fields, draft, document
        (self._target, self._field), self._given, self._item = of, given, draft.item
        self._outer: Path = ()  # the field of the resource that is the text
        self._inner: Path = ()  # the path in it of the text that is written to
        self._above: Path = ()  # both, with `_TEXT` behind each text

    def at(self, place: Place) -> None:
        """Write at one place. FieldError if that is not possible."""
        path = (*place.path, *(part for part in place.left if isinstance(part, str))) if not place.in_text else place.path
        permitted.check_identity(path)
        permitted.check_metadata(self._item, path)
        self._fields.conflicts(self._item, place.path if place.in_text or not place.left else path)
        self._check_secrets()
        if not place.in_text:
            self._write(self._draft, place)
            return
        if is_secret(self._item):
            raise permitted.read_and_written(
                "the text of a Secret would be read and written, but its old value is not recorded"
            )
        self._outer, self._inner, self._above = place.path, (), (*place.path, _TEXT)
        self._inside(self._fields.text(self._draft, place.path), place.left)

    def _inside(self, text: Text, left: Segments) -> None:
        """Write in a text; the path may lead into a further one."""
        inner, above = self._inner, self._above
        for place in [*places(text.before, left)]:
            self._inner, self._above = inner, above
            if place.in_text:
                self._inner, self._above = (*inner, *place.path), (*above, *place.path, _TEXT)
                self._inside(text.nested(place.path), place.left)
            else:
                self._write(text, place)

    def _write(self, holder: Draft | Text, place: Place) -> None:
        if place.left and (meant := self._with_dots(holder, place)):
            raise FieldError("no-field", "66", f"is absent{self._in()}; did you mean `{path_text(meant)}`?")
        if place.left and self._given[0].entry.missing != "create":
            if self._given[0].entry.missing == "error":
                hint = self._near(get(holder.before, place.path), place.left[0])
                raise FieldError("no-field", "66", f"is absent{self._in()}{hint or _ADVICE}")
            return
        check_makeable(place.left)
        self._check_texts(place)
        if self._given[0].entry.part is not None:
            self._parts(holder, place)
        else:
            self._whole(holder, place)
        self._report_readable(self._outer or place.path)

    def _with_dots(self, holder: Draft | Text, place: Place) -> Segments:
        """Return the path that was meant, where a key with dots is written without brackets; () if there is none."""
        path, above = self._field.path, len(self._outer) + len(self._inner)
        if meant := with_dots(holder.before, place.path, path[above:]):
            return (*path[:above], *meant)
        return with_dots(self._item.data, self._outer, path) if self._outer else ()

    def _check_texts(self, place: Place) -> None:
        """Raise FieldError if something would be made below a place that takes strings only."""
        made, asked = (*place.path, *place.left), self._field.path
        for end in range(len(place.path), len(made)) if not self._outer else ():
            if types.is_text_place(self._item, made[:end]):  # type: ignore[arg-type]
                key = ".".join(one for one in asked[end - 1 :] if isinstance(one, str))
                text = f"`{path_text(asked[:end])}` is absent and takes a string, so nothing can be made below it"
                form = f"a key with dots is written `{path_text((*asked[: end - 1], key))}`"
                raise FieldError("no-field", "67", f"{text}; {form}")

    def _near(self, container: Any, segment: Any) -> str:
        """Return the advice that names the nearest key, or the names of a list's elements, "" if there are none."""
        if isinstance(segment, str) and isinstance(container, dict):
            return suggest.hint(segment, container)
        if not isinstance(segment, Match) or not isinstance(container, list):
            return ""
        found = (one.get(segment.key) for one in container if isinstance(one, dict))
        names = [one for one in found if isinstance(one, str)]
        near = suggest.hint(segment.text, names)
        if near or not names or is_secret(self._item) or self._item.withheld:
            return near
        there = f"there {'is' if len(names) == 1 else 'are'} {suggest.several([f'`{printable(cut(name))}`' for name in names])}"
        return f": no element has the {segment.key} `{segment.text}`, {there}; set `missing: create` to add it, or `skip`"

    def _in(self) -> str:
        within = f"`{to_field(self._inner)}` in " if self._inner else ""
        return f" from the text {within}`{to_field(self._outer)}`" if self._outer else ""

    def _parts(self, holder: Draft | Text, place: Place) -> None:
        """Write parts of the existing string."""
        if is_secret(self._item) and place.path[:1] in (("data",), ("stringData",)):
            raise permitted.read_and_written(
                "a part of a value of a Secret would be read and written, but its old value is not recorded"
            )
        current = get(holder.before, place.path)
        if not isinstance(current, str):
            raise FieldError("part", "83", "is not a string, so it has no parts")
        leaves = [_scalar(one.node) for one in self._given]
        values = [(one.entry.part, spelling.text(leaf)) for one, leaf in zip(self._given, leaves, strict=True)]
        new = current
        for pair, leaf in zip(values, leaves, strict=True):
            _checked(current, pair, leaf)
        try:
            new = parts.written(current, values)  # type: ignore[arg-type]
        except parts.PartError as error:
            raise FieldError("part", "83", error.message, leaves[0]) from None
        self._check_taken((*self._above, *place.path), new, in_parts=True)
        own: tuple[Origin, ...] = ()
        if not parts.is_used_up(current, [part for part, _ in values]):  # type: ignore[misc]
            inner = (*self._inner, *place.path) if self._outer else None
            own = (Origin(RESOURCE, current, self._item, self._outer or place.path, inner),)
        self._put(holder, place.path, new, [self._joined(new, leaves, own)])

    def _whole(self, holder: Draft | Text, place: Place) -> None:
        given = self._given[0]
        current = None if place.left else get(holder.before, place.path)
        if isinstance(given.node, Assigned) and given.node.value is None:
            if not place.left and self._check_taken((*self._above, *place.path), None, in_parts=False):
                holder.remove(place.path, origin(given.node))
            return
        path = place.path if not place.left else created(holder.data, place, None)[2]
        is_text = None if self._outer else self._is_text
        node = types.converted(given.node, current, given.entry.form, path, is_text)
        value = nodes.plain(node) if self._outer else types.encoded(node, path, self._item)
        permitted.check_annotations(path, value)
        if not self._check_taken((*self._above, *path), value, in_parts=False):
            return
        self._overwrites(current, value, path)
        leaves = self._leaves(given, node, path, value)
        if place.left:
            at, whole, _ = created(holder.data, place, value)
            self._put(holder, at, whole, leaves)
        else:
            self._put(holder, path, value, leaves)

    def _is_text(self, path: Path) -> bool:
        return types.is_text_place(self._item, path)

    def _leaves(self, given: _Given, node: Node, path: Path, value: Any) -> list[Leaf]:
        """Return the explanation of what is written; for a text rendered from a collection, that of its values."""
        if given.entry.form in ("yaml", "json") and (isinstance(given.node, dict) or isinstance(given.node.value, dict | list)):
            found = nodes.leaves(given.node)
            return [Leaf(path, leaf.value, origin(leaf), self._fields.overridden.of(leaf), inner) for inner, leaf in found]
        found = nodes.leaves(node)
        return [
            Leaf((*path, *inner), get(value, inner), origin(leaf), self._fields.overridden.of(leaf)) for inner, leaf in found
        ]

    def _put(self, holder: Draft | Text, path: Path, value: Any, leaves: list[Leaf]) -> None:
        if not leaves:
            leaves = [Leaf(path, value, Origin("empty", value))]
        holder.put(path, value, leaves[0].origin)
        if not self._outer:
            self._draft.leaves += [Leaf(one.path or path, one.value, one.origin, one.overridden, one.inner) for one in leaves]
            return
        self._draft.leaves += [
            Leaf(self._outer, one.value, one.origin, one.overridden, (*self._inner, *(one.path or path))) for one in leaves
        ]

    def _joined(self, value: str, leaves: list[Assigned], own: tuple[Origin, ...]) -> Leaf:
        """Return the leaf of a string with parts of several values: its origin is the first, the others and the resource's own rest are overridden."""
        first, *others = (origin(leaf) for leaf in leaves)
        return Leaf((), value, replace(first, via=(*first.via, *others, *own)), self._fields.overridden.of(leaves[0]))

    def _check_secrets(self) -> None:
        """Raise FieldError if a Secret's value would be written into anything but a Secret, unless the target allows it."""
        if self._document.may_be_secret and not self._target.allows_secrets and not is_secret(self._item):
            for given in self._given:
                permitted.check_public(given.node, given.entry.value)

    def _report_readable(self, path: Path) -> None:
        """Report a place where a Secret's value becomes readable, as the target allows."""
        if not self._document.may_be_secret or is_secret(self._item):
            return
        if any(permitted.comes_out_of_secret(given.node) for given in self._given):
            text = f"`targets[{self._target.number}]`: {permitted.READABLE}"
            self._fields.report.info("readable-secret", "111", text, self._item, path)

    def _check_taken(self, path: Path, value: Any, *, in_parts: bool) -> bool:
        """Return whether the place is to be written: not if an equal value was written there. FieldError if another value was written at it, around it or inside it."""
        found: list[tuple[Path, _Write]] = self._draft.taken.around(path)
        for other, write in found:
            if other == path and not in_parts and not write.in_parts and data_edits.same(write.value, value):
                return False
            text = f"is written by `targets[{write.target}]` (`{write.field}`) as well"
            raise FieldError("overlap", "85", f"{text}: write each field once")
        permitted.check_not_read(self._item, path, self._document)
        self._draft.taken.add(path, (path, _Write(self._target.number, self._field.text, in_parts, value)))
        return True

    def _overwrites(self, current: Any, value: Any, path: Path) -> None:
        """Report a map that loses keys by the write, unless a layer reads the field."""
        lost = [*permitted.lost(current, value, ())]
        at = self._outer or path
        if not lost or any(one.item is self._item and at[: len(one.reads)] == one.reads for one in self._document.layers):
            return
        keys = ", ".join(f"`{to_field(one)}`" for one in lost[:9]) + (f" and {len(lost) - 9} more" if len(lost) > 9 else "")
        text = f"`targets[{self._target.number}]`: replaces a map and takes out {keys}: name the field as a layer (`from`) to keep them"
        self._fields.report.warning("overwrites", "78", text, self._item, at)


def _scalar(node: Node) -> Assigned:
    if isinstance(node, dict) or isinstance(node.value, dict | list) or node.value is None:
        raise FieldError("part", "83", "takes a string, number or boolean as a part")
    return node


def _checked(current: str, pair: Any, leaf: Assigned) -> None:
    """Raise FieldError for the one value that cannot be a part, so that the error names it."""
    part, value = pair
    try:
        parts.written(current, [(part, value)])
    except parts.PartError as error:
        if not error.by_digest:
            raise FieldError("part", "83", error.message, leaf) from None


def _finding(error: FieldError, target: Target, field: Field, item: Item) -> Finding:
    path = error.path if error.path is not None else ()
    name = f"`{field.text}`" if not path or to_field(path) == field.text else f"`{field.text}`: `{to_field(path)}`"
    found = origin(error.leaf) if error.leaf is not None else None
    text = f"`targets[{target.number}]`: {name} {error.message}"
    layer = f" (layer {found.layer})" if found is not None else ""
    return Finding("error", error.kind, error.rule, text + layer, item, path, found, config=field.at)
