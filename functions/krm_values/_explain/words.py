"""The positional arguments of `explain` and `values`: a package, a function with files, or patterns of paths."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._cli.package import discover
from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._kit.process import registry

if TYPE_CHECKING:
    from collections.abc import Sequence

_STDIN = "-"


@record
class Words:
    """The parsed arguments: a package, or files with a function ("" where the config names it), and patterns.

    Without package and files, the input is the ResourceList on stdin.
    """

    package: Path | None
    function: str
    files: tuple[str, ...]
    patterns: tuple[str, ...]


def read(words: Sequence[str], config: str | None) -> Words:
    """Classify arguments as package, function, files and patterns."""
    if not words:
        return Words(None, "", (), ())
    first, *rest = words
    if first == _STDIN or _is_path(first):
        return _of_path(first, rest, config)
    if first in registry.functions():
        return Words(None, first, *_files_and_patterns(rest))
    if not discover.is_package(Path()):
        registry.load(first)  # which says that there is no such function, and the nearest one
    return Words(Path(), "", (), tuple(words))


def _of_path(first: str, rest: Sequence[str], config: str | None) -> Words:
    if os.path.isdir(first):
        if config is None and discover.is_package(Path(first)):
            return Words(Path(first), "", (), tuple(rest))
        return Words(None, "", (first,), tuple(rest))
    return Words(None, "", *_files_and_patterns([first, *rest]))


def _files_and_patterns(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that are files, directories or `-`, and the others, which are patterns."""
    files = tuple(word for word in words if word == _STDIN or _is_path(word) or word.endswith(registry.SUFFIXES))
    return files, tuple(word for word in words if word not in files)


def check_files(files: Sequence[str]) -> None:
    """Raise InputError for a file that does not exist, with the nearest name in its directory."""
    for file in files:
        if file != _STDIN and not os.path.lexists(file):
            folder, name = os.path.split(file)
            try:
                near = suggest.nearest(name, sorted(os.listdir(folder or ".")))
            except OSError:
                near = ""
            raise InputError("does not exist" + (f"; did you mean `{os.path.join(folder, near)}`?" if near else ""), file=file)


def _is_path(word: str) -> bool:
    return word.startswith((".", "/")) or os.path.lexists(word)
