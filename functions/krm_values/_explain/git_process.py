"""Runs git in a repository, with limits of time and memory. No configuration of the repository is executed, and only `.git` is a repository."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._data.printable import printable
from krm_values._explain import repository
from krm_values._kit.process import programs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
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


class Git:
    """Git in the repository of a directory. prefix: as in `Repository`. All commands together may take a minute."""

    __slots__ = ("_command", "_directory", "_environment", "_top", "_until", "prefix")

    def __init__(self, directory: Path, limits: Limits) -> None:
        found = repository.of(directory)
        program = programs.find("git")
        if program is None:
            raise InputError("git is not installed: `--against` reads revisions with it")
        settings = [word for setting in _OFF for word in ("-c", setting)]
        self._command = [program, "--no-pager", "--literal-pathspecs", *settings]
        self._directory, self._top, self.prefix = directory, found.top, found.prefix
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        bytes_at_once = {"GIT_ALLOC_LIMIT": str(limits.file_bytes + _SPARE)}
        self._environment = {**kept, **_QUIET, **bytes_at_once, "PATH": programs.search_path()}
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
                cwd=self._top,
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
