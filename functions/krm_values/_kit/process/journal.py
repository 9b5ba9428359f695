"""What a write is about to do, kept in the user's state directory: never in the directory that is written, which is somebody else's word.

`$XDG_STATE_HOME/krm-values/<hash of the real path>/` holds `intent` from before the first staged file on, and `journal`, the same
text, from the commit on. Each begins with a MAC under a key of the user's, so that no other text is ever taken for one.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import re
import stat

from krm_values._data.errors import UserError
from krm_values._data.record import pattern, record
from krm_values._kit.process.below import ABSENT, Below, UnsafePathError, check, open_regular, sync

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

PREFIX = ".krm-values-"
"""How the name of a staged file begins; 32 hex digits follow, and no ending that a host reads."""
INTENT, JOURNAL, _UNWRITTEN, _KEY = "intent", "journal", "intent.new", "key"
_HEX = 32
_STAGED = pattern(re.escape(PREFIX) + f"[0-9a-f]{{{_HEX}}}")
_PRIVATE = 0o077
_KEY_SIZE = 32
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@record
class Entry:
    """One file of a write: its path, its digest before and after, and the path of the staged text ("" for a removal)."""

    target: str
    old: str
    new: str
    staged: str
    secret: bool = False  # whether a new file is for its owner's eyes only


class JournalError(UserError):
    """A state directory that cannot be used, or a journal that is not one of ours."""


def staged_beside(folder: str) -> str:
    """A new name for a staged file in a folder, which is "" or ends in a slash."""
    return f"{folder}{PREFIX}{os.urandom(_HEX // 2).hex()}"


class State:
    """The state directory of one written directory, open. Closed at the end of a `with`; removed then if nothing is left in it."""

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
        """Keep what is about to be written, durably and as a whole."""
        self.remove(_UNWRITTEN)
        text = json.dumps({"directory": self.written, "entries": [_as_json(entry) for entry in entries]}).encode()
        with self._folder.parent(INTENT) as folder:
            put(folder, _UNWRITTEN, self._mac(text) + b"\n" + text)
            os.rename(_UNWRITTEN, INTENT, src_dir_fd=folder, dst_dir_fd=folder)
            sync(folder)

    def commit(self) -> None:
        """The one step from which on everything shall be new; `sync` makes it durable."""
        with self._folder.parent(JOURNAL) as folder:
            os.rename(INTENT, JOURNAL, src_dir_fd=folder, dst_dir_fd=folder)

    def sync(self) -> None:
        """Make the commit durable."""
        self._folder.sync(JOURNAL)

    def clean(self) -> None:
        """Remove an intent that was not written to its end: nothing had been staged then."""
        self.remove(_UNWRITTEN)

    def read(self, name: str) -> tuple[Entry, ...] | None:
        """The entries of the intent or the journal; None if there is none. JournalError if it is none of ours."""
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
        """The entries of a text that has our MAC and is about this directory; None of any other."""
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
        """Remove the intent or the journal, if it is there. It need not be durable: what comes back is found to be done."""
        with contextlib.suppress(FileNotFoundError):
            self._folder.unlink(name)
        with contextlib.suppress(OSError):
            self._folder.sync(name)

    def _mac(self, text: bytes) -> bytes:
        return hmac.new(self._key, text, "sha256").hexdigest().encode()


def unfinished(written: Path) -> str:
    """The path of the journal of a committed write that is not finished, "" if there is none. Makes nothing."""
    base = _base()
    path = f"{base}/{_name(os.path.realpath(written))}/{JOURNAL}"
    return path if base and os.path.lexists(path) else ""


def _name(written: str) -> str:
    return hashlib.sha256(os.fsencode(written)).hexdigest()[:_HEX]


def put(folder: int, name: str, content: bytes) -> None:
    """A new file for its owner's eyes only, durable; FileExistsError if there is one."""
    descriptor = os.open(name, _CREATE, 0o600, dir_fd=folder)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _base() -> str:
    """`$XDG_STATE_HOME/krm-values`, "" if nothing says where that is: a relative path would mean another place in every directory."""
    found = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(found) and os.environ.get("HOME") != "":
        found = os.path.expanduser("~/.local/state")
    return os.path.join(os.path.realpath(found), "krm-values") if os.path.isabs(found) else ""


def private(path: str) -> Below:
    """A directory that is this user's alone, made where it is missing. JournalError if others may use it."""
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
    """The user's key, made by whoever comes first."""
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
    """Whether its paths lead downwards, and a staged name, which only a removal lacks, is one that we give."""
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
