"""Runs the input of `explain`: a list, plain resources, or the pipeline of a package."""

# ruff: noqa: PLC0415 - only the form of the input that there is is read

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli import pipe
from krm_values._cli.arguments import checks, tools
from krm_values._explain import words
from krm_values._explain.facts import Before, Explained, Explanation
from krm_values._kit.process import registry, report

if TYPE_CHECKING:
    from argparse import Namespace

    from krm_values._cli.package.pipeline import Ran
    from krm_values._cli.package.rendering import Rendered
    from krm_values._explain.words import Words


def explained(asked: Words, options: Namespace) -> Explanation:
    """Return the decisions of each function and its input."""
    if asked.package is not None:
        done = _rendered(asked, options)
        report.report(done.without_steps(skip_foreign=options.skip_foreign), (), verbose=options.verbose)
        return of_package(done)
    function = registry.load(asked.function).name if asked.function else ""
    checks.refuse(options, "with the directory of a package", "--skip-foreign")
    programs = tools.on_command_line(options, function)
    if not asked.files:
        checks.refuse(options, "with FILE or DIR", "--follow-links")
        listed, name, outcome = pipe.listed(function, options.config, programs, options.limits)
        return Explanation((Explained(name, outcome, items=listed.items),))
    words.check_files(asked.files)
    from krm_values._cli import files as plain

    follow, limits = options.follow_links, options.limits
    source, name, outcome = plain.settle(function, options.config, asked.files, programs, follow_links=follow, limits=limits)
    return Explanation((Explained(name, outcome, items=source.items),))


def of_package(done: Rendered) -> Explanation:
    """Return the steps of a rendered package."""
    from krm_values._cli.package.order import findings  # of packages only

    return Explanation(
        tuple(map(_of_step, done.ran)), Before(done.loaded.documents, done.loaded.tree.limits), lambda: findings(done.ran)
    )


def _rendered(asked: Words, options: Namespace) -> Rendered:
    from krm_values._cli.package import rendering

    checks.refuse(options, "with a list or plain resources", "--config")
    return rendering.read_only(
        asked.package,  # type: ignore[arg-type]
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=tools.on_command_line(options),
        limits=options.limits,
    )


def _of_step(entry: Ran) -> Explained:
    task = entry.task
    return Explained(entry.function, entry.outcome, task.package, task.step.field, entry.items, task.validates)
