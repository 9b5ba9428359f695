"""`krm-values check`: runs the pipeline of a package, writes nothing, and reports each object that a render would change."""

from __future__ import annotations

import contextlib
import posixpath
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.render import packages_of
from krm_values._data.diff import edits
from krm_values._data.errors import UserError
from krm_values._data.pointer import to_field
from krm_values._data.record import record, replace
from krm_values._krm.kptfile import NAME
from krm_values._krm.plan import Finding, Origin
from krm_values._run import library, tree
from krm_values._run import report as reporting
from krm_values._run.engine import DIFFERS
from krm_values._run.generated import header_of
from krm_values._run.planned import rendered
from krm_values._run.terminal import counted, progress, say, say_error, total

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from krm_values._krm.item import Item
    from krm_values._run.pipeline import Rendered

_RENDER = "`krm-values render --diff` shows it"


def run(options: Namespace) -> int:
    """Check packages and return the exit code."""
    directories = packages_of(options)
    checked = []
    with progress("packages", len(directories)) if len(directories) > 1 else contextlib.nullcontext(None) as advance:
        for directory in directories:
            checked.append(_checked(directory, options, is_one=len(directories) == 1))
            if advance:
                advance()
    form = options.format
    if form != reporting.TEXT:
        placed = [(finding, one.folder) for one in checked for finding in one.findings]
        reporting.put(placed, form)
    if len(checked) > 1:
        total(_of_several(checked), timed=True)
    elif checked[0].fails:
        total(counted(Counter(one.severity for one in checked[0].findings)))
    else:
        total(f"{_steps(checked[0].steps)} checked, nothing differs")
    return int(any(one.fails for one in checked))


@record
class Checked:
    """A package that was checked: its findings that are shown, and how many steps ran. folder: the prefix of its files."""

    folder: str
    findings: Sequence[Finding] = ()
    steps: int = 0
    fails: bool = False

    @property
    def differs(self) -> bool:
        """Whether all that fails is that a render would change something."""
        errors = [one for one in self.findings if one.severity == "error"]
        return bool(errors) and all(one.kind == DIFFERS for one in errors)


def _of_several(checked: Sequence[Checked]) -> str:
    """Return the sentence about several packages: `60 packages: 3 differ, 57 same`."""
    differ = sum(one.differs for one in checked)
    failed = sum(one.fails and not one.differs for one in checked)
    counts = {"differ": differ, "same": len(checked) - differ - failed, "failed": failed}
    return f"{len(checked)} packages: {', '.join(f'{count} {what}' for what, count in counts.items() if count)}"


def _steps(count: int) -> str:
    return f"{count} step{'' if count == 1 else 's'}"


def _checked(directory: Path, options: Namespace, *, is_one: bool) -> Checked:
    """Check a package, and print its findings as text if that is wanted. Of several, one that cannot be read does not keep the others from being checked."""
    folder = reporting.folder_of(directory, options.format)
    try:
        done = rendered(directory, options)
    except UserError as error:
        if is_one:
            raise
        say_error(error)
        return Checked(folder, fails=True)
    infos = reporting.shows_infos(verbose=options.verbose)
    findings = library.findings_of(done, skip_foreign=options.skip_foreign, infos=infos)
    findings += () if done.failed else differing(done)
    if options.strict:
        findings = [replace(one, severity="error") if one.severity == "warning" else one for one in findings]
    found = reporting.selected(findings, verbose=options.verbose)
    if options.format == reporting.TEXT:
        unmatched = (entry.outcome.unmatched for entry in done.ran)
        say(*reporting.lines(found, unmatched, verbose=options.verbose, folder=folder, kinds=True))
    return Checked(folder, found, len(done.ran), any(one.severity == "error" for one in findings))


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
