"""Objects that a function generates: marked, recognized in the next run, replaced in place, and removed when nothing generates them any more."""

from __future__ import annotations

import posixpath
from itertools import chain, count
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.errors import address
from krm_values._data.record import record
from krm_values._data.shown import printable
from krm_values._krm import hosts, names, places
from krm_values._krm.filenames import wrong_with
from krm_values._krm.item import Item, Position, has_path
from krm_values._krm.plan import Finding, New

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.values import JSON
    from krm_values._krm.names import Writer
    from krm_values._krm.plan import Severity


REMOVED = "generated-removed"
BY, FROM = f"{names.GROUP}/{names.MADE_BY}", f"{names.GROUP}/{names.MADE_FROM}"


@record
class Added:
    """A new item and its position. text: as a step of others wrote it, "" for an object of ours."""

    data: JSON
    position: Position
    text: str = ""


@record
class Generation:
    """The result of matching generated objects: (existing item, new data) pairs, items to remove, new items, and findings."""

    replaced: tuple[tuple[Item, JSON, New], ...]
    removed: tuple[Item, ...]
    added: tuple[tuple[New, Added], ...]
    findings: tuple[Finding, ...]


def marked_by(writer: Writer, items: Iterable[Item]) -> list[Item]:
    """Return the items that carry the mark of this function and, if it has a name, of the running config."""
    ours = [item for item in items if item.marks.get(names.MADE_BY) == writer.function]
    return [item for item in ours if item.marks.get(names.MADE_FROM, "").startswith(writer.source)]


def maker_of(made: Item) -> str:
    """Return what `revert` calls the step that generated an object, `layered-values/web`, or its function if configs do not count."""
    function, source = made.marks[names.MADE_BY], made.marks.get(names.MADE_FROM, "")
    config = f"{names.kind(function)}.{names.GROUP}//"
    return f"{function}/{source.removeprefix(config).partition('/')[0]}" if source.startswith(config) else function


def made_for(made: Item) -> str:
    """Return the resource from which an object was generated, as undo records name it: `<Kind>/<namespace>/<name>`."""
    kind, _, rest = made.marks.get(names.MADE_FROM, "").partition("/")
    return "/".join([kind.partition(".")[0], *rest.split("/")[:2]])


def identity_of(new: New) -> str:
    """Return the identity by which the next run recognizes a generated object."""
    return new.named or identity(new.source, new.part)


def identity(source: Item | New | None, part: str = "") -> str:
    """Return `<Kind>.<group>/<namespace>/<name>[/<part>]`; a core kind has no group, an absent namespace is empty."""
    if source is None:
        return "the functionConfig"
    if isinstance(source, Item):
        kind, group, namespace, name = source.kind, source.group, source.namespace, source.label
    else:
        kind, group, namespace, name = header_of(source.data)
    text = f"{kind}.{group}/{namespace}/{name}" if group else f"{kind}/{namespace}/{name}"
    return f"{text}/{part}" if part else text


def written_for(item: Item | New) -> str:
    """Return how undo records name the object for which a step has written: `<Kind>/<namespace>/<name>`."""
    if isinstance(item, Item):
        return f"{item.kind}/{item.namespace}/{item.label}"
    kind, _, namespace, name = header_of(item.data)
    return f"{kind}/{namespace}/{name}"


def header_of(data: JSON) -> tuple[str, str, str, str]:
    """Return (kind, group, namespace, name) of plain data."""
    whole = data if isinstance(data, dict) else {}
    named = metadata if isinstance(metadata := whole.get("metadata"), dict) else {}
    texts = whole.get("kind"), whole.get("apiVersion"), named.get("namespace"), named.get("name")
    kind, api_version, namespace, name = [text if isinstance(text, str) else "" for text in texts]
    return kind, api_version.rpartition("/")[0], namespace, name


def header(item: Item | New) -> tuple[str, str, str, str]:
    """Return the same of a resource, which need not be parsed for it."""
    return (item.kind, item.group, item.namespace, item.name) if isinstance(item, Item) else header_of(item.data)


def beside(source: Item, name: str) -> str:
    """Return the file of a new object with this name: in the directory of its source."""
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
    marks: bool = True,
    package: str = "",
    package_of: Callable[[Item], str] = lambda _: "",
) -> Generation:
    """Match the objects of a plan (with their final data) with those of earlier runs, by identity.

    at: returns the items of a file. removal: the severity of the finding on an object that is removed because nothing generates it any more.
    checks_paths: whether the objects are written to the files that their paths name. marks: whether they are annotated for later runs.
    package: where an object goes that the functionConfig alone makes. package_of: returns the package of a source whose position does not name it.
    """
    left = {item.marks.get(names.MADE_FROM, ""): item for item in existing}
    replaced: list[tuple[Item, JSON, New]] = []
    added: list[tuple[New, Added]] = []
    findings: list[Finding] = []
    named = {(item.kind, item.group, item.namespace, item.name): item for item in reversed(others)} if made else {}
    taken: dict[str, int] = {}
    files = {id(new): _file_of(new, package, package_of) for new, _ in made if new.written}
    crowded = _crowded(made, files)
    for new, data in made:
        if not new.written:
            continue
        key = identity_of(new)
        whole = _marked(data, function, key) if new.marked and marks else data
        old = left.pop(key, None) if new.marked else None
        if old is None:
            position = _place(new, data, at, taken, crowded, path=files[id(new)])
            wrong = (_name_conflict(new, named.get(header_of(data))), _misplaced(new, position) if checks_paths else None)
            findings += filter(None, wrong)
            added.append((new, Added(whole, position)))
        else:
            replaced.append((old, _with_hidden(whole, old), new))
    gone = tuple(left.values())
    findings += _collisions(made)
    findings += [Finding(removal, REMOVED, None, "is removed: nothing generates it any more", item) for item in gone]
    return Generation(tuple(replaced), gone, tuple(added), tuple(findings))


def with_positions(new: Sequence[Added]) -> Iterator[Added]:
    """Yield the objects with the annotations that give a host their file, and their index where it is shared; also that of the first one, which kpt would put anywhere."""
    shared = {added.position.path for added in new if added.position.index}
    for added in new:
        whole: Any = data_edits.copy(added.data)
        annotations = _annotations(whole)
        if added.position.file:
            annotations[hosts.PATH] = added.position.path
            if added.position.path in shared:
                annotations[hosts.INDEX] = str(added.position.index)
        yield Added(whole, added.position)


def _marked(data: JSON, function: str, key: str) -> JSON:
    whole = data_edits.copy(data)
    annotations = _annotations(whole)
    annotations[BY], annotations[FROM] = function, key
    return whole


def _annotations(whole: Any) -> Any:
    """Return the annotations of an object; they are created if absent or null."""
    for name in ("metadata", "annotations"):
        if whole.get(name) is None:
            whole[name] = {}
        whole = whole[name]
    return whole


def _with_hidden(data: JSON, old: Item) -> JSON:
    """Return the data with the host's annotations of the item that it replaces."""
    whole = data_edits.copy(data)
    if hidden := {key: value for key, value in old.reading.annotations.items() if not key.startswith(names.GROUP + "/")}:
        _annotations(whole).update(hidden)
    return whole


def _name_conflict(new: New, other: Item | None) -> Finding | None:
    """Return the error that an object of the same name exists that this function did not generate; it is never replaced."""
    if other is None:
        return None
    place = f" in {other.position.path}" if other.position.path else ""
    text = (
        f"would be written from {identity_of(new)}, but an object of this name that has no mark of that exists{place}: "
        "rename one; if `krm-values clean` removed its mark, render from the sources; if an earlier step of kustomize made it, that "
        "step needs `record: true`"
    )
    return Finding("error", "generated", None, text, new)


def _misplaced(new: New, position: Position) -> Finding | None:
    """Return the error that a path must not be written: paths are made of names and annotations from the input."""
    wrong = wrong_with(position.path) if position.file else ""
    if not wrong:
        return None
    text = (
        f'would be written from {identity_of(new)} to "{printable(position.path)}": the path {wrong}; rename or move its source'
    )
    return Finding("error", "generated", None, text, new)


def _collisions(made: Sequence[tuple[New, JSON]]) -> Iterator[Finding]:
    """Yield an error for each object that two sources would write, or that the next run could not tell from another one: of two sources with one name."""
    first: dict[object, New] = {}
    for new, data in made:
        known = [first.setdefault(key, new) for key in (header_of(data), *([identity_of(new)] if new.marked else []))]
        other = next((one for one in known if one is not new), new)
        if other is not new and new.written:
            text = f"would be written from {_source_label(other)} and from {_source_label(new)}: rename one"
            yield Finding("error", "generated", None, text, new)


def _source_label(new: New) -> str:
    """Return the identity of its source, and the file of that."""
    source = new.source
    at = source.position if isinstance(source, Item) else Position()
    file = at.path or address(at.source, at.line)
    return identity(source, new.part) + (f" of {printable(file)}" if file else "")


def _file_of(new: New, package: str, package_of: Callable[[Item], str]) -> str:
    """Return the file that a new object asks for, else that of its source. package: that of an object without a source."""
    source = places.made_from(new)
    if source is None:
        return Position(package, new.file).path
    at = source.position
    if at.package or not new.file:
        return Position(at.package, new.file or at.file).path
    around = package_of(source)  # of a pipe, whose files are named from the outermost package on
    return new.file if new.file.startswith(f"{around}/") else Position(around, new.file).path


def _crowded(made: Sequence[tuple[New, JSON]], files: Mapping[int, str]) -> set[str]:
    """Return the files for which objects of one name in several namespaces ask."""
    spaces: dict[tuple[str, str, str], str] = {}
    crowded = set()
    for new, data in made:
        kind, _, namespace, name = header_of(data)
        path = files[id(new)] if new.written and new.file else ""
        if path and spaces.setdefault((path, kind, name), namespace) != namespace:
            crowded.add(path)
    return crowded


def _free(path: str, data: JSON, at: Callable[[str], Sequence[Item]], crowded: set[str]) -> str:
    """Return the file that an object gets: the one that it asks for, or, where that is another's, the next free name.

    A file is another's if it holds anything but generated objects (its reader may need it whole, as that of a functionConfig does), or the
    object of this name in another namespace; and kustomize reads files by their name.
    """
    stem, _, suffix = path.rpartition(".")
    kind, _, namespace, name = header_of(data)
    named = [] if path in crowded else [path]
    named += [f"{stem}-{namespace}.{suffix}"] if namespace else []

    def is_free(one: str) -> bool:
        if posixpath.basename(one) in names.KUSTOMIZATIONS:
            return False
        return all(
            names.MADE_BY in item.marks and ((item.kind, item.name) != (kind, name) or item.namespace == namespace)
            for item in at(one)
        )

    return next(one for one in chain(named, (f"{stem}-{number}.{suffix}" for number in count(2))) if is_free(one))


def _place(
    new: New, data: JSON, at: Callable[[str], Sequence[Item]], taken: dict[str, int], crowded: set[str], *, path: str
) -> Position:
    """Return its file, with the next free index if the file is shared. taken: the last index by file. crowded: as `_crowded` returns.

    path: the file that it asks for.
    """
    source = places.made_from(new)
    if path.startswith("../") and source and not has_path(source.reading.annotations):
        return Position()  # where kustomize has read its source, which is not a place to write to
    path = _free(path, data, at, crowded) if new.file else path
    if path not in taken:
        taken[path] = max((item.position.index for item in at(path)), default=-1)
    taken[path] += 1
    return Position("", path, taken[path])
