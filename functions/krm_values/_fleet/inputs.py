"""What the plan of a package depends on: the names, modes and git objects of all its files, and digests of them.

A listing has `MODE ID` by path. It is what git would have in its tree, except that of a link the content behind it counts as well.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError
from krm_values._krm import packages
from krm_values._krm.files import UnsafePathError, read_named, reading
from krm_values._krm.write import put_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from krm_values._data.limits import Limits
    from krm_values._fleet.git_index import Known
    from krm_values._krm.files import Below
    from krm_values._krm.write import Change

FILE, EXECUTABLE, LINK = "100644", "100755", "120000"
_KEY_BYTES = 32


def _unknown(_: str, __: os.stat_result) -> None:
    return None


def listing(directory: str, limits: Limits, known: Known = _unknown) -> dict[str, str]:
    """Return the mode and the object of each file below a directory, by slash path. InputError for what cannot be read.

    known: the object of a file that need not be hashed, by its path and status.
    """
    found: dict[str, str] = {}
    root = Path(directory)
    with reading(root) as below:
        for path, status in packages.everything(root):
            mode = status.st_mode
            if stat.S_ISLNK(mode):
                target = os.fsencode(os.readlink(os.path.join(directory, path)))
                found[path] = f"{LINK} {blob(target)} {_behind(below, path, limits)}"
            elif stat.S_ISREG(mode):
                try:
                    name = known(path, status) or below.git_object(path, is_sha1=True)
                except UnsafePathError as error:
                    raise InputError(str(error), file=path) from None
                found[path] = f"{EXECUTABLE if mode & 0o100 else FILE} {name}"
            else:
                found[path] = "device"
    return found


def _behind(below: Below, path: str, limits: Limits) -> str:
    try:
        return blob(below.read(path, limits.file_bytes, follow=True))
    except InputError:  # a directory, or nothing: a package does not read it
        return "none"


def blob(content: bytes) -> str:
    """Return the name of git's object with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def after(found: Mapping[str, str], changes: Iterable[Change]) -> dict[str, str]:
    """Return the listing that changes leave behind."""
    new = dict(found)
    for change in changes:
        if change.new is None:
            new.pop(change.path, None)
        else:
            mode = new.get(change.path, FILE).partition(" ")[0]
            new[change.path] = f"{mode} {blob(change.new)}"
    return new


def digest(found: Mapping[str, str]) -> str:
    """Return one digest of a listing."""
    return hashlib.sha256(_text(found)).hexdigest()


def keyed(key: bytes, facts: str, found: Mapping[str, str]) -> str:
    """Return a digest of a listing that tells nothing without the key. facts: version, options: what else the answer depends on."""
    return hmac.new(key, facts.encode() + b"\0" + _text(found), "sha256").hexdigest()


def _text(found: Mapping[str, str]) -> bytes:
    return b"".join(b"%s %s\0" % (value.encode(), os.fsencode(path)) for path, value in sorted(found.items()))


def tree(found: Mapping[str, str]) -> str:
    """Return the name of git's tree with the files of a listing, as far as git could hold them."""
    folders: dict[str, dict[str, str]] = {}
    plain: dict[str, str] = {}
    for path, value in found.items():
        name, _, rest = path.partition("/")
        if rest:
            folders.setdefault(name, {})[rest] = value
        else:
            plain[name] = value
    entries = {name: tuple(value.split(" ")[:2]) for name, value in plain.items()}
    entries |= {name: ("40000", tree(inner)) for name, inner in folders.items()}

    def order(name: str) -> bytes:  # git's: a folder as if its name ended in a slash
        return os.fsencode(f"{name}/" if name in folders else name)

    content = b"".join(
        b"%s %s\0%s" % (entries[name][0].encode(), os.fsencode(name), bytes.fromhex(entries[name][-1]))
        for name in sorted(entries, key=order)
        if len(entries[name]) > 1
    )
    return hashlib.sha1(b"tree %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def state_key(path: str, limits: Limits) -> bytes:
    """Return the key in a file, which is made for its owner only if there is none. InputError for one that is too short."""
    if not os.path.lexists(path):
        put_file(Path(path), os.urandom(_KEY_BYTES).hex().encode() + b"\n", secret=True)
    found = read_named(path, limits).strip()
    if len(found) < _KEY_BYTES:
        raise InputError(f"must hold a key of at least {_KEY_BYTES} characters; remove it, and a new one is made", file=path)
    return found
