"""Runs a step that is not ours, an image or a program, and reads what it makes of the resources, as kpt does."""

from __future__ import annotations

import contextlib
import os
import posixpath
import shlex
import textwrap
from functools import cached_property
from typing import TYPE_CHECKING

from krm_values._data import data_edits
from krm_values._data.data_edits import Put as PutEdit
from krm_values._data.data_edits import Remove
from krm_values._data.diff import edits, respelt
from krm_values._data.errors import EditError, InputError, UserError
from krm_values._data.limits import beyond
from krm_values._data.pointer import get, index_of, scalars
from krm_values._data.record import lazy, record, replace
from krm_values._data.shown import described
from krm_values._krm import hosts, names, resourcelist
from krm_values._krm.filenames import wrong_with
from krm_values._krm.item import Position, is_secret
from krm_values._krm.plan import RESOURCE, Drop, Finding, Leaf, Move, New, Origin, Put
from krm_values._krm.taint import HIDDEN
from krm_values._run import arguments, listing, tools
from krm_values._run.engine import Run
from krm_values._run.generated import Added
from krm_values._run.objects import decode as decode_secret
from krm_values._run.resolve import Outcome
from krm_values._run.state import whole
from krm_values._run.tree import default_path
from krm_values._yaml import decode, emit
from krm_values._yaml.edit.editor import Editor

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from krm_values._data.data_edits import Edit
    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.kptfile import Step
    from krm_values._krm.plan import Severity
    from krm_values._krm.resourcelist import ResourceList
    from krm_values._run.tree import Selection, Tree

KIND = "foreign"
_ROOT = "/package"  # kpt sends the directory itself, which is nobody's business
_VERSIONS = ("config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1")
_SEVERITIES = ("error", "warning", "info")
_KILLED = 137
_ANNOTATIONS = ("metadata", "annotations")


@record
class Allowed:
    """Which steps that are not ours may run. network, pull: whether a container gets the network, and whether a missing image is fetched."""

    images: bool = False
    programs: bool = False
    network: bool = False
    pull: bool = False

    def runs(self, step: Step) -> bool:
        """Return whether a step that is not ours may run."""
        return self.images if step.image else self.programs


NOTHING = Allowed()


def allowed_by(options: Namespace) -> Allowed:
    """Return what the options of a command allow. UsageError for one that has no effect without another."""
    if not options.allow_images:
        arguments.refuse(options, "with `--allow-images`", "--network", "--pull")
    return Allowed(options.allow_images, options.allow_exec, options.network, options.pull)


@record
class Ended:
    """How a step ended, as the results file tells it."""

    code: int
    stderr: str
    results: tuple[JSON, ...]


class StepError(Exception):
    """Why a step cannot be run, or what is wrong with what it prints; behind the name of the step in a message."""


def name_of(step: Step) -> str:
    """Return the name of what a step runs: `image example.com/set-labels:v1`, `exec ./label`."""
    return f"image {step.image}" if step.image else f"exec {step.exec}"


def run(
    step: Step, tree: Tree, selection: Selection, package: str, *, config: JSON, kptfile: Item | None, allowed: Allowed
) -> tuple[Outcome, Ended]:
    """Run a step on the resources that it selects, and return what it makes of them. Raises StepError; what it reports itself is in the outcome.

    config: its functionConfig. kptfile: the file that lists it.
    """
    code, out, err = _called(step, _list(tree, selection, config), tree.limits, allowed)
    secrets = _Secrets(selection)
    stderr = secrets.hidden_in(err.decode("utf-8", "replace").strip())
    if code:
        results = secrets.hidden_in_all(_results_of_failure(out, tree.limits))
        findings = _findings(results, selection, step, kptfile, failed=True)
        if not any(finding.severity == "error" for finding in findings):
            text = f"fails with exit code {code}" + (f": {stderr.splitlines()[-1]}" if stderr else " and says nothing")
            findings.append(_about(step, kptfile, "error", text))
        return Outcome(tuple(findings), {}, frozenset(), (), (), (), ()), Ended(code, stderr, results)
    data = _read(out, tree.limits)
    found = data.get("results")
    results = secrets.hidden_in_all(found if isinstance(found, list) else ())
    origin = _Origins(step, kptfile, secrets)
    outcome = _Answer(tree, selection, package, origin).outcome(data["items"], _Texts(out, tree.limits))
    findings = _findings(results, selection, step, kptfile, failed=False)
    return replace(outcome, findings=(*findings, *outcome.findings)), Ended(0, stderr, results)


# What a step gets.


def _list(tree: Tree, selection: Selection, config: JSON) -> bytes:
    """Return the ResourceList, with the annotations that kpt gives each resource."""
    texts = []
    for item in selection.items:
        document = tree.documents[item.number]
        marks: dict[str, JSON] = {
            hosts.PACKAGE_PATH: posixpath.join(_ROOT, document.package),
            "internal.config.kubernetes.io/annotations-migration-resource-id": str(item.number),
            **dict.fromkeys(hosts.IDS, str(item.number + 1)),
        }
        texts.append(listing.annotated(document, document.file, marks, tree.limits))
    given = [] if config is None else ["functionConfig:", *(f"  {line}" for line in emit.block(config))]
    return (listing.of_texts(texts) + "".join(f"{line}\n" for line in given)).encode()


def _called(step: Step, stdin: bytes, limits: Limits, allowed: Allowed) -> tuple[int, bytes, bytes]:
    """Run the image or program and return its exit code, stdout and stderr."""
    try:
        if step.image:
            return _in_container(step.image, stdin, limits, allowed)
        words = shlex.split(step.exec)
        program = tools.find_program(words[0]) if words else None
        if program is None:
            raise StepError("is no program on PATH")
        return tools.run(
            [program, *words[1:]],
            environment=os.environ,
            seconds=limits.step_seconds,
            most=limits.input_bytes,
            stdin=stdin,
        )
    except tools.ProgramError as error:
        raise StepError(_ended(error, limits)) from None


def _ended(error: tools.ProgramError, limits: Limits) -> str:
    match error.kind:
        case "time":
            return beyond(limits, "step_seconds", f"does not end within {limits.step_seconds:,} seconds, so it was killed")
        case "size":
            return beyond(limits, "input_bytes", f"prints more than {limits.input_bytes:,} bytes, so it was killed")
        case _:
            return f"cannot be started: {error.reason}"


def _in_container(image: str, stdin: bytes, limits: Limits, allowed: Allowed) -> tuple[int, bytes, bytes]:
    try:
        from krm_values._run import containers  # noqa: PLC0415 - the library is an extra, and slow to import
    except ImportError:
        raise StepError("needs the library `docker`: pip install 'krm-values[docker]'") from None
    try:
        code, out, err = containers.run(image, stdin, limits, network=allowed.network, pull=allowed.pull)
    except containers.EngineError as error:
        raise StepError(f"cannot be run: {error}") from None
    except MemoryError:
        text = f"needs more than {limits.step_memory:,} bytes of memory, so it was killed"
        raise StepError(beyond(limits, "step_memory", text)) from None
    if code == _KILLED:
        raise StepError("was killed")
    return code, out, err


# What it reports.


def _results_of_failure(out: bytes, limits: Limits) -> tuple[JSON, ...]:
    """Return the results that a step printed before it failed, as far as they can be read."""
    try:
        data = decode.to_data(decode.parse(out.decode("utf-8"), None, limits), None, limits)
    except (UnicodeDecodeError, UserError):
        return ()
    found = data.get("results") if isinstance(data, dict) else None
    return tuple(found) if isinstance(found, list) else ()


def _findings(
    results: Sequence[JSON], selection: Selection, step: Step, kptfile: Item | None, *, failed: bool
) -> list[Finding]:
    """Return the results as findings. As kpt has it, only the exit code makes a step fail: an error of one that succeeds is a warning."""
    found = []
    for one in results:
        if not isinstance(one, dict):
            continue
        told = one.get("severity")
        severity: Severity = told if told in _SEVERITIES else "info"  # type: ignore[assignment]
        if severity == "error" and not failed:
            severity = "warning"
        field = get(one, ("field", "path"))
        text = f"{f'`{field}`: ' if field else ''}{one.get('message') or 'says nothing'} (from {name_of(step)})"
        item = _named(one.get("resourceRef"), selection)
        found.append(Finding(severity, KIND, None, text, item) if item else _about(step, kptfile, severity, text))
    return found


def _about(step: Step, kptfile: Item | None, severity: Severity, text: str) -> Finding:
    """Return a finding about a step, at its place in the Kptfile."""
    return Finding(severity, KIND, None, text, kptfile, (*step.path, "image" if step.image else "exec"))


def _named(reference: JSON, selection: Selection) -> Item | None:
    """Return the resource that a result names."""
    if not isinstance(reference, dict):
        return None
    wanted = [reference.get(key) or "" for key in ("apiVersion", "kind", "name")]
    space = reference.get("namespace") or ""
    fit = (one for one in selection.items if [one.api_version, one.kind, one.name] == wanted)
    return next((one for one in fit if not space or one.namespace == space), None)


# What it makes of the resources.


def _read(out: bytes, limits: Limits) -> dict[str, Any]:
    """Return the ResourceList that a step printed."""
    if not out.strip():
        raise StepError("prints nothing, which would remove every resource of the package")
    try:
        data = decode.to_data(decode.parse(out.decode("utf-8"), None, limits), None, limits)
    except UnicodeDecodeError:
        raise StepError("prints something else than a ResourceList: it is not UTF-8") from None
    except InputError as error:
        raise StepError(f"prints something else than a ResourceList: line {error.line}: {error.message}") from None
    is_list = isinstance(data, dict) and data.get("kind") == "ResourceList" and data.get("apiVersion") in _VERSIONS
    if not isinstance(data, dict) or not is_list or not isinstance(data.get("items"), list):
        raise StepError("prints something else than a ResourceList with `items`")
    if not data["items"]:
        raise StepError("prints no resource, which would remove every resource of the package")
    return data


class _Secrets:
    """The values of the Secrets that a step gets: what it writes or says may be one of them."""

    def __init__(self, selection: Selection) -> None:
        self._known: dict[str, Origin] = {}
        for item in selection.items:
            for path, value in scalars(item.data) if is_secret(item) else ():
                if path[0] in ("data", "stringData") and isinstance(value, str) and value:
                    source = Origin(RESOURCE, value, item, path)
                    self._known[str(value)] = source
                    for other in _spellings(value):
                        self._known.setdefault(other, source)

    def source_of(self, value: JSON) -> Origin | None:
        """Return where a value is in a Secret, None if it is in none."""
        return self._known.get(value) if isinstance(value, str) else None

    def hidden_in(self, text: str) -> str:
        """Return a text without these values."""
        for value in sorted(self._known, key=len, reverse=True):
            text = text.replace(value, HIDDEN)
        return text

    def hidden_in_all(self, results: Sequence[JSON]) -> tuple[JSON, ...]:
        """Return results without these values."""
        return tuple(map(self._hidden, results)) if self._known else tuple(results)

    def _hidden(self, value: JSON) -> JSON:
        if isinstance(value, dict):
            return {key: self._hidden(entry) for key, entry in value.items()}
        if isinstance(value, list):
            return [*map(self._hidden, value)]
        return self.hidden_in(value) if isinstance(value, str) else value


def _spellings(value: str) -> Iterator[str]:
    """Yield what else a step may make of a value of a Secret: base64 on one line, and what it stands for."""
    yield "".join(value.splitlines()) or value
    with contextlib.suppress(ValueError):
        yield decode_secret(value) or value


class _Origins:
    """The layer of a step: it wrote a value, which may be one that it read in a Secret."""

    def __init__(self, step: Step, kptfile: Item | None, secrets: _Secrets) -> None:
        number = int(step.path[-1]) + 1
        self._layer = f"step {number}, {name_of(step)}, not ours: changed here"
        self._item, self._path, self._secrets = kptfile, step.path, secrets

    def of(self, value: JSON) -> Origin:
        """Return the origin of a value that the step wrote."""
        source = self._secrets.source_of(value)
        return Origin(self._layer, value, self._item, self._path, via=(source,) if source else ())


class _Texts:
    """The texts of what a step printed, read where it made a new resource."""

    def __init__(self, out: bytes, limits: Limits) -> None:
        self._out, self._limits = out, limits

    @cached_property
    def _list(self) -> ResourceList | None:
        try:
            return resourcelist.read(self._out, self._limits)
        except InputError:
            return None  # what we read less strictly

    def of(self, number: int, marks: Mapping[str, str]) -> str:
        """Return the text of a resource without the annotations of hosts; "" if it is JSON or refers to another one."""
        found = self._list
        if found is None or found.is_json(number) or found.crossing(number):
            return ""
        text = textwrap.dedent(found.text(number))
        editor = Editor(text, limits=self._limits)
        hidden = [key for key in marks if not key.startswith(names.OWN)]
        shown = get(decode.data(text), _ANNOTATIONS)
        all_go = isinstance(shown, dict) and len(shown) == len(hidden)
        try:
            for path in [_ANNOTATIONS] if all_go else [(*_ANNOTATIONS, key) for key in hidden]:
                editor.make(Remove(path))
            return editor.text()
        except EditError:
            return ""


class _Answer:
    """The resources that a step printed, beside those that it got."""

    def __init__(self, tree: Tree, selection: Selection, package: str, origins: _Origins) -> None:
        self._tree, self._package, self._origins = tree, package, origins
        self._selection = selection
        self._run = Run(selection, None, annotates=False)
        self._appended: set[str] = set()  # files that get a resource without an index
        self._left = {item.number: item for item in selection.items}
        others = [number for number in range(len(tree.documents)) if number not in self._left]
        self._taken = {(tree.documents[number].path, tree.documents[number].index) for number in others}

    def outcome(self, printed: Sequence[JSON], texts: _Texts) -> Outcome:
        moved: dict[int, tuple[str, int]] = {}
        new: list[tuple[JSON, Mapping[str, str], int]] = []
        for number, entry in enumerate(printed):
            _check(entry, number)
            data, marks = hosts.hide(entry)
            item = self._known(marks)
            if item is None:
                new.append((_without_hosts(data, marks), marks, number))
                continue
            del self._left[item.number]
            self._edit(item, whole(data, _own(marks, item)))
            document = self._tree.documents[item.number]
            place = self._place(marks, document.file, document.index, document.path)
            self._take(*place)
            if place[0] != document.path:
                moved[item.number] = place
        self._run.removed |= self._left.keys()
        self._run.added += [self._added(data, marks, texts.of(number, marks)) for data, marks, number in new]
        edited = self._run.texts()
        return Outcome(
            tuple(self._run.findings),
            edited,
            frozenset(self._run.removed),
            tuple(self._run.added),
            self._run.operations(set()),
            lazy(self._run.decisions, self._run.decisions),
            (),
            moved=moved,
        )

    def _known(self, marks: Mapping[str, str]) -> Item | None:
        """Return the resource that an entry was: by the id that it was given, else by its file and index."""
        known = _either(marks, hosts.IDS, "")
        if known:
            return self._left.get((index_of(known) or 0) - 1)
        path, index = _either(marks, hosts.PATHS, ""), _either(marks, hosts.INDEXES, "0")
        package = marks.get(hosts.PACKAGE_PATH)
        for item in self._left.values():
            one = self._tree.documents[item.number]
            if (one.file, str(one.index)) == (path, index) and package in (None, posixpath.join(_ROOT, one.package)):
                return item
        return None

    def _edit(self, item: Item, data: JSON) -> None:
        state = self._run.state(item)
        before = data_edits.copy(state.data)
        for edit in [*edits(state.data, data)]:
            self._run.take(self._entry(item, edit))
        for edit in [] if self._selection.is_json(item.number) else [*respelt(state.data, data)]:
            self._run.take(Put(item, edit.path, edit.value))
        if data_edits.same(before, state.data) and not state.edits:
            del self._run.states[item.number]

    def _entry(self, item: Item, edit: Edit) -> Put | Drop | Move:
        if isinstance(edit, Remove):
            return Drop(item, edit.path, self._origins.of(None))
        if isinstance(edit, PutEdit):
            leaves = tuple(Leaf(path, value, self._origins.of(value)) for path, value in scalars(edit.value, edit.path))
            return Put(item, edit.path, edit.value, leaves, insert=edit.insert, after=edit.after, flow=edit.flow)
        return Move(item, edit.path, edit.to)

    def _place(self, marks: Mapping[str, str], file: str, index: int, path: str) -> tuple[str, int]:
        """Return path and index of a resource that the step got, which it may have moved."""
        told = _changed(marks, hosts.PATHS, file)
        number = _changed(marks, hosts.INDEXES, str(index))
        place = path[: len(path) - len(file)] + _inside(told)
        if place != path:
            _check_place(place)
        moved = index_of(number)
        return place, index if moved is None else moved

    def _take(self, path: str, index: int) -> None:
        if (path, index) in self._taken:
            raise StepError(f'prints two resources at path "{path}" and index "{index}"')
        self._taken.add((path, index))

    def _added(self, data: JSON, marks: Mapping[str, str], text: str) -> Added:
        root, _, told = marks.get(hosts.PACKAGE_PATH, "").partition(f"{_ROOT}/")
        package = told.strip("/") if told and not root else self._package
        file = _inside(_either(marks, hosts.PATHS, "")) or default_path(data)
        path = posixpath.join(package, file)
        _check_place(path)
        index = index_of(_either(marks, hosts.INDEXES, ""))
        if index is None and path in self._appended:
            raise StepError(f'prints two resources at path "{path}" and no index')
        self._appended.add(path)
        if index is None:
            index = max((taken for where, taken in self._taken if where == path), default=-1) + 1
        self._take(path, index)
        leaves = tuple(Leaf(at, value, self._origins.of(value)) for at, value in scalars(data))
        self._run.state(New(data, None, file=path, leaves=leaves, marked=False))
        return Added(data, Position(package, file, index), "" if path.endswith(".json") else text)


def _check(entry: JSON, number: int) -> None:
    """Raise StepError for an entry that kpt does not take for a resource."""
    wanted = {"apiVersion": ("apiVersion",), "kind": ("kind",), "metadata.name": ("metadata", "name")}
    for field, path in wanted.items():
        if not isinstance(get(entry, path), str) or not get(entry, path):
            if field == "metadata.name" and get(entry, ("kind",)) in ("Kustomization", "Component"):
                continue
            raise StepError(f"prints something else than resources: `items[{number}]` has no `{field}`")


def _check_place(path: str) -> None:
    """Raise StepError for a place that nobody may write: a step has no say over what git, a CI or an editor reads."""
    if wrong := wrong_with(path):
        raise StepError(f"prints a resource for {described(path)}: the path {wrong}")


def _own(marks: Mapping[str, str], item: Item) -> dict[str, str]:
    """Return the annotations that are not shown to planners: ours as the step left them, those of hosts as they are in the file."""
    kept = {key: value for key, value in item.reading.annotations.items() if not key.startswith(names.OWN)}
    return {**kept, **{key: value for key, value in marks.items() if key.startswith(names.OWN)}}


def _without_hosts(data: JSON, marks: Mapping[str, str]) -> JSON:
    """Return a new resource without the annotations of hosts."""
    found: JSON = whole(data, {key: value for key, value in marks.items() if key.startswith(names.OWN)})
    return found


def _either(marks: Mapping[str, str], keys: Sequence[str], otherwise: str) -> str:
    return next((marks[key] for key in keys if marks.get(key)), otherwise)


def _changed(marks: Mapping[str, str], keys: Sequence[str], was: str) -> str:
    """Return what a step made of an annotation in any of its spellings."""
    return next((marks[key] for key in keys if marks.get(key) and marks[key] != was), was)


def _inside(path: str) -> str:
    """Return a path as kpt takes it: an absolute one is one in the package."""
    return posixpath.normpath(path.lstrip("/")) if path.lstrip("/") else ""
