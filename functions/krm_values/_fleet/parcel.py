"""Packages as bytes, for workers that see none of our files: `pack` makes a parcel of a batch, `planned` is what a worker does with it.

A parcel is a line of JSON and, behind it, the packages as they were read here, as a pickle: a worker does whatever we say. Its answer is
JSON, and somebody else's word: `opened` takes only what a render may say, and only for what was sent; what the files of a package were is
known here. The key of the state does not travel.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import sys
from functools import cache
from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.record import record, replace
from krm_values._data.shown import described, printable
from krm_values._fleet import bundle, inputs, task, worker
from krm_values._fleet.task import Settings
from krm_values._run import registry, tools
from krm_values._run.terminal import Called

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from krm_values._fleet.task import Read
    from krm_values._fleet.worker import Answer, Item
    from krm_values._krm.packages import Package

HERE = "here"
"""The status of a package that does not travel, because its parcel would be too large: it is planned here."""
MOST = 64 << 20
"""Bytes of the packages that travel together, at most."""
_ANSWERS = ("changed", "same", "failed", "error")
_PLAN: dict[str, Any] = {"findings": [], "changes": [], "lasts": False, "seconds": 0.0}


@record
class Parcel:
    """A batch. answers: of each package; what is sent has none yet. sent: how that was read, by number."""

    settings: Settings
    wanted: Mapping[str, str]
    names: Sequence[str]
    answers: Sequence[Answer]
    sent: Mapping[int, Read]
    content: bytes


def pack(
    items: Sequence[Item], settings: Settings, programs: Mapping[str, str], environment: Mapping[str, str | None]
) -> Parcel:
    """Put packages into a parcel, except those whose answer is known without a plan, or that must be planned here.

    programs: by tool, those that the worker must have as well. environment: the variables of ours that a plan depends on.
    """
    sent: dict[int, Read] = {}
    roots: list[tuple[str, Package]] = []
    left = MOST

    def read(name: str, directory: str, known: str | None, number: int) -> Answer:
        if (skipped := task.as_it_was(name, directory, known, settings)) is not None:
            return skipped
        nonlocal left
        files = inputs.files(directory)
        size = sum(status.st_size for _, status in files)
        if size > left:
            return {"status": HERE}
        left -= size
        found = task.read(directory, settings.manner, files)
        if found.root is None:
            return task.complete(found.answer, name, found, settings)
        roots.append((name, found.root))
        sent[number] = replace(found, root=None)
        return {}

    answers = [worker.answered(read, item, number) for number, item in enumerate(items)]
    wanted = identity(programs)
    told = {**settings.as_json(), "key": None}
    head = {"wanted": wanted, "programs": programs, "environment": environment, "settings": told}
    content = b"\n".join([json.dumps(head).encode(), pickle.dumps(roots)]) if roots else b""
    return Parcel(settings, wanted, [name for name, _, _ in items], answers, sent, content)


def opened(parcel: Parcel, content: bytes) -> list[Answer]:
    """Return the answers about all packages of a parcel. UserError for an answer that no worker of ours gives."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict):
        raise UserError(_refusal(found.get("refused"), parcel.wanted))
    if not isinstance(found, list) or len(found) != len(parcel.sent):
        raise UserError("a worker answers with what is no plan of the packages that it got: end it")
    rows = iter(found)
    return [_taken(parcel, number, next(rows)) if number in parcel.sent else one for number, one in enumerate(parcel.answers)]


def _taken(parcel: Parcel, number: int, row: Any) -> Answer:
    """Return what a worker says about a package, with what is known here."""
    name, settings = parcel.names[number], parcel.settings
    known = row if isinstance(row, dict) else {}
    answer: Answer = {key: known.get(key, default) for key, default in _PLAN.items()}
    basis = inputs.digest(parcel.sent[number].listing)
    answer |= {"status": known.get("status"), "basis": basis, "after": basis}
    if answer["status"] not in _ANSWERS or any(type(answer[key]) is not type(default) for key, default in _PLAN.items()):
        wrong = "is answered with what is no plan"
    else:
        wrong = bundle.wrong(answer, settings.manner.limits)
    if wrong:
        raise UserError(f"a worker answers what no render says: package {described(name)} {wrong}; end the worker")
    if isinstance(known.get("diff"), str) and answer["status"] == "changed":
        answer["diff"] = known["diff"]
    return task.complete(answer, name, parcel.sent[number], settings)


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
    """Plan the packages of a parcel. A worker that is other than who sent it refuses all of them."""
    line, _, packed = content.partition(b"\n")
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
    with Called(quiet=True):
        roots = pickle.loads(packed)  # noqa: S301 - of whom this worker runs any code
        return worker.batch(_planned, json.dumps(head["settings"]), [(name, root, None) for name, root in roots])


def _planned(name: str, root: Package, _: None, data: dict[str, Any]) -> Answer:
    return task.answer_of(name, root, Settings.of_json(data))


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
