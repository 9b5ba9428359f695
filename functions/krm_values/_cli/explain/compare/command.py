"""`krm-values compare`: two packages, or a package and what git has of it at a revision, at the level of values."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from krm_values._cli.arguments import tools
from krm_values._cli.explain.compare import differences, git, states, texts
from krm_values._cli.explain.form.show import width
from krm_values._cli.package import discover, rendering
from krm_values._data.errors import InputError, UsageError, UserError, from_os
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say, say_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.rendering import Rendered

EQUAL, DIFFERS, FAILED = 0, 1, 2


def run(options: Namespace) -> int:
    """Compare. Returns the exit code: 0 where every value is the same, 1 where one differs, 2 on any failure."""
    try:
        found = _compared(options)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return FAILED
    if found is None:
        return FAILED
    put(found, options)
    return DIFFERS if found else EQUAL


def _compared(options: Namespace) -> list[differences.Difference] | None:
    """The differences; None if one of the packages cannot be rendered, which is printed."""
    with tempfile.TemporaryDirectory(prefix="krm-values-") as folder:
        done = [_rendered(directory, options) for directory in _directories(options, Path(folder))]
    if any(one.failed for one in done):
        return None
    one, other = (states.State(state, show_secrets=options.show_secrets) for state in done)
    return differences.between(one, other)


def put(found: list[differences.Difference], options: Namespace, *, names_winner: bool = False) -> None:
    """Print the differences in the form that is asked for. names_winner: as `texts.plain` has it."""
    if options.json:
        sys.stdout.write(texts.as_json(found))
    elif options.markdown:
        sys.stdout.writelines(f"{line}\n" for line in texts.markdown(found))
    else:
        sys.stdout.writelines(f"{line}\n" for line in texts.plain(found, width(sys.stdout), names_winner=names_winner))


def _directories(options: Namespace, folder: Path) -> tuple[Path, Path]:
    """The two packages. folder: an empty one, for the files of a revision."""
    given = list(map(Path, options.files))
    if options.against is None:
        if len(given) != len(("A", "B")):
            raise UsageError("takes two directories, A and B, or one and `--against REV`")
        return given[0], given[1]
    if len(given) > 1:
        raise UsageError("takes one directory beside `--against`")
    directory = given[0] if given else Path()
    rendering.kpt_package(directory)
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
