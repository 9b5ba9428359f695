"""Who wrote a line, for `--blame`: its commit, from the versions that git has of its file.

Only `cat-file` and `rev-list` are run, as for `compare --against`. A line is followed from the file through a diff of each version with the one
before it; a line that moved up or down with its neighbours is the same line. Renames are not followed.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from datetime import UTC, datetime, timedelta, timezone
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.record import record
from krm_values._explain.git import Git
from krm_values._explain.model import AUTHORED, CONFIG
from krm_values._krm.files import read_named
from krm_values._krm.item import Item

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import IO

    from krm_values._data.limits import Limits
    from krm_values._explain.ledger import Ledger, Listed
    from krm_values._explain.model import Cell

    _Lines = Sequence[bytes]
    _Found = dict[int, str]  # by line, from 0, its commit
    _Pending = dict[int, list[int]]  # by line of a version, the lines of the file that it is

_MOST = 1_000
NOT_COMMITTED, OLDER = "not committed", f"older than {_MOST:,} commits"
"""What stands in place of a commit: for a line that differs from HEAD, and for one that has not changed in so many commits of its file."""
_MOST_BYTES, _LONGEST_COMMIT, _LINE_BYTES = 1 << 24, 1 << 20, 1 << 13
_NAME_SHOWN = 40
_SHORT = 10  # digits of a commit in text
_PAIRS = 10_000  # lines without a unique one among them are compared with each other up to so many pairs
_ROUNDS = 50
_DAY = 86_400
_SUBMODULE = b"160000"


@record
class Commit:
    """The commit that wrote a line, or words in place of one; then date and author are empty. date: when the author wrote it, in ISO 8601."""

    commit: str
    date: str = ""
    author: str = ""

    def __str__(self) -> str:
        if not self.author and not self.date:
            return self.commit
        return " ".join(filter(None, (self.commit[:_SHORT], self.date.partition("T")[0], self.author)))

    def as_json(self) -> dict[str, str]:
        """Return the member of a cell."""
        found = {"commit": self.commit, "date": self.date, "author": self.author}
        return {key: text for key, text in found.items() if text}


class Blame:
    """The commits of lines of a package's files."""

    __slots__ = ("_found", "_ledger")

    def __init__(self, ledger: Ledger, found: Mapping[tuple[str, int], Commit]) -> None:
        self._ledger, self._found = ledger, found

    def cell(self, one: Cell) -> Commit | None:
        """Return the commit of the line where a cell was written; None for what no person wrote there."""
        return self._found.get(_place(one, self._ledger))


def of_values(ledger: Ledger, listed: Iterable[Listed], directory: Path, limits: Limits) -> Blame:
    """Return the commits of the authored lines of all cells. InputError outside of a repository."""
    places = (_place(cell, ledger) for one in listed for value in one.values() for cell in _cells(value.cells))
    wanted: dict[str, set[int]] = {}
    for file, line in places:
        if line:
            wanted.setdefault(file, set()).add(line)
    return Blame(ledger, of_lines(directory, wanted, limits))


def _cells(cells: Iterable[Cell]) -> Iterator[Cell]:
    for cell in cells:
        yield cell
        yield from _cells(cell.parts)


def _place(one: Cell, ledger: Ledger) -> tuple[str, int]:
    """Return file and line of an authored cell; line 0 for another, and for one that an undo record keeps, which is not on the line."""
    if not isinstance(one.item, Item) or one.kept or one.origin not in (AUTHORED, CONFIG):
        return "", 0
    return one.item.position.path, ledger.line(one)[0]


def of_lines(directory: Path, wanted: Mapping[str, Iterable[int]], limits: Limits) -> dict[tuple[str, int], Commit]:
    """Return the commits of lines, from 1, by file and line. wanted: the lines by file, relative to the package. InputError outside of a repository."""
    git = Git(directory, limits, option="--blame")
    found: dict[tuple[str, int], str] = {}
    with git.running("cat-file", "--batch") as (names, out):
        objects = _Objects(names, out)
        head = objects.commit("HEAD")
        for file, lines in wanted.items():
            content = read_named(str(directory / file), limits)
            path = os.path.relpath(os.path.realpath(directory / file), git.top)
            is_within = path.split(os.sep)[0] != os.pardir
            history = _History(git, objects, path) if head is not None and is_within else None
            known = history.follow(_lines(content, file), [line - 1 for line in lines]) if history else {}
            found |= {(file, line): known.get(line - 1, NOT_COMMITTED) for line in lines}
        commits = {name: _read(name, objects) for name in dict.fromkeys(found.values())}
    return {place: commits[name] for place, name in found.items()}


def _read(name: str, objects: _Objects) -> Commit:
    return Commit(name) if name in (NOT_COMMITTED, OLDER) else _parsed(name, objects.commit(name) or b"")


def _parsed(name: str, content: bytes) -> Commit:
    """Return a commit from its object, whose author is `NAME <EMAIL> SECONDS ZONE`."""
    head = content.partition(b"\n\n")[0].split(b"\n")
    line = next((line.removeprefix(b"author ") for line in head if line.startswith(b"author ")), b"")
    before, _, rest = line.rpartition(b">")
    author = before.partition(b"<")[0].strip() or before.rpartition(b"<")[2].strip()
    try:
        text = author.decode()
    except UnicodeDecodeError:
        text = author.decode("latin-1")
    return Commit(name, _date(rest.split()), text if len(text) <= _NAME_SHOWN else f"{text[: _NAME_SHOWN - 1]}…")


def _date(words: Sequence[bytes]) -> str:
    """Return seconds since 1970 and a time zone such as `+0130` in ISO 8601; "" for a time that no calendar has."""
    try:
        seconds, zone = int(words[0]), int(words[1])
        east = (abs(zone) // 100 * 3600 + abs(zone) % 100 * 60) * (-1 if zone < 0 else 1)
        at = timezone(timedelta(seconds=east)) if abs(east) < _DAY else UTC
        return datetime.fromtimestamp(seconds, at).isoformat()
    except (IndexError, ValueError, OverflowError, OSError):
        return ""


def _lines(content: bytes, file: str) -> _Lines:
    """Return the lines of a version, without their ends. InputError if it is too large."""
    if len(content) > _MOST_BYTES:
        raise _too_large(len(content), _MOST_BYTES, file)
    return content.replace(b"\r\n", b"\n").split(b"\n")


def _too_large(size: int, most: int, file: str) -> InputError:
    return InputError(f"must not have more than {most:,} bytes for `--blame`, found {size:,}", file=file)


class _Objects:
    """The objects of a repository, by their names, read from `cat-file --batch`."""

    __slots__ = ("_names", "_out")

    def __init__(self, names: IO[bytes], out: IO[bytes]) -> None:
        self._names, self._out = names, out

    def commit(self, name: str) -> bytes | None:
        """Return the content of a commit; None if there is none of this name."""
        kind, content = self._read(name.encode(), _LONGEST_COMMIT, name)
        return content if kind == b"commit" else None

    def file(self, commit: str, path: str) -> bytes:
        """Return a file at a commit, empty if it has no such file. InputError if it is too large, or if git lacks it."""
        kind, content = self._read(_named(commit, path), _MOST_BYTES, f"{commit[:_SHORT]}:{path}")
        if not kind:
            self._check_absent(commit, path)
        return content if kind == b"blob" else b""

    def _check_absent(self, commit: str, path: str) -> None:
        """Raise InputError if a commit has this path, and git lacks its object, as in a partial clone."""
        folder, _, name = path.rpartition("/")
        kind, tree = self._read(_named(commit, folder), _MOST_BYTES, f"{commit[:_SHORT]}:{folder}")
        if not kind and folder:
            self._check_absent(commit, folder)
        elif not kind or _has(tree, os.fsencode(name), len(commit) // 2):
            text = "git has no object of this name: fetch it, as the repository is not whole"
            raise InputError(text, file=f"{commit[:_SHORT]}:{path}")

    def _read(self, name: bytes, most: int, shown: str) -> tuple[bytes, bytes]:
        """Read one answer and return kind and content, both empty for `NAME missing`. EOFError if it is incomplete.

        It is name, kind and size, a line break, the content, a line break.
        """
        self._names.write(name + b"\n")
        self._names.flush()
        head = self._out.readline(_LINE_BYTES)
        if head == name + b" missing\n" or head.endswith(b" submodule\n"):
            return b"", b""
        words = head.split()
        if not head.endswith(b"\n") or len(words) != len(("name", "kind", "size")) or not words[2].isdigit():
            raise EOFError
        size = int(words[2])
        if size > most:
            raise _too_large(size, most, shown)
        content = self._out.read(size + 1)
        if content[size:] != b"\n":
            raise EOFError
        return words[1], content[:size]


def _named(commit: str, path: str) -> bytes:
    return commit.encode() + b":" + os.fsencode(path)


def _has(tree: bytes, name: bytes, size: int) -> bool:
    """Return whether a tree has a file or folder of this name. Each entry is `MODE NAME`, a NUL, and as many bytes of an object's name."""
    at = 0
    while (end := tree.find(b"\0", at)) >= 0:
        mode, _, found = tree[at:end].partition(b" ")
        if found == name:
            return mode != _SUBMODULE
        at = end + 1 + size
    return False


class _History:
    """The commits that changed a file, each with those before it that did, the last first."""

    __slots__ = ("_commits", "_last", "_objects", "_path")

    def __init__(self, git: Git, objects: _Objects, path: str) -> None:
        self._objects, self._path = objects, path
        self._commits: dict[str, list[str]] = {}
        self._last: tuple[str, _Lines] = "", ()  # the version that was read last, which is mostly wanted next
        if "\n" in path:
            raise InputError("has a line break in its name, with which git cannot be asked for it", file=path)
        with git.running("rev-list", "--parents", f"--max-count={_MOST}", "HEAD", "--", path) as (_, out):
            while line := out.readline(_LONGEST_COMMIT):
                if not line.endswith(b"\n"):
                    raise EOFError
                name, *parents = line.decode("ascii").split()
                self._commits[name] = parents

    def follow(self, lines: _Lines, wanted: Iterable[int]) -> _Found:
        """Return the commits of lines, from 0, of the file as it is now; none for those that differ from HEAD."""
        order = self._order()
        if not order:
            return {}
        found: _Found = {}
        pending: dict[str, _Pending] = {}
        _hand_on({line: [line] for line in wanted}, matched(lines, self._version(order[0]), wanted), pending, order[0])
        for name in order:
            left = pending.pop(name, {})
            own = self._version(name) if left else ()
            for parent in self._commits[name]:
                if not left:
                    break
                same = matched(own, self._version(parent), left)
                to = parent if parent in self._commits else OLDER
                left = _hand_on(left, same, pending, to)
            found |= {line: name for many in left.values() for line in many}
        return found | {line: name for name, left in pending.items() for many in left.values() for line in many}

    def _version(self, commit: str) -> _Lines:
        if self._last[0] != commit:
            self._last = commit, _lines(self._objects.file(commit, self._path), self._path)
        return self._last[1]

    def _order(self) -> list[str]:
        """Return the commits that the first one comes from, each before those that it comes from."""
        found: list[str] = []
        seen: set[str] = set()
        stack = [(name, False) for name in [*self._commits][:1]]
        while stack:
            name, is_done = stack.pop()
            if is_done:
                found.append(name)
            elif name not in seen:
                seen.add(name)
                stack += [(name, True), *((one, False) for one in self._commits[name] if one in self._commits)]
        return found[::-1]


def _hand_on(left: _Pending, same: Mapping[int, int], pending: dict[str, _Pending], to: str) -> _Pending:
    """Give a commit the lines that its version has, too; return the others. same: where it has them."""
    for line, at in same.items():
        pending.setdefault(to, {}).setdefault(at, []).extend(left[line])
    return {line: many for line, many in left.items() if line not in same}


def matched(lines: _Lines, before: _Lines, wanted: Iterable[int]) -> dict[int, int]:
    """Return where lines of a version are in the one before it; none for those that it does not have."""
    size = min(len(lines), len(before))
    start = next((at for at in range(size) if lines[at] != before[at]), size)
    end = next((at for at in range(size - start) if lines[-1 - at] != before[-1 - at]), size - start)
    shift = len(before) - len(lines)
    inside: dict[int, int] | None = None
    found: dict[int, int] = {}
    for line in wanted:
        if line < start:
            found[line] = line
        elif line >= len(lines) - end:
            found[line] = line + shift
        else:
            inside = _aligned(lines[start : len(lines) - end], before[start : len(before) - end]) if inside is None else inside
            if line - start in inside:
                found[line] = inside[line - start] + start
    return found


def _aligned(lines: _Lines, before: _Lines) -> dict[int, int]:
    """Return which lines of two texts are the same: between those that each has once, in order, the same again."""
    found: dict[int, int] = {}
    stack = [(0, len(lines), 0, len(before))]
    work = _ROUNDS * (len(lines) + len(before))
    while stack:
        a, b, c, d = stack.pop()
        work -= b - a + d - c
        if work < 0 or a == b or c == d:
            continue
        if anchors := _anchors(lines, before, (a, b, c, d)):
            found |= anchors
            ends = [(a - 1, c - 1), *anchors.items(), (b, d)]
            stack += [(low + 1, high, under + 1, over) for (low, under), (high, over) in pairwise(ends)]
        elif (b - a) * (d - c) <= _PAIRS:
            blocks = SequenceMatcher(None, lines[a:b], before[c:d], autojunk=False).get_matching_blocks()
            found |= {a + block.a + at: c + block.b + at for block in blocks for at in range(block.size)}
    return found


def _anchors(lines: _Lines, before: _Lines, region: tuple[int, int, int, int]) -> dict[int, int]:
    """Return the longest series of lines that both parts have once, in the same order."""
    a, b, c, d = region
    own, other = _once(lines, a, b), _once(before, c, d)
    tails: list[int] = []  # of a series of each length, the lowest last place before
    ends: list[int] = []  # and its line
    back: dict[int, int] = {}
    places = {at: other[line] for line, at in own.items() if line in other}
    for at, place in places.items():
        size = bisect_left(tails, place)
        tails[size : size + 1] = [place]
        ends[size : size + 1] = [at]
        if size:
            back[at] = ends[size - 1]
    series = ends[-1:]
    while series and series[-1] in back:
        series.append(back[series[-1]])
    return {at: places[at] for at in reversed(series)}


def _once(lines: _Lines, start: int, end: int) -> dict[bytes, int]:
    """Return the lines of a part that it has once, with their places, in order."""
    found: dict[bytes, int] = {}
    twice: set[bytes] = set()
    for at in range(start, end):
        line = lines[at]
        if line in found:
            twice.add(line)
        found[line] = at
    return {line: at for line, at in found.items() if line not in twice}
