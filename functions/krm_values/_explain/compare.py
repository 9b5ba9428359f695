"""`krm-values compare`: compares two packages, or a package with its state at a git revision, leaf by leaf, and names the causes.

The differences are printed as text for people, as JSON, as Markdown for a pull request, or written as a page.
"""

from __future__ import annotations

import contextlib
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._data.pointer import to_field
from krm_values._data.record import record
from krm_values._data.shown import inert, printable
from krm_values._explain import causes, changed, differences, forms, git, nameable, other_files
from krm_values._explain.causes import Causes
from krm_values._explain.comparer import ADDED, CHANGED, MOVED, REMOVED
from krm_values._explain.model import API_VERSION
from krm_values._explain.sides import Side, shown
from krm_values._explain.steps import report_findings
from krm_values._explain.text import columns, cut, stacked, width, wrapped
from krm_values._explain.why import place_of
from krm_values._krm import findings, packages
from krm_values._run import pipeline
from krm_values._run.planned import manner_of, planned
from krm_values._run.report import folder_of
from krm_values._run.terminal import progress, say, say_error, total_of_long_work
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Mapping, Sequence

    from krm_values._data.values import JSON
    from krm_values._explain.changed import SourceChange
    from krm_values._explain.comparer import Place
    from krm_values._explain.differences import Cause, Difference
    from krm_values._explain.sides import ComparedValue
    from krm_values._krm.packages import Package
    from krm_values._run.pipeline import Rendered

EQUAL, DIFFERS, FAILED = 0, 1, 2
KIND = "Comparison"
INDENT = "  "
_LONGEST = 200  # of a value in Markdown


@record
class Comparison:
    """Two states of a package and their differences. names: of the states. renders: how many were made."""

    names: tuple[str, str]
    changes: Sequence[SourceChange]
    differences: Sequence[Difference]
    renders: int = 2

    @property
    def is_equal(self) -> bool:
        """Whether all data are equal, wherever they come from."""
        return all(one.is_equal for one in self.differences)


def run(options: Namespace) -> int:
    """Run `compare` and return its exit code: 0 if the rendered packages are equal, 1 if they differ, 2 on any failure."""
    try:
        found = _compared(options)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return FAILED
    if found is None:
        return FAILED
    return EQUAL if found.is_equal else DIFFERS


@record
class Compared:
    """Two packages after their pipelines: before, after. sides, comparison: None if one of them cannot be rendered."""

    done: tuple[Rendered, Rendered]
    sides: tuple[Side, Side] | None = None
    comparison: Comparison | None = None


def _compared(options: Namespace) -> Comparison | None:
    """Print the differences, or write the page, and return them; None if one of the packages cannot be rendered, which is printed."""
    with git.folder() if options.against is not None else contextlib.nullcontext() as folder:
        directories, unread = _directories(options, folder)
        if options.html:
            from krm_values._explain.page import file  # noqa: PLC0415 - pages are for people only

            file.check(options.html, directories)
        names = [_named(directory, options) for directory in directories]
        found = compared(directories, unread, options, names)
    for name, done in zip(names, found.done, strict=True):
        _report(done, name, options)
    if found.comparison is None or found.sides is None:
        return None
    if options.html:
        _write_page(*found.sides, found.comparison, options)
    else:
        put(found.comparison, options)
    count = len(found.comparison.differences)
    total_of_long_work(f"{count:,} difference{'' if count == 1 else 's'}")
    return found.comparison


def compared(
    directories: tuple[Path, Path], unread: Mapping[str, str] | None, options: Namespace, names: Sequence[str] = ("", "")
) -> Compared:
    """Render two packages and compare them. unread: the files that a revision has beside those that are read. names: the prefixes of their files in errors."""
    both = zip(directories, names, strict=True)
    (one, rendered), (other, rendered_other) = (_rendered(directory, name, options) for directory, name in both)
    done = rendered, rendered_other
    if any(state.failed for state in done):
        return Compared(done)
    others = [*other_files.differing(directories[0], directories[1], options.limits, unread)]
    before, after = (Side(state, show_secrets=options.show_secrets) for state in done)
    with progress("comparing"):
        return Compared(done, (before, after), _explained(before, after, (one, other), others, options))


def _rendered(directory: Path, name: str, options: Namespace) -> tuple[Package, Rendered]:
    with pipeline.named_below(directory, name):
        package = pipeline.read_package(directory, follow_links=options.follow_links, limits=options.limits)
        return package, planned(package, manner_of(options))


def _explained(
    before: Side, after: Side, roots: tuple[Package, Package], others: Sequence[tuple[str, str]], options: Namespace
) -> Comparison:
    """Compare two rendered packages, and find the causes. others: the files that are no YAML and differ, each with how."""
    changes = changed.changed(before, after)
    found = differences.between(before, after, changed.Touched(before, after, changes).has)
    known = Causes(before, after, changes, roots, partial(planned, manner=manner_of(options)), most=options.renders)
    found = nameable.named(known.of(found), before, after)
    for kind, path in others:
        one, difference = causes.of_file(kind, path, len(known.changes))
        known.changes.append(one)
        found.append(difference)
    return Comparison(_names(options), known.changes, found, 2 + known.renders)


def _names(options: Namespace) -> tuple[str, str]:
    given = options.files or ["."]
    return (options.against, str(given[0])) if options.against is not None else (str(given[0]), str(given[1]))


def _write_page(before: Side, after: Side, found: Comparison, options: Namespace) -> None:
    from krm_values._explain.page import data, file  # noqa: PLC0415 - pages are for people only

    names = [Path(name).resolve().name for name in options.files or ["."]]
    names = [*options.files] if len(set(names)) < len(names) else names
    sides = (options.against, names[0]) if options.against is not None else (names[0], names[1])
    page = data.of_differences(before, after, told(found), sides, show_secrets=options.show_secrets)
    file.write(options.html, page, secret=options.show_secrets)


def put(found: Comparison, options: Namespace, *, names_winner: bool = False) -> None:
    """Print the differences in the requested form. names_winner: name the next winner instead of the causes."""
    if options.output != forms.TEXT:
        forms.put(_as_json(found), options.output)
    elif options.markdown:
        sys.stdout.writelines(f"{inert(line)}\n" for line in _markdown(told(found)))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _plain(told(found), width(sys.stdout), names_winner=names_winner))


def told(found: Comparison) -> list[Difference]:
    """Return the differences without the edited places themselves, where they are the cause of others."""
    own = [_is_own(one) for one in found.differences]
    named = {
        cause.number for one, is_own in zip(found.differences, own, strict=True) if not is_own for cause in one.causes or ()
    }
    both = zip(found.differences, own, strict=True)
    return [
        one for one, is_own in both if not (is_own and one.causes and named.issuperset(cause.number for cause in one.causes))
    ]


def _is_own(one: Difference) -> bool:
    """Return whether a difference is an edit itself: each cause is at the place that differs."""
    return bool(one.causes) and all(_is_at(one, cause.change) for cause in one.causes or ())


def _is_at(one: Difference, change: SourceChange) -> bool:
    here = [document for document in (one.pair.before, one.pair.after) if document]
    there = [document for document in (change.pair.before, change.pair.after) if document]
    if not {(document.path, document.index) for document in here} & {(document.path, document.index) for document in there}:
        return one.file != "" and one.file == change.file
    places = [place for place in (one.place, one.was) if place]
    return not places or any(place.meets(change.place) for place in places)


def _directories(options: Namespace, folder: Path | None) -> tuple[tuple[Path, Path], Mapping[str, str] | None]:
    """Return the directories of the two packages, and the files that a revision has beside those that are read.

    folder: an empty directory for the files of a revision; None without a revision.
    """
    given = list(map(Path, options.files))
    if folder is None:
        if len(given) != len(("A", "B")):
            raise UsageError("takes two directories, A and B, or one and `--against REV`")
        return (given[0], given[1]), None
    if len(given) > 1:
        raise UsageError("takes one directory beside `--against`")
    return at_revision(given[0] if given else Path(), folder, options)


def at_revision(directory: Path, folder: Path, options: Namespace) -> tuple[tuple[Path, Path], Mapping[str, str]]:
    """Write the state of a package at a revision into an empty folder. Return both, and the files that are not read."""
    pipeline.kpt_package(directory)
    unread = git.write(directory, options.against, folder, options.limits)
    if not packages.is_package(folder):
        raise InputError(f"has no Kptfile at {options.against}", file=str(directory))
    return (folder, directory), unread


def _named(directory: Path, options: Namespace) -> str:
    """Return the prefix of the files of a package in messages: of a revision `HEAD:package`, as git names them."""
    given = [*map(Path, options.files or ["."])]
    return folder_of(directory) if options.against is None or directory in given else f"{options.against}:{given[0].as_posix()}"


def _report(done: Rendered, name: str, options: Namespace) -> None:
    if done.failed:
        say(f"error: {name or '.'}: cannot be rendered, so there is nothing to compare")
    report_findings(done.ran, verbose=options.verbose, beside=done.about_files, folder=name)


def _plain(found: Sequence[Difference], width: int, *, names_winner: bool = False) -> Iterator[str]:
    """Yield a line for each value, below its resource."""
    title = None
    for one, field in differences.named(found):
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield inert(cut(printable(title), width))
        yield from map(inert, lines_of(one, field, width, names_winner=names_winner))


def lines_of(one: Difference, field: str, width: int, *, names_winner: bool) -> Iterator[str]:
    """Yield what became of a value, and why. field: its path. names_winner: name the next winner instead of the causes."""
    because = causes.because_of(one)
    if names_winner:
        because = f"next winner {one.winner}" if one.winner else ""
    return _wrapped([printable(f"{field} {_values(one)}".lstrip()), printable(because)], width)


def _wrapped(cells: list[str], width: int) -> Iterator[str]:
    """Return a value and its cause: on one line if they fit, else each wrapped."""
    if all(columns(cell) + len(INDENT) <= width for cell in cells):
        return stacked(cells, width, INDENT)
    value, cause = cells
    further = INDENT * 3
    return (line for text, first in ((value, INDENT), (cause, further)) for line in wrapped(text, width, first, further))


def _as_json(found: Comparison) -> Iterator[str]:
    """Yield one document, each change and each difference on its line."""
    before, after = found.names
    head: dict[str, JSON] = {"apiVersion": API_VERSION, "kind": KIND, "equal": found.is_equal}
    head |= {"before": before, "after": after, "renders": found.renders}
    yield emit.as_json(head, spaced=True)[:-1]
    for name, rows in (("changed", map(change_as_json, found.changes)), ("differences", map(as_json, found.differences))):
        yield f', "{name}": ['
        for number, row in enumerate(rows):
            yield f"{',' if number else ''}\n{emit.as_json(row, spaced=True)}"
        yield "]"
    yield "}\n"


def change_as_json(one: SourceChange) -> JSON:
    """Return an edit as JSON."""
    file, line = one.at
    found: dict[str, JSON] = {"change": one.kind, "side": "before" if one.is_before else "after", "file": file}
    found |= {"line": line} if line else {}
    if one.document:
        found["resource"] = dict(findings.reference(one.document.item))
    if one.change:
        found |= _place(one.place)
    return found


def _place(place: Place) -> dict[str, JSON]:
    found: dict[str, JSON] = {"path": to_field(place.path)}
    return found if place.inner is None else {**found, "inner": to_field(place.inner)}


def as_json(one: Difference) -> dict[str, JSON]:
    """Return a difference as JSON. A cause has the number of its edit."""
    found: dict[str, JSON] = {"resource": dict(findings.reference(one.document.item))} if one.document else {"file": one.file}
    found |= _place(one.place) if one.place else {}
    found["change"] = one.kind
    for name, side in (("before", one.before), ("after", one.after)):
        if side is not None:
            found[name] = _side(side)
    listed: list[JSON] = [_named_cause(cause) for cause in one.causes or ()]
    return {**found, "causes": listed, "proof": one.proof or causes.ONLY}


def _named_cause(cause: Cause) -> JSON:
    file, line = cause.change.at
    found: dict[str, JSON] = {"class": cause.kind, "side": "before" if cause.change.is_before else "after", "file": file}
    found |= {"line": line} if line else {}
    found |= {"path": to_field((*cause.change.place.path, *(cause.change.place.inner or ())))} if cause.change.change else {}
    return {**found, "changed": cause.number}


def _side(entry: ComparedValue) -> dict[str, JSON]:
    found: dict[str, JSON] = {"hidden": True} if entry.hidden else {"value": entry.shown}
    end, (file, line) = entry.end, entry.at
    if end is None:
        return found
    winner: dict[str, JSON] = {"layer": end.layer or "default"}
    winner |= {"file": file} if file else {}
    winner |= {"line": line} if line else {}
    return {**found, "winner": winner}


def _markdown(found: Sequence[Difference]) -> Iterator[str]:
    """Yield a list below a heading for each resource. Everything that comes from a package is in a code span, where no markup has an effect."""
    if not found:
        yield "Nothing differs."
    title = None
    for one, field in differences.named(found):
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield from (f"### {code(title)}", "")
        because = causes.because_of(one, code)
        yield "- " + (f"{code(field)}: " if field else "") + _marked(one) + (f", {because}" if because else "")


def code(text: str) -> str:
    """Return a string as a code span, fenced by more backticks than it contains in a row."""
    text = cut(printable(text), _LONGEST)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if not text or text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{space}{text or ' '}{space}{fence}"


def _values(one: Difference) -> str:
    """Return what became of a value."""
    before, after = shown(one.before), shown(one.after)
    if one.place is None:
        return one.kind
    if one.kind == ADDED:
        return f"added: {after}"
    if one.kind == REMOVED:
        return f"removed: {before}"
    if one.kind == MOVED:
        return f"moved, was {to_field((one.was.inner or one.was.path) if one.was else ())}"
    if one.kind == CHANGED:
        return f"{after}, changed" if _is_hidden(one) else f"{before} -> {after}"
    return f"{after}, from {_layer(one, one.after)} and no longer from {_layer(one, one.before)}"


def _marked(one: Difference) -> str:
    before, after = code(shown(one.before)), code(shown(one.after))
    if one.place is None:
        return one.kind
    if one.kind == ADDED:
        return f"{after} added"
    if one.kind == REMOVED:
        return f"{before} removed"
    if one.kind == MOVED:
        return f"moved, was {code(to_field((one.was.inner or one.was.path) if one.was else ()))}"
    if one.kind == CHANGED:
        return f"{after}, changed" if _is_hidden(one) else f"{before} → {after}"
    return f"{after}, from {code(_layer(one, one.after))} and no longer from {code(_layer(one, one.before))}"


def _is_hidden(one: Difference) -> bool:
    return one.before is not None and one.before.hidden and one.after is not None and one.after.hidden


def _layer(one: Difference, entry: ComparedValue | None) -> str:
    """Return the layer that won, with its line if the other one is called the same."""
    if entry is None:
        return ""
    is_both = one.before is not None and one.after is not None and one.before.layer == one.after.layer
    return f"{entry.layer} ({place_of(entry.ledger, entry.cell)})" if is_both and entry.cell else entry.layer
