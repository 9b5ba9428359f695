"""`krm-values compare`: compares two packages, or a package with its state at a git revision, value by value."""

# ruff: noqa: PLC0415 - pages are for people only

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.arguments import tools
from krm_values._cli.package import discover, reading, rendering
from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._explain import compare_texts as texts
from krm_values._explain import differences, git, states, temporary
from krm_values._explain.show import width
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say, say_error

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.rendering import Rendered

EQUAL, DIFFERS, FAILED = 0, 1, 2


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


def _compared(options: Namespace) -> list[differences.Difference] | None:
    """Print the differences, or write the page, and return them; None if one of the packages cannot be rendered, which is printed."""
    with temporary.folder() if options.against is not None else contextlib.nullcontext() as folder:
        directories = _directories(options, folder)
        if options.html:
            from krm_values._explain.page import file as output

            output.check(options.html, directories)
        done = [_rendered(directory, options) for directory in directories]
    if any(one.failed for one in done):
        return None
    one, other = (states.State(state, show_secrets=options.show_secrets) for state in done)
    found = differences.between(one, other)
    if options.html:
        _write_page(one, other, found, options)
    else:
        put(found, options)
    return found


def _write_page(before: states.State, after: states.State, found: list[differences.Difference], options: Namespace) -> None:
    from krm_values._explain.page import file as output
    from krm_values._explain.page import in_page

    names = [Path(name).resolve().name for name in options.files or ["."]]
    names = [*options.files] if len(set(names)) < len(names) else names
    sides = (options.against, names[0]) if options.against is not None else (names[0], names[1])
    data = in_page.data(before, after, found, sides, show_secrets=options.show_secrets)
    output.write(options.html, data, secret=options.show_secrets)


def put(found: list[differences.Difference], options: Namespace, *, names_winner: bool = False) -> None:
    """Print the differences in the requested form. names_winner: as in `texts.plain`."""
    if options.json:
        sys.stdout.write(texts.as_json(found))
    elif options.markdown:
        sys.stdout.writelines(f"{line}\n" for line in texts.markdown(found))
    else:
        sys.stdout.writelines(f"{line}\n" for line in texts.plain(found, width(sys.stdout), names_winner=names_winner))


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
    reading.kpt_package(directory)
    git.write(directory, options.against, folder, options.limits)
    if not discover.is_package(folder):
        raise InputError(f"has no Kptfile at {options.against}", file=str(directory))
    return folder, directory


def _rendered(directory: Path, options: Namespace) -> Rendered:
    done = rendering.read_only(
        directory,
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=tools.on_command_line(options),
        limits=options.limits,
    )
    found = [finding for entry in done.ran for finding in entry.outcome.findings]
    if done.failed:
        named = (
            options.against if options.against is not None and directory not in map(Path, options.files or ["."]) else directory
        )
        say(f"error: {named}: cannot be rendered, so there is nothing to compare")
    report.report(found, (entry.outcome.unmatched for entry in done.ran), verbose=options.verbose)
    return done
