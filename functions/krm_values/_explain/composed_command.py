"""`krm-values values`: the composed values as YAML, each leaf with its origin where that is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.printable import printable
from krm_values._data.record import replace
from krm_values._explain import composed as document
from krm_values._explain import gather, values, words
from krm_values._explain import query as queries
from krm_values._explain.masking import Masking
from krm_values._explain.patterns import Pattern
from krm_values._explain.ways import Trace
from krm_values._kit.process import report
from krm_values._kit.process.terminal import say

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from krm_values._explain.values import Resource


def run(options: Namespace) -> int:
    """Run `values` and return its exit code: that of `run`, or 1 if there are no values."""
    asked = words.read(options.files, options.config)
    named = [word for word in asked.patterns if "/" in word]
    patterns = [word for word in asked.patterns if "/" not in word]
    explanation = gather.explained(asked, options)
    steps = explanation.steps
    found = [finding for entry in steps for finding in entry.outcome.findings]
    report.report(found, (entry.outcome.unmatched for entry in steps), verbose=options.verbose)
    failed = any(entry.outcome.failed for entry in steps)
    resources = values.collect(Trace(explanation))
    of_name = _named(resources, [queries.of_resource(word) for word in named])
    wrong = queries.unfitting(map(Pattern, patterns), of_name)
    wanted = _paths(of_name, patterns)
    if of_name and wrong:
        say(*(f"error: {queries.no_path(one, of_name)}" for one in wrong))
    if not wanted:
        if not of_name or not wrong:
            say(f"error: no function composes such values{_near(named[0], resources) if named else ''}")
        return 1
    masks = [Masking(entry.outcome, show_secrets=options.show_secrets) for entry in steps]
    pieces = [document.lines(one, masks, comments=options.comments) for one in wanted]
    for number, lines in enumerate(pieces):
        head = [] if len(pieces) == 1 else ["---"] * bool(number) + [f"# {printable(wanted[number].title)}"]
        sys.stdout.writelines(f"{line}\n" for line in (*head, *lines))
    return int(failed or bool(wrong))


def _near(name: str, resources: Sequence[Resource]) -> str:
    """Return the title of the nearest resource, with its namespace if the requested name has one."""
    titles = dict.fromkeys(title for one in resources for title in (one.source, one.title) if title)
    parts = [(kind, *rest.split("/")) for kind, _, rest in (title.partition(" ") for title in titles)]
    size = len(name.split("/"))
    return suggest.hint(name, ["/".join((kind, *rest[-(size - 1) :])) for kind, *rest in parts])


def _named(resources: Sequence[Resource], names: Sequence[tuple[str, ...]]) -> list[Resource]:
    """Return the resources with a name, or generated for a resource with it; values composed in a text precede single fields."""
    if not names:
        composed = [one for one in resources if any(not value.is_removed for value in one.values)]
        texts = [one for one in composed if any(value.inner is not None for value in one.values)]
        return texts or composed
    made = [one for one in resources if any(queries.is_title(one.source, name) for name in names)]
    texts = [one for one in made if any(value.inner is not None for value in one.values)]
    return texts or [one for one in resources if any(queries.is_title(one.title, name) for name in names)] or made


def _paths(resources: Sequence[Resource], patterns: Sequence[str]) -> list[Resource]:
    query = queries.Query(tuple(map(Pattern, patterns)))
    kept = (replace(one, values=tuple(value for value in one.values if not value.is_removed)) for one in query.of(resources))
    return [one for one in kept if one.values]
