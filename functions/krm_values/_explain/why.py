"""`krm-values why FILE:LINE`: the value on a line of a file, and where it comes from."""

from __future__ import annotations

import os
import sys
from bisect import bisect_left, bisect_right
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, address
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described, inert, printable
from krm_values._explain import forms, query, steps, values
from krm_values._explain.as_json import document
from krm_values._explain.explain import folder_of, rendered
from krm_values._explain.in_text import as_read, number_at
from krm_values._explain.layers import step_title
from krm_values._explain.ledger import Ledger, Listed
from krm_values._explain.shown import Shown
from krm_values._explain.text import because, has_texts, path_of
from krm_values._explain.unread import Unread
from krm_values._explain.uses import Uses
from krm_values._go import yaml as goyaml
from krm_values._krm import documents, findings, names, packages, places
from krm_values._krm.files import read_named
from krm_values._krm.item import Item, withholds
from krm_values._krm.plan import Inside
from krm_values._run.pipeline import named_below
from krm_values._yaml import decode, emit
from krm_values._yaml.encoding import LineStarts

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from krm_values._data.pointer import Path
    from krm_values._explain.blame import Blame
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.steps import Explanation, Place
    from krm_values._explain.uses import Use
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import New
    from krm_values._run.pipeline import Rendered
    from krm_values._yaml.nodes import Node

    _Entry = tuple[int, Path, Node]  # where a key, or an element of a list, begins in a text, its path, and the value

_DIGITS = 15
_MARKERS = ("---", "...")
_ANNOTATION = 3  # parts of the path of an annotation
_HEADER = 3  # parts of what a mark says of the source: kind, namespace, name
_GENERATED = names.MADE_BY, names.MADE_FROM


def run(options: Namespace) -> int:
    """Run `why` and return its exit code, which is that of `run`."""
    words, directory = places_and_package(options.places)
    asked: dict[FilePath, list[tuple[str, int]]] = {}
    for word in words:
        file, line = _file_and_line(word)
        package, name = in_package(file, directory)
        asked.setdefault(package, []).append((name, line))
    return max([_answered(package, lines, options, number) for number, (package, lines) in enumerate(asked.items())])


def places_and_package(words: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the places that a command line names, and the package if the last word of several is a directory."""
    if len(words) > 1 and os.path.isdir(words[-1]):
        return [*words[:-1]], words[-1]
    return [*words], None


def _file_and_line(place: str) -> tuple[str, int]:
    file, colon, number = place.rpartition(":")
    if not colon or not number.isascii() or not number.isdigit() or len(number) > _DIGITS or not int(number):
        raise UsageError(f"must be FILE:LINE, with a line from 1 on; found {described(place)}")
    return file, int(number)


def _answered(package: FilePath, lines: Sequence[tuple[str, int]], options: Namespace, number: int) -> int:
    """Answer for lines of the files of one package and return the exit code. number: of the packages before it."""
    done = rendered(package, options)
    explanation = steps.of_package(done)
    ledger = Ledger(explanation)
    with named_below(package):
        found = [_lines_of(ledger, done, (package, name, line), options) for name, line in lines]
    is_told = any(entry.outcome.findings for entry in explanation.steps) or done.about_files
    about = [answers.objects() for answers in found] if is_told or options.output != forms.TEXT else []
    subject = {answers.title for answers in found} | {one.title for objects in about for one, _ in objects}
    folder, verbose = folder_of(package), options.verbose
    steps.report_findings(explanation.steps, verbose=verbose, beside=done.about_files, folder=folder, subject=subject)
    if options.output != forms.TEXT:
        if number and options.output == forms.YAML_FORM:
            print("---")
        listed = _merged(ledger, [one for objects in about for one in objects])
        blame = _blamed(ledger, listed, package, options)
        forms.put(document(ledger, listed, show_secrets=options.show_secrets, blame=blame), options.output)
        return int(done.failed)
    for position, answers in enumerate(found):
        if position or number:
            print()
        answers.show(lambda listed: _blamed(ledger, listed, package, options))
        (name, line) = lines[position]
        if options.blame and not answers.is_blamed:
            from krm_values._explain.blame import of_lines  # noqa: PLC0415 - only if asked for

            _say(f"{name}:{line}: {of_lines(package, {name: [line]}, options.limits)[name, line]}", "  ")
    return int(done.failed)


def _merged(ledger: Ledger, found: Sequence[tuple[Listed, Value]]) -> list[Listed]:
    """Return each object once, with each of its values once."""
    objects: dict[tuple[str, int, str], Listed] = {}
    values_of: dict[tuple[str, int, str], dict[Place, Value]] = {}
    for one, value in found:
        objects.setdefault(one.place, one)
        values_of.setdefault(one.place, {}).setdefault((value.path, value.inner), value)
    return [
        Listed(ledger, objects[place].item, objects[place].file, objects[place].source, others=values_of[place].values)
        for place in sorted(objects)
    ]


def _blamed(ledger: Ledger, listed: Sequence[Listed], package: FilePath, options: Namespace) -> Blame | None:
    """Return the commits of the lines that are listed, if they are asked for."""
    if not options.blame:
        return None
    from krm_values._explain.blame import of_values  # noqa: PLC0415 - only if asked for

    return of_values(ledger, listed, package, options.limits)


def _failing(explanation: Explanation) -> str:
    """Return in which step a run fails."""
    entry = next((one for one in explanation.steps if one.outcome.failed), None)
    return f"the run fails in {step_title(entry)}" if entry is not None else "the run fails"


def _lines_of(ledger: Ledger, done: Rendered, place: tuple[FilePath, str, int], options: Namespace) -> _Answers | _Mark:
    """Return the answers for a line of a file. place: the package, the file and the line."""
    package, name, line = place
    item = _item(done, package, name, line)
    if mark := mark_at(item, line):
        return _Mark(findings.title(item), f"{findings.title(item)} `{mark}`: {about_mark(item, mark)}; no layer sets it")
    explanation = ledger.explanation
    item = explanation.before.get(name, item.position.index) or item
    written = places_at(item, line)
    number = number_at(item, written[0][0], line) if written[0][1] is not None else 0
    asked = [(field, as_read(item, field, inner, number)) for field, inner in written]
    dead = _dead(item, asked[0][0], line) if asked[0][1] else {}
    fails = _failing(explanation) if done.failed else ""
    return _Answers(ledger, item, asked, written, dead, number=number, fails=fails, show_secrets=options.show_secrets)


@record
class _Mark:
    """The answer for a line of an annotation of ours, which no layer sets."""

    title: str
    text: str
    is_blamed: bool = False

    def show(self, _: object) -> None:
        _say(self.text)

    def objects(self) -> list[tuple[Listed, Value]]:
        return []


class _Answers:
    """The answers for the places of one document.

    written: the places as the text has them. dead: why a place has no value. number: of the YAML document of the text that they are in.
    fails: in which step the run fails, "" if it does not.
    """

    __slots__ = (
        "_asked",
        "_blame",
        "_dead",
        "_fails",
        "_item",
        "_ledger",
        "_number",
        "_orders",
        "_resources",
        "_shown",
        "_shows",
        "_uses",
        "_written",
        "is_blamed",
    )

    def __init__(
        self,
        ledger: Ledger,
        item: Item,
        asked: Sequence[Place],
        written: Sequence[Place],
        dead: Mapping[Path | None, str],
        *,
        number: int,
        fails: str,
        show_secrets: bool,
    ) -> None:
        self._asked, self._written, self._dead = asked, written, dead
        self._blame: Callable[[Sequence[Listed]], Blame | None] = lambda _: None
        self.is_blamed, self._fails = False, fails
        self._ledger, self._item, self._shows = ledger, item, show_secrets
        self._shown = Shown(ledger, show_secrets=show_secrets)
        self._uses, self._number = Uses(ledger, item, asked, number), number
        self._orders = [values.precedence(entry) for entry in ledger.explanation.steps]
        keys = frozenset(ledger.trace.steps[0].keys(item)) if ledger.trace.steps else frozenset()
        self._resources = values.collect(ledger.trace, only=keys)

    @property
    def title(self) -> str:
        """The title of the document."""
        return findings.title(self._item)

    def show(self, blame: Callable[[Sequence[Listed]], Blame | None]) -> None:
        """Print the answers. blame: finds the commits of the lines that are listed, if they are asked for."""
        self._blame = blame
        for position, ((field, read), (_, inner)) in enumerate(zip(self._asked, self._written, strict=True)):
            if position:
                print()
            if read in self._dead:
                shown = f"{findings.title(self._item)} `{to_field(field)} » {to_field(read or ())}`"
                _say(f"{shown}: no value comes from this line: {self._dead[read]}")
            else:
                self.put(field, read, inner)

    def objects(self) -> list[tuple[Listed, Value]]:
        """Return the values that steps decided at the places, and those that they go into, each with its object."""
        own = [one for place in self._asked for one in self._own(place)]
        here = [(one, value) for one in self._ledger.listed(own, complete=False, authored=False) for value in one.values()]
        return [*here, *self._uses.found]

    def _own(self, place: Place) -> list[Resource]:
        return [] if self._number or place[1] in self._dead else _on_line(self._resources, self._item, *place)

    def put(self, field: Path, inner: Path | None, written: Path | None) -> None:
        """Print what steps decided at a place, and what it goes into; why no step reads it if it goes into nothing. written: as the text has it."""
        from krm_values._explain.text import show  # noqa: PLC0415 - only where there is something to show

        item, trace = self._item, self._ledger.trace
        resources = self._own((field, inner))
        uses = [one for one in self._uses.of((field, inner)) if not self._is_told(one)]
        if self._fails and (resources or uses):
            _say(f"{self._fails}; the steps before it:")
        if resources:
            self.is_blamed = True
            listed = self._ledger.listed(resources, complete=False, authored=False)
            show(self._ledger, listed, sys.stdout, show_secrets=self._shows, whole=False, blame=self._blame(listed))
        else:
            is_key = not withholds(item, field) or any(use.cell.inner is not None for use in uses)
            names_inner = written and is_key  # a line of a Secret's text may only look like a key
            shown = f"{findings.title(item)} `{to_field(field)}{f' » {to_field(written or ())}' if names_inner else ''}`"
            if maker := generated_by(trace, item):
                _say(f"{shown}: {maker}")
                _say(_origin_of_field(self._ledger, item, field), "  ")
            elif uses:
                _say(shown)
            elif self._fails:
                _say(f"{shown}: no step reads it or sets it before {self._fails}")
            else:
                _say(f"{shown}: {Unread(self._ledger, item).reason(field, self._number)}")
        self._put_uses(sorted(uses, key=lambda use: not use.rank))

    def _is_told(self, use: Use) -> bool:
        """Return whether a use is the document's own value, of which the block of the value says more: one that it has still, or had before an earlier run."""
        steps = self._ledger.trace.steps
        is_own = not set(steps[0].keys(self._item)).isdisjoint(steps[use.value.step].keys(use.value.item))
        return is_own and (not use.rank or use.cell.kept)

    def _put_uses(self, uses: Sequence[Use]) -> None:
        """Print what becomes of each use, losses first."""
        title, said = "", set()
        texts: dict[str, list[Place]] = {}
        for use in uses:
            texts.setdefault(use.title, []).append((use.value.path, use.value.inner))
        for use in uses:
            heading = f"{use.title}  ({use.source})" if use.source else use.title
            if heading != title:
                print(inert(printable(heading)))
                title = heading
            _say(self._line(use, names_text=has_texts(texts[use.title])), "  ")
            if text := values.rule(use.value, self._orders[use.value.step]) if use.value.step >= 0 else "":
                _say(f"rule: {text}", "    ")
            if (text := because(use.cell, is_only_step=len(self._orders) == 1)) and text not in said:
                said.add(text)
                _say(text, "    ")

    def _line(self, use: Use, *, names_text: bool) -> str:
        """Return `replicas = 2: loses to over.yaml:6`."""
        value = use.value
        shown = self._shown.value(value)
        text = "(removed)" if shown is ABSENT else findings.HIDDEN if shown is findings.HIDDEN else emit.flow(shown)
        path = path_of(value.path, value.inner, names_text=names_text)
        won = "wins, as a part of it" if use.is_part else "wins"
        return f"{path} = {text}: {won if not use.rank else f'loses to {place_of(self._ledger, value.cells[0])}'}"


def place_of(ledger: Ledger, cell: Cell) -> str:
    """Return the line of a cell, or what it is where it has none."""
    line = ledger.line(cell)[0]
    if line and isinstance(cell.item, Item):
        return address(cell.item.position.source, line)
    if cell.parts:
        return f"what is composed of {', '.join(place_of(ledger, part) for part in cell.parts)}"
    return findings.title(cell.item) if cell.item is not None else cell.layer or "the default"


def _say(text: str, indent: str = "") -> None:
    """Print a sentence in lines that fit, as the answers are."""
    from krm_values._explain.text import width, wrapped  # noqa: PLC0415 - only where there is something to show

    for line in wrapped(printable(text), width(sys.stdout), indent, indent + "  "):
        print(inert(line))


def in_package(file: str, directory: str | None) -> tuple[FilePath, str]:
    """Return the package of a file, and the file's path in it: `directory`, else the nearest package above the file."""
    if directory:
        return FilePath(directory), query.below(file, FilePath(directory))
    whole = FilePath(os.path.abspath(file))
    found = next((one for one in whole.parents if packages.is_package(one)), None)
    if found is None:
        raise InputError(
            "is in no package: no directory above it holds a Kptfile; name its package after it, as in `FILE:LINE DIR`",
            file=file,
        )
    return found if os.path.isabs(file) else FilePath(os.path.relpath(found)), whole.relative_to(found).as_posix()


def _item(done: Rendered, directory: FilePath, file: str, line: int) -> Item:
    """Return the document on a line of the file on disk, else of the file as it would be rendered."""
    on_disk = directory / file
    if on_disk.is_file():
        content = read_named(str(on_disk), done.loaded.tree.limits)
    else:
        texts = [document.text for document in done.loaded.tree.documents if document.path == file]
        if not texts:
            raise InputError("is not a file of the package, and none that its pipeline writes", file=file)
        content = "---\n".join(texts).encode()
    check_line(content, line, file)
    items = documents.read(content, file).items
    check_value(items, content, line, file)
    return document_at(items, line) or items[0]


def _on_line(resources: list[Resource], item: Item, field: Path, inner: Path | None) -> list[Resource]:
    """Return the resource with its values at a place or below it, else with the value above it; none that is a constant of a template."""
    found = [one for one in resources if one.title == findings.title(item)]
    for fits in (_is_below, _is_above):
        chosen = [
            replace(one, values=tuple(value for value in one.values if fits(value, field, inner) and not _is_literal(value)))
            for one in found
        ]
        if any(one.values for one in chosen):
            return [one for one in chosen if one.values]
    return []


def _is_literal(value: FinalValue) -> bool:
    return value.decision.leaf is not None and value.decision.leaf.kind == "literal"


def _is_below(value: FinalValue, field: Path, inner: Path | None) -> bool:
    if inner is None:
        return value.path[: len(field)] == field
    return value.path == field and value.inner is not None and value.inner[: len(inner)] == inner


def _is_above(value: FinalValue, field: Path, inner: Path | None) -> bool:
    if value.inner is None:
        return field[: len(value.path)] == value.path
    return inner is not None and value.path == field and inner[: len(value.inner)] == value.inner


@record
class _Found:
    """The nearest field and the nearest value of its text, and whether they are on the line. hidden: an annotation that is nearer and that planners do not see."""

    path: Path = ()
    inner: Path | None = None
    reaches: bool = False
    hidden: Path = ()


def document_at(items: Sequence[Item], line: int) -> Item | None:
    """Return the document that contains a line, from 1; None before the first."""
    return next((item for item in reversed(items) if item.position.line <= line), None)


def check_line(content: bytes, line: int, file: str) -> None:
    """Raise InputError if a file has no such line."""
    last = len(content.splitlines())
    if line > last:
        raise InputError(f"has no line {line:,}: its last one is {last:,}", file=file)


def place_at(item: Item, line: int) -> tuple[Path, Path | None]:
    """Return the outermost field that begins on a line, from 1, else the innermost that began before it, and the place in its text."""
    found = _look(item, line)
    return found.path, found.inner


def places_at(item: Item, line: int) -> list[Place]:
    """Return all outermost fields that begin on a line, from 1, with the place in their text; else the one that `place_at` returns."""
    field, inner = place_at(item, line)
    root, at = item.reading.root, item.reading.at
    if root is None or at is None:
        return [(field, inner)]
    if inner is None:
        entries = decode.written(root())
        begins = (path for path, key, _ in entries if at(key.start)[0] == line - item.position.line)
        found = _outermost(path for path in begins if get(item.data, path, ABSENT) is not ABSENT)
        return [(path, None) for path in found] or [(field, inner)]
    text = str(get(item.data, field))
    starts = LineStarts(text)
    begin, part = _document(text, number_at(item, field, line))

    def is_on_line(offset: int) -> bool:
        number, column = starts.place(begin + offset)
        placed = item.reading.inside(field, text, number + 1, column + 1)
        return placed is not None and placed[0] == line - item.position.line

    found = _outermost(path for path, key, _ in decode.written(decode.parse(part + "\n")) if is_on_line(key.start))
    return [(field, path) for path in found] or [(field, inner)]


def _dead(item: Item, field: Path, line: int) -> dict[Path | None, str]:
    """Return the keys on a line of a text whose values Go does not take, each with the reason: the same key, or `<<`, is below it."""
    if withholds(item, field):
        return {}
    text = str(get(item.data, field))
    starts = LineStarts(text)

    def line_of(number: int, column: int) -> int:
        return places.of_text(item, field, Inside(text, number + 1, column + 1))[0]

    try:
        root = decode.parse(text + "\n")
    except InputError:  # several documents: what is read of them is told by the value
        return {}
    begins: dict[Path, list[int]] = {}
    for path, key, _ in decode.written(root):
        begins.setdefault(path, []).append(key.start)
    found: dict[Path | None, str] = {}
    for path, known in begins.items():
        lines = [line_of(*starts.place(at)) for at in known] if len(known) > 1 else []
        if line in lines[:-1]:
            found[path] = f"line {lines[-1]} has the key again, and the last one counts"
    try:
        lints = goyaml.read(text).lints if "<<" in text else []
    except InputError:
        return found
    merged = [one.path for one in lints if one.kind == "merged" and line_of(one.line - 1, one.column - 1) == line]
    return {**found, **dict.fromkeys(merged, "`<<` below has the key as well, and for Go that one counts")}


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that are not below another one. Each comes after those above it."""
    found: dict[Path, None] = {}
    for path in paths:
        if not any(path[:size] in found for size in range(len(path) + 1)):
            found[path] = None
    return [*found]


def mark_at(item: Item, line: int) -> str:
    """Return the annotation of a host or of krm-values that begins on a line, "" if none does."""
    path = _look(item, line).hidden
    return str(path[-1]) if len(path) == _ANNOTATION else ""


def about_mark(item: Item, annotation: str) -> str:
    """Return a sentence about such an annotation."""
    group, _, name = annotation.partition("/")
    if group != names.GROUP:
        return "an annotation of the program that read the file"
    if name.startswith(names.UNDO):
        return f"the undo record of {printable(name.removeprefix(names.UNDO))}, which says what was here before its first run"
    maker = item.marks.get(names.MADE_BY, "")
    if name in _GENERATED and maker:
        return f"the mark by which {printable(maker)} finds what it generated"
    return "an annotation of krm-values itself"


def check_value(items: Sequence[Item], content: bytes, line: int, file: str) -> None:
    """Raise InputError, naming the nearest line with a value, if a line of the file is not part of any value (a comment, for example)."""
    lines = content.decode(errors="replace").split("\n")
    item, is_comment = document_at(items, line), _is_comment(lines[line - 1])
    found = _look(item, line) if item and not _is_marker(lines[line - 1]) else _Found()
    if len(found.hidden) == _ANNOTATION and not is_comment:
        return
    if found.path and not found.hidden and (found.reaches or not is_comment):
        return
    near = (one for step in range(1, len(lines)) for one in (line + step, line - step) if 0 < one <= len(lines))
    fields = ((one, field) for one in near if not _is_comment(lines[one - 1]) and (field := _field(items, one)))
    number, field = next(fields, (0, ""))
    nearest = f"; the nearest is `{field}` on line {number:,}" if number else ""
    raise InputError(f"no value is on this line{nearest}", line, file=file)


def _field(items: Sequence[Item], line: int) -> str:
    """Return the field on a line, "" if there is none."""
    item = document_at(items, line)
    found = _look(item, line) if item else _Found()
    if item is None or found.hidden or not found.path:
        return ""
    inner = found.inner and not withholds(item, found.path)  # a line of a Secret's text may only look like a key
    return printable(to_field(found.path) + (f" » {to_field(found.inner or ())}" if inner else ""))


def _is_marker(text: str) -> bool:
    return text[:3] in _MARKERS and text[3:].strip()[:1] in ("", "#")


def _is_comment(text: str) -> bool:
    """Return whether a line looks like a comment, a marker or a directive; it may still be a line of a text."""
    return text.strip()[:1] in ("", "#") or text[:1] == "%" or _is_marker(text)


def _look(item: Item, line: int) -> _Found:
    wanted, reading = line - item.position.line, item.reading
    root, at = reading.root, reading.at
    if root is None or at is None:
        return _Found()

    def line_of(offset: int) -> int:
        return at(offset)[0]

    entries = [(key.start, path, value) for path, key, value in decode.written(root())]
    found = _nearest(entries, wanted, line_of)
    hidden: Path = ()
    if found and get(item.data, found[1], ABSENT) is ABSENT:
        hidden, seen = found[1], [entry for entry in entries if get(item.data, entry[1], ABSENT) is not ABSENT]
        found = _nearest(seen, wanted, line_of)
    if found is None:
        return _Found(hidden=hidden)
    path, text, reaches = found[1], get(item.data, found[1]), _reaches(found, wanted, line_of)
    inner = _inside(item, path, text, line) if isinstance(text, str) and line_of(found[0]) < wanted else None
    if inner is None:
        return _Found(path, None, reaches, hidden)
    return _Found(path, inner[0], reaches and inner[1], hidden)


def _document(text: str, number: int) -> tuple[int, str]:
    """Return where a document of a text begins, and its text."""
    parts = goyaml.split(text)
    return sum(map(len, parts[:number])), parts[number]


def _inside(item: Item, path: Path, text: str, line: int) -> tuple[Path | None, bool] | None:
    """Return the outermost value of a YAML text that begins on a line, else the innermost that began before it, and whether it is on the line.

    None if the text has no values.
    """
    wanted = line - item.position.line
    begin, part = _document(text, number_at(item, path, line))
    try:
        entries = [(begin + key.start, inner, value) for inner, key, value in decode.written(decode.parse(part + "\n"))]
    except InputError:
        return None
    starts, inside = LineStarts(text), item.reading.inside

    def line_of(offset: int) -> int:
        number, column = starts.place(offset)
        placed = inside(path, text, number + 1, column + 1)
        return placed[0] if placed else wanted + 1

    found = _nearest(entries, wanted, line_of)
    if found is None:
        return (None, False) if entries else None
    return found[1], _reaches(found, wanted, line_of, begin)


def _reaches(entry: _Entry, wanted: int, line_of: Callable[[int], int], begin: int = 0) -> bool:
    """Return whether an entry begins on a line, or has a text that extends to it. begin: where the text of its value begins in that of `line_of`."""
    start, _, value = entry
    return line_of(start) == wanted or (value.kind == "scalar" and line_of(begin + max(value.end - 1, value.start)) >= wanted)


def _nearest(entries: list[_Entry], wanted: int, line_of: Callable[[int], int]) -> _Entry | None:
    """Return the outermost entry that begins on a line, else the innermost of those that began last before it."""
    end = bisect_right(entries, wanted, key=lambda entry: line_of(entry[0]))
    if not end:
        return None
    last = line_of(entries[end - 1][0])
    begin = bisect_left(entries, last, key=lambda entry: line_of(entry[0]))
    choose = min if last == wanted else max
    return choose(entries[begin:end], key=lambda entry: len(entry[1]))


def generated_by(trace: Trace, item: Item) -> str:
    """Return `generated by FUNCTION (STEP) from SOURCE (FILE:LINE)`, "" for an object that no function generates."""
    found = trace.maker(item)
    if found is None:
        return _marked(item)
    (number, made) = found
    entry = trace.steps[number].entry
    step = f" ({entry.step})" if entry.step else ""
    named = _named(made.source, places.of_field(trace.first(made.source), ())[0] if isinstance(made.source, Item) else 0)
    return f"generated by {entry.function}{step}" + (f" from {named}" if named else "")


def _origin_of_field(ledger: Ledger, item: Item, path: Path) -> str:
    """Return where a field of a generated object comes from if no layer sets it."""
    cell = next(iter(ledger.copied(item, path)), None)
    if cell is None:
        return "no layer sets this field: the function writes it"
    layer = cell.way[0].layer if cell.way else cell.layer
    return f"no layer sets this field: it is copied from the {layer}, {_named(cell.item, ledger.line(cell)[0]) or cell.layer}"


def _named(item: Item | New | None, line: int) -> str:
    """Return a resource with file and line, "" for none."""
    if item is None:
        return ""
    title = findings.title(item)
    return f"{title} ({address(item.position.source, line)})" if isinstance(item, Item) and item.position.source else title


def _marked(item: Item) -> str:
    """Return the same as recorded in the object's own annotations."""
    function, source = item.marks.get(names.MADE_BY, ""), item.marks.get(names.MADE_FROM, "")
    kind, *rest = source.split("/")
    named = "/".join(filter(None, rest[: _HEADER - 1]))
    return f"generated by {function}" + (f" from {kind.partition('.')[0]} {named}" if named else "") if function else ""
