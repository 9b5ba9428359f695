"""Packages as bytes, for workers that see none of our files: `pack` makes a parcel of a batch, `planned` is what a worker does with it.

A parcel is a line of JSON and, behind it, the content of all files. The answer is JSON, and somebody else's word: `opened` takes only what a
render may say, and only for what was sent; what the files of a package were is known here. The key of the state does not travel.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UserError
from krm_values._data.record import record
from krm_values._data.shown import described, printable
from krm_values._fleet import bundle, inputs, worker
from krm_values._fleet.task import Settings, changes_of, key_of, known_answer, plan
from krm_values._krm import packages
from krm_values._krm.files import Below, UnsafePathError
from krm_values._run import registry, tools
from krm_values._run.terminal import Called

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from krm_values._data.limits import Limits
    from krm_values._fleet.worker import Answer, Item

    Content: TypeAlias = tuple[dict[str, str], list[tuple[str, int, bytes]]]

HERE = "here"
"""The status of a package that does not travel: one with links or devices, or that cannot be read or is too large. It is planned here."""
MOST = 64 << 20
"""Bytes of a package that travels, at most."""
_ANSWERS = ("changed", "same", "failed", "error")
_PLAN: dict[str, Any] = {"findings": [], "changes": [], "lasts": False, "seconds": 0.0}


@record
class Parcel:
    """A batch. answers: of each package, None for those that are in the content. listings: what was sent of each, by number."""

    settings: Settings
    wanted: Mapping[str, str]
    names: Sequence[str]
    answers: list[Answer | None]
    listings: dict[int, dict[str, str]]
    content: bytes


def pack(
    items: Sequence[Item], settings: Settings, programs: Mapping[str, str], environment: Mapping[str, str | None]
) -> Parcel:
    """Put packages into a parcel, except those whose answer is known without a plan, or that must be planned here.

    programs: by tool, those that the worker must have as well. environment: the variables of ours that a plan depends on.
    """
    answers: list[Answer | None] = []
    listings: dict[int, dict[str, str]] = {}
    heads, contents = [], []
    for number, (name, directory, known) in enumerate(items):
        answers.append(known_answer(name, directory, known, settings, hashes=True))
        if answers[number] is not None:
            continue
        if (found := _content(directory, settings.manner.limits)) is None:
            answers[number] = {"status": HERE, "seconds": 0.0}
            continue
        listings[number], files = found
        heads.append([name, [[path, mode, len(content)] for path, mode, content in files]])
        contents += [content for _, _, content in files]
    wanted = identity(programs)
    told = {**settings.as_json(), "key": None}
    head = {"wanted": wanted, "programs": programs, "environment": environment, "settings": told, "packages": heads}
    content = b"\n".join([json.dumps(head).encode(), b"".join(contents)]) if heads else b""
    return Parcel(settings, wanted, [name for name, _, _ in items], answers, listings, content)


def _content(directory: str, limits: Limits) -> Content | None:
    """Return the listing of a package, as `inputs.listing` has it, and its files; None if they are not all that it is, or too much."""
    root, found = Path(directory), dict[str, str]()
    files: list[tuple[str, int, bytes]] = []
    left = MOST
    try:
        if packages.staged_below(root):
            return None
        with Below(root) as below:
            for path, status in packages.everything(root):
                left -= status.st_size
                if left < 0 or len(files) > limits.files or not stat.S_ISREG(status.st_mode):
                    return None
                content = below.read(path, MOST)
                mode = status.st_mode & 0o100
                found[path] = f"{inputs.EXECUTABLE if mode else inputs.FILE} {inputs.blob(content)}"
                files.append((path, mode, content))
    except (InputError, UnsafePathError, OSError):
        return None
    return found, files


def opened(parcel: Parcel, content: bytes) -> list[Answer]:
    """Return the answers about all packages of a parcel. UserError for an answer that no worker of ours gives."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        raise UserError(_refusal(found.get("refused"), parcel.wanted))
    if not isinstance(found, list) or len(found) != len(parcel.listings):
        raise UserError("a worker answers with what is no plan of the packages that it got: end it")
    rows = iter(found)
    return [_taken(parcel, number, next(rows)) if one is None else one for number, one in enumerate(parcel.answers)]


def _taken(parcel: Parcel, number: int, row: Any) -> Answer:
    """Return what a worker says about a package, with what is known here."""
    name, listing, settings = parcel.names[number], parcel.listings[number], parcel.settings
    known = row if isinstance(row, dict) else {}
    basis = inputs.digest(listing)
    answer: Answer = {key: known.get(key, default) for key, default in _PLAN.items()}
    answer |= {"status": known.get("status"), "basis": basis, "after": basis}
    if answer["status"] not in _ANSWERS or any(type(answer[key]) is not type(default) for key, default in _PLAN.items()):
        wrong = "is answered with what is no plan"
    else:
        wrong = bundle.wrong(answer, settings.manner.limits)
    if wrong:
        raise UserError(f"a worker answers what no render says: package {described(name)} {wrong}; end the worker")
    after = inputs.after(listing, changes_of(answer))
    answer["after"] = inputs.digest(after)
    if settings.key is not None and answer["lasts"]:
        answer["key"] = key_of(name, after, settings)
    if isinstance(known.get("diff"), str) and answer["status"] == "changed":
        answer["diff"] = known["diff"]
    return answer


def _refusal(found: Any, wanted: Mapping[str, str]) -> str:
    """Return how a worker is other than this process."""
    own = found if isinstance(found, dict) else {}
    told = [
        f"another program for `--{name}`" if name in tools.known() else f"{name} {printable(str(own.get(name)))} (here {text})"
        for name, text in wanted.items()
        if own.get(name) != text
    ]
    return f"a worker refuses its packages: it has {' and '.join(told) or 'another version'}; start workers that have the same"


# What runs in a worker.


def planned(content: bytes) -> bytes:
    """Plan the packages of a parcel, below a temporary directory. A worker that is other than who sent it refuses all of them."""
    line, _, files = content.partition(b"\n")
    head = json.loads(line)
    for name, value in head["environment"].items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    own = identity(head["programs"])
    if own != head["wanted"]:
        return json.dumps({"refused": own}).encode()
    worker.allow(head["settings"]["limits"]["depth"])
    with Called(quiet=True), tempfile.TemporaryDirectory(prefix="krm-values-") as folder:
        return worker.batch(plan, json.dumps(head["settings"]), _unpacked(Path(folder), head["packages"], memoryview(files)))


def _unpacked(folder: Path, listed: Sequence[Any], content: memoryview) -> list[Item]:
    """Write packages below a directory, and return the items of a batch."""
    items: list[Item] = []
    at = 0
    for number, (name, files) in enumerate(listed):
        root = folder / str(number)
        root.mkdir()
        made = {""}
        for path, mode, size in files:
            above = path.rpartition("/")[0]
            if above not in made:
                (root / above).mkdir(parents=True, exist_ok=True)
                made.add(above)
            descriptor = os.open(root / path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 | mode)
            with os.fdopen(descriptor, "wb", buffering=0) as file:
                file.write(content[at : at + size])
            at += size
        items.append((name, str(root), None))
    return items


def variables() -> dict[str, str | None]:
    """Return the variables of this process that a plan depends on; None for one that is not set."""
    return {name: os.environ.get(name) for name in ("KRM_FUNCTION", *map(tools.variable, tools.known()))}


def programs_of(named: Mapping[str, str]) -> dict[str, str]:
    """Return the programs of all tools that are named, by an option or a variable."""
    found = {tool: named.get(tool) or os.environ.get(tools.variable(tool), "") for tool in tools.known()}
    return {tool: program for tool, program in found.items() if program}


def identity(programs: Mapping[str, str]) -> dict[str, str]:
    """Return what must be the same where packages are planned: our version, Python's, and the content of the programs."""
    return {**_versions(), **{tool: _digest(program) for tool, program in programs.items()}}


@cache
def _versions() -> dict[str, str]:
    return {"krm-values": registry.version(), "Python": ".".join(map(str, sys.version_info[:2]))}


def _digest(program: str) -> str:
    path = tools.find_program(program)
    if path is None:
        return ""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
