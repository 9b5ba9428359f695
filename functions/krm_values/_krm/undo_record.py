"""The undo record: the inverse patch that restores a resource to its state before this function edited it.

An ordered RFC 6902 patch, computed from those two states. Each entry has a digest of the value that it expects at its place, so that hand
edits and shifted lists are distinguished from what the function wrote. It is kept in an annotation of the resource. Values from Secrets are
blanked before anything is hashed, so no digest depends on them.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.diff import diff
from krm_values._data.errors import EditError, InputError
from krm_values._data.go_numbers import LEAST, MOST
from krm_values._data.limits import Budget
from krm_values._data.pointer import ABSENT, get, index_of, parts_of, to_pointer
from krm_values._data.record import record, replace
from krm_values._data.scalars import EXACT, source_of
from krm_values._data.values import by_keys
from krm_values._yaml import decode, emit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._yaml.edit.editor import Editor


VERSION = 3
"""The version of records. One without a version was made by krm-values 0.1.0; one of version 2, which is read, has no number."""
_READ = (2, 3)
STEPS_BACK, STEPS = 2_000_000, 500_000
"""The limits of hashing for undoing and for making a record; the second is lower, so that each record that was made can be undone."""
LENGTH = 12  # hex digits


def hash_budget(message: str, most: int = STEPS) -> Budget:
    """Return the budget of hashing for a record: each entry hashes all collections around its place. EditError if it is exceeded."""
    return Budget(most, lambda: EditError(message))


def weight(value: object) -> int:
    """Return the steps of hashing a value: one for each value in it, and for each 32 characters."""
    steps, stack = 0, [value]
    while stack:
        found = stack.pop()
        steps += 1 + (len(found) // 32 if isinstance(found, str) else 0)
        stack += found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    return steps


def sha(value: object, length: int) -> str:
    """Return the first hex digits of the SHA-256 of a value's canonical JSON: keys sorted, numbers by value and not as written."""
    text = emit.as_json(canonical(value))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def fits(value: Any, digits: str, withheld: Iterable[Path] = ()) -> bool:
    """Return whether a value has this digest, with the scalars at `withheld` in it blanked."""
    return bool(digits) and sha(blanked(value, withheld), len(digits)) == digits


def blanked(value: JSON, withheld: Iterable[Path]) -> JSON:
    """Return a copy of the value with null at these paths, as far as they are scalars."""
    paths = [path for path in withheld if not isinstance(get(value, path, ABSENT), (dict, list))]
    if not paths or () in paths:
        return None if paths else value
    copied = data_edits.copy(value)
    for path in paths:
        if get(copied, path, ABSENT) is not ABSENT:
            data_edits.put(copied, path, None)
    return copied


def canonical(value: Any) -> JSON:
    """Return a value in the canonical form that is hashed."""

    def scalar(value: JSON) -> JSON:
        if isinstance(value, str):
            return str(value)
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        if value - value != 0:
            return repr(float(value))  # JSON has no infinite number
        return _number(value)

    return by_keys(value, scalar)


def _number(value: float) -> JSON:
    """Return a number as it reads back: whole without a fraction, and a float where Go has no such whole number."""
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= EXACT else float(value)
    try:
        return int(value) if LEAST <= value <= MOST else float(value)
    except OverflowError:
        return int(value)


_LIMIT = 64 * 1024  # bytes of a record
_TOO_LARGE = "would need an undo record of more than 64 KiB: change less of this resource"
_TOO_LONG = f"would need an undo record that takes more than {STEPS:,} steps to undo: change less of this resource"
_NEWER = "upgrade krm-values"
_OLDER = "restore the file as it was before that render, or undo by hand what was written and delete the record"
NOT_A_RECORD = "is not an undo record: restore it, or undo by hand what was written and delete it"
_HASHED = {"add": False, "remove": True, "replace": True}
_FIELDS = frozenset(("as", "op", "path", "inner", "sha", "value", "within", "secret", "blank"))
_SECRET_MAPS = ("data", "stringData")


class WithheldSecret(str):
    """A Secret's earlier value, which is not recorded: it existed, its content is unknown."""

    __slots__ = ()


UNKEPT = WithheldSecret()


@record
class UndoEntry:
    """One operation at a JSON pointer. `sha`: digest of the expected value when the entry is applied ("" for an add).

    value: ABSENT for a remove, and where a Secret's value is not recorded. within: by pointer, the digest of each list element on the path,
    and of a list to which an element is added or that has an element from a Secret. secret: the expected value is a scalar from a Secret and
    has no digest. blank: pointers of such scalars in what is hashed. inner: the place in the YAML or JSON text at `path`, if it is one; then
    all else is about that place.
    """

    op: str
    path: str
    sha: str = ""
    value: object = ABSENT
    within: tuple[tuple[str, str], ...] = ()
    secret: bool = False
    blank: tuple[str, ...] = ()
    inner: str = ""

    @property
    def withheld(self) -> tuple[str, ...]:
        """The pointers of values from Secrets at its place and below."""
        below_it = (pointer for pointer in self.blank if pointer.startswith(f"{self.path}/"))
        return (*below_it, *([self.path] if self.secret else []))

    @property
    def place(self) -> str:
        """The whole path, also in a text."""
        return f"{self.path}/»{self.inner}" if self.inner else self.path


@record
class Record:
    """Who wrote (`Kind/namespace/name`), and the entries that undo it.

    number: its place among the records of the resource, 1 for the oldest, which is undone last; 0 where none is known. package: the path from
    the package of the functionConfig to that of the resource.
    """

    by: tuple[str, ...]
    entries: tuple[UndoEntry, ...]
    number: int = 0
    package: str = ""

    @property
    def has_secrets(self) -> bool:
        """Whether a value that was written is from a Secret."""
        return any(one.withheld for one in self.entries)

    @property
    def title(self) -> str:
        """What messages call the writers."""
        return " and ".join(self.by) or "an earlier run"


def compute(
    pristine: JSON,
    result: JSON,
    *,
    in_secret: bool = False,
    secret: Callable[[Path, object], bool] | None = None,
    earlier: Callable[[Path], bool] | None = None,
) -> tuple[UndoEntry, ...]:
    """Return the entries that lead from the result back to the pristine state. in_secret: both are a Secret.

    secret: returns whether a scalar of the result, by path and value, comes from a Secret; None if none does. earlier: returns whether one
    was at a place before. EditError if values of a Secret that are not a map of strings change, and if hashing would exceed the budget.
    """
    veiled = _veiled(result, (), secret) if secret else result
    if in_secret:
        _check_maps(pristine, veiled)

    state, entries, size, steps = data_edits.copy(result), [], 0, hash_budget(_TOO_LONG)
    for edit in _edits(_sorted(veiled), _sorted(pristine), in_secret=in_secret):
        withheld = _withheld(state, edit.path, in_secret=in_secret, secret=secret, earlier=earlier)
        within = [] if in_secret or edit.path in withheld else _in_text(edit, state, steps)
        for entry in within or [_made(edit, state, withheld, steps)]:
            entries.append(entry)
            size += len(emit.as_json(_as_json(entry)))
            if size > _LIMIT:  # reported before the rest is hashed
                raise EditError(_TOO_LARGE)
        edit.apply(state)
    assert data_edits.same(_without(state, in_secret=in_secret), _without(pristine, in_secret=in_secret)), "it must lead back"
    return tuple(entries)


def as_before(entries: Iterable[UndoEntry], kept: Iterable[UndoEntry]) -> Iterator[UndoEntry]:
    """Yield entries with what an earlier record has in place of a value from a Secret: such a value is never recorded as the author's.

    kept: the entries of that record that do not find their value any more, because something beside it was edited by hand.
    """
    known = {pointer: _earlier(one, pointer) for one in kept for pointer in one.withheld}
    for entry in entries:
        value: Any = data_edits.copy(entry.value) if isinstance(entry.value, (dict, list)) else entry.value
        for pointer, before in known.items():
            if pointer == entry.path and not entry.inner:
                value = before
            elif pointer.startswith(f"{entry.path}/") and isinstance(value, (dict, list)):
                _set(value, parts_of(pointer[len(entry.path) :]), before)
        if value is not ABSENT or entry.value is ABSENT:
            yield replace(entry, value=value)
        elif entry.op != "add":
            yield replace(entry, op="remove", value=ABSENT)


def _earlier(entry: UndoEntry, pointer: str) -> object:
    """Return what an entry restores at a place of a value from a Secret; ABSENT if nothing was there."""
    value: Any = entry.value
    return get(value, typed(parts_of(pointer[len(entry.path) :]), value), ABSENT)


def _set(value: Any, parts: Sequence[str], new: Any) -> None:
    """Set what is at a place, if there is anything; for ABSENT remove a key, and blank an element, so that the others keep their places."""
    path = typed(parts, value)
    if get(value, path, ABSENT) is ABSENT:
        return
    if new is ABSENT and isinstance(path[-1], str):
        data_edits.remove(value, path)
    else:
        data_edits.put(value, path, None if new is ABSENT else new)


def typed(path: Sequence[str | int], value: Any) -> Path:
    """Return a path of strings with the list indexes of the value as numbers."""
    found: list[str | int] = []
    for part in path:
        number = index_of(str(part)) if isinstance(value, list) else None
        found.append(part if number is None else number)
        value = get(value, (found[-1],))
    return tuple(found)


def _in_text(edit: data_edits.Put | data_edits.Remove, state: JSON, steps: Budget) -> list[UndoEntry]:
    """Return the entries that undo an edit of a YAML or JSON text within it, if they lead back to every byte; otherwise none."""
    old, new = edit.value if isinstance(edit, data_edits.Put) else None, get(state, edit.path)
    editor, before = opened(new), opened(old)
    if editor is None or before is None or any(isinstance(part, int) for part in edit.path):
        return []  # a text in a list is found by the digest of its element
    entries: list[UndoEntry] = []
    data: Any = data_edits.copy(editor.data)
    try:
        for change in diff(_sorted(data), _sorted(before.data)):
            found = _made(change, data, [], steps)
            entries.append(replace(found, path=to_pointer(edit.path), inner=found.path))
            editor.make(change)
            change.apply(data)
        return entries if editor.text() == old else []
    except (EditError, InputError):
        return []


def opened(text: object) -> Editor | None:
    """Return a text under edit; None if it is not that of a YAML or JSON map or list."""
    if not isinstance(text, str) or ("\n" not in text and text.lstrip()[:1] not in ("{", "[")):
        return None
    from krm_values._yaml.edit.editor import Editor  # noqa: PLC0415 - only where a text has changed

    try:
        editor = Editor(text, is_json=_is_json(text))
    except InputError:
        return None
    return editor if isinstance(editor.data, (dict, list)) else None


def _is_json(text: str) -> bool:
    import json  # noqa: PLC0415 - only where a text has changed

    try:
        json.loads(text)
    except ValueError:
        return False
    return True


class _Veil:
    """A stand-in for a value from a Secret, equal to no other value: a record must not depend on what it is equal to."""

    __slots__ = ()


def _veiled(value: Any, path: Path, secret: Callable[[Path, object], bool]) -> Any:
    """Return a value with stand-ins for what comes from a Secret. A map that does is one, because it can have its keys from there, too."""
    if isinstance(value, list):
        return [_veiled(inner, (*path, index), secret) for index, inner in enumerate(value)]
    if value != {} and secret(path, value):
        return _Veil()
    return {key: _veiled(inner, (*path, key), secret) for key, inner in value.items()} if isinstance(value, dict) else value


def _made(edit: data_edits.Put | data_edits.Remove, state: JSON, withheld: list[Path], steps: Budget) -> UndoEntry:
    """Return the entry of an edit of this state. withheld: the scalars from Secrets that may be in what it hashes."""
    path = edit.path
    op = data_edits.op(edit, state)
    value = edit.value if isinstance(edit, data_edits.Put) and not isinstance(edit.value, WithheldSecret) else ABSENT
    is_secret = _HASHED[op] and path in withheld
    places = list(_lists_above(path, op, of_secret=any(place[: len(path)] == path for place in withheld)))
    hashed = [*places, *([path] if _HASHED[op] and not is_secret else [])]
    for place in hashed:
        steps.take(weight(get(state, place)))
    shas = {place: sha(blanked(get(state, place), below(withheld, place)), LENGTH) for place in hashed}
    within = tuple((to_pointer(place), shas[place]) for place in places)
    blank = tuple(to_pointer(place) for place in withheld if any(place[: len(one)] == one for one in hashed))
    return UndoEntry(op, to_pointer(path), shas.get(path, ""), value, within, is_secret, blank)


def below(places: Iterable[Path], path: Path) -> list[Path]:
    """Return those of the places that are at or below a path, relative to it."""
    return [place[len(path) :] for place in places if place[: len(path)] == path]


def _withheld(
    state: JSON,
    path: Path,
    *,
    in_secret: bool,
    secret: Callable[[Path, object], bool] | None,
    earlier: Callable[[Path], bool] | None,
) -> list[Path]:
    """Return the scalars from Secrets in everything that an entry at this path may hash: from the first list on the path on."""
    if not in_secret and secret is None and earlier is None:
        return []
    above = next((end for end, part in enumerate(path) if isinstance(part, int)), len(path))
    found = _scalars(get(state, path[:above], ABSENT), path[:above])
    value = get(state, path, ABSENT)
    is_whole = secret is not None and isinstance(value, (dict, list)) and secret(path, value)
    places = [path] if is_whole else []
    places += [
        place
        for place, value in found
        if (in_secret and place[:1] and place[0] in _SECRET_MAPS)
        or (secret is not None and secret(place, value))
        or (earlier is not None and earlier(place))
    ]
    return places


def _scalars(value: object, path: Path) -> Iterator[tuple[Path, object]]:
    if value is ABSENT:
        return
    if not isinstance(value, (dict, list)):
        yield path, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from _scalars(inner, (*path, key))


def to_text(found: Record) -> str:
    """Return the annotation's value; that of version 2 for a record without a number. EditError beyond 64 KiB, and if it could not be read back."""
    entries: list[JSON] = [_as_json(entry) for entry in found.entries]
    by: list[JSON] = [*sorted(found.by)]
    emit.check_keys(entries)
    numbered: dict[str, JSON] = {"n": found.number} if found.number else {}
    package: dict[str, JSON] = {"package": found.package} if found.package and found.number else {}
    text = emit.as_json({"by": by, **numbered, **package, "undo": entries, "v": VERSION if found.number else VERSION - 1})
    if len(text.encode()) > _LIMIT:
        raise EditError(_TOO_LARGE)
    return text


def from_text(text: str) -> Record:
    """Parse the annotation's value. InputError if it is not a record, is longer than 64 KiB, or has another version."""
    if len(text) > _LIMIT:
        raise InputError(NOT_A_RECORD)
    try:
        found: Any = decode.to_data(decode.parse(text))
        version = _version(found)
        known = _record(found, version) if version in _READ else None
    except (InputError, KeyError, TypeError, ValueError, AttributeError):
        raise InputError(NOT_A_RECORD) from None
    if known is None:
        advice = _OLDER if version < VERSION else _NEWER
        raise InputError(f"is an undo record of version {version}, and this krm-values reads versions 2 and 3: {advice}")
    return known


def secret_values(data: JSON) -> Iterator[tuple[str, str]]:
    """Yield the paths of a Secret's values."""
    for name in _SECRET_MAPS:
        values = get(data, (name,))
        for key in values if isinstance(values, dict) else ():
            yield name, key


def keep_unrecorded(before: JSON, *states: Any) -> list[tuple[Path, str]]:
    """Give all states of a Secret the value from before this run wherever none knows a value, because it was not recorded; or no key.

    Returns each such place with what stays there, in words.
    """
    kept: list[tuple[Path, str]] = []
    for path in list(secret_values(states[0])):
        if not all(isinstance(get(state, path), WithheldSecret) for state in states):
            continue
        last = get(before, path, ABSENT)
        for state in states:
            if last is ABSENT:
                data_edits.remove(state, path)
            else:
                data_edits.put(state, path, last)
        kept.append((path, "the key stays removed" if last is ABSENT else "the last value stays"))
    return kept


def _check_maps(pristine: JSON, result: JSON) -> None:
    for name in _SECRET_MAPS:
        held = get(pristine, (name,))
        if held in (None, "") or data_edits.same(held, get(result, (name,))):
            continue
        if not isinstance(held, dict) or any(isinstance(value, (dict, list)) for value in held.values()):
            raise EditError(f"has `{name}` that is not a map of strings, so what it holds could not be undone: make it one")


def _edits(result: JSON, pristine: JSON, *, in_secret: bool) -> Iterator[data_edits.Put | data_edits.Remove]:
    for edit in diff(result, pristine):
        if not in_secret or isinstance(edit, data_edits.Remove) or edit.path[0] not in _SECRET_MAPS:
            yield edit
        elif isinstance(edit.value, dict) and len(edit.path) == 1:
            yield data_edits.Put(edit.path, {})
            for key, value in edit.value.items():
                yield data_edits.Put((*edit.path, key), value if value in (None, "") else UNKEPT)
        else:
            yield data_edits.Put(edit.path, edit.value if edit.value in (None, "") else UNKEPT)


def _lists_above(path: Path, op: str, *, of_secret: bool) -> Iterator[Path]:
    """Yield the paths of the list elements above a place, and of the list to which an element is added; of all lists if a value is from a Secret."""
    for end in range(1, len(path)):
        is_list = isinstance(path[end], int) and (of_secret or (op == "add" and end == len(path) - 1))
        if isinstance(path[end - 1], int) or is_list:
            yield path[:end]


def _without(data: JSON, *, in_secret: bool) -> JSON:
    """Return the data; of a Secret without its values that are not empty."""
    if not in_secret:
        return data
    copied = data_edits.copy(data)
    masked: Any = copied
    for name, key in secret_values(masked):
        value = masked[name][key]
        masked[name][key] = UNKEPT if isinstance(value, WithheldSecret) or value not in (None, "") else value
    return copied


def _as_json(entry: UndoEntry) -> JSON:
    spelt: dict[str, JSON] = dict(_sources(entry.value, "")) if entry.value is not ABSENT else {}
    found: dict[str, JSON] = {"as": spelt} if spelt else {}
    found |= {"op": entry.op, "path": entry.path}
    if entry.sha:
        found["sha"] = entry.sha
    if entry.value is not ABSENT:
        found["value"] = _sorted(entry.value)
    if entry.within:
        found["within"] = dict(entry.within)
    if entry.secret:
        found["secret"] = True
    if entry.blank:
        found["blank"] = [*entry.blank]
    if entry.inner:
        found["inner"] = entry.inner
    return {key: found[key] for key in sorted(found)}


def _sources(value: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield, with its pointer, the spelling of each number and tagged string in a value that JSON would write differently."""
    if isinstance(value, (dict, list)):
        for part, item in sorted(value.items()) if isinstance(value, dict) else enumerate(value):
            yield from _sources(item, pointer + to_pointer((part,)))
    elif (source := source_of(value)) and source != emit.as_json(value):
        yield pointer, source


def _respelt(value: Any, sources: dict[str, Any], pointer: str) -> Any:
    """Return the value with the recorded spelling of its numbers, where it is valid."""
    if isinstance(value, dict):
        return {key: _respelt(item, sources, pointer + to_pointer((key,))) for key, item in value.items()}
    if isinstance(value, list):
        return [_respelt(item, sources, pointer + to_pointer((index,))) for index, item in enumerate(value)]
    read = decode.data(sources[pointer]) if isinstance(sources.get(pointer), str) else value
    return read if data_edits.same(read, value) else value


def _sorted(value: Any) -> JSON:
    """Return the value with sorted keys: a record does not depend on their order in the text."""
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


def _version(found: dict[str, Any]) -> int:
    """Return the version of a record; ValueError for one that does not exist."""
    version = found.get("v", 1 if "undo" in found else None)
    if type(version) is not int or version < 1:
        raise ValueError(version)
    return version


def _record(found: dict[str, Any], version: int) -> Record:
    number, package = found.get("n", 0), found.get("package", "")
    given = found.keys() - ({"v"} if version < VERSION else {"v", "n", "package"})
    is_one = all(isinstance(writer, str) for writer in found["by"]) and given == {"by", "undo"} and isinstance(package, str)
    if not is_one or type(number) is not int or number < (1 if version == VERSION else 0):
        raise ValueError(found)
    return Record(tuple(found["by"]), tuple(_entry(entry) for entry in found["undo"]), int(number), package)


def _entry(found: dict[str, Any]) -> UndoEntry:
    """Return an entry from its JSON; ValueError if it is not one."""
    op, path, hashed, within = found["op"], found["path"], found.get("sha", ""), found.get("within", {})
    is_secret, blank, inner = found.get("secret", False), found.get("blank", []), found.get("inner", "")
    texts = (path, inner, hashed, *within, *within.values(), *blank)
    is_one = all(isinstance(text, str) for text in texts) and path[:1] == "/" and isinstance(is_secret, bool)
    is_one = is_one and inner[:1] in ("", "/") and not (inner and (is_secret or blank))
    if not is_one or (bool(hashed) or is_secret) != _HASHED[op] or (hashed and is_secret) or not _FIELDS.issuperset(found):
        raise ValueError(path)
    value, sources = found.get("value", ABSENT), found.get("as")
    value = _respelt(value, sources, "") if sources else value
    return UndoEntry(op, path, hashed, value, tuple(within.items()), is_secret, tuple(blank), inner)
