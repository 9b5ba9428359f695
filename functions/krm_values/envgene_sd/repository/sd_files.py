"""The files of SDs as items of a ResourceList, `envgene source`, and back, `envgene sink`.

The lines of a file are those below an item's `spec:`. What surrounds them stays in the file: document marker, first comments, byte order
mark and line breaks. Each item has the digest of its file, by which later changes are detected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.data_edits import same
from krm_values._data.errors import InputError
from krm_values._data.pointer import get
from krm_values._data.record import record, replace
from krm_values._data.scalars import text_of
from krm_values._data.shown import described
from krm_values._krm import documents, names, places
from krm_values._krm import plan as planner
from krm_values._krm.findings import Report
from krm_values._krm.item import position_of
from krm_values._krm.shapes import Served, misspelt
from krm_values._krm.write import REMOVED, Change, digest
from krm_values._yaml import decode, emit
from krm_values._yaml.encoding import BOM, is_blank
from krm_values.envgene_sd.descriptors import is_exactly
from krm_values.envgene_sd.environments import ARTIFACT, NAMESPACE, SD
from krm_values.envgene_sd.repository import fetch, files
from krm_values.envgene_sd.repository.files import DELTA, DESCRIPTOR, FULL, FaultsError, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values.envgene_sd.repository.fetch import Fetched
    from krm_values.envgene_sd.repository.files import Content

DIGEST = f"{names.GROUP}/source-digest"
_LIST = "ResourceList"
_HEAD = f"apiVersion: config.kubernetes.io/v1\nkind: {_LIST}\n"
_NAMES = {FULL: "sd", DELTA: "delta-sd"}
_TITLES = {FULL: "Full SD", DELTA: "Delta SD"}
_SERVED = (Served(names.GROUP, (), (SD,), (ARTIFACT, NAMESPACE)),)
_LOCAL: dict[str, JSON] = {"config.kubernetes.io/local-config": "true"}
_EMPTY = "applications: []\n"


def listed(items: Iterable[str], fetched: Iterable[Fetched] = ()) -> bytes:
    """Return the ResourceList of these items and of fetched artifacts."""
    elements = [f"- {_below(text, 2)[2:]}" for text in (*items, *map(fetch.item, fetched))]
    return (_HEAD + ("items:\n" if elements else "items: []\n") + "".join(elements)).encode()


def items(
    root: Path, environments: Sequence[str], report: Report, advance: Callable[[], None] = lambda: None
) -> dict[str, list[str]]:
    """Read the items of each environment; report what cannot be read: rules 16 and 70, 77 for a Namespace."""
    found: dict[str, list[str]] = {}
    for environment in environments:
        try:
            files.check_environment(environment)
            found[environment] = list(_items(root, environment))
        except FaultsError as error:
            report.extend(error.findings)
        advance()
    return found


def _items(root: Path, environment: str) -> Iterator[str]:
    for name in (FULL, DELTA):
        if path := files.descriptor(root, environment, name):
            yield _descriptor(root, environment, name, path)
    for path in files.namespaces(root, environment):
        yield _namespace(root, environment, path)


def _descriptor(root: Path, environment: str, name: str, path: str) -> str:
    """Return the item of an SD's file, whose own lines are below `spec:`."""
    content = files.read(root, path, DESCRIPTOR)
    parts = _divided(_text(content.raw))
    body = _below(_comments(parts.head) + parts.body, 2)
    further: dict[str, JSON] = {DIGEST: f"sha256:{digest(content.raw)}"}
    text = _header(SD, _NAMES[name], environment, path, further) + "spec:\n" + body
    try:
        carried = decode.to_data(decode.parse(text))
    except InputError:
        carried = None
    if not same(get(carried, ("spec",)), _data(content)):
        raise fault(DESCRIPTOR, f"{content.at()}: cannot be carried in an item as it is written; write it in block style")
    return text


def _namespace(root: Path, environment: str, path: str) -> str:
    """Return the item of a Namespace's file: its name and its folder."""
    data = files.read(root, path, files.NAMESPACE).data
    found = data.get("name") if isinstance(data, dict) else None
    named = text_of(found) if not isinstance(found, (dict, list)) else ""
    folder = path.split("/")[-2]
    spec: dict[str, JSON] = {"name": named, "folder": folder} if named else {"folder": folder}
    return _header(NAMESPACE, folder, environment, path, {}) + "\n".join(emit.block({"spec": spec})) + "\n"


def _header(kind: str, name: str, environment: str, path: str, further: dict[str, JSON]) -> str:
    annotations: dict[str, JSON] = {
        "config.kubernetes.io/index": "0",
        **_LOCAL,
        "config.kubernetes.io/path": path,
        f"{names.GROUP}/environment": environment,
        **further,
    }
    metadata: dict[str, JSON] = {"name": f"{environment.replace('/', '.')}.{name}", "annotations": annotations}
    return "".join(f"{line}\n" for line in emit.block({"apiVersion": names.API_VERSION, "kind": kind, "metadata": metadata}))


@record
class Wanted:
    """An SD of the list: its lines, its data, and the digest of the file that it was read from, "" if there was none."""

    environment: str
    name: str
    text: str
    data: JSON
    origin: str


@record
class Sunk:
    """The changes of one environment, below the repository and below the directory for Delta SDs, and the states of both SDs.

    The Full SD comes last: as long as it is the old one, a repeated run computes the same.
    """

    environment: str
    changes: tuple[Change, ...]
    aside: tuple[Change, ...]
    full: str
    delta: str


def sunk(root: Path, data: bytes, deltas: Path | None = None) -> list[Sunk]:
    """Return the changes that the SDs of a list make, by environment. FaultsError of rule 70 with all errors; nothing is written.

    deltas: the directory that gets the Delta SDs instead of the repository.
    """
    found: dict[str, dict[str, Wanted]] = {}
    done = []
    report = Report()
    for item, text in _read(data, report):
        try:
            wanted = _wanted(item, text)
            if wanted.name in found.setdefault(wanted.environment, {}):
                raise fault(DESCRIPTOR, f"{wanted.environment} has two items for its {_TITLES[wanted.name]}; remove one")
            found[wanted.environment][wanted.name] = wanted
        except FaultsError as error:
            report.extend(error.findings)
    for environment in sorted(found):
        try:
            done.append(_sunk(root, environment, found[environment], deltas))
        except FaultsError as error:
            report.extend(error.findings)
    if report.findings:
        raise FaultsError(report.findings)
    return done


def _read(data: bytes, report: Report) -> Iterator[tuple[Item, str]]:
    """Yield the SDs of a list that can be read, each with its text. InputError if the input is not a list of resources.

    So that no edit is lost, each item that cannot be read is an error, and each whose kind or group is almost that of an SD.
    """
    if is_blank(data.decode(errors="replace")):
        raise InputError("must be a list of resources, found nothing", file="stdin")
    carrier = documents.read(data, "stdin", unfold=True)
    for item in carrier.items:
        _check_is_resource(item)
        if item.error:
            report.add(planner.unreadable(item, item.error, DESCRIPTOR))
        elif item.kind == SD and item.group == names.GROUP:
            yield item, carrier.text(item.number)
        else:
            report.extend(replace(found, severity="error") for found in misspelt(_SERVED, (item,), DESCRIPTOR))


def _check_is_resource(item: Item) -> None:
    """Raise InputError for a list that was cut off, one whose own keys are misspelt, or the text of an SD itself."""
    wrong, path = _not_a_resource(item)
    if item.error and (wrong or item.kind == _LIST):
        raise InputError(
            f"must be a list of resources: {item.error.message}", item.error.line, item.error.column, item.error.file
        )
    if wrong:
        raise InputError(f"must be a list of resources: {wrong}", *places.of_field(item, path), "stdin")


def _not_a_resource(item: Item) -> tuple[str, tuple[str, ...]]:
    """Return what is wrong with something that is not a resource, and at which key; an empty string for a resource."""
    data = item.data if isinstance(item.data, dict) else {}
    if isinstance(data.get("items"), list) and not item.kind.endswith("List"):
        hint = suggest.hint(item.kind, [_LIST])
        return f"`kind` must be `{_LIST}`, found {described(item.kind)}{hint}", ("kind",)
    if item.kind == _LIST and not isinstance(data.get("items", []), list | None):
        return f"`items` must be a list, found {described(data['items'])}", ("items",)
    if item.kind == _LIST and "items" not in data and (near := suggest.nearest("items", data)):
        return f"`{near}` is not a field of a {_LIST}; did you mean `items`?", (near,)
    if not item.kind and not suggest.nearest("kind", data):
        return "found something without a `kind`; give it what `envgene source` prints", ()
    return "", ()


def _wanted(item: Item, text: str) -> Wanted:
    title = f"SolutionDescriptor {item.name}"
    last = item.name.rpartition(".")[2]
    name = next((name for name, known in _NAMES.items() if known == last), "")
    if not name:
        raise fault(DESCRIPTOR, f"{title}: must be named `sd`, `*.sd`, `delta-sd` or `*.delta-sd`")
    data = item.data
    files.check_environment(environment := _environment(item))
    spec = data.get("spec") if isinstance(data, dict) else None
    try:
        lines = _spec(text, spec)
    except InputError as error:
        raise fault(DESCRIPTOR, f"{title}: {error.message}") from None
    return Wanted(environment, name, lines, spec, item.marks.get("source-digest", "").removeprefix("sha256:"))


def _environment(item: Item) -> str:
    """Return the environment of the annotation, else of the path."""
    segments = position_of(item.reading.annotations).path.split("/")
    at = segments.index("environments") + 1 if "environments" in segments[:-3] else len(segments)
    return item.marks.get("environment") or "/".join(segments[at : at + 2])


def _sunk(root: Path, environment: str, found: dict[str, Wanted], deltas: Path | None) -> Sunk:
    full, delta = found.get(FULL), found.get(DELTA)
    path = files.descriptor(root, environment, FULL) or f"{files.folder(environment)}/sd.yaml"
    ending = path[path.rindex(".") :]
    own = [*_full_changes(root, path, full)] if full else []
    states = "written" if own else "unchanged"
    if deltas is None:
        changes = [*_delta_changes(root, environment, delta, ending, checked=True)] if full or delta else []
        return Sunk(environment, (*changes, *own), (), states, _state(delta, changes))
    gone = [*_delta_changes(root, environment, None, ending, checked=False)]
    aside = [*_delta_changes(deltas, environment, delta, ending, checked=False)]
    return Sunk(environment, (*gone, *own), tuple(aside), states, _state(delta, aside))


def _state(delta: Wanted | None, changes: list[Change]) -> str:
    if delta is None:
        return "removed" if changes else ""
    return "written" if changes else "unchanged"


def _full_changes(root: Path, path: str, wanted: Wanted) -> Iterator[Change]:
    old = files.read(root, path, DESCRIPTOR) if files.is_there(root, path) else None
    if not old or not is_exactly(_data(old), wanted.data):
        _check_unchanged(root, path, wanted)
        yield Change(path, digest(old.raw) if old else REMOVED, _content(old, wanted))


def _delta_changes(root: Path, environment: str, wanted: Wanted | None, ending: str, *, checked: bool) -> Iterator[Change]:
    """Yield the changes of the Delta SD: it takes the Full SD's ending, and an unwanted one of either ending is removed."""
    found = files.descriptor(root, environment, DELTA)
    path = f"{files.folder(environment)}/{DELTA}{ending}"
    if wanted is None:
        if found:
            yield Change(found, digest(files.raw(root, found, DESCRIPTOR)), None)
        return
    old = files.read(root, found, DESCRIPTOR) if found else None
    if old and is_exactly(_data(old), wanted.data):
        return
    if checked:
        _check_unchanged(root, found or path, wanted)
    yield Change(path, digest(old.raw) if old and found == path else REMOVED, _content(old, wanted))
    if old and found != path:
        yield Change(found, digest(old.raw), None)


def _check_unchanged(root: Path, path: str, wanted: Wanted) -> None:
    """Raise FaultsError if the file is not the one that the item was read from."""
    found = digest(files.raw(root, path, DESCRIPTOR)) if files.is_there(root, path) else REMOVED
    if found == (wanted.origin or REMOVED):
        return
    if not wanted.origin:
        raise fault(DESCRIPTOR, f"{path}: exists, but the list was made without it; run `envgene source` again")
    what = "was removed" if found == REMOVED else "was changed"
    raise fault(DESCRIPTOR, f"{path}: {what} after `envgene source` had read it; run that again")


def _content(old: Content | None, wanted: Wanted) -> bytes:
    """Put the item's lines into the file, in the file's own form: byte order mark, CRLF, no line break at its end."""
    raw = old.raw if old else b""
    parts = _divided(_text(raw)) if old else Parts("", "", "")
    text = parts.head + _below(wanted.text, parts.column) + parts.tail
    text = text if text.endswith("\n") else f"{text}\n"
    text = text if not raw or raw.endswith(b"\n") else text[:-1]
    return (BOM if raw.startswith(BOM) else b"") + (text.replace("\n", "\r\n") if _has_crlf(raw) else text).encode()


def _data(content: Content) -> JSON:
    return {"applications": []} if content.data is None else content.data


@record
class Parts:
    """A file's text with LF, divided in three: what precedes the first key, the lines of the data, and a `...` with what follows.

    column: the column of the first key.
    """

    head: str
    body: str
    tail: str
    column: int = 0


def _divided(found: str) -> Parts:
    """Divide a file's text into its parts; without data the body is that of an SD without applications."""
    if is_blank(found):
        return Parts(_ended(found), _EMPTY, "")
    root = decode.parse(found)
    start = found.rfind("\n", 0, root.start) + 1
    if found[start : root.start].strip():  # `--- {...}`
        start = root.start
    lines = found[root.end :].splitlines(keepends=True)
    at = next((number for number, line in enumerate(lines) if number and line.startswith("...")), len(lines))
    tail = "".join(lines[at:])
    body = found[start : len(found) - len(tail)]
    empty = root.kind == "scalar" and decode.scalar_value(root) is None
    head = found[:start] if not empty or root.end > root.start else found[: len(found) - len(tail)]
    if empty:
        return Parts(_ended(head), _EMPTY, tail)
    return Parts(head, body, tail, 0 if root.kind != "map" or root.flow else root.column)


def _text(raw: bytes) -> str:
    """Return a file's text, with LF if every line ends in CRLF."""
    found = raw.decode("utf-8-sig")
    return found.replace("\r\n", "\n") if _has_crlf(raw) else found


def _has_crlf(raw: bytes) -> bool:
    return b"\r\n" in raw and raw.count(b"\r\n") == raw.count(b"\n")


def _comments(head: str) -> str:
    """Return the comment lines before the first key that are below the document marker."""
    lines = head.splitlines(keepends=True)
    first = next((number for number in range(len(lines), 0, -1) if lines[number - 1].startswith(("---", "%"))), 0)
    return "".join(line for line in lines[first:] if not line.strip() or line.lstrip().startswith("#"))


def _below(body: str, column: int) -> str:
    """Return the lines indented by `column`; empty lines stay empty."""
    pad = " " * column
    return "".join(pad + line if line.strip("\r\n") else line for line in _ended(body).splitlines(keepends=True))


def _spec(item: str, data: JSON) -> str:
    """Return the lines of an item's `spec` from its first key on, without indentation; of an item in flow style its data in block style."""
    root = decode.parse(item)
    node = None if root.flow else decode.find(root, ("spec",))
    if node is None or node.kind == "alias" or (node.flow and node.column <= root.column):
        return "".join(f"{line}\n" for line in emit.block(data))
    at = next(number for number, value in enumerate(root.items) if value is node)
    end = root.keys[at + 1].line if at + 1 < len(root.keys) else None
    lines = item.splitlines(keepends=True)
    lines[node.line] = " " * node.column + lines[node.line][node.column :]
    own = lines[node.line : end]
    return _ended("".join(line[min(node.column, len(line) - len(line.lstrip(" "))) :] for line in own))


def _ended(found: str) -> str:
    return found if found.endswith("\n") or not found else f"{found}\n"
