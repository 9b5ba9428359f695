"""A package as it was at a git revision, in a temporary folder, for `compare --against`; and git as `--blame` and fleets ask it.

Only `rev-parse`, `ls-tree`, `rev-list` and `cat-file --batch` are run, with limits of time, memory and output. No configuration of the repository is
executed. The repository is the nearest `.git` at the directory or above it, and no other folder that git would accept.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.limits import beyond
from krm_values._data.record import record
from krm_values._data.shown import described, printable
from krm_values._krm import packages
from krm_values._run import tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO, NoReturn

    from krm_values._data.limits import Limits

_OFF = (
    "safe.bareRepository=explicit",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.attributesFile=",
    "core.pager=cat",
    "protocol.allow=never",
    "maintenance.auto=false",
)
"""Settings that disable whatever starts programs or accepts another folder as the repository."""
_KEPT = ("HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "TMPDIR")
_QUIET = {
    "GIT_ALLOW_PROTOCOL": "none",  # nothing is fetched that a partial clone lacks
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C",
}
_SECONDS = 60.0
_SPARE, _MESSAGE = 64 << 20, 1 << 16
_ENDS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
_BY_SIGNAL = 128
_FILE, _LINK = "100", "120000"
_ENTRIES, _LONGEST = 1_000_000, 4096
_PIECE, _AT_ONCE = 1 << 16, 500
_GITDIR, _LONGEST_GITDIR = b"gitdir: ", 8192


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Create a folder that only its owner may enter; it is removed at the end of the `with` block, also if the process is terminated."""
    is_main = threading.current_thread() is threading.main_thread()  # the only one in which Python handles signals
    before = {number: signal.signal(number, _stop) for number in _ENDS} if is_main else {}
    try:
        with tempfile.TemporaryDirectory(prefix="krm-values-") as name:
            yield Path(name)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _: object) -> None:
    """Exit with the status of a process that the signal has terminated, after cleaning up."""
    sys.exit(_BY_SIGNAL + number)


@record
class GitEntry:
    """A file or link of a git tree. name: of its object."""

    path: str
    mode: str
    name: str
    size: int


def write(directory: Path, revision: str, target: Path, limits: Limits) -> dict[str, str]:
    """Write the files that a package had at a revision into an empty directory. Return the names of the objects of those that no package reads.

    InputError with git's message, or with the limit that is exceeded, before any content is read.
    """
    git = Git(directory, limits)
    unread: dict[str, str] = {}
    entries = _bounded(_listed(git, revision, unread), revision, limits)
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
    return unread


def _bounded(entries: Iterator[GitEntry], revision: str, limits: Limits) -> list[GitEntry]:
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


def listed(directory: Path, revision: str, limits: Limits, option: str) -> Iterator[GitEntry]:
    """Yield all files and links that a directory had at a revision. option: the one that asks for it."""
    return _entries(Git(directory, limits, option=option), revision)


def _listed(git: Git, revision: str, unread: dict[str, str]) -> Iterator[GitEntry]:
    """Yield the files and links that a package reads. unread: gets the objects of the others."""
    for entry in _entries(git, revision):
        if packages.is_read(entry.path.rpartition("/")[2]):
            yield entry
        else:
            unread[entry.path] = entry.name


def _entries(git: Git, revision: str) -> Iterator[GitEntry]:
    """Yield the files and links of a directory. InputError for a tree that is too large."""
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


def _entry(line: bytes, prefix: str) -> GitEntry | None:
    """Parse `mode type name size<tab>path`; None for folders, submodules, and paths outside of the package."""
    head, _, written = line.partition(b"\t")
    mode, _, name, size = head.decode("ascii").split()
    path = written.decode("utf-8", "surrogateescape")
    if not (mode.startswith(_FILE) or mode == _LINK) or not path.startswith(prefix):
        return None
    return GitEntry(path.removeprefix(prefix), mode, name, int(size) if size.isdigit() else 0)


def _contents(git: Git, entries: Sequence[GitEntry]) -> Iterator[tuple[GitEntry, bytes]]:
    """Yield each entry with its content."""
    if not entries:
        return
    with git.running("cat-file", "--batch") as (names, out):
        for first in range(0, len(entries), _AT_ONCE):  # as many names as a pipe takes before git reads it
            some = entries[first : first + _AT_ONCE]
            names.write("".join(f"{entry.name}\n" for entry in some).encode())
            names.flush()
            yield from ((entry, _content(out, entry)) for entry in some)


def _content(out: IO[bytes], entry: GitEntry) -> bytes:
    """Read one answer: `name type size`, a line break, the content, a line break. EOFError if it is incomplete."""
    head = out.readline(_LONGEST)
    if head == f"{entry.name} missing\n".encode():
        raise InputError(f"git has no object {entry.name}: fetch it, as the repository is not whole", file=entry.path)
    content = out.read(entry.size + 1)
    if head != f"{entry.name} blob {entry.size}\n".encode() or content[entry.size :] != b"\n":
        raise EOFError
    return content[: entry.size]


class Git:
    """Git in the repository of a directory. All commands together may take a minute.

    option: the one that needs it. top: the directory with `.git`. prefix: the path of the package in it, ending in a slash; "" for the top.
    """

    __slots__ = ("_command", "_directory", "_environment", "_until", "prefix", "top")

    def __init__(self, directory: Path, limits: Limits, *, option: str = "--against") -> None:
        found = repository(directory, option)
        program = tools.find_program("git")
        if program is None:
            raise InputError(f"git is not installed: `{option}` reads revisions with it")
        settings = [word for setting in _OFF for word in ("-c", setting)]
        self._command = [program, "--no-pager", "--literal-pathspecs", *settings]
        self._directory, self.top, self.prefix = directory, found.top, found.prefix
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        bytes_at_once = {"GIT_ALLOC_LIMIT": str(limits.file_bytes + _SPARE)}
        self._environment = {**kept, **_QUIET, **bytes_at_once, "PATH": tools.search_path()}
        self._until = time.monotonic() + _SECONDS
        self._check(found.folder)

    def _check(self, folder: str) -> None:
        """Raise InputError unless git uses the same folder as the repository."""
        with self.running("rev-parse", "--absolute-git-dir") as (_, out):
            answer = out.read(_MESSAGE)
        taken = os.path.realpath(os.fsdecode(answer.removesuffix(b"\n")))
        if taken != folder:
            raise InputError(
                f"git takes {printable(taken)} for the repository, and not {printable(folder)}", file=str(self._directory)
            )

    @contextlib.contextmanager
    def running(self, *words: str) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
        """Start a git command and give its stdin and stdout to the `with` block. InputError if it fails or takes too long.

        Code within may raise EOFError if git's answer is incomplete.
        """
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(  # noqa: S603 - our own words; a revision is behind `--end-of-options`
                [*self._command, *words],
                cwd=self.top,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
            assert process.stdin
            assert process.stdout
            clock = threading.Timer(max(0.0, self._until - time.monotonic()), _end, (process,))
            clock.daemon = True
            clock.start()
            try:
                is_whole = False
                with contextlib.suppress(BrokenPipeError, EOFError):  # git has ended before that, and says why
                    yield process.stdin, process.stdout
                    is_whole = True
                _close(process)
                process.wait()
            finally:
                clock.cancel()
                clock.join()
                _end(process)
                _close(process)
                process.wait()
            if process.returncode or not is_whole:
                self._fail(process.returncode, errors)

    def _fail(self, code: int, errors: IO[bytes]) -> NoReturn:
        if time.monotonic() >= self._until:
            raise InputError(f"git does not answer within {_SECONDS:.0f} seconds", file=str(self._directory))
        errors.seek(0)
        lines = errors.read(_MESSAGE).decode("utf-8", "replace").strip().split("\n")
        message = next((line for line in lines if line.startswith("fatal: ")), lines[0])  # warnings come before it
        text = printable(message.removeprefix("fatal: ")) or f"ended too early, with exit code {code}"
        raise InputError(f"git: {text}", file=str(self._directory))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill git and its children, unless it has ended: its process id may have been reused."""
    if process.returncode is None:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in filter(None, (process.stdin, process.stdout)):
        with contextlib.suppress(BrokenPipeError):
            pipe.close()


@record
class Repository:
    """A repository by absolute paths without links. top: the directory with `.git`. folder: where git keeps its files.

    prefix: the path of the package in the repository, ending in a slash; "" for the top.
    """

    top: str
    folder: str
    prefix: str


def repository(directory: Path, option: str) -> Repository:
    """Find the repository of a package. InputError if there is none, or if it would be a folder within the package.

    A `.git` that is a file names the folder, as in worktrees and submodules. Bare repositories are never used: a proposed package may carry
    one as plain files.
    """
    package = os.path.realpath(directory)
    top = package
    while not os.path.lexists(os.path.join(top, ".git")):
        if top == os.path.dirname(top):
            raise InputError(f"is in no git repository: `{option}` looks for the nearest `.git` above it", file=str(directory))
        top = os.path.dirname(top)
    folder = os.path.realpath(_folder(top))
    inside = os.path.join(package, "")
    if folder.startswith(inside) and folder != f"{inside}.git":
        fact = f"leads to a folder of the package itself, {os.path.relpath(folder, package)}"
        raise InputError(f"{fact}: remove it, or clone the package", file=str(directory / ".git"))
    prefix = os.path.relpath(package, top)
    return Repository(top, folder, "" if prefix == os.curdir else f"{prefix}/")


def _folder(top: str) -> str:
    """Return the path of `.git`, or the path that it names if it is a file."""
    path = os.path.join(top, ".git")
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        return path
    if stat.S_ISREG(mode):
        with open(path, "rb") as file:
            text = file.read(_LONGEST_GITDIR)
        if text.startswith(_GITDIR) and b"\0" not in text:
            return os.path.join(top, os.fsdecode(text.removeprefix(_GITDIR).rstrip(b"\r\n")))
    raise InputError("must be the folder of a git repository, or a file that begins with `gitdir: `", file=path)
