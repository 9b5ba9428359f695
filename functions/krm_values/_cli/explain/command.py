"""`krm-values explain`: of a list on stdin, of plain resources, or of each of our steps of a package."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from krm_values._cli import pipe
from krm_values._cli.arguments import checks, tools
from krm_values._cli.explain import as_json, facts
from krm_values._cli.masking import outcomes
from krm_values._cli.package import discover
from krm_values._data.printable import json_text
from krm_values._data.record import replace
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say
from krm_values._yaml import emit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence

    from krm_values._cli.explain.facts import Explained
    from krm_values._cli.package.pipeline import Ran
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item


def run(options: Namespace) -> int:
    """Explain what the command line names. Returns the exit code, which is the one of `run`."""
    gc.disable()  # as in `run`: much data, one pass
    explained, items = _explained(options)
    findings = [finding for entry in explained for finding in entry.outcome.findings]
    report.report(findings, (entry.outcome.unmatched for entry in explained), verbose=options.verbose)
    secrets = options.show_secrets
    if options.patch:
        patch: list[JSON] = (
            [] if any(finding.severity == "error" for finding in findings) else _patch(explained, items, secrets=secrets)
        )
        print(json_text(emit.as_json(patch, indent=2)))
    elif options.json:
        sys.stdout.writelines([*map(json_text, as_json.document(explained, show_secrets=secrets))])  # all of it or nothing
    else:
        from krm_values._cli.explain.table import show  # noqa: PLC0415 - rich is for people only

        show(explained, sys.stdout, show_secrets=secrets)
    return int(any(entry.outcome.failed for entry in explained))


def _explained(options: Namespace) -> tuple[list[Explained], list[Sequence[Item]]]:
    """What each function decided, and the items it saw."""
    function, files = checks.function_and_files(options)
    if not (function or options.config) and len(files) == 1 and discover.is_package(Path(files[0])):
        return _package(Path(files[0]), options, programs=tools.on_command_line(options))
    checks.refuse(options, "with the directory of a package", "--skip-foreign")
    programs = tools.on_command_line(options, function)
    if not files:
        checks.refuse(options, "with FILE or DIR", "--follow-links")
        listed, name, outcome = pipe.listed(function, options.config, programs, options.limits)
        return [facts.Explained(name, outcome)], [listed.items]
    from krm_values._cli import files as plain  # noqa: PLC0415

    follow, limits = options.follow_links, options.limits
    source, name, outcome = plain.settle(function, options.config, files, programs, follow_links=follow, limits=limits)
    return [facts.Explained(name, outcome)], [source.items]


def _package(
    directory: Path, options: Namespace, *, programs: Mapping[str, str]
) -> tuple[list[Explained], list[Sequence[Item]]]:
    from krm_values._cli.package import rendering  # noqa: PLC0415

    done = rendering.read_only(
        directory,
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=programs,
        limits=options.limits,
    )
    ran = done.ran
    return [_of_step(entry) for entry in ran], [entry.items for entry in ran]


def _of_step(entry: Ran) -> Explained:
    """A validator's changes are thrown away, so they are no part of the patch."""
    outcome = replace(entry.outcome, operations=()) if entry.task.validates else entry.outcome
    return facts.Explained(entry.function, outcome, entry.task.package, entry.task.step.field)


def _patch(explained: Sequence[Explained], items: Sequence[Sequence[Item]], *, secrets: bool) -> list[JSON]:
    operations: list[JSON] = []
    hides = False
    for entry, seen in zip(explained, items, strict=True):
        shown = entry.outcome.operations if secrets else outcomes.masked(entry.outcome, seen)
        hides = hides or (not secrets and outcomes.hides(shown))
        operations += shown
    if hides:
        text = "values that come out of Secrets are `<hidden>`, so this patch cannot be applied; `--show-secrets` prints them"
        say(f"warning: {text}")
    return operations
