"""`krm-values revert`: takes back what a step wrote that no pipeline has any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.clean import files
from krm_values._data import suggest
from krm_values._data.errors import EditError, InputError, UserError
from krm_values._data.record import replace
from krm_values._krm import documents, findings, names, packages
from krm_values._krm import undo_record as undo
from krm_values._krm.item import is_secret
from krm_values._krm.names import Writer
from krm_values._krm.plan import Finding
from krm_values._krm.write import Change, clear, digest, write
from krm_values._run import registry, report
from krm_values._run import stack as stacks
from krm_values._run.arguments import LOCK_TIMEOUT
from krm_values._run.engine import edited_text, refused
from krm_values._run.generated import made_for, marked_by
from krm_values._run.pipeline import alone, named_below, read_package, unnamed_records_of
from krm_values._run.state import State, whole
from krm_values._run.terminal import progress, tell, total

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable

    from krm_values._data.values import JSON
    from krm_values._krm.documents import Documents
    from krm_values._krm.item import Item
    from krm_values._run.stack import Keyed

_OURS = names.OWN.encode()


def run(options: Namespace) -> int:
    """Take back what the named step wrote below a directory and return the exit code."""
    directory = Path(options.directory)
    packages.check_directory(directory, runs=False)
    timeout = LOCK_TIMEOUT if options.lock_timeout is None else options.lock_timeout
    with alone(directory, timeout), progress("reverting"):
        tell(*(f"warning: {text}" for text in clear(directory, packages.staged_below(directory))))
        reverted = _Reverted(options.step)
        reverted.read_steps(directory, options)
        changes = []
        found = [
            (path, content, documents.read(content, path, limits=options.limits) if _OURS in content else None)
            for path, content in files(directory, options)
        ]
        for _, _, source in found:
            reverted.learn(source.items if source else ())
        for path, content, source in found:
            new = reverted.of_file(source, content) if source else content
            if new != content:
                changes.append(
                    Change(path, digest(content), new or None, source is not None and any(map(is_secret, source.items)))
                )
        if not changes:
            raise InputError(f"nothing here was written by `{options.step}`{reverted.others()}", file=str(directory))
        write(directory, changes)
    tell(*(findings.line(one, report.folder_of(directory)) for one in reverted.findings))
    total(report.summary(changes))
    return 0


class _Reverted:
    """What is taken back of one step, in all files. findings: what was edited by hand, or has to be written again."""

    def __init__(self, step: str) -> None:
        function, _, config = step.partition("/")
        loaded = names.argument(function)
        self._name = step
        self._function = loaded if loaded in registry.functions() else step.partition(".")[0]
        self._writer = Writer(
            loaded, config, named=bool(config) and loaded in registry.functions() and registry.load(loaded).named
        )
        self._makers = {self._writer} if self._writer.named or not config else set()
        self._seen: set[str] = set()
        self._packages: list[str] = []
        self._unnamed: set[tuple[str, str]] = set()  # its records that do not name its functionConfig, each with its package
        self._sources: set[str] = set()  # for which resources the step wrote, where marks of generated objects name these alone
        self._sources_of_others: set[str] = set()  # for which ones other steps of the function did
        self.findings: list[Finding] = []

    def read_steps(self, directory: Path, options: Namespace) -> None:
        """Find out which records are the step's although they do not name its functionConfig, as far as the pipelines tell."""
        if not self._writer.config or self._writer.named or not packages.is_package(directory):
            return
        with named_below(directory):
            root = read_package(directory, follow_links=options.follow_links, limits=options.limits)
        self._packages = [package.path for package in root.walk()]
        try:
            self._unnamed = unnamed_records_of(root, self._function, self._writer.config, options.limits)
        except UserError:
            self._unnamed = set()  # the next render says what is wrong with the pipelines

    def learn(self, items: Iterable[Item]) -> None:
        """Find out from the records of the step what it has generated, so that this goes, too."""
        if self._function not in registry.functions():
            return
        is_named = registry.load(self._function).named
        for item in items:
            for key, found in [] if item.error else stacks.read(item.reading.annotations)[0]:
                name = key.removeprefix(names.RECORD)
                if name == self._name and is_named:
                    labels = [by.split("/", 2) for by in found.by if by.count("/") > 1]
                    self._makers |= {Writer(self._function, config, namespace, named=True) for _, namespace, config in labels}
                elif name == self._name == Writer(self._function).key(found.package):
                    self._makers.add(Writer(self._function))
                elif not is_named and self._is_of_step(item, key, found):
                    self._sources.update(found.by)
                elif not is_named and name.partition(".")[0] == self._function:
                    self._sources_of_others.update(found.by)

    def of_file(self, source: Documents, content: bytes) -> bytes:
        """Return the content of a file without what the step wrote; empty if all of it was generated."""
        edited: dict[int, str] = {}
        for item in source.items:
            records = [] if item.error else _records(item)
            try:
                text = self._of_item(item, records, source)
            except (EditError, InputError) as error:
                raise EditError(findings.message(refused(item, error, text=source.text(item.number)))) from None
            if text is not None and text != source.text(item.number):
                edited[item.number] = text
        made = {item.number for writer in self._makers for item in marked_by(writer, source.items)}
        sources = self._sources - self._sources_of_others
        made |= {item.number for item in marked_by(Writer(self._function), source.items) if made_for(item) in sources}
        removed = frozenset(made)
        if len(removed) == len(source.items):
            return b""
        return source.write(edited, removed, []) if edited or removed else content

    def others(self) -> str:
        """Return which steps have records, for the message that this one has none."""
        if not self._seen:
            return "; there are no undo records"
        advice = ""
        if self._writer.config and not self._writer.named and self._function in self._seen:
            advice = f"; those of a first step do not name its functionConfig: `krm-values revert {self._function}`"
        return f"; undo records here: {suggest.listed(sorted(self._seen))}{advice}"

    def _of_item(self, item: Item, records: list[Keyed], source: Documents) -> str | None:
        """Return the text of a resource without the step's edits, None if it has no record of it."""
        self._seen |= {key.removeprefix(names.RECORD) for key, _ in records}
        stack = stacks.in_order(records, item.data)
        first = next((number for number, (key, found) in enumerate(stack) if self._is_of_step(item, key, found)), None)
        if first is None:
            return None
        levels = stacks.taken_back(stack[first:], item.data)
        data, kept = levels[0].done.data, stack[:first]
        for level in levels:
            if self._is_of_step(item, level.key, level.found):
                text = "was edited by hand after the step had written it: it stays"
                self.findings += [Finding("warning", "record", None, text, item, path) for path in level.done.edited]
                continue
            again = stacks.put_back(level, data, in_secret=is_secret(item))
            data = again.data
            kept += [(level.key, again.found)] if again.found else []
            text = f"had what `{level.key.removeprefix(names.RECORD)}` wrote over it, which was taken back, too: render again"
            self.findings += [Finding("warning", "record", None, text, item, path) for path in again.lost]
        for path, stays in undo.keep_unrecorded(item.reading.data, data) if is_secret(item) else ():
            text = f"was written by the step and its earlier value was not kept: {stays}"
            self.findings.append(Finding("warning", "record", None, text, item, path))
        return self._text(item, source, data, kept)

    def _text(self, item: Item, source: Documents, data: JSON, kept: list[Keyed]) -> str:
        reading, state = item.reading, State(item)
        hidden = {key: text for key, text in reading.annotations.items() if not key.startswith(names.RECORD)}
        for at, (key, found) in enumerate(kept, 1):  # one of version 2 gets its number in a render, which knows whose it is
            hidden[key] = undo.to_text(replace(found, number=at if found.number else 0))
        state.rebase(whole(reading.data, reading.annotations), whole(data, hidden), spelt=not source.is_json(item.number))
        return edited_text(state, source)[0]

    def _is_of_step(self, item: Item, key: str, found: undo.Record) -> bool:
        name = key.removeprefix(names.RECORD)
        if name == self._name or name == self._writer.key(found.package) or (self._package(item), name) in self._unnamed:
            return True
        return not self._writer.config and name.startswith(f"{self._writer.function}.")

    def _package(self, item: Item) -> str:
        """Return the package of a resource, "" for the outermost one."""
        path = item.position.path
        return max((one for one in self._packages if path.startswith(f"{one}/")), key=len, default="")


def _records(item: Item) -> list[Keyed]:
    """Return the undo records of a resource. EditError names the annotation of one that cannot be read."""
    found, wrong = stacks.read(item.reading.annotations)
    for key, text in wrong.items():
        place = ("metadata", "annotations", key)
        raise EditError(findings.message(Finding("error", "record", None, text, item, place)))
    return found
