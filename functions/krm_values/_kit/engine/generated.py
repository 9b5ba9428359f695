"""Objects that a function generates: marked, found again on the next run, replaced in place, removed when nobody makes them."""

from __future__ import annotations

from krm_values._data import data_edits
from krm_values._data.pointer import get
from krm_values._data.printable import printable
from krm_values._data.record import record
from krm_values._kit.kio.filenames import wrong_with
from krm_values._kit.planner import names
from krm_values._kit.planner.item import Item, Position, has_path
from krm_values._kit.planner.plan import Finding, New

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._kit.planner.names import Writer
    from krm_values._kit.planner.plan import Severity

REMOVED = "generated-removed"
BY, FROM = f"{names.GROUP}/generated-by", f"{names.GROUP}/generated-from"


@record
class Added:
    """A new item and its position."""

    data: JSON
    position: Position


@record
class Generation:
    """What becomes of the objects: (existing item, data it shall have) pairs, items that go, new ones, and what to say."""

    replaced: tuple[tuple[Item, JSON, New], ...]
    removed: tuple[Item, ...]
    added: tuple[tuple[New, Added], ...]
    findings: tuple[Finding, ...]


def own(writer: Writer, items: Iterable[Item]) -> list[Item]:
    """The items that carry the mark of this function, and of the config that runs if it has a name."""
    ours = [item for item in items if item.marks.get("generated-by") == writer.function]
    return [item for item in ours if item.marks.get("generated-from", "").startswith(writer.source)]


def identity_of(new: New) -> str:
    """What a generated object is found by in the next run."""
    return new.named or identity(new.source, new.part)


def identity(source: Item | New | None, part: str = "") -> str:
    """`<Kind>.<group>/<namespace>/<name>[/<part>]`; a core kind has no group, an absent namespace stays empty."""
    if source is None:
        return "the functionConfig"
    if isinstance(source, Item):
        kind, group, namespace, name = source.kind, source.group, source.namespace, source.label
    else:
        kind, group, namespace, name = header_of(source.data)
    text = f"{kind}.{group}/{namespace}/{name}" if group else f"{kind}/{namespace}/{name}"
    return f"{text}/{part}" if part else text


def header_of(data: JSON) -> tuple[str, str, str, str]:
    """(kind, group, namespace, name) of plain data."""
    texts = [get(data, path) for path in (("kind",), ("apiVersion",), ("metadata", "namespace"), ("metadata", "name"))]
    kind, api_version, namespace, name = (text if isinstance(text, str) else "" for text in texts)
    return kind, api_version.rpartition("/")[0], namespace, name


def beside(source: Item, name: str) -> str:
    """The file of a new object of this name: next to its source's."""
    directory = source.file.rpartition("/")[0]
    return f"{directory}/{name}.yaml" if directory else f"{name}.yaml"


def generate(
    function: str,
    made: Sequence[tuple[New, JSON]],
    existing: Sequence[Item],
    others: Sequence[Item],
    at: Callable[[str], Sequence[Item]],
    *,
    removal: Severity,
    checks_paths: bool = True,
) -> Generation:
    """Match what a plan made (with its final data) against the objects of earlier runs, by identity.

    at: the items of a file. removal: the severity of the finding for an object that is removed because nothing makes it any more.
    checks_paths: whether the objects are written where their paths say.
    """
    left = {item.marks.get("generated-from", ""): item for item in existing}
    replaced: list[tuple[Item, JSON, New]] = []
    added: list[tuple[New, Added]] = []
    findings: list[Finding] = []
    named = {(item.kind, item.group, item.namespace, item.name): item for item in reversed(others)} if made else {}
    taken: dict[str, int] = {}
    for new, data in made:
        if not new.written:
            continue
        key = identity_of(new)
        whole = _marked(data, function, key) if new.marked else data
        old = left.pop(key, None) if new.marked else None
        if old is None:
            position = _place(new, at, taken)
            findings += [*_taken(new, named.get(header_of(data))), *(_misplaced(new, position) if checks_paths else ())]
            added.append((new, Added(whole, position)))
        else:
            replaced.append((old, _with_hidden(whole, old), new))
    gone = tuple(left.values())
    findings += _collisions(made)
    findings += [Finding(removal, REMOVED, None, "is removed: nothing generates it any more", item) for item in gone]
    return Generation(tuple(replaced), gone, tuple(added), tuple(findings))


def placed(added: Added) -> Added:
    """With the annotations that tell a host its file, and its index where the file is shared."""
    whole: Any = data_edits.copy(added.data)
    annotations = _annotations(whole)
    if added.position.file:
        annotations["config.kubernetes.io/path"] = added.position.path
    if added.position.file and added.position.index:
        annotations["config.kubernetes.io/index"] = str(added.position.index)
    return Added(whole, added.position)


def _marked(data: JSON, function: str, key: str) -> JSON:
    whole = data_edits.copy(data)
    annotations = _annotations(whole)
    annotations[BY], annotations[FROM] = function, key
    return whole


def _annotations(whole: Any) -> Any:
    """The annotations of an object, made where there are none or where their field is null."""
    for name in ("metadata", "annotations"):
        if whole.get(name) is None:
            whole[name] = {}
        whole = whole[name]
    return whole


def _with_hidden(data: JSON, old: Item) -> JSON:
    """The data with the annotations that the host gave the item it replaces."""
    whole = data_edits.copy(data)
    hosts = {key: value for key, value in old.reading.annotations.items() if not key.startswith(names.GROUP + "/")}
    if hosts:
        _annotations(whole).update(hosts)
    return whole


def _taken(new: New, other: Item | None) -> Iterator[Finding]:
    """An object of the same name that is not ours is never touched."""
    place = f" in {other.position.path}" if other and other.position.path else ""
    text = (
        f"would be written from {identity_of(new)}, but an object of this name that has no mark of that exists{place}: "
        "rename one; if `krm-values clean` took its mark out, render from the sources"
    )
    if other:
        yield Finding("error", "generated", None, text, new)


def _misplaced(new: New, position: Position) -> Iterator[Finding]:
    """A host writes it where its path says, and paths come out of names and annotations that anybody may have written."""
    wrong = wrong_with(position.path) if position.file else ""
    text = (
        f'would be written from {identity_of(new)} to "{printable(position.path)}": the path {wrong}; rename or move its source'
    )
    if wrong:
        yield Finding("error", "generated", None, text, new)


def _collisions(made: Sequence[tuple[New, JSON]]) -> Iterator[Finding]:
    """Two sources must not write one object."""
    first: dict[tuple[str, str, str, str], New] = {}
    for new, data in made:
        other = first.setdefault(header_of(data), new)
        if other is not new and new.written:
            text = f"would be written from {_called(other)} and from {_called(new)}: rename one"
            yield Finding("error", "generated", None, text, new)


def _called(new: New) -> str:
    """The identity of its source, with the file that it is in."""
    source = new.source
    file = source.position.path or source.position.source if isinstance(source, Item) else ""
    return identity(source, new.part) + (f" of {printable(file)}" if file else "")


def _place(new: New, at: Callable[[str], Sequence[Item]], taken: dict[str, int]) -> Position:
    """Its file, beside what is there already: the next index where the file is shared. taken: the last one by file."""
    source = new.source
    while isinstance(source, New):
        source = source.source
    near = source.position if source else Position()
    path = Position(near.package, new.file or near.file).path
    if path.startswith("../") and isinstance(source, Item) and not has_path(source.reading.annotations):
        return Position()  # where kustomize has read its source, which is not a place to write to
    if path not in taken:
        taken[path] = max((item.position.index for item in at(path)), default=-1)
    taken[path] += 1
    return Position("", path, taken[path])
