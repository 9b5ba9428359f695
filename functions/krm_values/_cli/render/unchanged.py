"""What `render` remembers of an unchanged package, so that the same package is not planned again.

A record is a file in the user's cache directory, never in a package: the lines that the run printed, and a MAC over them and everything that
the run depends on. The key is the user's, in a file beside it. A record that does not verify is ignored, and so is a directory that others
may write to.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import hmac
import json
import os
import sys

from krm_values._cli.arguments import tools
from krm_values._data.errors import UserError
from krm_values._data.record import record
from krm_values._kit.process import journal, report
from krm_values._kit.process.terminal import is_quiet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator
    from pathlib import Path

    from krm_values._cli.package.discover import Package

_FOLDER, _HEX = "krm-values", 32
_OPTIONS = ("skip_foreign", "follow_links", "format")


@record
class Record:
    """The record of a package. package: its path. state: the digest of everything that a run of it depends on."""

    folder: str
    package: str
    state: bytes

    def lines(self) -> list[str] | None:
        """Return the lines printed by the run that left the package as it is now; None without a valid record."""
        if not os.path.isdir(self.folder):
            return None
        try:
            with journal.private(self.folder) as below:
                key = journal.key_of(below)
                name = self._name(key)
                with below.parent(name) as folder:
                    mac, _, text = journal.content(folder, name).partition(b"\n")
        except (OSError, UserError):
            return None
        if not hmac.compare_digest(mac, self._mac(key, text)):
            return None
        found: list[str] = json.loads(text)
        return found

    def keep(self, lines: list[str]) -> None:
        """Write the record; if that fails, there is none."""
        text = json.dumps(lines).encode()
        with contextlib.suppress(OSError, UserError), journal.private(self.folder) as below:
            key = journal.key_of(below)
            name, fresh = self._name(key), f"{self._name(key)}.{os.urandom(8).hex()}"
            with below.parent(name) as folder:
                journal.put(folder, fresh, self._mac(key, text) + b"\n" + text)
                os.replace(fresh, name, src_dir_fd=folder, dst_dir_fd=folder)

    def _name(self, key: bytes) -> str:
        return hmac.digest(key, os.fsencode(self.package), "sha256").hex()[:_HEX]

    def _mac(self, key: bytes, text: bytes) -> bytes:
        return hmac.digest(key, self.state + text, "sha256").hex().encode()


def of(directory: Path, root: Package, options: Namespace) -> Record | None:
    """Return the record of a package; None if there can be none: without a cache directory, and with external programs."""
    folder, package = _folder(), os.path.realpath(directory)
    is_inside = f"{folder}/".startswith(f"{package}/")
    if not folder or is_inside or root.staged() or any(os.environ.get(tools.variable(tool)) for tool in tools.known()):
        return None
    state = hashlib.sha256(os.fsencode(folder_of(directory)) + b"\0")
    for part in _parts(root, options):
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return Record(folder, package, state.digest())


def folder_of(directory: Path) -> str:
    """Return the path of a package from the working directory, the prefix of files in findings for hosts: "" for the directory itself."""
    found = os.path.relpath(directory)
    return "" if found == os.curdir else found.replace(os.sep, "/")


def _parts(root: Package, options: Namespace) -> Iterator[bytes]:
    """Yield everything that a run depends on: the program, the options, the environment that functions read, each file."""
    yield _program()
    given = [(name, getattr(options, name)) for name in _OPTIONS]
    environment = sorted((name, value) for name, value in os.environ.items() if name.startswith("KRM_"))
    shown = (report.shows_informations(verbose=options.verbose), is_quiet())
    yield repr([given, shown, repr(options.limits), environment]).encode(errors="surrogateescape")
    for package in root.walk():
        yield repr((package.path, package.kptfile)).encode(errors="surrogateescape")
        for file in package.files:
            yield os.fsencode(file.path)
            yield file.content


@functools.cache
def _program() -> bytes:
    """Return a string that identifies this program: the size and time of each of its files, when libraries were installed, the interpreter."""
    whole = hashlib.sha256(sys.version.encode())
    for base in sys.path:
        with contextlib.suppress(OSError):
            whole.update(repr((base, os.stat(base).st_mtime_ns)).encode(errors="surrogateescape"))
    for file in sorted(_files(__import__("krm_values").__path__[0])):
        whole.update(repr(file).encode(errors="surrogateescape"))
    return whole.digest()


def _files(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path) if entry.name != "__pycache__" else ()
            else:
                facts = entry.stat()
                yield entry.path, facts.st_size, facts.st_mtime_ns


def _folder() -> str:
    """Return `$XDG_CACHE_HOME/krm-values`, "" if that is not known."""
    found = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(found) and os.environ.get("HOME"):
        found = os.path.expanduser("~/.cache")
    return os.path.join(os.path.realpath(found), _FOLDER) if os.path.isabs(found) else ""
