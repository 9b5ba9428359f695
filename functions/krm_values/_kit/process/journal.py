"""The journal of a write, kept in the user's state directory and never in the directory that is written, whose content cannot be trusted.

`$XDG_STATE_HOME/krm-values/<hash of the real path>/` holds `intent` from before the first staged file on, and `journal`, the same text, from
the commit on. Each begins with a MAC under a key of the user, so that no other text is accepted.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import stat
from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.record import record
from krm_values._kit.process.below import ABSENT, Below, UnsafePathError, check, open_regular, sync

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

PREFIX = ".krm-values-"
"""The beginning of the name of a staged file; 32 hex digits follow, without an extension that a host reads."""
INTENT, JOURNAL, _UNWRITTEN, _KEY = "intent", "journal", "intent.new", "key"
_HEX = 32
_STAGED = re.compile(re.escape(PREFIX) + f"[0-9a-f]{{{_HEX}}}")
_PRIVATE = 0o077
_KEY_SIZE = 32
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@record
class Entry:
    """One file of a write: its path, its digests before and after, and the path of the staged text ("" for a removal)."""

    target: str
    old: str
    new: str
    staged: str
    secret: bool = False  # whether a new file is for its owner's eyes only


class JournalError(UserError):
    """A state directory that cannot be used, or a journal that this user did not write."""


def staged_beside(folder: str) -> str:
    """Return a new name for a staged file in a folder, which is "" or ends in a slash."""
    return f"{folder}{PREFIX}{os.urandom(_HEX // 2).hex()}"


class State:
    """The open state directory of one written directory, closed at the end of a `with` block and removed if it is then empty."""

    __slots__ = ("_base", "_folder", "_key", "path", "written")

    def __init__(self, written: Path) -> None:
        self.written = os.path.realpath(written)
        base, name = _base(), _name(self.written)
        if not base:
            raise JournalError("no state directory: HOME must be an absolute path; set HOME or XDG_STATE_HOME, or use `-o`")
        if f"{base}/".startswith(f"{self.written}/"):
            raise JournalError(f"{base}: the state directory must not lie in the directory that is written; set XDG_STATE_HOME")
        self.path = f"{base}/{name}"
        try:
            self._base = private(base)
            self._key = key_of(self._base)
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self._base.descriptor)
            self._folder = private(self.path)
        except OSError as error:
            text = f"{error.filename or base}: {error.strerror}: the state directory of a write must be writable"
            raise JournalError(f"{text}; set XDG_STATE_HOME, or write elsewhere with `-o`") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._base, self._folder, contextlib.suppress(OSError):
            os.rmdir(self.path)

    def begin(self, entries: Iterable[Entry]) -> None:
        """Write the entries as the intent, durably and atomically."""
        self.remove(_UNWRITTEN)
        text = json.dumps({"directory": self.written, "entries": [_as_json(entry) for entry in entries]}).encode()
        with self._folder.parent(INTENT) as folder:
            put(folder, _UNWRITTEN, self._mac(text) + b"\n" + text)
            os.rename(_UNWRITTEN, INTENT, src_dir_fd=folder, dst_dir_fd=folder)
            sync(folder)

    def commit(self) -> None:
        """Commit: rename the intent to the journal, from which on all files must become new. `sync` makes it durable."""
        with self._folder.parent(JOURNAL) as folder:
            os.rename(INTENT, JOURNAL, src_dir_fd=folder, dst_dir_fd=folder)

    def sync(self) -> None:
        """Make the commit durable."""
        self._folder.sync(JOURNAL)

    def clean(self) -> None:
        """Remove an incomplete intent; nothing was staged for it."""
        self.remove(_UNWRITTEN)

    def read(self, name: str) -> tuple[Entry, ...] | None:
        """Return the entries of the intent or the journal; None if it does not exist. JournalError if it is not valid."""
        try:
            with self._folder.parent(name) as folder:
                text = content(folder, name)
        except FileNotFoundError:
            return None
        entries = self._entries(text)
        if entries is None:
            why = "is not a journal that this user's krm-values wrote for this directory; remove it, every file stays as it is"
            raise JournalError(f"{self.path}/{name}: {why}")
        return entries

    def _entries(self, text: bytes) -> tuple[Entry, ...] | None:
        """Return the entries of a text with a valid MAC that is about this directory; None for any other."""
        mac, _, body = text.partition(b"\n")
        if not hmac.compare_digest(mac, self._mac(body)):
            return None
        try:
            found = json.loads(body)
            entries = tuple(Entry(**entry) for entry in found["entries"])
            is_sound = found["directory"] == self.written and all(map(_is_sound, entries))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        return entries if is_sound else None

    def remove(self, name: str) -> None:
        """Remove the intent or the journal, if it exists. That need not be durable: a repeated recovery changes nothing."""
        with contextlib.suppress(FileNotFoundError):
            self._folder.unlink(name)
        with contextlib.suppress(OSError):
            self._folder.sync(name)

    def _mac(self, text: bytes) -> bytes:
        return hmac.new(self._key, text, "sha256").hexdigest().encode()


def unfinished(written: Path) -> str:
    """Return the path of the journal of a committed write that is not finished, "" if there is none. Creates nothing."""
    base = _base()
    path = f"{base}/{_name(os.path.realpath(written))}/{JOURNAL}"
    return path if base and os.path.lexists(path) else ""


def _name(written: str) -> str:
    return hashlib.sha256(os.fsencode(written)).hexdigest()[:_HEX]


def put(folder: int, name: str, content: bytes) -> None:
    """Write a new file that only its owner may read, durably; FileExistsError if it exists."""
    descriptor = os.open(name, _CREATE, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _base() -> str:
    """Return `$XDG_STATE_HOME/krm-values`, "" if that is not set to an absolute path: a relative one would depend on the working directory."""
    found = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(found) and os.environ.get("HOME") != "":
        found = os.path.expanduser("~/.local/state")
    return os.path.join(os.path.realpath(found), "krm-values") if os.path.isabs(found) else ""


def private(path: str) -> Below:
    """Return a directory that only this user can access, created if missing. JournalError if others have access."""
    from pathlib import Path  # noqa: PLC0415 - writing commands have it already

    os.makedirs(path, 0o700, exist_ok=True)
    if os.path.islink(path):
        raise JournalError(f"{path}: must be a directory, found a symbolic link; remove it")
    found = Below(Path(path))
    facts = os.fstat(found.descriptor)
    if facts.st_uid != os.geteuid() or stat.S_IMODE(facts.st_mode) & _PRIVATE:
        os.close(found.descriptor)
        raise JournalError(f"{path}: must belong to the user who runs this, with mode 0700: journals of writes are in it")
    return found


def key_of(base: Below) -> bytes:
    """Return the user's key, created on first use."""
    with base.parent(_KEY) as folder:
        with contextlib.suppress(FileNotFoundError):
            return _checked(base, content(folder, _KEY))
        fresh = f"{_KEY}.{os.urandom(8).hex()}"
        put(folder, fresh, os.urandom(_KEY_SIZE))
        with contextlib.suppress(FileExistsError):
            os.link(fresh, _KEY, src_dir_fd=folder, dst_dir_fd=folder)
        os.unlink(fresh, dir_fd=folder)
        return _checked(base, content(folder, _KEY))


def _checked(base: Below, key: bytes) -> bytes:
    if len(key) != _KEY_SIZE:
        text = f"must hold a key of {_KEY_SIZE} bytes, found {len(key)}: anybody could sign with less; remove it"
        raise JournalError(f"{base.path}/{_KEY}: {text}")
    return key


def content(folder: int, name: str) -> bytes:
    try:
        descriptor = open_regular(folder, name)
    except UnsafePathError as error:
        raise JournalError(f"{name} in the state directory: {error}") from None
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def _is_sound(entry: Entry) -> bool:
    """Return whether its paths lead downwards and its staged name, which only a removal lacks, has our form."""
    try:
        check(entry.target)
        check(entry.staged or entry.target)
    except UnsafePathError:
        return False
    if entry.new == ABSENT:
        return not entry.staged
    return _STAGED.fullmatch(entry.staged.rpartition("/")[2]) is not None


def _as_json(entry: Entry) -> dict[str, object]:
    return {"target": entry.target, "old": entry.old, "new": entry.new, "staged": entry.staged, "secret": entry.secret}
