"""`krm-values impact`: the effect of removing a layer, or a key of one, or of giving a key another value.

The package is rendered as it is, and with the edit; `find` says which places the command line names.
"""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from posixpath import join
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._data.pointer import ABSENT, get, to_field
from krm_values._data.record import record, replace
from krm_values._data.shown import described, inert, printable
from krm_values._explain import changed, compare, differences, forms, hunks, in_text, nameable, on_line, query, steps, why
from krm_values._explain.compare import Comparison
from krm_values._explain.comparer import Place
from krm_values._explain.diff import diff_of, print_diff
from krm_values._explain.edit import RemovedPart, changed_to, cut, line_of, removed, repeated_on
from krm_values._explain.query import Pattern
from krm_values._explain.shown import is_withheld
from krm_values._explain.sides import Side
from krm_values._explain.unread import Unread
from krm_values._explain.uses import Uses
from krm_values._go import yaml as goyaml
from krm_values._krm import documents, findings, kptfile, places
from krm_values._krm.item import Item, withholds
from krm_values._krm.taint import is_secret_data
from krm_values._run import objects, pipeline
from krm_values._run.planned import manner_of, planned
from krm_values._run.report import folder_of
from krm_values._run.terminal import coloured, say, say_error
from krm_values._yaml import decode

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator
    from pathlib import Path as FilePath

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._explain.differences import Difference
    from krm_values._explain.ledger import Ledger
    from krm_values._explain.model import CellPlace
    from krm_values._explain.ways import Trace
    from krm_values._krm.documents import Documents
    from krm_values._krm.packages import File, Package
    from krm_values._run.pipeline import Rendered

_ANNOTATIONS = ("metadata", "annotations")
_DIGITS = 15
_KINDS = (("apiVersion",), ("kind",))
_INDEX = re.compile(r"\[\d+\]")
_LINE = re.compile(r"-?[0-9]+(?=[:=]|\Z)")
_PATH = re.compile(r'(?:\["(?:[^"\\]|\\.)*"\]|[^=])*', re.DOTALL)
_HEADS = (
    *(*_KINDS, ("metadata",)),
    *(("metadata", "name"), ("metadata", "namespace"), ("metadata", "generateName")),
)
"""The fields that identify a resource: they cannot be removed alone."""
_VALUES = (("spec", "values"), ("spec",))
"""Where a resource that is neither a ConfigMap nor a Secret has the values of its layer."""


@record
class Question:
    """What the command line asks: a place, and the YAML of one line to put there; None if it asks what would be without the place.

    line: 0 if none is given. path: "" if none is given.
    """

    file: str
    line: int
    path: str
    value: str | None

    @property
    def place(self) -> str:
        """The place as it was given."""
        return ":".join(filter(None, (self.file, str(self.line or ""), self.path)))


def run(options: Namespace) -> int:
    """Run `impact` and return its exit code: 0 if nothing would change, 1 if something would or a run would fail, 2 on any failure."""
    try:
        places, directory = why.places_and_package(options.places)
        if len(places) > 1:  # so that none is answered before another one is refused
            files = [question(place).file for place in places]
            query.check_files([file for file in files if not (directory and os.path.lexists(join(directory, file)))])
        return max([_answered(question(place), directory, options, number) for number, place in enumerate(places)])
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return compare.FAILED


@record
class Impact:
    """What an edit of a package comes to. shown: the question, as it may be. comparison: None if the run with the edit fails, with its `errors` or as it is `after`."""

    shown: str
    layers: list[RemovedPart]
    side: Side
    comparison: Comparison | None
    after: Rendered | None = None
    errors: UserError | None = None
    failed: str = ""
    repeated: str = ""

    @property
    def code(self) -> int:
        """The exit code."""
        return compare.EQUAL if self.comparison is not None and self.comparison.is_equal else compare.DIFFERS


def of_edit(asked: Question, root: Package, name: str, before: Rendered, options: Namespace) -> Impact:
    """Return what an edit comes to. name: of the file in the package, which is rendered as it is before."""
    one = Side(before, show_secrets=options.show_secrets)
    package, file = _file(root, name)
    source, layers = find(
        file.content, name, asked.line, asked.path, lambda layer: _wins(one.ledger, layer), sets=asked.value is not None
    )
    hides = not options.show_secrets and any(is_withheld(layer.item, layer.path) for layer in layers)
    if not options.show_secrets and _makes_a_secret(layers[0], is_asked=asked.value is not None and hides):
        if len(layers[0].path) == 1:
            text = f"makes it {printable(findings.title(layers[0].item))}: with another value"
        else:
            text = f"makes `{printable(to_field(layers[0].path[:-1]))}` a Secret: without it"
        raise InputError(f"{text}, what it holds would be no Secret's", line_of(layers[0]), file=name)
    shown = _named(asked, hides=hides)
    content = (
        removed(source, layers, name, hides=hides)
        if asked.value is None
        else changed_to(source, layers[0], name, asked.value, hides=hides)
    )
    if content == file.content:
        return Impact(shown, layers, one, Comparison(("", shown), (), (), renders=1))
    failed = f"{shown} is required: without it, a run fails" if asked.value is None else f"with {shown}, a run fails"
    try:
        after = planned(
            _with(root, package, replace(file, content=content, cut=cut(file.content, content, layers))), manner_of(options)
        )
    except UserError as error:
        return Impact(shown, layers, one, None, errors=error, failed=failed)
    if after.failed:
        return Impact(shown, layers, one, None, after, failed=failed)
    other = Side(after, show_secrets=options.show_secrets)
    edits = changed.changed(one, other)
    edited = frozenset(edit.place for edit in edits if edit.document and edit.document.path == name and edit.change)
    at = [{Place(*place) for place in (layer.place, (layer.path, layer.inner)) if layer.path} for layer in layers]
    gone = [*zip(layers, at, strict=True)]
    found = [
        difference
        for difference in differences.between(one, other, changed.Touched(one, other, edits).has)
        if not _is_edit(difference, name, gone, edited)
    ]
    found = nameable.named(found, one, other)
    lines = sorted({line for layer in layers if layer.path and not layer.merge for line in repeated_on(source, layer)} - {0})
    repeated = _repeated(name, line_of(layers[0]), lines) if lines and asked.value is None else ""
    return Impact(shown, layers, one, Comparison(("", shown), edits, found), after, repeated=repeated)


def _repeated(file: str, line: int, lines: list[int]) -> str:
    where = f"line{'s' if len(lines) > 1 else ''} {suggest.several([f'{one:,}' for one in lines])}"
    return f"{file}:{line} is repeated on {where}, which change with it"


def _answered(asked: Question, directory: str | None, options: Namespace, number: int) -> int:
    """Answer one question and return its exit code. number: of the answers before it."""
    if number and options.output != forms.JSON_FORM:
        print("---" if options.output == forms.YAML_FORM else "")
    package_of, name = why.in_package(asked.file, directory)
    with pipeline.named_below(package_of):
        return _shown(asked, package_of, name, options)


def _shown(asked: Question, package_of: FilePath, name: str, options: Namespace) -> int:
    root = pipeline.read_package(package_of, follow_links=options.follow_links, limits=options.limits)
    before = planned(root, manner_of(options))
    report = partial(
        steps.report_findings,
        before.ran,
        verbose=options.verbose,
        beside=before.about_files,
        folder=folder_of(package_of),
    )
    if before.failed:
        report()
        return compare.FAILED
    impact = of_edit(asked, root, name, before, options)
    report(subject={findings.title(layer.item) for layer in impact.layers})
    is_generated = _say_what(impact.side.trace, impact.layers, name, asked)
    if impact.repeated:
        say(printable(impact.repeated))
    if impact.comparison is None:
        say(impact.failed)
        if impact.errors is not None:
            pipeline.name_files(impact.errors, package_of)
            say_error(impact.errors)
        elif impact.after is not None:
            steps.report_findings(impact.after.ran, verbose=options.verbose, folder=folder_of(package_of))
        return impact.code
    is_text = options.output == forms.TEXT and not options.markdown
    if impact.after is not None or not is_text:
        compare.put(replace(impact.comparison, names=(str(package_of), impact.shown)), options, names_winner=True)
    if impact.after is not None and is_text:
        found = impact.comparison.differences
        sentence = "" if found or is_generated else _nothing(impact.side, name, impact.layers)
        if sentence:
            print(inert(printable(sentence)))
        text = diff_of(before, impact.after, show_secrets=options.show_secrets)
        if text and (found or sentence):
            print()
        print_diff(text, sys.stdout, colours=coloured(sys.stdout))
    return impact.code


def _is_edit(one: Difference, file: str, gone: list[tuple[RemovedPart, set[Place]]], edited: frozenset[Place]) -> bool:
    """Return whether a difference is the edit itself, or an alias of the same text that repeats it.

    gone: the parts that are removed, each with its places, none for a whole resource. edited: the places of the file that differ.
    """
    is_renamed = gone[0][0].path in _HEADS  # then an object goes, and another one comes
    document = one.document if is_renamed else one.pair.before
    if document is None or document.path != file:
        return False
    found = [at for layer, at in gone if layer.item.position.index == document.index]
    place = one.was or one.place
    if not found or place is None:
        return bool(found)
    if one.is_equal or _is_derived(one):
        return False
    if any(not at or any(part.meets(place) for part in at) for at in found):
        return True
    return "&" in document.text and any(at in edited for at in place.around())


def _is_derived(one: Difference) -> bool:
    """Return whether a step makes another value of what a file has at a place, as it does of an image's name."""
    decided = [value.decided.decision for value in (one.before, one.after) if value is not None and value.decided is not None]
    return len(decided) == 2 and not any(decision.kept for decision in decided)


def _makes_a_secret(layer: RemovedPart, *, is_asked: bool) -> bool:
    """Return whether a place is the apiVersion or kind of a Secret, or of one that a resource holds. is_asked: what if a Secret's had a value."""
    if len(layer.path) < 2:
        return is_asked and layer.path in _KINDS
    held = layer.item is not None and is_secret_data(get(layer.item.data, layer.path[:-1], ABSENT))
    return held and layer.path[-1:] in _KINDS


def _named(asked: Question, *, hides: bool) -> str:
    """Return the question as it may be shown."""
    if asked.value is None:
        return asked.place
    return f"{asked.place}={findings.HIDDEN if hides else asked.value}"


def _nothing(side: Side, file: str, layers: list[RemovedPart]) -> str:
    """Return why an edit changes no value, as `nothing changes: over.yaml:6 wins`; "" for a whole document."""
    layer = layers[0]
    if not layer.path:
        return ""
    ledger = side.ledger
    item = ledger.explanation.before.get(file, layer.item.position.index) or layer.item
    place = layer.place
    uses = Uses(ledger, item, [place], layer.number).of(place)
    winners = list(dict.fromkeys(why.place_of(ledger, use.value.cells[0]) for use in uses if use.rank))
    if winners:
        return f"nothing changes: {suggest.listed(winners)} {'wins' if len(winners) == 1 else 'win'}"
    return (
        "nothing changes"
        if uses
        else f"nothing else changes: {Unread(ledger, item).reason(layer.path, layer.inner, layer.number)}"
    )


def question(text: str) -> Question:
    """Split `FILE[:LINE][:PATH][=VALUE]`. If a file with the whole string as its name exists, it is that file."""
    if os.path.lexists(text):
        return Question(text, 0, "", None)
    file, _, rest = text.partition(":")
    if not os.path.lexists(file) and "=" in file:
        file, rest = file.partition("=")[0], "="
    number = _LINE.match(rest)
    rest = rest[number.end() :].removeprefix(":") if number else rest
    found = _PATH.match(rest)
    path = found[0] if found else ""
    value = rest[len(path) + 1 :] if rest[len(path) :] else None
    if number and (len(number[0]) > _DIGITS or int(number[0]) < 1):
        shown = described(text[: len(text) - len(value) - 1] if value is not None else text)
        raise UsageError(f"must be FILE[:LINE][:PATH][=VALUE], with a line from 1 on that the file has; found {shown}")
    if value is not None and not (number or path):
        raise UsageError("`=VALUE` needs a line or a path before it, as FILE:6=VALUE or FILE:image.tag=VALUE")
    return Question(file, int(number[0]) if number else 0, path, value)


def _file(root: Package, name: str) -> tuple[Package, File]:
    """Return a file of the package or of one below it. InputError if there is none."""
    for package in root.walk():
        below = f"{package.path}/" if package.path else ""
        for one in package.files:
            if below + one.path == name:
                return package, one
    names = (join(package.path, one.path) for package in root.walk() for one in package.files)
    raise InputError(f"is not a file of the package{suggest.hint(name, names)}", file=name)


def _with(root: Package, package: Package, file: File) -> Package:
    """Return the tree with another content of a file of a package, without the file if it is empty."""
    number = next(number for number, one in enumerate(package.files) if one.path == file.path)
    kept = (file,) if file.content.strip() else ()
    rest = replace(package, files=(*package.files[:number], *kept, *package.files[number + 1 :]))
    if file.path == kptfile.NAME:
        rest = replace(rest, kptfile=kptfile.read(file.content.decode("utf-8-sig"), join(package.path, file.path)))
    return hunks.put(root, rest)


def _wins(ledger: Ledger, layer: RemovedPart) -> bool:
    """Return whether a value of a layer wins anywhere."""
    winners = (cell for one in ledger.resources() for value in one.values for cell in ledger.value(value).cells[:1])
    return any(_holds(layer, at) for cell in winners for one in cell.all() for at in one.places())


def _say_what(trace: Trace, layers: list[RemovedPart], file: str, asked: Question) -> bool:
    """Print that a run writes the place again, or that a whole document is removed although the command names one line of it.

    Return whether a run writes it again.
    """
    maker = next((found for layer in layers if (found := why.generated_by(trace, layer.item))), "")
    if maker:
        say(printable(f"{file} is {maker}, and a run writes it again: ask for a line of a layer, which `krm-values why` names"))
    elif asked.line and not layers[0].path:
        title = printable(findings.title(layers[0].item))
        say(f"line {asked.line:,} is part of what makes it {title}: the whole document is removed")
    return bool(maker)


def _always(_: RemovedPart) -> bool:
    return True


def find(
    content: bytes, file: str, line: int, path: str, wins: Callable[[RemovedPart], bool] = _always, *, sets: bool = False
) -> tuple[Documents, list[RemovedPart]]:
    """Return the layers that a file, line and path name. InputError, with the nearest one, if there is none, or if several are named.

    wins: chooses among several documents with the path. sets: whether the place gets another value, so that it must begin on the line.
    """
    on_line.check_line(content, line, file)
    source = documents.read(content, file)
    items = [*source.items]
    if not items:
        raise InputError("holds no resource", file=file)
    if line:
        item = on_line.document_at(items, line)
        if item is None:
            raise InputError("is before the first resource", line, file=file)
        items = [item]
    if path:
        layer = _one(items, path, file, line, wins)
        _check_repeated(layer, file)
        return source, [_set(layer, file) if sets else _whole(layer, file)]
    if not line:
        return source, [RemovedPart(item) for item in items]
    on_line.check_value([*source.items], content, line, file)
    layer = _on_line(items[0], line, file)
    _check_repeated(layer, file)
    if not sets:
        return source, [_whole(layer, file)]
    if (begins := line_of(layer)) != line:
        raise InputError(
            f"is a part of {_shown_place(layer)}, which begins on line {begins:,}: name that line", line, file=file
        )
    return source, [_set(layer, file)]


def _check_repeated(layer: RemovedPart, file: str) -> None:
    """Raise InputError for a key that a text has again: without one of the two, the other one counts."""
    line = 0 if layer.inner is None else line_of(layer)
    if line and (reason := on_line.dead_keys(layer.item, layer.path, line).get(layer.inner)):
        raise InputError(f"{_shown_place(layer)} is not one value: {reason}; remove one of them", line, file=file)


def _on_line(item: Item, line: int, file: str) -> RemovedPart:
    """Return the only place that begins on a line, else the one that the line is a part of."""
    if mark := on_line.mark_at(item, line):
        raise InputError(f"`{printable(mark)}` is {on_line.about_mark(item, mark)}: name a line of a layer", line, file=file)
    if merge := on_line.merge_at(item, line):
        field, inner = merge
        number = 0 if inner is None else in_text.number_at(item, field, line)
        return RemovedPart(item, field, inner, number, line - line_of(RemovedPart(item, field, inner, number)))
    found = [
        RemovedPart(item, field, inner, 0 if inner is None else in_text.number_at(item, field, line))
        for field, inner in on_line.places_at(item, line)
    ]
    if len(found) > 1:
        named = f"{file}:{line}:{_path(found[0])}"
        raise InputError(f"{len(found):,} keys begin on this line: {_listed(found)}; name one, as {named}", line, file=file)
    return found[0]


def _whole(layer: RemovedPart, file: str) -> RemovedPart:
    """Return the whole document in place of a field that identifies it."""
    return RemovedPart(layer.item) if layer.path in _HEADS else _set(layer, file)


def _set(layer: RemovedPart, file: str) -> RemovedPart:
    """Return the place. InputError if annotations of krm-values are in it: without them, a run takes what it wrote for the author's."""
    if layer.path in (_ANNOTATIONS, _ANNOTATIONS[:1]):
        shown, whole = (get(data, _ANNOTATIONS) for data in (layer.item.data, layer.item.reading.whole))
        own = [name for name in (whole if isinstance(whole, dict) else ()) if not isinstance(shown, dict) or name not in shown]
        if own:
            text = f"`{printable(own[0])}` is in it, {on_line.about_mark(layer.item, own[0])}: name a single field"
            raise InputError(text, line_of(layer), file=file)
    return layer


def _path(layer: RemovedPart) -> str:
    """Return the path by which a place can be named; of a text of a Secret, where a line may only look like a key, a word in its place."""
    if layer.inner is None:
        return printable(to_field(layer.path))
    return "PATH" if withholds(layer.item, layer.path) else printable(to_field(layer.inner))


def _shown_place(layer: RemovedPart) -> str:
    inner = "" if layer.inner is None or withholds(layer.item, layer.path) else f" » {to_field(layer.inner)}"
    return f"`{printable(to_field(layer.path) + inner)}`"


def _listed(found: list[RemovedPart]) -> str:
    return suggest.listed(list(dict.fromkeys(map(_shown_place, found))))


def _holds(layer: RemovedPart, place: CellPlace) -> bool:
    """Return whether a place is in a layer."""
    item, path, inner = place
    if not isinstance(item, Item) or findings.title(item) != findings.title(layer.item):
        return False
    if item.position.path != layer.item.position.path or path[: len(layer.path)] != layer.path:
        return False
    own = layer.place[1]
    return own is None or (inner or ())[: len(own)] == own


def _one(items: list[Item], path: str, file: str, line: int, wins: Callable[[RemovedPart], bool]) -> RemovedPart:
    """Return the value at a path in the document that has it; of several, the only one on the line, or else the only one whose value wins."""
    known: set[str] = set()
    found = [layer for item in items for layer in _inside(item, Pattern(path), line, known)]
    winning = found if len(found) == 1 else [*filter(wins, found)]
    if len(winning) == 1:
        return winning[0]
    if len({layer.item.number for layer in found}) == 1:
        if len({(layer.path, layer.inner) for layer in found}) == 1:  # in several documents of one text
            lines = " and ".join(f"{line_of(layer):,}" for layer in found)
            text = f"`{path}` is {len(found):,} values here, on lines {lines}; name one, as {file}:{line_of(found[0])}"
            raise InputError(printable(text), file=file)
        raise InputError(
            f"`{path}` is {len(found):,} values here: {_listed(found)}; name one", line or line_of(found[0]), file=file
        )
    if found:
        shown = ", ".join(f"{printable(findings.title(layer.item))} on line {line_of(layer):,}" for layer in found)
        text = f"several documents of it have the value `{path}`: {shown}; name one with its line, as {file}:{line_of(found[0])}:{path}"
        raise InputError(printable(text), file=file)
    for item in items:
        _check_marks(item, Pattern(path), file)
    below = sorted(one for one in known if one.endswith(f".{path}") or _INDEX.sub("", one) == path)
    hint = f"; did you mean `{printable(below[0])}`?" if below else suggest.hint(path, known)
    raise InputError(f"no layer in it has the value `{path}`{hint}", file=file)


def _check_marks(item: Item, pattern: Pattern, file: str) -> None:
    """Raise InputError if a path names an annotation of a host or of krm-values."""
    marks = get(item.reading.whole, _ANNOTATIONS)
    for name in marks if isinstance(marks, dict) else ():
        if pattern.fits((*_ANNOTATIONS, name)):
            text = f"`{printable(name)}` is {on_line.about_mark(item, name)}: name a line of a layer"
            raise InputError(text, places.of_field(item, (*_ANNOTATIONS, name))[0], file=file)


def _inside(item: Item, pattern: Pattern, line: int, known: set[str]) -> list[RemovedPart]:
    """Return the values of a document that the pattern names, without those in others; if some begin on the line, only these.

    The paths of the others are added to `known`. A path within the layer's values comes before one of the whole document.
    """
    by_naming: dict[int, dict[tuple[Place, int], RemovedPart]] = {}
    for naming, layer, shown in _places(item):
        if pattern.fits(shown):
            found = by_naming.setdefault(naming, {})
            place = Place(layer.path, layer.inner)
            if not any(one.contains(place) for one, number in found if number == layer.number):
                found[place, layer.number] = layer
        else:
            known.add(to_field(shown))
    if not by_naming:
        return []
    found = by_naming[min(by_naming)]
    here = [Place(*place) for place in on_line.places_at(item, line)] if line and len(found) > 1 else []
    which = in_text.number_at(item, here[0].path, line) if here and here[0].inner is not None else 0
    return [
        layer for (place, number), layer in found.items() if number == which and any(one.contains(place) for one in here)
    ] or [*found.values()]


def _places(item: Item) -> Iterator[tuple[int, RemovedPart, Path]]:
    """Yield every value of a layer with the path by which it can be named, and a number for the way of naming: the nearest way is 0."""
    for field in ("data", "stringData"):
        held = get(item.data, (field,))
        for key, text in held.items() if isinstance(held, dict) and item.kind in ("ConfigMap", "Secret") else ():
            yield 0, RemovedPart(item, (field, key)), (field, key)
            for number, inner in _in_text(item, field, text):
                layer = RemovedPart(item, (field, key), inner, number)
                yield from ((0, layer, named) for named in dict.fromkeys((inner, layer.place[1] or inner)))
    for number, prefix in enumerate(_VALUES, 1):
        found = get(item.data, prefix, ABSENT)
        if found is not ABSENT and item.kind not in ("ConfigMap", "Secret"):
            yield from ((number, RemovedPart(item, (*prefix, *path)), path) for path in _paths(found, ()) if path)
    yield from ((len(_VALUES) + 1, RemovedPart(item, path), path) for path in _paths(item.data, ()) if path)


def _in_text(item: Item, field: str, text: JSON) -> Iterator[tuple[int, Path]]:
    """Yield the paths in each document of a text, with its number."""
    if not isinstance(text, str):
        return
    try:
        held = objects.decode(text) if objects.is_encoded(item, (field,)) else text
        for number, part in enumerate(goyaml.split(held)):
            yield from ((number, path) for path in _paths(decode.data(part + "\n"), ()) if path)
    except (InputError, ValueError):
        return


def _paths(data: JSON, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _paths(value, (*path, key))
