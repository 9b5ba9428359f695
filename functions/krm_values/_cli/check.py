"""`krm-values check`: runs the pipeline of a package, writes nothing, and reports each object that a render would change."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.render import folder_of
from krm_values._data.diff import edits
from krm_values._data.pointer import to_field
from krm_values._data.record import replace
from krm_values._krm.kptfile import NAME
from krm_values._krm.plan import Finding, Origin
from krm_values._run import library, pipeline, tools, tree
from krm_values._run import report as reporting
from krm_values._run.engine import DIFFERS
from krm_values._run.generated import header_of
from krm_values._run.terminal import say, tell

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from krm_values._krm.item import Item
    from krm_values._run.pipeline import Rendered

_RENDER = "run `krm-values render`"


def run(options: Namespace) -> int:
    """Check a package and return the exit code."""
    directory = Path(options.directory)
    done = pipeline.rendered(
        directory,
        skip_foreign=options.skip_foreign,
        follow_links=options.follow_links,
        programs=tools.on_command_line(options),
        limits=options.limits,
    )
    infos = reporting.shows_infos(verbose=options.verbose)
    findings = library.findings_of(done, skip_foreign=options.skip_foreign, infos=infos)
    findings += () if done.failed else differing(done)
    if options.strict:
        findings = [replace(one, severity="error") if one.severity == "warning" else one for one in findings]
    unmatched = (entry.outcome.unmatched for entry in done.ran)
    form, folder = options.format, folder_of(directory)
    say(
        *reporting.lines(findings, unmatched, verbose=options.verbose, form=form, folder=folder),
        commands=form != reporting.TEXT,
    )
    if any(one.severity == "error" for one in findings):
        return 1
    count = len(done.ran)
    tell(f"{count} step{'' if count == 1 else 's'} checked, nothing differs")
    return 0


def differing(done: Rendered) -> Iterator[Finding]:
    """Yield an error for each object that a rendered package would change, add or remove, in the order of the files."""
    before, now = done.loaded.documents, done.loaded.tree
    after = {(one.path, one.origin): number for number, one in enumerate(now.documents)}
    added: dict[str, list[Item]] = {}
    for number, document in enumerate(now.documents):
        if document.origin < 0:
            added.setdefault(document.path, []).append(now.item(number))
    makers = _makers(done) if added else {}
    for change in tree.changes(done.loaded):
        for document in before.get(change.path, ()):
            item = tree.item_of(document.origin, document, now.limits)
            kept = after.get((document.path, document.origin))
            if kept is None:
                yield Finding("error", DIFFERS, None, f"would be removed: {_RENDER}", item)
            elif now.documents[kept].text != document.text:
                yield _changed(item, now.item(kept))
        for item in added.get(change.path, ()):
            text = f"would be added as {change.path}: {_RENDER}"
            yield Finding("error", DIFFERS, None, text, item, at=makers.get(header_of(item.data)))


def _changed(before: Item, after: Item) -> Finding:
    """Return the error on an object that a render would change, at the first value that differs."""
    path = next((edit.path for edit in edits(before.data, after.data)), ("metadata", "annotations"))
    text = f"`{to_field(path)}` differs from what the pipeline writes: {_RENDER}"
    return Finding("error", DIFFERS, None, text, before, at=Origin("edit", None, before, path))


def _makers(done: Rendered) -> dict[tuple[str, str, str, str], Origin]:
    """Return the place of the step in its Kptfile that adds each object, by the object's identity; none where `.krmignore` names the Kptfile."""
    makers = {}
    for entry in done.ran:
        documents = done.loaded.documents.get(posixpath.join(entry.task.package, NAME), [])
        for added in entry.outcome.added if documents and not entry.task.validates else ():
            kptfile = tree.item_of(0, documents[0], done.loaded.tree.limits)
            makers[header_of(added.data)] = Origin("step", None, kptfile, entry.task.step.path)
    return makers
