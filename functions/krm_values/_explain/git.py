"""The files of a directory at a git revision. Only `rev-parse`, `ls-tree` and `cat-file --batch` are run, and their output is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._cli.package import discover
from krm_values._data.errors import InputError
from krm_values._data.limits import beyond
from krm_values._data.record import record
from krm_values._data.shown import described
from krm_values._explain.git_process import Git

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import IO

    from krm_values._data.limits import Limits

_FILE, _LINK = "100", "120000"
_ENTRIES, _LONGEST = 1_000_000, 4096
_PIECE, _AT_ONCE = 1 << 16, 500


@record
class Entry:
    """A file or link of a git tree. name: of its object."""

    path: str
    mode: str
    name: str
    size: int


def write(directory: Path, revision: str, target: Path, limits: Limits) -> None:
    """Write the files that a package had at a revision into an empty directory.

    InputError with git's message, or with the limit that is exceeded, before any content is read.
    """
    git = Git(directory, limits)
    entries = _bounded(_listed(git, revision), revision, limits)
    links = [entry for entry in entries if entry.mode == _LINK]
    for entry, content in _contents(git, [entry for entry in entries if entry.mode != _LINK]):
        file = target / entry.path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as new:
            new.write(content)
    for entry, content in _contents(git, links):  # when no file is written any more that could be behind one
        file = target / entry.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.symlink_to(content.decode("utf-8", "surrogateescape"))


def _bounded(entries: Iterator[Entry], revision: str, limits: Limits) -> list[Entry]:
    """Return all entries. InputError as soon as one exceeds a limit."""
    found, total = [], 0
    for entry in entries:
        place = f"{revision}:{entry.path}"
        if not _is_below(entry.path):
            raise InputError(f"has a file whose path leads elsewhere: {described(entry.path)}", file=revision)
        found.append(entry)
        total += entry.size
        if len(found) > limits.files:
            text = f"must not be read: the directory has more than {limits.files:,} files"
            raise InputError(beyond(limits, "files", text), file=place)
        if entry.size > limits.file_bytes:
            text = f"must not have more than {limits.file_bytes:,} bytes, found {entry.size:,}"
            raise InputError(beyond(limits, "file_bytes", text), file=place)
        if total > limits.total_bytes:
            text = f"must not be read: the files of the directory have more than {limits.total_bytes:,} bytes with it"
            raise InputError(beyond(limits, "total_bytes", text), file=place)
    return found


def _is_below(path: str) -> bool:
    """Return whether a path of a tree stays in the directory, on every system; a tree made by hand may hold any path."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or part.lower() == ".git" or "\\" in part or ":" in part for part in parts)


def _listed(git: Git, revision: str) -> Iterator[Entry]:
    """Yield the files and links that a package reads. InputError for a tree that is too large."""
    prefix = [git.prefix] if git.prefix else []
    with git.running("ls-tree", "-r", "-t", "-z", "--long", "--full-tree", "--end-of-options", revision, *prefix) as (_, out):
        for count, line in enumerate(_lines(out, revision)):
            if count >= _ENTRIES:
                raise InputError(f"must not have more than {_ENTRIES:,} files and folders", file=revision)
            entry = _entry(line, git.prefix)
            if entry is not None:
                yield entry


def _lines(out: IO[bytes], revision: str) -> Iterator[bytes]:
    """Yield the strings that end in NUL. InputError for one that is longer than any path."""
    rest = b""
    while piece := out.read1(_PIECE):  # type: ignore[attr-defined]
        *whole, rest = (rest + piece).split(b"\0")
        if max(map(len, (*whole, rest))) > _LONGEST:
            raise InputError(f"must not have a path of more than {_LONGEST:,} bytes", file=revision)
        yield from whole


def _entry(line: bytes, prefix: str) -> Entry | None:
    """Parse `mode type name size<tab>path`; None for what a package does not read: folders, submodules, other names, paths outside of it."""
    head, _, written = line.partition(b"\t")
    mode, _, name, size = head.decode("ascii").split()
    path = written.decode("utf-8", "surrogateescape")
    if not (mode.startswith(_FILE) or mode == _LINK) or not path.startswith(prefix):
        return None
    if not discover.is_read(path.rpartition("/")[2]):
        return None
    return Entry(path.removeprefix(prefix), mode, name, int(size) if size.isdigit() else 0)


def _contents(git: Git, entries: Sequence[Entry]) -> Iterator[tuple[Entry, bytes]]:
    """Yield each entry with its content."""
    if not entries:
        return
    with git.running("cat-file", "--batch") as (names, out):
        for first in range(0, len(entries), _AT_ONCE):  # as many names as a pipe takes before git reads it
            some = entries[first : first + _AT_ONCE]
            names.write("".join(f"{entry.name}\n" for entry in some).encode())
            names.flush()
            yield from ((entry, _content(out, entry)) for entry in some)


def _content(out: IO[bytes], entry: Entry) -> bytes:
    """Read one answer: `name type size`, a line break, the content, a line break. EOFError if it is incomplete."""
    head = out.readline(_LONGEST)
    if head == f"{entry.name} missing\n".encode():
        raise InputError(f"git has no object {entry.name}: fetch it, as the repository is not whole", file=entry.path)
    content = out.read(entry.size + 1)
    if head != f"{entry.name} blob {entry.size}\n".encode() or content[entry.size :] != b"\n":
        raise EOFError
    return content[: entry.size]
