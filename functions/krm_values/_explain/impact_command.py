"""`krm-values impact`: the effect of removing a layer, or a key of one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.arguments import tools
from krm_values._cli.package import kptfile, reading, rendering
from krm_values._cli.render.diff import print_diff
from krm_values._cli.render.package_diff import diff_of
from krm_values._data.errors import InputError, UsageError
from krm_values._data.printable import inert, printable
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._explain import compare as command
from krm_values._explain import differences, gather, generated, states, values
from krm_values._explain import impact as without
from krm_values._explain import query as queries
from krm_values._explain.ways import Trace
from krm_values._explain.why import package_of
from krm_values._kit.planner import findings
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.discover import Package
    from krm_values._cli.package.rendering import Rendered

_DIGITS = 15


def run(options: Namespace) -> int:
    """Run `impact` and return its exit code: 0 if nothing would change, 1 if something would or the run would fail."""
    file, line, path = named(options.layer)
    directory = Path(options.directory) if options.directory else package_of(Path(file))
    root = reading.read(directory, follow_links=options.follow_links, limits=options.limits)
    before = _rendered(root, options)
    _report(before, options)
    if before.failed:
        return 1
    named_file = queries.below(file, directory)
    changed = _without(root, named_file, line, path, Trace(gather.of_package(before)))
    after = _rendered(changed, options)
    if after.failed:
        say(f"{options.layer} is required: without it, a run fails")
        _report(after, options)
        return 1
    one, other = (states.State(state, show_secrets=options.show_secrets) for state in (before, after))
    found = differences.between(one, other)
    command.put(found, options, names_winner=True)
    if not (options.json or options.markdown):
        text = diff_of(before, after, show_secrets=options.show_secrets)
        if text and found:
            print()
        print_diff(inert(text), sys.stdout, colours=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    return int(bool(found))


def named(text: str) -> tuple[str, int, str]:
    """Split `FILE[:LINE][:PATH]`, line 0 if none is given. If a file with the whole string as its name exists, it is that file."""
    if os.path.lexists(text):
        return text, 0, ""
    file, *rest = text.split(":")
    if not (rest and rest[0].removeprefix("-").isascii() and rest[0].removeprefix("-").isdigit()):
        return file, 0, ":".join(rest)
    number = rest.pop(0)
    if len(number) > _DIGITS or int(number) < 1:
        raise UsageError(f"must be FILE[:LINE][:PATH], with a line from 1 on that the file has; found {described(text)}")
    return file, int(number), ":".join(rest)


def _without(root: Package, file: str, line: int, path: str, trace: Trace) -> Package:
    """Return the package without the named value. InputError if it has no such file."""
    if file.rpartition("/")[2] == kptfile.NAME:
        raise InputError("is a Kptfile, which holds no values: name a file that a step reads", file=file)
    for package in root.walk():
        below = f"{package.path}/" if package.path else ""
        for number, one in enumerate(package.files):
            if below + one.path == file:
                source, layers = without.find(one.content, file, line, path, lambda layer: _wins(trace, file, layer))
                _say_what(trace, layers, file, line)
                content = without.removed(source, layers)
                left = replace(one, content=content, cut=without.cut(one.content, content, layers))
                kept = (left,) if content.strip() else ()
                return _put(root, replace(package, files=(*package.files[:number], *kept, *package.files[number + 1 :])))
    raise InputError("is not a file of the package", file=file)


def _wins(trace: Trace, file: str, layer: without.Layer) -> bool:
    """Return whether a value of a layer wins anywhere."""
    resources = values.collect(trace)
    ways = (way for one in resources for value in one.values if value.way for way in value.way.all() if way.file == file)
    return any(without.holds(layer, way.origin) for way in ways)


def _say_what(trace: Trace, layers: list[without.Layer], file: str, line: int) -> None:
    """Print that a run writes the removed value again, or that a whole document is removed although the command names one line of it."""
    maker = next((found for layer in layers if (found := generated.by_whom(trace, layer.item))), "")
    if maker:
        say(printable(f"{file} is {maker}, and a run writes it again: ask for a line of a layer, which `krm-values why` names"))
    elif line and not layers[0].path:
        title = printable(findings.title(layers[0].item))
        say(f"line {line:,} is part of what makes it {title}: the whole document is removed")


def _put(root: Package, package: Package) -> Package:
    """Return the tree with a package in place of the one with the same path."""
    if root.path == package.path:
        return package
    return replace(root, packages=tuple(_put(one, package) for one in root.packages))


def _rendered(root: Package, options: Namespace) -> Rendered:
    return rendering.of_root(
        root, skip_foreign=options.skip_foreign, programs=tools.on_command_line(options), limits=options.limits
    )


def _report(done: Rendered, options: Namespace) -> None:
    found = [finding for entry in done.ran for finding in entry.outcome.findings]
    report.report(found, (entry.outcome.unmatched for entry in done.ran), verbose=options.verbose)
