"""Plain resources in, plain resources out: files and directories, and kustomize's legacy exec plugins."""

from __future__ import annotations

import os
import shlex
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import EditError, InputError, UsageError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._krm import documents, findings, packages
from krm_values._krm.config import ConfigPlace, nowhere
from krm_values._krm.files import read_named
from krm_values._krm.item import STDIN
from krm_values._krm.plan import CONFIG, Finding
from krm_values._run import invoke, pipe, registry, report, tools
from krm_values._run.terminal import progress, send
from krm_values._yaml.encoding import BOM

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.documents import Documents
    from krm_values._krm.item import Item
    from krm_values._krm.packages import Skipped
    from krm_values._run.pipe import Release
    from krm_values._run.resolve import Outcome

_NAMED = 3  # files of a command that a message suggests


class Files:
    """The resources of several files as one source."""

    __slots__ = ("_carriers", "_ends", "_names", "has_host_annotations", "has_package_paths", "items", "limits", "refused")

    def __init__(self, inputs: Iterable[tuple[str, bytes]], limits: Limits = DEFAULT, *, reprinted: bool = False) -> None:
        self.limits = limits
        self._carriers: list[Documents] = []
        self._names: list[str] = []
        self._ends: list[int] = []
        items: list[Item] = []
        self.refused: list[Finding] = []
        """Warnings about what other programs do not read in these files."""
        for name, content in inputs:
            self.refused += () if reprinted else documents.refused_elsewhere(content, name or STDIN, limits)
            source = documents.read(content, name, unfold=True, first=len(items), reprinted=reprinted, limits=limits)
            self._carriers.append(source)
            items += self._carriers[-1].items
            self._names.append(name or STDIN)
            self._ends.append(len(items))
        if not self._carriers:
            raise InputError("found no YAML or JSON file to read")
        self.items, self.has_host_annotations, self.has_package_paths = tuple(items), False, False

    def is_json(self, number: int) -> bool:
        return self._of(number).is_json(number)

    def text(self, number: int) -> str:
        return self._of(number).text(number)

    def crossing(self, number: int) -> int:
        return self._of(number).crossing(number)

    def contains(self, text: str) -> bool:
        return any(carrier.contains(text) for carrier in self._carriers)

    def apply(self, outcome: Outcome) -> Iterator[bytes]:
        """Yield the files one after the other, separated by `---`; new resources come last. The end of the last line is preserved."""
        last = b""
        for carrier in self._carriers:
            numbers = {item.number for item in carrier.items}
            edited = {number: text for number, text in outcome.edited.items() if number in numbers}
            added = [found.data for found in outcome.added] if carrier is self._carriers[-1] else []
            content = self._written(carrier, edited, outcome.removed & numbers, added)
            if last and content:
                content = content.removeprefix(BOM)
                yield (b"" if last.endswith(b"\n") else b"\n") + (b"" if content.startswith(b"---") else b"---\n")
            yield content
            last = content or last

    def _written(self, carrier: Documents, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON]) -> bytes:
        try:
            return carrier.write(edited, removed, added)
        except EditError as error:
            raise EditError(f"{self._names[self._carriers.index(carrier)]}: {error.message}") from None

    def _of(self, number: int) -> Documents:
        return self._carriers[bisect_right(self._ends, number)]


def run(
    function: str,
    config: str | None,
    files: Sequence[str],
    programs: Mapping[str, str] = invoke.NONE,
    *,
    verbose: bool = False,
    form: str = report.TEXT,
    follow_links: bool = False,
    limits: Limits = DEFAULT,
    release: Release | None = None,
) -> int:
    """Resolve the resources of files and directories, and print them. Return the exit code. verbose: show informational messages, too.

    release: converts the output.
    """
    source, name, outcome = resolved(function, config, files, programs, follow_links=follow_links, limits=limits)
    if config is None and any(map(os.path.isdir, files)):
        outcome = _with_choice(name, outcome)
    return _answer(source, outcome, verbose=verbose, form=form, release=release)


def _with_choice(name: str, outcome: Outcome) -> Outcome:
    """Return an outcome; if a functionConfig was looked for and not found, it reports that, too."""
    if any(one.kind in (report.CHOSEN, CONFIG) for one in outcome.findings):
        return outcome
    text = f"no functionConfig of {name} is among the resources: it runs with its defaults; `--config FILE` names one"
    chosen = Finding("info", report.CHOSEN, None, text)
    return replace(outcome, findings=findings.in_order([*outcome.findings, chosen]))


def legacy(
    function: str, config: str, programs: Mapping[str, str] = invoke.NONE, *, verbose: bool = False, limits: Limits = DEFAULT
) -> int:
    """Serve kustomize's legacy plugin protocol: the config in a file, the resources as documents on stdin and stdout."""
    source = Files([("", pipe.received(limits))], limits, reprinted=True)
    data = invoke.of_file(config, limits).data  # findings do not name its place: it is a temporary file of kustomize's
    return _answer(source, invoke.run_function(function, data, source, programs=programs, stored=False)[1], verbose=verbose)


def resolved(
    function: str,
    config: str | None,
    files: Sequence[str],
    programs: Mapping[str, str] = invoke.NONE,
    *,
    follow_links: bool = False,
    limits: Limits = DEFAULT,
    command: str = "run",
) -> tuple[Files, str, Outcome]:
    """Read files, directories and `-`, and resolve them. Return the resources, the function's name and the outcome.

    Without a config, the only functionConfig among the resources is used. command: the one that a message suggests.
    """
    named = function or os.environ.get("KRM_FUNCTION", "")
    if named:
        registry.load(named)  # a misspelt name is reported before a file is read
    if files.count("-") > 1:
        raise UsageError("`-` is given twice, but stdin can be read only once")
    given = invoke.of_file(config, limits) if config is not None else None
    skipped: list[Skipped] = []
    source = Files(_inputs(files, limits, skipped, follow_links=follow_links), limits)
    place = (lambda: ConfigPlace(given)) if given else nowhere
    call = (command, *map(shlex.quote, files[:_NAMED]), *["..."] * (len(files) > _NAMED))
    with progress("resolving"):
        name, outcome = invoke.run_function(
            named, given.data if given else None, source, place, among=True, is_plain=True, programs=programs, call=call
        )
    tools.refuse_unused(programs, [name])
    about_files = [*source.refused, *packages.about_skipped(skipped)]
    return source, name, replace(outcome, findings=(*outcome.findings, *about_files)) if about_files else outcome


def _answer(source: Files, outcome: Outcome, *, verbose: bool, form: str = report.TEXT, release: Release | None = None) -> int:
    """Print the resources, unless there is an error: whatever reads them must not take unresolved ones for the result."""
    if not outcome.failed:
        pieces = source.apply(outcome)
        send([release(b"".join(pieces), source.limits)] if release else pieces)
    kept = "" if release else invoke.about_records(outcome, source)
    report.report(outcome.findings, [outcome.unmatched, kept], verbose=verbose, form=form)
    return int(outcome.failed)


def _inputs(files: Sequence[str], limits: Limits, skipped: list[Skipped], *, follow_links: bool) -> Iterator[tuple[str, bytes]]:
    """Yield (path as the user named it, content); for a directory all YAML and JSON files below it."""
    for name in files:
        if name == "-":
            yield "", pipe.received(limits)
        elif os.path.isdir(name):
            below: list[Skipped] = []
            found = packages.files_below(Path(name), below, follow_links=follow_links, limits=limits)
            yield from ((str(path), content) for path, content in found)
            skipped += [replace(one, path=str(Path(name) / one.path)) for one in below]
        else:
            yield name, read_named(name, limits)
