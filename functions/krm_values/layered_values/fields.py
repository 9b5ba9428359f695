"""Writes values into fields of selected resources: finds each field, checks that it may be written, and converts the value."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from krm_values._data import data_edits, suggest
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import lazy, record, replace
from krm_values._data.scalars import text_of
from krm_values._data.shown import cut, printable
from krm_values._krm.findings import Report, title
from krm_values._krm.item import is_secret
from krm_values._krm.plan import RESOURCE, Leaf, Origin
from krm_values._run.traced import Assigned, is_scalar, origin, plain, read
from krm_values.layered_values import parts, permitted, types
from krm_values.layered_values.draft import Draft, check_makeable, created, places
from krm_values.layered_values.paths import AmbiguousError, Match, path_text, with_dots
from krm_values.layered_values.permitted import FieldError
from krm_values.layered_values.references import BROKEN, is_carried, overridden
from krm_values.layered_values.tree import ambiguous, first_leaf, place_of, scalars, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._krm.item import Item
    from krm_values._run.traced import Map, Node
    from krm_values.layered_values.draft import EditedText, FieldPlace
    from krm_values.layered_values.merge import MergedLayers
    from krm_values.layered_values.parts import Part
    from krm_values.layered_values.paths import Segments
    from krm_values.layered_values.settings import Field, PartValue, Target

_ADVICE = ": set `missing: create` to make it, or `skip`"
_LEADS_BELOW = ("target-type", "not-a-map")  # of errors about a path that continues below a scalar
_TEXT = "\0text"
"""Separates, in one path, the path of a text and a path in it."""


class Fields:
    """Writes fields. `drafts` has the resources by number, `report` the findings."""

    __slots__ = ("_limits", "_overridden", "drafts", "report")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._overridden: dict[tuple[int, int, int], tuple[Assigned, Sequence[Origin]]] = {}
        self.drafts: dict[int, Draft] = {}
        self.report = Report()

    def write(self, target: Target, item: Item, document: MergedLayers) -> None:
        """Write all fields of a target into one resource."""
        for field in target.fields if item.data is not None else ():
            given = self._given(target, field, document) if field.path else []
            if not given:
                continue
            draft = self.drafts.get(item.number) or Draft(item, self._limits)
            self.drafts[item.number] = draft
            try:
                for place in [*places(item.data, field.path, draft.elements)]:
                    _Writing(self, draft, document, target=target, field=field, given=given).at(place)
            except FieldError as error:
                self._report_error(error, target, field, item)
            except AmbiguousError as error:
                text = f"`targets[{target.number}]`: `{field.text}` {ambiguous(item, error)}"
                self.report.error("several", "60", text, item, error.args[1], config=field.at)

    def _given(self, target: Target, field: Field, document: MergedLayers) -> list[_Given]:
        """Return the values of a field; none if it is left unchanged."""
        found: list[_Given] = []
        for entry in field.entries:
            node = document.find(entry.value)
            if node is None:
                if not entry.optional:
                    text = f"`targets[{target.number}]`: no layer sets `{entry.text}`, which `{field.text}` takes"
                    hint = document.near(entry.value, entry.text)
                    self.report.error("no-value", "65", text + hint, config=field.at)
            elif not any(leaf.value is BROKEN for _, leaf in scalars(node)):
                found.append(_Given(entry, node))
        return found

    def _report_error(self, error: FieldError, target: Target, field: Field, item: Item) -> None:
        path = error.path or ()
        meant = with_dots(item.data, path, field.path) if path and error.kind in _LEADS_BELOW else ()
        name = f"`{field.text}`" if not path or to_field(path) == field.text else f"`{field.text}`: `{to_field(path)}`"
        if error.leaf is not None:
            value = value_of(error.leaf)
            text = f"layer {value.layer}: `targets[{target.number}]`: {name} of {title(item)} {error.message}"
            at = place_of(value) or {"item": item, "path": path, "config": field.at}
            self.report.error(error.kind, error.rule, text, found=value, **at)
            return
        text = f"`targets[{target.number}]`: {name} {error.message}"
        text += f"; did you mean `{path_text(meant)}`?" if meant else ""
        self.report.error(error.kind, error.rule, text, item, path, config=field.at)

    def overridden(self, leaf: Assigned, document: MergedLayers) -> Sequence[Origin]:
        """Return the origins that a leaf overrides, nearest first: computed on demand, and once for leaves that differ in their form only."""
        if leaf.over is None and not is_carried(leaf):
            return ()
        key = id(leaf.over), id(leaf.layer), id(document)
        if key not in self._overridden:
            self._overridden[key] = leaf, lazy(lambda: overridden(leaf, document.tree))
        return self._overridden[key][1]


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

    entry: PartValue
    node: Node


class _Writing:
    """One field of one resource, which may be in a text, or in a text within a text."""

    __slots__ = ("_above", "_document", "_draft", "_field", "_fields", "_given", "_inner", "_item", "_outer", "_target")

    def __init__(
        self, fields: Fields, draft: Draft, document: MergedLayers, *, target: Target, field: Field, given: list[_Given]
    ) -> None:
        self._fields, self._draft, self._document = fields, draft, document
        self._target, self._field, self._given, self._item = target, field, given, draft.item
        self._outer: Path = ()  # the field of the resource that is the text
        self._inner: Path = ()  # the path in it of the text that is written to
        self._above: Path = ()  # both, with `_TEXT` behind each text

    def at(self, place: FieldPlace) -> None:
        """Write at one place. FieldError if that is not possible."""
        path = (*place.path, *(part for part in place.left if isinstance(part, str))) if not place.in_text else place.path
        permitted.check_identity(path)
        permitted.check_metadata(self._item, path)
        self._check_secrets()
        if not place.in_text:
            self._write(self._draft, place)
            return
        if is_secret(self._item):
            text = "the text of a Secret would be read and written, but its old value is not recorded"
            raise FieldError("secret-read", "104", text)
        self._outer, self._inner, self._above = place.path, (), (*place.path, _TEXT)
        self._inside(self._draft.text(place.path), place.left)

    def _inside(self, text: EditedText, left: Segments) -> None:
        """Write in a text; the path may lead into a further one."""
        inner, above = self._inner, self._above
        try:
            found = [*places(text.before, left, text.elements)]
        except AmbiguousError as error:
            raise AmbiguousError(*((*self._outer, *inner, *path) for path in error.args)) from None
        except FieldError as error:
            error.path = (*self._outer, *inner, *(error.path or ()))
            raise
        for place in found:
            self._inner, self._above = inner, above
            if place.in_text:
                self._inner, self._above = (*inner, *place.path), (*above, *place.path, _TEXT)
                self._inside(text.text(place.path), place.left)
            else:
                self._write(text, place)

    def _write(self, holder: Draft | EditedText, place: FieldPlace) -> None:
        if place.left and (meant := self._with_dots(holder, place)):
            raise FieldError("no-field", "66", f"is absent{self._in()}; did you mean `{path_text(meant)}`?")
        missing = self._given[0].entry.missing
        if place.left and missing != "skip":
            self._check_texts(place)
        if place.left and missing != "create":
            if missing == "error":
                hint = self._near(get(holder.before, place.path), place.left[0])
                raise FieldError("no-field", "66", f"is absent{self._in()}{hint or _ADVICE}")
            return
        check_makeable(place.left)
        if self._given[0].entry.part is not None:
            self._parts(holder, place)
        else:
            self._whole(holder, place)
        self._report_readable(self._outer or place.path)

    def _with_dots(self, holder: Draft | EditedText, place: FieldPlace) -> Segments:
        """Return the path that was meant, where a key with dots is written without brackets; () if there is none."""
        path, above = self._field.path, len(self._outer) + len(self._inner)
        if meant := with_dots(holder.before, place.path, path[above:]):
            return (*path[:above], *meant)
        return with_dots(self._item.data, self._outer, path) if self._outer else ()

    def _check_texts(self, place: FieldPlace) -> None:
        """Raise FieldError if something would be made below a place that takes strings only."""
        made, asked = (*place.path, *place.left), self._field.path
        for end in range(len(place.path), len(made)) if not self._outer else ():
            if types.is_text_place(self._item, made[:end]):  # type: ignore[arg-type]
                key = ".".join(one for one in asked[end - 1 :] if isinstance(one, str))
                text = f"is absent: `{path_text(asked[:end])}` takes a string, so nothing can be made below it"
                form = f"; a key with dots is written `{path_text((*asked[: end - 1], key))}`" if "." in key else ""
                raise FieldError("no-field", "67", text + form)

    def _near(self, container: Any, segment: Any) -> str:
        """Return the advice that names the nearest key, or the names of a list's elements, "" if there are none."""
        if isinstance(segment, str) and isinstance(container, dict):
            return suggest.hint(segment, container)
        if not isinstance(segment, Match) or not isinstance(container, list):
            return ""
        found = (one.get(segment.key) for one in container if isinstance(one, dict))
        names = [text_of(one) for one in found if one is not None and not isinstance(one, (dict, list))]
        near = suggest.hint(segment.text, names)
        if near or not names or is_secret(self._item) or self._item.withheld:
            return near
        there = f"there {'is' if len(names) == 1 else 'are'} {suggest.several([f'`{printable(cut(name))}`' for name in names])}"
        return f": no element has the {segment.key} `{segment.text}`, {there}; set `missing: create` to add it, or `skip`"

    def _in(self) -> str:
        within = f"`{to_field(self._inner)}` in " if self._inner else ""
        return f" from the text {within}`{to_field(self._outer)}`" if self._outer else ""

    def _parts(self, holder: Draft | EditedText, place: FieldPlace) -> None:
        """Write parts of the existing string."""
        if is_secret(self._item) and place.path[:1] in (("data",), ("stringData",)):
            text = "a part of a value of a Secret would be read and written, but its old value is not recorded"
            raise FieldError("secret-read", "104", text)
        current = get(holder.before, place.path)
        if not isinstance(current, str):
            raise FieldError("part", "83", "is not a string, so it has no parts")
        scalars = [_scalar(one.node) for one in self._given]
        values: Any = [(one.entry.part, types.as_string(leaf)) for one, leaf in zip(self._given, scalars, strict=True)]
        new = _with_parts(current, values, scalars)
        self._check_taken((*self._above, *place.path), new, in_parts=True)
        own: tuple[Origin, ...] = ()
        written: tuple[Part, ...] = tuple([part for part, _ in values])
        if not parts.is_used_up(current, [*written]):
            inner = (*self._inner, *place.path) if self._outer else None
            own = (Origin(RESOURCE, current, self._item, self._outer or place.path, inner, parts=written),)
        first, *others = [replace(origin(one), parts=(part,)) for one, part in zip(scalars, written, strict=True)]
        joined = replace(first, via=(*first.via, *others, *own))
        lost = lazy(lambda: _lost_parts(current, values, scalars, own, self._document.tree))
        self._put(holder, place.path, new, [Leaf((), new, joined, lost)])

    def _whole(self, holder: Draft | EditedText, place: FieldPlace) -> None:
        given = self._given[0]
        current = None if place.left else holder.current(place.path)
        if isinstance(given.node, Assigned) and given.node.value is None:
            if not place.left and self._check_taken((*self._above, *place.path), None, in_parts=False):
                by, overridden = origin(given.node), self._fields.overridden(given.node, self._document)
                holder.remove(place.path, by, overridden)
                if self._outer:
                    leaf = Leaf(self._outer, ABSENT, by, overridden, (*self._inner, *place.path))
                    self._draft.explain(self._outer, leaf)
            return
        path = place.path if not place.left else created(holder, place, None)[2]
        is_text = None if self._outer else partial(types.is_text_place, self._item)
        node = types.converted(given.node, current, given.entry.form, path, is_text)
        value = plain(node) if self._outer else types.encoded(node, path, self._item)
        permitted.check_annotations(path, value)
        if not self._check_taken((*self._above, *path), value, in_parts=False):
            return
        self._overwrites(current, value, path)
        explained = self._explained(given, node, path, value)
        at, whole = created(holder, place, value)[:2] if place.left else (path, value)
        self._put(holder, at, whole, [*explained, *self._names(at, whole, path)], is_whole=types.is_hidden_text(node))

    def _names(self, at: Path, whole: Any, path: Path) -> Iterator[Leaf]:
        """Yield the names of the elements that were created above a field: constants of the field's path."""
        for part in path[len(at) :]:
            for key in whole if isinstance(whole, dict) else ():
                if key != part:
                    name = Origin(self._by, whole[key], config=self._field.at)
                    yield Leaf((*at, key), whole[key], name, kind="literal")
            at, whole = (*at, part), whole[part]

    @property
    def _by(self) -> str:
        return f"targets[{self._target.number}]"

    def _explained(self, given: _Given, node: Node, path: Path, value: Any) -> list[Leaf]:
        """Return the explanation of what is written; for a text rendered from a collection, that of its values."""
        overridden = partial(self._fields.overridden, document=self._document)
        if given.entry.form in ("yaml", "json") and (not is_scalar(given.node)):
            return [
                Leaf(path, leaf.value, origin(leaf), overridden(leaf), inner, leaf.reason, depth=len(inner))
                for inner, leaf in read(given.node)
            ]
        if isinstance(given.node, Assigned) and types.is_hidden_text(node):
            return [Leaf(path, value, origin(given.node), overridden(given.node), None, given.node.reason, depth=0)]
        return [
            Leaf((*path, *inner), get(value, inner), origin(leaf), overridden(leaf), None, leaf.reason, depth=len(inner))
            for inner, leaf in read(node)
        ]

    def _put(
        self, holder: Draft | EditedText, path: Path, value: Any, explained: list[Leaf], *, is_whole: bool = False
    ) -> None:
        explained = explained or [Leaf(path, value, Origin("empty", value))]
        # what a map or list that is replaced loses is no layer's doing
        holder.put(path, value, Origin(self._by, None, config=self._field.at), whole=is_whole)
        for leaf in explained:
            at, inner, depth = leaf.path or path, leaf.inner, leaf.depth
            if self._outer:
                depth = depth if inner is None else 0  # of a text within the text, which is one value
                at, inner = self._outer, (*self._inner, *at)
            self._draft.explain(self._outer or path, replace(leaf, path=at, inner=inner, depth=depth))

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
        permitted.check_not_read(self._item, path, self._document.layers)
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


def _lost_parts(
    current: str, values: list[tuple[Part, str]], leaves: list[Assigned], own: tuple[Origin, ...], tree: Map
) -> Iterator[Origin]:
    """Yield what the string would be with each part that is overridden, composed of that, the other parts and what is left of the string."""
    for number, leaf in enumerate(leaves):
        others = [origin(one) for index, one in enumerate(leaves) if index != number]
        for lost in overridden(leaf, tree):
            if lost.value is None or isinstance(lost.value, (dict, list)):
                continue
            part = values[number][0], text_of(lost.value)
            try:
                text = parts.written(current, [*values[:number], part, *values[number + 1 :]])
            except parts.PartError:
                continue
            yield replace(lost, value=text, via=(*lost.via, *others, *own))


def _scalar(node: Node) -> Assigned:
    if not isinstance(node, Assigned) or isinstance(node.value, list) or node.value is None:
        raise FieldError("part", "83", "takes a string, number or boolean as a part", first_leaf(node))
    return node


def _with_parts(current: str, values: list[tuple[Part, str]], leaves: list[Assigned]) -> str:
    """Return a string with parts of it replaced. FieldError names the one value that cannot be a part, else the first."""
    for pair, leaf in zip(values, leaves, strict=True):
        try:
            parts.written(current, [pair])
        except parts.PartError as error:
            if not error.beside:
                raise FieldError("part", "83", error.message, leaf) from None
    try:
        return parts.written(current, values)
    except parts.PartError as error:
        of_part = (leaf for (part, _), leaf in zip(values, leaves, strict=True) if part == error.beside)
        raise FieldError("part", "83", error.message, next(of_part, leaves[0])) from None
