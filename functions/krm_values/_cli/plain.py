"""Plain resources in, plain resources out: files and directories, and kustomize's legacy exec plugins."""

from __future__ import annotations

import os
from bisect import bisect_right
from pathlib import Path

from krm_values._cli import package, pipe
from krm_values._cli.krm import unreadable
from krm_values._kit import documents, registry
from krm_values._kit.configplace import ConfigPlace, nowhere
from krm_values._kit.errors import InputError
from krm_values._kit.text import BOM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from krm_values._kit.documents import Documents
    from krm_values._kit.function import Outcome
    from krm_values._kit.item import Item


class Files:
    """The resources of several files as one carrier."""

    __slots__ = ("_carriers", "_ends", "hosted", "items")

    def __init__(self, inputs: Iterable[tuple[str, bytes]], *, reprinted: bool = False) -> None:
        self._carriers: list[Documents] = []
        self._ends: list[int] = []
        items: list[Item] = []
        for name, content in inputs:
            self._carriers.append(documents.read(content, name, unfold=True, first=len(items), reprinted=reprinted))
            items += self._carriers[-1].items
            self._ends.append(len(items))
        if not self._carriers:
            raise InputError("found no YAML or JSON file to read")
        self.items, self.hosted = tuple(items), False

    def is_json(self, number: int) -> bool:
        return self._of(number).is_json(number)

    def text(self, number: int) -> str:
        return self._of(number).text(number)

    def crossing(self, number: int) -> int:
        return self._of(number).crossing(number)

    def mentions(self, text: str) -> bool:
        return any(carrier.mentions(text) for carrier in self._carriers)

    def write(self, outcome: Outcome) -> Iterator[bytes]:
        """The files one after the other, `---` between them; new resources come last."""
        begun = False
        for carrier in self._carriers:
            numbers = {item.number for item in carrier.items}
            edited = {number: text for number, text in outcome.edited.items() if number in numbers}
            added = [found.data for found in outcome.added] if carrier is self._carriers[-1] else []
            content = carrier.write(edited, outcome.removed & numbers, added)
            if begun and content:
                content = content.removeprefix(BOM)
                yield b"" if content.startswith(b"---") else b"---\n"
            yield content if content.endswith(b"\n") or not content else content + b"\n"
            begun = begun or bool(content)

    def _of(self, number: int) -> Documents:
        return self._carriers[bisect_right(self._ends, number)]


def run(function: str | None, config: str | None, files: Sequence[str], programs: Mapping[str, str] = pipe.NONE) -> int:
    """Resolve the resources of files and directories onto stdout. Returns the exit code."""
    source, _, outcome = settle(function, config, files, programs)
    return _answer(source, outcome)


def legacy(function: str, config: str, programs: Mapping[str, str] = pipe.NONE) -> int:
    """Serve kustomize's legacy plugin protocol: the config in a file, the resources as documents on stdin and stdout."""
    source = Files([("", pipe.received())], reprinted=True)
    given = _config(config)  # in a temporary file of kustomize's, whose name and lines say nothing
    return _answer(source, pipe.settle(function, given.data, source, programs=programs)[1])


def settle(
    function: str | None, config: str | None, files: Sequence[str], programs: Mapping[str, str] = pipe.NONE
) -> tuple[Files, str, Outcome]:
    """Read files, directories and `-`, and resolve them: the resources, the function's name and what came of it."""
    named = function or os.environ.get("KRM_FUNCTION", "")
    if named:
        registry.load(named)  # a misspelt name is said before a file is read
    given = _config(config) if config else None
    source = Files(_inputs(files))
    place = (lambda: ConfigPlace(given)) if given else nowhere
    name, outcome = pipe.settle(named, given.data if given else None, source, place, programs=programs)
    return source, name, outcome


def _answer(source: Files, outcome: Outcome) -> int:
    pipe.send(list(source.write(outcome)))
    pipe.report(outcome.findings)
    return int(outcome.failed)


def _config(file: str) -> Item:
    """The one resource of a file, read."""
    items = documents.read(Path(file).read_bytes(), file).items
    if len(items) != 1:
        raise InputError(f"must hold one functionConfig, found {len(items)} documents", file=file)
    if error := unreadable(items[0]):
        raise error
    return items[0]


def _inputs(files: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """(path as the user named it, content); of a directory all YAML and JSON files below it."""
    for name in files:
        if name == "-":
            yield "", pipe.received()
        elif os.path.isdir(name):
            yield from ((str(path), path.read_bytes()) for path in package.files_below(Path(name)))
        else:
            yield name, Path(name).read_bytes()
