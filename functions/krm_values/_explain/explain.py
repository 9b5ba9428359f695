"""`krm-values explain` of a list on stdin, of plain resources, or of a whole package: one answer per value."""

# ruff: noqa: PLC0415 - only the form of the input that there is is read; pages and text are for people only

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from krm_values._data.record import replace
from krm_values._data.shown import json_text
from krm_values._explain import forms, query, shown, steps
from krm_values._explain.as_json import document
from krm_values._explain.ledger import Ledger
from krm_values._explain.steps import Explained, Explanation
from krm_values._run import arguments, pipe, registry, report, tools
from krm_values._run.terminal import progress, say, total_of_long_work
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from krm_values._data.values import JSON
    from krm_values._explain.blame import Blame
    from krm_values._explain.ledger import Listed
    from krm_values._explain.query import Query, Words
    from krm_values._explain.values import Resource

_FOREIGN = ("--skip-foreign", "--allow-images", "--allow-exec", "--network", "--pull")


def run(options: Namespace) -> int:
    """Run `explain` and return its exit code: that of `run`, or 1 if no value matches the query."""
    asked = query.words_of(options.files, options.config)
    wanted = query.query_of(options, asked.patterns, asked.package)
    _check(options, asked, wanted)
    if options.html:
        from krm_values._explain.page import file

        file.check(options.html, [asked.package] if asked.package else [])
    explanation = explanation_of(asked, options)
    failed = any(entry.outcome.failed for entry in explanation.steps)
    if options.layers or options.patch:
        _report(explanation, asked, options, None)
        _show_steps(explanation, options)
        return int(failed)
    ledger = Ledger(explanation)
    with progress("explaining"):
        resources = ledger.resources(
            wanted.fits if wanted.patterns and not (options.output != forms.TEXT or options.all) else None
        )
        found = wanted.of(resources, ledger)
    subject = None if wanted.is_everything else {title for one in found for title in (one.title, one.source) if title}
    _report(explanation, asked, options, subject)
    if wanted.patterns and (not found or query.unfitting(wanted.patterns, resources)):
        resources = ledger.resources()  # for what is near
    is_whole = options.output != forms.TEXT and not wanted.of_layers
    beside = [] if wanted.of_layers else wanted.beside(resources, found)
    listed = ledger.listed(found, wanted.takes, complete=is_whole, authored=options.all, beside=beside, takes=wanted.names)
    wrong = query.unfitting(wanted.patterns, resources, listed if options.all or is_whole else ())
    nothing = not (listed or wanted.is_everything or failed)
    if nothing or (resources and not listed):
        say(f"error: {query.nothing(wanted, resources, ledger)}")
    elif wrong and resources:
        say(*(f"error: {query.no_path(one, resources)}" for one in wrong))
    if options.html and not nothing and (found or not resources):
        _write_page(ledger, _decided(found) if wanted.is_everything else found, asked, options)
    elif options.html:
        say(f"{options.html}: not written, because no value matches")
    elif options.output != forms.TEXT:
        blame = _blamed(ledger, listed, asked.package, options)
        forms.put(document(ledger, listed, show_secrets=options.show_secrets, blame=blame), options.output)
    else:
        _show(ledger, listed, asked.package, options, whole=wanted.is_everything)
    count = sum(len(one.values) for one in found)
    total_of_long_work(f"{count:,} value{'' if count == 1 else 's'}")
    return int(failed or nothing or bool(resources and wrong))


def _report(explanation: Explanation, asked: Words, options: Namespace, subject: Collection[str] | None) -> None:
    """Print the findings. subject: the titles of the resources that are asked for; None for all."""
    noted = explanation.order() if report.shows_infos(verbose=options.verbose) else ()
    beside, folder = (*explanation.beside, *noted), report.folder_of(asked.package)
    steps.report_findings(explanation.steps, verbose=options.verbose, beside=beside, folder=folder, subject=subject)


def _check(options: Namespace, asked: Words, wanted: Query) -> None:
    """Raise UsageError for an option that has no effect beside the others."""
    if not wanted.is_everything:
        arguments.refuse(options, "without paths and filters", "--patch", "--layers")
    others = options.html, options.patch, options.layers, options.where
    if asked.package is None or any(others):
        arguments.refuse(options, "with the directory of a package, for text, JSON or YAML", "--blame")


def _blamed(ledger: Ledger, listed: Sequence[Listed], package: Path | None, options: Namespace) -> Blame | None:
    """Return the commits of the lines that are listed, if they are asked for."""
    if not options.blame or package is None:
        return None
    from krm_values._explain.blame import of_values

    return of_values(ledger, listed, package, options.limits)


def _show_steps(explanation: Explanation, options: Namespace) -> None:
    """Print the layers of the steps, or their changes as a patch."""
    if options.layers:
        from krm_values._explain import layers

        layers.show(Ledger(explanation), sys.stdout)
        return
    findings = [finding for entry in explanation.steps for finding in entry.outcome.findings]
    patch = [] if any(finding.severity == "error" for finding in findings) else _patch(explanation, options)
    print(json_text(emit.as_json(patch, indent=2)))


def _show(ledger: Ledger, listed: Sequence[Listed], package: Path | None, options: Namespace, *, whole: bool) -> None:
    """Print the values as text."""
    from krm_values._explain import text, where

    if options.where:
        where.show(ledger, listed, sys.stdout, show_secrets=options.show_secrets)
    else:
        blame = _blamed(ledger, listed, package, options)
        text.show(ledger, listed, sys.stdout, show_secrets=options.show_secrets, whole=whole, blame=blame)


def explanation_of(asked: Words, options: Namespace) -> Explanation:
    """Run the input and return what each function decided."""
    if asked.package is not None:
        arguments.refuse(options, "with a list or plain resources", "--config")
        from krm_values._run import planned

        done = planned.rendered(asked.package, options)
        return steps.of_package(done, done.package_findings(skip_foreign=options.skip_foreign))
    function = registry.load(asked.function).name if asked.function else ""
    arguments.refuse(options, "with the directory of a package", *_FOREIGN)
    programs = tools.on_command_line(options, function)
    if not asked.files:
        arguments.refuse(options, "with FILE or DIR", "--follow-links")
        listed, name, outcome = pipe.listed(function, options.config, programs, options.limits, command=options.command)
        return Explanation((Explained(name, outcome, items=listed.items),))
    query.check_files(asked.files)
    from krm_values._run import plain_files

    follow, limits = options.follow_links, options.limits
    source, name, outcome = plain_files.resolved(
        function, options.config, asked.files, programs, follow_links=follow, limits=limits, command=options.command
    )
    return Explanation((Explained(name, outcome, items=source.items),))


def _decided(found: Iterable[Resource]) -> list[Resource]:
    """Return the resources without what was copied or derived, as the text has them."""
    left = [replace(one, values=tuple([value for value in one.values if not value.is_copy])) for one in found]
    return [one for one in left if one.values]


def _write_page(ledger: Ledger, found: Sequence[Resource], asked: Words, options: Namespace) -> None:
    from krm_values._explain.page import data, file

    named = asked.package.resolve().name if asked.package else asked.function or ledger.explanation.steps[0].function
    page = data.of_values(ledger, found, named, show_secrets=options.show_secrets)
    file.write(options.html, page, secret=options.show_secrets)


def _patch(explanation: Explanation, options: Namespace) -> list[JSON]:
    operations: list[JSON] = []
    hides = False
    for entry in explanation.steps:
        if entry.validates:
            continue  # its changes are thrown away
        found = entry.outcome.operations if options.show_secrets else shown.masked(entry.outcome, entry.items)
        hides = hides or (not options.show_secrets and shown.hides(found))
        operations += found
    if hides:
        text = f"values from Secrets are `{shown.HIDDEN}`, so this patch cannot be applied; `--show-secrets` prints them"
        say(f"warning: {text}")
    return operations
