"""`krm-values why FILE:LINE`: the value on a line of a file, and where it comes from."""

from __future__ import annotations

import os
import sys
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, UsageError, address
from krm_values._data.pointer import ABSENT, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described, inert, printable
from krm_values._explain import forms, on_line, query, steps, values
from krm_values._explain.as_json import document
from krm_values._explain.in_text import as_read, number_at
from krm_values._explain.layers import step_title
from krm_values._explain.ledger import Ledger, Listed
from krm_values._explain.shown import Shown
from krm_values._explain.text import because, has_texts, path_of
from krm_values._explain.unread import Unread
from krm_values._explain.uses import Uses
from krm_values._krm import documents, findings, names, packages, places
from krm_values._krm.files import read_named
from krm_values._krm.item import Item, withholds
from krm_values._run.pipeline import named_below
from krm_values._run.planned import rendered
from krm_values._run.report import folder_of
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from krm_values._data.pointer import Path
    from krm_values._explain.blame import Blame
    from krm_values._explain.model import Cell, Value
    from krm_values._explain.steps import Explanation, Place
    from krm_values._explain.uses import Use
    from krm_values._explain.values import FinalValue, Resource
    from krm_values._explain.ways import Trace
    from krm_values._krm.plan import New
    from krm_values._run.pipeline import Rendered


_REPEATS = 100
"""Of a value with an anchor so many aliases are answered for."""
_DIGITS = 15
_HEADER = 3  # parts of what a mark says of the source: kind, namespace, name


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
        found = [lines_of(ledger, done, (package, name, line), options) for name, line in lines]
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


def lines_of(ledger: Ledger, done: Rendered, place: tuple[FilePath, str, int], options: Namespace) -> _Answers | _Mark:
    """Return the answers for a line of a file. place: the package, the file and the line."""
    package, name, line = place
    item = _item(done, package, name, line)
    if mark := on_line.mark_at(item, line):
        text = f"{findings.title(item)} `{mark}`: {on_line.about_mark(item, mark)}; no layer sets it"
        return _Mark(findings.title(item), text)
    explanation = ledger.explanation
    item = explanation.before.get(name, item.position.index) or item
    written = on_line.places_at(item, line)
    number = number_at(item, written[0][0], line) if written[0][1] is not None else 0
    own = len(written)
    repeats = on_line.repeats_of(item, line, written)
    written += repeats[:_REPEATS]
    asked = [(field, as_read(item, field, inner, number)) for field, inner in written]
    dead = on_line.dead_keys(item, asked[0][0], line) if asked[0][1] else {}
    fails = _failing(explanation) if done.failed else ""
    return _Answers(
        ledger,
        item,
        asked,
        written,
        dead,
        own=own,
        left=len(repeats[_REPEATS:]),
        number=number,
        fails=fails,
        show_secrets=options.show_secrets,
    )


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

    written: the places as the text has them. own: how many are on the line, the others repeat those,
    and `left` more do. dead: why a place has no value. number: of the YAML document of the text that they are in.
    fails: in which step the run fails, "" if it does not.
    """

    __slots__ = (
        "_asked",
        "_blame",
        "_count",
        "_dead",
        "_fails",
        "_item",
        "_ledger",
        "_left",
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
        own: int,
        left: int,
        number: int,
        fails: str,
        show_secrets: bool,
    ) -> None:
        self._asked, self._written, self._dead, self._count, self._left = asked, written, dead, own, left
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
            if position >= self._count and not (self._own((field, read)) or self._uses.of((field, read))):
                continue
            if position:
                print()
            if read in self._dead:
                shown = f"{findings.title(self._item)} `{to_field(field)} » {to_field(read or ())}`"
                _say(f"{shown}: no value comes from this line: {self._dead[read]}")
            else:
                self.put(field, read, inner)
        if self._left:
            print()
            _say(f"{self._left:,} more places repeat it")

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
        told = {(value.path, value.inner) for one in resources for value in one.values}
        uses = [one for one in self._uses.of((field, inner)) if not self._is_told(one, told)]
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
                _say(f"{shown}: {Unread(self._ledger, item).reason(field, inner, self._number)}")
        self._put_uses(sorted(uses, key=lambda use: not use.rank))

    def _is_told(self, use: Use, told: AbstractSet[Place]) -> bool:
        """Return whether a use is the document's own value, of which the block of the value says more: one that it has still, or had before an earlier run.

        told: the places of the values that have a block.
        """
        if (use.value.path, use.value.inner) not in told:
            return False
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
            near = suggest.hint(file, dict.fromkeys(document.path for document in done.loaded.tree.documents))
            raise InputError(f"is not a file of the package, and none that its pipeline writes{near}", file=file)
        content = "---\n".join(texts).encode()
    on_line.check_line(content, line, file)
    items = documents.read(content, file).items
    on_line.check_value(items, content, line, file)
    return on_line.document_at(items, line) or items[0]


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
