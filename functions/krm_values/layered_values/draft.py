"""A resource while targets write into it, and the texts in it that they write into: where a path leads, and the smallest edits in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import edits
from krm_values._data.errors import EditError, InputError
from krm_values._data.go_numbers import resolve
from krm_values._data.path_tree import PathTree
from krm_values._data.pointer import ABSENT, get
from krm_values._data.record import lazy, record, replace
from krm_values._data.scalars import is_disputed, written
from krm_values._data.shown import type_of
from krm_values._go import yaml as goyaml
from krm_values._krm.plan import RESOURCE, Origin
from krm_values._run.edited import Edited
from krm_values._run.state import value_at
from krm_values.layered_values import types
from krm_values.layered_values.paths import AnyKey, Each, Elements, Match, path_text, with_index
from krm_values.layered_values.permitted import FieldError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._data.data_edits import Edit
    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._go.yaml import GoText
    from krm_values._krm.item import Item
    from krm_values._krm.plan import Drop, Leaf, Put
    from krm_values._run.edited import Write
    from krm_values.layered_values.paths import Segments

_ANNOTATIONS = ("metadata", "annotations")


class Draft(Edited):
    """One resource. Removals are applied last, so that places do not move before."""

    __slots__ = ("_limits", "_places", "_removed", "_texts", "elements", "explanations", "item", "taken")

    def __init__(self, item: Item, limits: Limits) -> None:
        super().__init__(item.data, lambda path, value: Origin(RESOURCE, value, item, path, above=None), _ANNOTATIONS)
        self.item, self._limits = item, limits
        self.data: Any = data_edits.copy(item.data)
        self.elements = Elements()
        self.explanations: dict[Path, list[Leaf]] = {}
        """What explains the values, as they are before the removals, by the places of the writes."""
        self.taken = PathTree()
        """What was written where, of all targets."""
        self._texts: dict[Path, EditedText] = {}
        self._places: dict[int, Path] = {}
        self._removed: dict[Path, tuple[Origin, Sequence[Origin]]] = {}

    @property
    def before(self) -> Any:
        """The resource as it was before any target."""
        return self.item.data

    def current(self, path: Path) -> Any:
        """Return the value at a path as it was before any target, a number with its spelling."""
        return get(self.before, path)

    def text(self, path: Path) -> EditedText:
        """Return the text at a path of the resource, which is parsed once."""
        if path not in self._texts:
            self._texts[path] = EditedText(str(get(self.before, path)), path, self._limits)
        return self._texts[path]

    def put(self, path: Path, value: Any, origin: Origin, *, whole: bool = False) -> None:
        """Set a value; its parent exists, or it is the next element of a list. whole: its keys are a part of it."""
        self.elements.will_change(self.data, path)
        self._places[self.note(self.data, path, origin, None, whole=whole)] = path
        data_edits.put(self.data, path, value)

    def explain(self, path: Path, leaf: Leaf) -> None:
        """Add an explanation to what is written at a path."""
        self.explanations.setdefault(path, []).append(leaf)

    def remove(self, path: Path, origin: Origin, overridden: Sequence[Origin]) -> None:
        """Remove a field when everything is written."""
        self._removed[path] = origin, overridden

    def finished(self) -> Iterator[Put | Drop]:
        """Yield the smallest edits after all writes and removals; then a put for each place that already has its value."""
        for path, inner in self._texts.items():
            self.put(path, inner.written(), Origin("text", None))
        for path in sorted(self._removed, key=_last_first, reverse=True):
            self._places[self.note(self.data, path, self._removed[path][0], None, removes=True)] = path
            data_edits.remove(self.data, path)
        yield from self.decisions(self.item)

    def explained(self, write: Write, path: Path) -> Sequence[Leaf]:
        """Return the leaves of a write, whose value is at a path in the end."""
        place = self._places[write.number]
        own = tuple([origin for origin in write.lost if origin.layer == RESOURCE])
        leaves = [self._within(leaf, place, own) for leaf in self.explanations.get(place, [])]
        return leaves if path == place else [self._moved(leaf, (*path, *leaf.path[len(place) :])) for leaf in leaves]

    def left_of(self, write: Write, path: Path, places: Sequence[Path]) -> Sequence[Leaf]:
        """Return the leaves of a write of a map, into which later ones wrote, at the places that they left as they are: what the layers say."""
        left = {*places}
        around = {at[:size] for at in places for size in range(len(path), len(at))}
        return [
            leaf
            for leaf in self.explained(write, path)
            if leaf.path in around or any(leaf.path[:size] in left for size in range(len(path), len(leaf.path) + 1))
        ]

    def _within(self, leaf: Leaf, place: Path, own: tuple[Origin, ...]) -> Leaf:
        """Return the leaf of a value within a map or list that is written as a whole: over what stood there as a whole, unless a layer reads that."""
        if leaf.path == place or not own:
            return leaf

        def overridden() -> tuple[Origin, ...]:
            is_read = any(one.item is self.item for one in (leaf.origin, *leaf.overridden))
            return (*leaf.overridden, *(() if is_read else own))

        return replace(leaf, overridden=lazy(overridden))

    def _moved(self, leaf: Leaf, path: Path) -> Leaf:
        """Return the leaf of an element before which others went, with the element's own value, which is not that at its path."""
        own = value_at(self.before, leaf.path, leaf.inner, {})
        lost = () if own is ABSENT else (Origin(RESOURCE, own, self.item, leaf.path, leaf.inner, above=None),)
        return replace(leaf, path=path, overridden=lazy(lambda: (*leaf.overridden, *lost)))

    def overridden_by(self, removal: Write) -> Sequence[Origin]:
        """Return the layers' values that are not there because of a removal."""
        return self._removed[self._places[removal.number]][1]


def _last_first(path: Path) -> list[tuple[bool, int, str]]:
    """Return a sort key that puts the last elements of a list last."""
    return [(isinstance(part, int), part if isinstance(part, int) else 0, str(part)) for part in path]


class EditedText:
    """One text: its data, as Go reads it, with the values that targets set, and the texts in it that are edited."""

    __slots__ = ("_limits", "_path", "_read", "_removed", "_text", "_texts", "_written", "before", "data", "elements")

    def __init__(self, text: str, path: Path, limits: Limits) -> None:
        self._text, self._path, self._limits = text, path, limits
        self._read = _read(text, path, limits)
        self.before: Any = self._read.data
        self.data: Any = data_edits.copy(self.before)
        self.elements = Elements()
        self._removed: list[Path] = []
        self._written = PathTree()
        self._texts: dict[Path, EditedText] = {}

    def current(self, path: Path) -> Any:
        """Return the value at a path as it was before any target, a whole number with its spelling."""
        found = get(self.before, path)
        return written(found, self._read.written(path)) if type(found) is int else found

    def text(self, path: Path) -> EditedText:
        """Return the text at a path of this one, which is parsed once."""
        if path not in self._texts:
            self._texts[path] = EditedText(str(get(self.before, path)), self._path, self._limits)
        return self._texts[path]

    def put(self, path: Path, value: Any, _origin: Origin, *, whole: bool = False) -> None:  # noqa: ARG002 - a text is written as one value
        """Set a value; its parent exists, or it is the next element of a list."""
        self.elements.will_change(self.data, path)
        data_edits.put(self.data, path, value)
        self._written.add(path, value)

    def remove(self, path: Path, _origin: Origin, _overridden: Sequence[Origin]) -> None:
        """Remove a field when everything is written."""
        self._removed.append(path)

    def written(self) -> str:
        """Return the text with all changes."""
        for path, inner in self._texts.items():
            data_edits.put(self.data, path, inner.written())
        for path in sorted(self._removed, key=_last_first, reverse=True):
            data_edits.remove(self.data, path)
        made = list(edits(self.before, self.data, in_place=lambda path: not self._written.above(path)))
        if not made:
            return self._text
        try:
            text = self._edited(made)
            merges = "<<" in self._text
            if merges and _read(text, self._path, self._limits).data != self.data:  # Go takes what `<<` has, not a key above it
                text = self._edited([one for edit in made for one in _anew(edit)])
            if merges and _read(text, self._path, self._limits).data != self.data:
                problem = "would not have the new values as Go reads it; write out what `<<` takes there"
                raise _not_a_map(f"is a text that cannot be edited: {problem}", self._path)
        except (EditError, InputError) as error:
            raise _not_a_map(f"is a text that cannot be edited: {error.message}", self._path) from None
        return text

    def _edited(self, edits: list[Edit]) -> str:
        from krm_values._go.encoding_json import is_json  # noqa: PLC0415 - few targets lead into texts
        from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415

        editor, read = Editor(self._text, is_json=is_json(self._text), limits=self._limits), data_edits.copy(self.before)
        for edit in edits:
            editor.make(replace(edit, path=self._spelt(edit.path, read, editor.data)))
            edit.apply(read)
        return editor.text()

    def _spelt(self, path: Path, read: JSON, written: JSON) -> Path:
        """Return a path with the keys as the text writes them: Go's `true` may be a plain `y`, `yes` or `on` there."""
        found: list[str | int] = []
        for part in path:
            key = self._key(part, read, written) if isinstance(read, dict) and isinstance(written, dict) else part
            found.append(key)
            read, written = get(read, (part,)), get(written, (key,))
        return (*found,)

    def _key(self, part: str | int, read: dict[str, JSON], written: dict[str, JSON]) -> str | int:
        if part in ("true", "false"):
            is_true = part == "true"
            words = (key for key in reversed(written) if is_disputed(key) and key not in read and resolve(key) is is_true)
            return part if part in written else next(words, part)
        if part in written and part not in read:
            text = f"has the plain key `{part}`, which Go reads as {'true' if resolve(str(part)) else 'false'}: quote it"
            raise _not_a_map(text, self._path)
        return part


def _anew(edit: Edit) -> tuple[Edit, ...]:
    """Return the edits that write a key as a new one, below all others of its map."""
    is_key = isinstance(edit, data_edits.Put) and isinstance(edit.path[-1], str)
    return (data_edits.Remove(edit.path), edit) if is_key else (edit,)


def _read(text: str, path: Path, limits: Limits) -> GoText:
    """Return a text that is one document, a map or a list."""
    try:
        found = goyaml.read(text, json=True, limits=limits)
    except InputError as error:
        raise _not_a_map(f"is not YAML or JSON, and the path continues below it: {error.message}", path) from None
    lints = {fact.kind for fact in found.lints}
    if "document" in lints:
        raise _not_a_map("has several YAML documents, and the path continues below it", path)
    if "sops" in lints:
        raise _not_a_map("is encrypted with SOPS, and the path continues below it", path)
    if not isinstance(found.data, (dict, list)):
        raise _not_a_map("is a string that is not a map or a list, and the path continues below it", path)
    return found


def _not_a_map(text: str, path: Path) -> FieldError:
    return FieldError("not-a-map", "68", text, path=path)


@record
class FieldPlace:
    """A place on a path. left: the remaining segments; none for an existing field.

    in_text: whether they continue inside a text.
    """

    path: Path
    left: Segments = ()
    in_text: bool = False


def places(value: Any, left: Segments, elements: Elements, path: Path = ()) -> Iterator[FieldPlace]:
    """Yield every place that a path matches. FieldError if it continues below something that has no such parts."""
    if not left:
        yield FieldPlace(path)
    elif isinstance(value, str):
        yield FieldPlace(path, left, in_text=True)
    elif value is None:
        yield FieldPlace(path, left)
    else:
        yield from _below(value, left, elements, path)


def _below(value: Any, left: Segments, elements: Elements, path: Path) -> Iterator[FieldPlace]:
    first, rest = left[0], left[1:]
    found: list[str | int] = []
    if isinstance(first, (str, AnyKey)) and isinstance(value, dict):
        found = [*value] if isinstance(first, AnyKey) else [first] if first in value else []
    elif isinstance(first, Match) and isinstance(value, list):
        found = [*elements.find(first, value, path)]
    elif isinstance(first, (int, Each)) and isinstance(value, list):
        found = [*range(len(value))] if isinstance(first, Each) else [first] if first < len(value) else []
    else:
        wanted = "a map" if isinstance(first, (str, AnyKey)) else "a list"
        text = f"is of type {type_of(value)}, and the path continues as below {wanted}"
        if isinstance(value, list) and (meant := with_index((first,), 0)):
            text += f"; write `{path_text(meant)}` for {'each element' if isinstance(first, AnyKey) else 'an element'}"
        raise FieldError("target-type", "60", text, path=path)
    if not found:
        yield FieldPlace(path, left)
    for part in found:
        yield from places(value[part], rest, elements, (*path, part))


def check_makeable(left: Segments) -> None:
    """Raise FieldError if the remaining path has anything but keys and elements by name, so that it cannot be created."""
    for segment in left:
        if not isinstance(segment, (str, Match)):
            raise FieldError("no-field", "67", "is absent and cannot be created: only keys and `[name=value]` can")


def created(holder: Draft | EditedText, place: FieldPlace, value: Any) -> tuple[Path, Any, Path]:
    """Return how an absent field is created: the path of the put, the value there, and the path of the field itself.

    Other targets may have made a part of the path in the holder's data since the place was found. All remaining segments of the place are keys
    or name an element.
    """
    now = next(places(get(holder.data, place.path), place.left, holder.elements, place.path))
    if not now.left:
        return now.path, value, now.path
    container: Any = get(holder.data, now.path)
    if container is None:
        whole, inner = _nested(now.left, value)
        return now.path, whole, (*now.path, *inner)
    first, rest = now.left[0], now.left[1:]
    below, inner = _nested(rest, value)
    if isinstance(first, Match):
        at: Path = (*now.path, len(container))
        return at, _element(first, container, below, is_last=not rest), (*at, *inner)
    at = (*now.path, first)  # type: ignore[arg-type]
    return at, below, (*at, *inner)


def _nested(left: Segments, value: Any) -> tuple[Any, Path]:
    if not left:
        return value, ()
    below, inner = _nested(left[1:], value)
    if isinstance(left[0], Match):
        return [_element(left[0], [], below, is_last=len(left) == 1)], (0, *inner)
    return {left[0]: below}, (left[0], *inner)  # type: ignore[arg-type]


def _element(match: Match, others: list[Any], below: Any, *, is_last: bool) -> Any:
    """Return a new element of a list, whose key has the type that it has in the others; of a port the number."""
    if is_last:
        return below
    known: Iterable[Any] = (one[match.key] for one in others if isinstance(one, dict) and match.key in one)
    if match.key == "port" or match.key.endswith("Port"):
        known = [*known] or [0]
    return {match.key: types.like(match.text, known), **below}
