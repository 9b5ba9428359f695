"""`krm-values explain` of a list on stdin, of plain resources, or of a whole package: one answer per value."""

# ruff: noqa: PLC0415 - pages and text are for people only

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING

from krm_values._cli.arguments import checks
from krm_values._data.printable import json_text
from krm_values._explain import gather, values, words
from krm_values._explain import masking as outcomes
from krm_values._explain import query as queries
from krm_values._explain.as_json import document
from krm_values._explain.ways import Trace
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say, send
from krm_values._yaml import emit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._explain.facts import Explanation
    from krm_values._explain.values import Resource
    from krm_values._explain.words import Words

_BATCH = 32


def run(options: Namespace) -> int:
    """Run `explain` and return its exit code: that of `run`, or 1 if no value matches the query."""
    asked = words.read(options.files, options.config)
    query = queries.read(options, asked.patterns, asked.package)
    if not query.is_everything:
        checks.refuse(options, "without paths and filters", "--patch")
    if options.html:
        from krm_values._explain.page import file as output

        output.check(options.html, [asked.package] if asked.package else [])
    explanation = gather.explained(asked, options)
    steps = explanation.steps
    findings = [finding for entry in steps for finding in entry.outcome.findings]
    noted = explanation.order() if report.shows_informations(verbose=options.verbose) else ()
    report.report((*findings, *noted), (entry.outcome.unmatched for entry in steps), verbose=options.verbose)
    if options.patch:
        patch = [] if any(finding.severity == "error" for finding in findings) else _patch(explanation, options)
        print(json_text(emit.as_json(patch, indent=2)))
        return _code(explanation)
    trace = Trace(explanation)
    resources = values.collect(trace, query.fits if query.patterns and not options.json else None)
    wanted = query.of(resources)
    wrong = queries.unfitting(query.patterns, resources)
    if query.patterns and (wrong or not wanted):
        resources = values.collect(trace)  # for what is near
    nothing = not wanted and not (query.is_everything or _code(explanation))
    if nothing or (resources and not wanted):
        say(f"error: {queries.nothing(query, resources)}")
    elif wrong and resources:
        say(*(f"error: {queries.no_path(one, resources)}" for one in wrong))
    if options.html and not nothing and (wanted or not resources):
        _write_page(explanation, trace, wanted, asked, options)
    elif options.html:
        say(f"{options.html}: not written, because no value matches")
    elif options.json:
        send(_batches(document(steps, wanted, show_secrets=options.show_secrets)))
    else:
        from krm_values._explain import show

        show.show(explanation, wanted, sys.stdout, show_secrets=options.show_secrets, whole=query.is_everything)
    return _code(explanation) or int(nothing or bool(resources and wrong))


def _batches(pieces: Iterator[str]) -> Iterator[bytes]:
    """Yield the pieces of a text in larger ones, with invisible characters escaped, as UTF-8."""
    while batch := "".join(itertools.islice(pieces, _BATCH)):
        yield json_text(batch).encode()


def _write_page(explanation: Explanation, trace: Trace, wanted: Sequence[Resource], asked: Words, options: Namespace) -> None:
    from krm_values._explain.page import data as explained
    from krm_values._explain.page import file as output

    named = asked.package.resolve().name if asked.package else asked.function or explanation.steps[0].function
    data = explained.data(explanation, trace, wanted, named, show_secrets=options.show_secrets)
    output.write(options.html, data, secret=options.show_secrets)


def _code(explanation: Explanation) -> int:
    return int(any(entry.outcome.failed for entry in explanation.steps))


def _patch(explanation: Explanation, options: Namespace) -> list[JSON]:
    operations: list[JSON] = []
    hides = False
    for entry in explanation.steps:
        if entry.validates:
            continue  # its changes are thrown away
        shown = entry.outcome.operations if options.show_secrets else outcomes.masked(entry.outcome, entry.items)
        hides = hides or (not options.show_secrets and outcomes.hides(shown))
        operations += shown
    if hides:
        text = "values from Secrets are `<hidden>`, so this patch cannot be applied; `--show-secrets` prints them"
        say(f"warning: {text}")
    return operations
