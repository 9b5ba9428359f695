"""`krm-values render`: the pipeline of a kpt package without kpt; the files change all at once, or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from krm_values._cli.arguments import checks, tools
from krm_values._cli.package import load
from krm_values._cli.package.rendering import kpt_package, read_only, rendered
from krm_values._cli.render import results_file
from krm_values._cli.render.clean import COSTS, release, released
from krm_values._data.errors import UsageError, UserError, from_os
from krm_values._data.record import replace
from krm_values._kit.process import report as reporting
from krm_values._kit.process.arguments import LOCK_TIMEOUT
from krm_values._kit.process.creation import create
from krm_values._kit.process.terminal import say, say_error, send
from krm_values._kit.process.transaction import locked, refuse_way_out, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.rendering import Rendered


_FAILED, _WOULD_CHANGE = 2, 1


def run(options: Namespace) -> int:
    """Render as the command line says. Returns the exit code."""
    directory = Path(options.directory)
    if options.diff or options.output:
        checks.refuse(options, "with files that are rendered in place", "--lock-timeout")
    if options.diff:
        checks.refuse(options, "with `--output`", "--release")
        return _diff(directory, options)
    checks.refuse(options, "with `--diff`", "--show-secrets")
    if not options.output:
        checks.refuse(options, "with `--output`, or run `krm-values clean`", "--release")
    if options.output:
        return _elsewhere(directory, options)
    timeout = LOCK_TIMEOUT if options.lock_timeout is None else options.lock_timeout
    with locked(kpt_package(directory), timeout=timeout) as finished:
        reporting.finished(finished)
        done = rendered(
            directory,
            skip_foreign=options.skip_foreign,
            follow_links=options.follow_links,
            programs=tools.on_command_line(options),
            limits=options.limits,
        )
        report(done, options)
        if done.failed:
            return 1
        changes = load.changes(done.loaded)
        write(directory, changes)
    say(f"{len(done.ran)} step(s) run, {reporting.summary(changes)}")
    return 0


def report(done: Rendered, options: Namespace) -> None:
    """Print the findings on stderr; all of them go into the results file."""
    ran = [replace(entry, outcome=reporting.of_files(entry.outcome)) for entry in done.ran]
    findings = (finding for entry in ran for finding in entry.outcome.findings)
    reporting.report(findings, (entry.outcome.unmatched for entry in ran), verbose=options.verbose, form=options.format)
    if options.results_dir:
        results_file.write(options.results_dir, ran, Path(options.directory))


def _diff(directory: Path, options: Namespace) -> int:
    from krm_values._cli.render.diff import print_diff  # noqa: PLC0415
    from krm_values._cli.render.package_diff import diff  # noqa: PLC0415

    try:
        done = read_only(
            directory,
            skip_foreign=options.skip_foreign,
            follow_links=options.follow_links,
            programs=tools.on_command_line(options),
            limits=options.limits,
        )
        report(done, options)
        text = diff(done, show_secrets=options.show_secrets)
    except (UserError, OSError) as error:
        say_error(from_os(error) if isinstance(error, OSError) else error)
        return _FAILED
    if done.failed:
        return _FAILED
    print_diff(text, sys.stdout, colours=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    return _WOULD_CHANGE if text else 0


def _elsewhere(directory: Path, options: Namespace) -> int:
    target = Path(options.output)
    if options.output not in ("stdout", "unwrap"):
        if os.path.lexists(target):
            raise UsageError(f"{target}: must not exist yet; remove it, or name another directory")
        refuse_way_out(directory, target)
    done = read_only(
        directory,
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=tools.on_command_line(options),
        limits=options.limits,
    )
    report(done, options)
    if done.failed:
        return 1
    match options.output:
        case "stdout":
            from krm_values._cli.render.resourcelist import wrapped  # noqa: PLC0415

            _release(done, options)
            send([wrapped(done.loaded.tree.documents, options.limits)])
        case "unwrap":
            _release(done, options)
            send([load.unwrapped(done.loaded.tree)])
        case _:
            copies = load.copies(done.loaded)
            create(target, released(copies, options.limits) if options.release else copies)
    if options.release:
        say(f"warning: {COSTS}")
    return 0


def _release(done: Rendered, options: Namespace) -> None:
    """Clean what is printed, if that is asked for."""
    if options.release:
        release(done.loaded.tree)
