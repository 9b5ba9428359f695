"""`krm-values why FILE:LINE`: the origin of the value on a line of a file."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.arguments import tools
from krm_values._cli.package import discover, rendering
from krm_values._data.errors import InputError, UsageError
from krm_values._data.pointer import to_field
from krm_values._data.printable import inert, printable
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._explain import at_line, gather, generated, marks, values
from krm_values._explain import query as queries
from krm_values._explain.ways import Trace
from krm_values._kit.kio import documents
from krm_values._kit.planner import findings
from krm_values._kit.process import report
from krm_values._kit.process.below import read_named

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.rendering import Rendered
    from krm_values._data.pointer import Path as Field
    from krm_values._explain.values import Resource, Value
    from krm_values._kit.planner.item import Item

_DIGITS = 15


def run(options: Namespace) -> int:
    """Run `why` and return its exit code, which is that of `run`."""
    file, colon, number = options.place.rpartition(":")
    if not colon or not number.isascii() or not number.isdigit() or len(number) > _DIGITS or not int(number):
        raise UsageError(f"must be FILE:LINE, with a line from 1 on; found {described(options.place)}")
    directory = Path(options.directory) if options.directory else package_of(Path(file))
    done = rendering.read_only(
        directory,
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=tools.on_command_line(options),
        limits=options.limits,
    )
    explanation = gather.of_package(done)
    found = [finding for entry in explanation.steps for finding in entry.outcome.findings]
    report.report(found, (entry.outcome.unmatched for entry in explanation.steps), verbose=options.verbose)
    item = _item(done, directory, queries.below(file, directory), int(number))
    if mark := at_line.mark(item, int(number)):
        _say(f"{findings.title(item)} `{mark}`: {marks.about(item, mark)}; no layer sets it")
        return int(done.failed)
    field, inner = at_line.place(item, int(number))
    trace = Trace(explanation)
    known = values.collect(trace)
    resources = _on_line(known, item, field, inner)
    if not resources:
        path = to_field(field) + (f" » {to_field(inner)}" if inner else "")
        shown = f"{findings.title(item)} `{path}`"
        if maker := generated.by_whom(trace, item):
            _say(f"{shown}: {maker}")
            _say(generated.of_field(trace, item, field), "  ")
            return int(done.failed)
        _say(f"{shown}: no function decides it; it is as authored")
        place = f"{queries.below(file, directory)}:{int(number)}"
        if _is_layer(known, queries.below(file, directory), int(number)):
            shown = str(directory) if options.directory or os.path.isabs(file) else os.path.relpath(directory)
            words = f"krm-values explain {shlex.quote(shown)} --from {shlex.quote(place)}"
            print(printable(f"  a layer reads it: `{words}` says what it sets"))
        return int(done.failed)
    from krm_values._explain import show  # noqa: PLC0415 - only where there is something to show

    show.show(explanation, resources, sys.stdout, show_secrets=options.show_secrets, whole=False)
    return int(done.failed)


def _say(text: str, indent: str = "") -> None:
    """Print a sentence in lines that fit, as the answers are."""
    from krm_values._explain import layout, show  # noqa: PLC0415 - only where there is something to show

    for line in layout.wrapped(printable(text), show.width(sys.stdout), indent, indent + "  "):
        print(inert(line))


def _is_layer(resources: list[Resource], file: str, line: int) -> bool:
    """Return whether the way of some value passes through a line."""
    ways = (way for one in resources for value in one.values for top in value.ways for way in top.all())
    return any((way.file, way.line) == (file, line) for way in ways)


def package_of(file: Path) -> Path:
    """Return the working directory if it is a package that contains the file, else the nearest package above the file."""
    here = Path()
    above = Path(os.path.abspath(file)).parents
    if discover.is_package(here) and Path(os.path.abspath(here)) in above:
        return here
    found = next((one for one in above if discover.is_package(one)), None)
    if found is None:
        raise InputError("is not in a package: name the directory of its package after it", file=str(file))
    return found


def _item(done: Rendered, directory: Path, file: str, line: int) -> Item:
    """Return the document on a line of the file on disk, else of the file as it would be rendered."""
    on_disk = directory / file
    if on_disk.is_file():
        content = read_named(str(on_disk), done.loaded.tree.limits)
    else:
        texts = [document.text for document in done.loaded.tree.documents if document.path == file]
        if not texts:
            raise InputError("is not a file of the package, and none that its pipeline writes", file=file)
        content = "---\n".join(texts).encode()
    at_line.check(content, line, file)
    items = documents.read(content, file).items
    at_line.check_value(items, content, line, file)
    return at_line.document(items, line) or items[0]


def _on_line(resources: list[Resource], item: Item, field: Field, inner: Field | None) -> list[Resource]:
    """Return the resource with its values at a place or below it, else with the value above it."""
    found = [one for one in resources if one.title == findings.title(item)]
    for fits in (_is_below, _is_above):
        chosen = [replace(one, values=tuple(value for value in one.values if fits(value, field, inner))) for one in found]
        if any(one.values for one in chosen):
            return [one for one in chosen if one.values]
    return []


def _is_below(value: Value, field: Field, inner: Field | None) -> bool:
    if inner is None:
        return value.path[: len(field)] == field
    return value.path == field and value.inner is not None and value.inner[: len(inner)] == inner


def _is_above(value: Value, field: Field, inner: Field | None) -> bool:
    if value.inner is None:
        return field[: len(value.path)] == value.path
    return inner is not None and value.path == field and inner[: len(value.inner)] == value.inner
