"""`krm-values compare`: compares two packages, or a package with its state at a git revision, value by value.

The differences are printed as text for people, as JSON, as Markdown for a pull request, or written as a page.
"""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._data.pointer import to_field
from krm_values._data.shown import inert, json_text, printable
from krm_values._explain import differences, git
from krm_values._explain.differences import ADDED, CHANGED, REMOVED, State, shown
from krm_values._explain.explain import rendered
from krm_values._explain.steps import report_findings
from krm_values._explain.text import columns, cut, stacked, width, wrapped
from krm_values._krm import packages
from krm_values._run import pipeline
from krm_values._run.terminal import say, say_error
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._explain.differences import ComparedValue, Difference
    from krm_values._run.pipeline import Rendered

EQUAL, DIFFERS, FAILED = 0, 1, 2
API_VERSION, KIND = "krm-values.dev/v1alpha1", "Comparison"
_INDENT = "  "
_LONGEST = 200  # of a value in Markdown


def run(options: Namespace) -> int:
    """Run `compare` and return its exit code: 0 if all values are equal, 1 if one differs, 2 on any failure."""
    try:
        found = _compared(options)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return FAILED
    if found is None:
        return FAILED
    return DIFFERS if found else EQUAL


def _compared(options: Namespace) -> list[Difference] | None:
    """Print the differences, or write the page, and return them; None if one of the packages cannot be rendered, which is printed."""
    with git.folder() if options.against is not None else contextlib.nullcontext() as folder:
        directories = _directories(options, folder)
        if options.html:
            from krm_values._explain.page import file  # noqa: PLC0415 - pages are for people only

            file.check(options.html, directories)
        done = [_rendered(directory, options) for directory in directories]
    if any(one.failed for one in done):
        return None
    one, other = (State(state, show_secrets=options.show_secrets) for state in done)
    found = differences.between(one, other)
    if options.html:
        _write_page(one, other, found, options)
    else:
        put(found, options)
    return found


def _write_page(before: State, after: State, found: list[Difference], options: Namespace) -> None:
    from krm_values._explain.page import data, file  # noqa: PLC0415 - pages are for people only

    names = [Path(name).resolve().name for name in options.files or ["."]]
    names = [*options.files] if len(set(names)) < len(names) else names
    sides = (options.against, names[0]) if options.against is not None else (names[0], names[1])
    page = data.of_differences(before, after, found, sides, show_secrets=options.show_secrets)
    file.write(options.html, page, secret=options.show_secrets)


def put(found: list[Difference], options: Namespace, *, names_winner: bool = False) -> None:
    """Print the differences in the requested form. names_winner: name the next winner instead of the cause."""
    if options.json:
        sys.stdout.write(_as_json(found))
    elif options.markdown:
        sys.stdout.writelines(f"{inert(line)}\n" for line in _markdown(found))
    else:
        sys.stdout.writelines(f"{line}\n" for line in _plain(found, width(sys.stdout), names_winner=names_winner))


def _directories(options: Namespace, folder: Path | None) -> tuple[Path, Path]:
    """Return the directories of the two packages. folder: an empty directory for the files of a revision; None without a revision."""
    given = list(map(Path, options.files))
    if folder is None:
        if len(given) != len(("A", "B")):
            raise UsageError("takes two directories, A and B, or one and `--against REV`")
        return given[0], given[1]
    if len(given) > 1:
        raise UsageError("takes one directory beside `--against`")
    directory = given[0] if given else Path()
    pipeline.kpt_package(directory)
    git.write(directory, options.against, folder, options.limits)
    if not packages.is_package(folder):
        raise InputError(f"has no Kptfile at {options.against}", file=str(directory))
    return folder, directory


def _rendered(directory: Path, options: Namespace) -> Rendered:
    done = rendered(directory, options)
    if done.failed:
        named = (
            options.against if options.against is not None and directory not in map(Path, options.files or ["."]) else directory
        )
        say(f"error: {named}: cannot be rendered, so there is nothing to compare")
    report_findings(done.ran, verbose=options.verbose, beside=done.about_files)
    return done


def _plain(differences: Iterable[Difference], width: int, *, names_winner: bool = False) -> Iterator[str]:
    """Yield a line for each value, below its resource."""
    title = None
    for one in differences:
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield inert(cut(printable(title), width))
        values = _values(one)
        because = f"because {one.at} {one.because}" if one.because else ""
        if names_winner:
            because = f"next winner {one.winner}" if one.winner else ""
        yield from map(inert, _wrapped([printable(f"{one.field} {values}"), printable(because)], width))


def _wrapped(cells: list[str], width: int) -> Iterator[str]:
    """Return a value and its cause: on one line if they fit, else each wrapped."""
    if all(columns(cell) + len(_INDENT) <= width for cell in cells):
        return stacked(cells, width, _INDENT)
    value, cause = cells
    further = _INDENT * 3
    return (line for text, first in ((value, _INDENT), (cause, further)) for line in wrapped(text, width, first, further))


def _as_json(differences: Iterable[Difference]) -> str:
    """Return one document: {apiVersion, kind: Comparison, differences}."""
    found: list[JSON] = [_entry(one) for one in differences]
    return json_text(emit.as_json({"apiVersion": API_VERSION, "kind": KIND, "differences": found}, indent=2)) + "\n"


def _markdown(differences: Sequence[Difference]) -> Iterator[str]:
    """Yield a list below a heading for each resource. Everything that comes from a package is in a code span, where no markup has an effect."""
    if not differences:
        yield "No value differs."
    title = None
    for one in differences:
        if one.title != title:
            yield from [""] * (title is not None)
            title = one.title
            yield from (f"### {code(title)}", "")
        yield f"- {code(one.field)}: {_marked(one)}" + (f", because {code(one.at)} {one.because}" if one.because else "")


def code(text: str) -> str:
    """Return a string as a code span, fenced by more backticks than it contains in a row."""
    text = cut(printable(text), _LONGEST)
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    space = " " if not text or text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{space}{text or ' '}{space}{fence}"


def _values(one: Difference) -> str:
    if one.kind == ADDED:
        return f"added: {shown(one.after)}"
    if one.kind == REMOVED:
        return f"removed: {shown(one.before)}"
    if one.kind == CHANGED:
        hides = one.before is not None and one.before.hidden and one.after is not None and one.after.hidden
        return "<hidden>, changed" if hides else f"{shown(one.before)} -> {shown(one.after)}"
    return f"{shown(one.after)}, from {_layer(one.after)} and no longer from {_layer(one.before)}"


def _marked(one: Difference) -> str:
    before, after = code(shown(one.before)), code(shown(one.after))
    if one.kind == ADDED:
        return f"{after} added"
    if one.kind == REMOVED:
        return f"{before} removed"
    if one.kind == CHANGED:
        return f"{before} → {after}"
    return f"{after}, from {code(_layer(one.after))} and no longer from {code(_layer(one.before))}"


def _layer(entry: ComparedValue | None) -> str:
    return entry.way.origin.layer if entry and entry.way else ""


def _entry(one: Difference) -> dict[str, JSON]:
    entry = one.after or one.before
    found: dict[str, JSON] = {"resource": dict(entry.reference) if entry else {}, "path": to_field(one.path)}
    if one.inner is not None:
        found["inner"] = to_field(one.inner)
    found["change"] = one.kind
    for name, side in (("before", one.before), ("after", one.after)):
        if side is not None:
            found[name] = _side(side)
    return {**found, "because": f"{one.at} {one.because}"} if one.because else found


def _side(entry: ComparedValue) -> dict[str, JSON]:
    found: dict[str, JSON] = {"value": None, "hidden": True} if entry.hidden else {"value": entry.shown}
    if entry.way is None:
        return found
    found["layer"] = entry.way.origin.layer
    end = next(entry.way.ends())
    return {**found, "file": end.file, "line": end.line} if end.line else found
