"""A directory as git has it at a revision. Only `ls-tree` and `cat-file --batch` are called, and nothing that a repository configures runs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from krm_values._data.errors import InputError
from krm_values._data.limits import beyond
from krm_values._data.printable import printable
from krm_values._data.shown import described
from krm_values._kit.process import programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from krm_values._data.limits import Limits

    Entry = tuple[str, str, str, int]

_OFF = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.attributesFile=",
    "core.pager=cat",
    "protocol.allow=never",
    "maintenance.auto=false",
)
"""Settings of a repository that would start programs."""
_KEPT = ("HOME", "XDG_CONFIG_HOME", "SYSTEMROOT", "TMPDIR")
_FILE, _LINK = "100", "120000"
_NAMES = (".yaml", ".yml", ".json", "Kptfile", ".krmignore")


def write(directory: Path, revision: str, target: Path, limits: Limits) -> None:
    """Write the files of a package that the directory has at a revision into an empty one. InputError says what git says."""
    listed = _run(directory, ["ls-tree", "-r", "-z", "--long", "--end-of-options", revision])
    wanted = [entry for record in listed.split(b"\0") if record and _is_read(entry := _entry(record))]
    if sum(size for *_, size in wanted) > limits.total_bytes:
        text = f"must not have files of more than {limits.total_bytes:,} bytes together"
        raise InputError(beyond(limits, "total_bytes", text), file=revision)
    contents = _contents(directory, [name for _, _, name, _ in wanted])
    for path, mode, name, _ in wanted:
        if not _is_below(path):
            raise InputError(f"has a file whose path leads elsewhere: {described(path)}", file=revision)
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if mode == _LINK:
            file.symlink_to(contents[name].decode())
        else:
            file.write_bytes(contents[name])


def _is_below(path: str) -> bool:
    """Whether a path of a tree stays in the directory, on every system; trees that were made by hand may hold any."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or part.lower() == ".git" or "\\" in part or ":" in part for part in parts)


def _is_read(entry: Entry) -> bool:
    """Whether a package reads such a file: regular or a link, and of a name that counts."""
    path, mode, _, _ = entry
    return (mode.startswith(_FILE) or mode == _LINK) and path.endswith(_NAMES)


def _entry(record: bytes) -> Entry:
    """Path, mode, name of the object and its size; git gives them as `mode type name size<tab>path`."""
    head, _, path = record.partition(b"\t")
    mode, _, name, size = head.decode("ascii").split()
    return path.decode("utf-8", "surrogateescape"), mode, name, int(size) if size.isdigit() else 0


def _contents(directory: Path, names: Sequence[str]) -> Mapping[str, bytes]:
    """What each of the objects holds."""
    wanted = [*dict.fromkeys(names)]
    answer = _run(directory, ["cat-file", "--batch"], "".join(f"{name}\n" for name in wanted).encode())
    found, at = {}, 0
    for name in wanted:
        end = answer.index(b"\n", at)
        head = answer[at:end].split(b" ")
        if len(head) != len(("name", "type", "size")):
            raise InputError(f"git has no object {name}: fetch it, as the repository is not whole", file=str(directory))
        size = int(head[-1])
        found[name] = answer[end + 1 : end + 1 + size]
        at = end + size + len(b"\n\n")
    return found


def _run(directory: Path, words: Sequence[str], given: bytes = b"") -> bytes:
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    quiet = {
        "PATH": programs.search_path(),
        "GIT_ALLOW_PROTOCOL": "none",  # nothing is fetched that a partial clone lacks
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "LC_ALL": "C",
    }
    settings = [word for setting in _OFF for word in ("-c", setting)]
    program = programs.find("git")
    if program is None:
        raise InputError("git is not installed: `--against` reads revisions with it")
    command = [program, "--no-pager", "--literal-pathspecs", *settings, *words]
    done = subprocess.run(  # noqa: S603 - our own words; the revision is behind `--end-of-options`
        command, cwd=directory, input=given, env={**environment, **quiet}, capture_output=True, check=False
    )
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().split("\n")
        message = next((line for line in lines if line.startswith("fatal: ")), lines[0])  # warnings come before it
        raise InputError(f"git: {printable(message.removeprefix('fatal: '))}", file=str(directory))
    return done.stdout
