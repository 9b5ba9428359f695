"""The answers of a shard in a file, for the machine that commits them: `fleet render --bundle` writes it, `fleet merge` verifies it.

JSON lines: a head, a row for each package in order, and the SHA-256 of all that. A bundle is somebody else's word: its rows count only
for the packages that the merge has found itself, and its changes only for files that a render may write.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._data.record import record
from krm_values._data.shown import described, printable
from krm_values._fleet.results import FAULTS, OURS, STATUSES
from krm_values._krm import packages
from krm_values._krm.filenames import wrong_with
from krm_values._krm.files import UnsafePathError, check, read_named
from krm_values._krm.write import REMOVED, STAGED, put_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._fleet.results import Results
    from krm_values._fleet.roots import Member
    from krm_values._fleet.worker import Answer

FORM = 1
_A_FILE, _A_BYTE = 0.0003, 0.000_001
"""Seconds that a file and a byte take, about."""
_DIGEST = 64
_HEX = frozenset("0123456789abcdef")
_HEAD = {"bundle": int, "version": str, "shard": int, "of": int, "fleet": str, "facts": str, "select": list}
_ROW = {
    "package": str,
    "status": str,
    "findings": list,
    "changes": list,
    "basis": str,
    "after": str,
    "lasts": bool,
    "seconds": float,
}


@record
class Head:
    """What a bundle says about all of its rows. shard, of: from 1. fleet: a digest of the names of all packages. select: the patterns."""

    version: str
    shard: int
    of: int
    fleet: str
    facts: str
    select: tuple[str, ...]


@record
class Bundle:
    """A bundle that has been read: its file, head and rows."""

    file: str
    head: Head
    rows: tuple[Answer, ...]


def shard_of(text: str, index: str) -> tuple[int, int]:
    """Return the shard, from 1, and their number: of `I/N`, or of `N` where a Job says its index, which counts from 0. UsageError else."""
    first, slash, last = text.partition("/")
    if not slash:
        if not index.isdecimal():
            raise UsageError(f"`--shard`: must be I/N, or N where JOB_COMPLETION_INDEX is set; found {described(text)}")
        first, last = str(int(index) + 1), text
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        where = "" if slash else f" with JOB_COMPLETION_INDEX {described(index)}"
        raise UsageError(f"`--shard`: must be I/N with I from 1 to N; found {described(text)}{where}")
    return int(first), int(last)


def weight(directory: str) -> float:
    """Return about how many seconds a package takes, by its files and bytes."""
    sizes = [found.st_size for path, found in packages.everything(Path(directory)) if packages.is_read(path.rpartition("/")[2])]
    return 0.001 + _A_FILE * len(sizes) + _A_BYTE * sum(sizes)


def part(weights: Sequence[float], shard: int, of: int) -> range:
    """Return the numbers of the packages of a shard: neighbours, so that all shards weigh about the same."""
    total, before = sum(weights) or 1.0, 0.0
    ends: list[int] = []
    for number, weight in enumerate(weights):
        while len(ends) < of - 1 and before + weight / 2 >= total * (len(ends) + 1) / of:
            ends.append(number)
        before += weight
    bounds = [0, *ends, *[len(weights)] * (of - len(ends))]
    return range(bounds[shard - 1], bounds[shard])


def names_digest(members: Sequence[Member]) -> str:
    """Return a digest of the names of all packages of a fleet."""
    return hashlib.sha256("".join(f"{member.name}\0" for member in members).encode("utf-8", "surrogateescape")).hexdigest()


def write(found: Results, path: str, head: Head) -> None:
    """Write the answers of a shard."""
    put_file(Path(path), _lines(found, head), secret=True)


def _lines(found: Results, head: Head) -> Iterator[bytes]:
    total = hashlib.sha256()
    about = {name: getattr(head, name) for name in ("version", "shard", "of", "fleet", "facts")}
    for row in ({"bundle": FORM, **about, "select": list(head.select)}, *(_row(*each) for each in found)):
        line = json.dumps(row, sort_keys=True).encode() + b"\n"
        total.update(line)
        yield line
    yield json.dumps({"sha256": total.hexdigest()}).encode() + b"\n"


def _row(member: Member, answer: Answer) -> dict[str, Any]:
    empty: dict[str, Any] = {"findings": [], "changes": [], "basis": "", "after": "", "lasts": False, "seconds": 0.0}
    return {"package": member.name, **{name: answer.get(name, empty.get(name)) for name in _ROW if name != "package"}}


# What a merge takes.


def read(path: str, version: str, limits: Limits) -> Bundle:
    """Read a bundle. InputError for one that is not whole, of another version, or that says what no render says."""
    *lines, last = read_named(path, limits).splitlines(keepends=True) or [b""]
    whole = hashlib.sha256(b"".join(lines)).hexdigest()
    if not lines or _json(last) != {"sha256": whole}:
        raise InputError("is no whole bundle: write it again with `krm-values fleet render --bundle`", file=path)
    found = _checked(_json(lines[0]), _HEAD, path, 1)
    if found["bundle"] != FORM or found["version"] != version:
        text = f"was made by krm-values {printable(found['version'])}, and this is {version}: use one version for all"
        raise InputError(text, file=path)
    if not 1 <= found["shard"] <= found["of"] or not all(isinstance(one, str) for one in found["select"]):
        raise InputError(f"says that it is shard {found['shard']} of {found['of']}", 1, 1, path)
    head = Head(version, found["shard"], found["of"], found["fleet"], found["facts"], tuple(found["select"]))
    rows = [_checked(_json(line), _ROW, path, number) for number, line in enumerate(lines[1:], 2)]
    for number, row in enumerate(rows, 2):
        if text := wrong(row, limits):
            raise InputError(f"package {printable(row['package'])}: {text}; nothing of the bundle is used", number, 1, path)
    return Bundle(path, head, tuple(rows))


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _checked(found: Any, form: dict[str, type], path: str, number: int) -> dict[str, Any]:
    """Return an object that has these keys, with values of these types. InputError else."""
    if not isinstance(found, dict) or found.keys() != form.keys():
        raise InputError(f"must be an object with {', '.join(form)}", number, 1, path)
    for name, kind in form.items():
        if type(found[name]) is not kind:
            raise InputError(f"`{name}` must be of type {kind.__name__}", number, 1, path)
    return found


def wrong(row: Answer, limits: Limits) -> str:
    """Return what no render says of a package, "" if there is nothing."""
    status = row["status"]
    if status not in STATUSES:
        return f"has no such status as {described(status)}"
    if bool(row["changes"]) != (status == "changed"):
        return f"is {status}, with {len(row['changes'])} changes"
    is_unknown = status in OURS or status in FAULTS
    if any(not (_is_digest(row[name]) or (is_unknown and not row[name])) for name in ("basis", "after")):
        return "has no digest of what was planned"
    if any(not _is_finding(one) for one in row["findings"]):
        return "has a finding that is none"
    paths = [change[0] for change in row["changes"] if isinstance(change, list) and change]
    if paths != sorted({path for path in paths if isinstance(path, str)}):
        return "has changes that are not in the order of their files"
    return next((text for change in row["changes"] if (text := _wrong_change(change, limits))), "")


def _is_finding(one: Any) -> bool:
    return isinstance(one, dict) and isinstance(one.get("message"), str) and one.get("severity") in ("error", "warning")


def _is_digest(text: Any) -> bool:
    return isinstance(text, str) and len(text) == _DIGEST and _HEX.issuperset(text)


def _wrong_change(change: Any, limits: Limits) -> str:
    """Return why a render would not change this file in this way, "" if it may."""
    if not isinstance(change, list) or [type(one) for one in change] not in (
        [str, str, str, bool],
        [str, str, type(None), bool],
    ):
        return "has a change that is none"
    path, old, new, _ = change
    name = path.rpartition("/")[2]
    try:
        check(path)
    except UnsafePathError as error:
        return f"changes {described(path)}, which {error}"
    if not packages.holds_resources(name) or name.startswith(STAGED) or ".git" in path.split("/"):
        return f"changes {described(path)}, which no package reads as resources"
    if old != REMOVED and not _is_digest(old):
        return f"changes {described(path)} without the digest of what is there"
    if old == REMOVED and (new is None or wrong_with(path)):
        return f"makes {described(path)}, which {wrong_with(path) or 'is to be removed'}"
    try:
        size = len(base64.b64decode(new or "", validate=True))
    except (binascii.Error, ValueError):
        return f"changes {described(path)} to what is not base64"
    return f"makes {described(path)} of {size:,} bytes, more than a file may have" if size > limits.file_bytes else ""


def in_order(bundles: Sequence[Bundle]) -> list[Bundle]:
    """Return the bundles by shard. InputError names one that is missing, there twice, or of another run."""
    first, by_shard = bundles[0], dict[int, Bundle]()
    for bundle in bundles:
        head, other = bundle.head, first.head
        if (head.of, head.fleet, head.facts, head.select) != (other.of, other.fleet, other.facts, other.select):
            text = f"is of another run than {printable(first.file)}: of other packages, shards or options"
            raise InputError(text, file=bundle.file)
        if twin := by_shard.get(head.shard):
            raise InputError(f"is shard {head.shard} of {head.of}, and so is {printable(twin.file)}", file=bundle.file)
        by_shard[head.shard] = bundle
    if missing := [number for number in range(1, first.head.of + 1) if number not in by_shard]:
        raise InputError(f"there is no bundle of shard {', '.join(map(str, missing))} of {first.head.of}: name all of them")
    return [by_shard[number] for number in sorted(by_shard)]


def refuse_foreign(bundles: Sequence[Bundle], members: Sequence[Member]) -> None:
    """Raise InputError unless the bundles, by shard, have each package of the fleet once, in order."""
    expected = iter([member.name for member in members])
    for bundle in bundles:
        for row in bundle.rows:
            wanted = next(expected, None)
            if row["package"] != wanted:
                place = f"where {printable(wanted)} comes next" if wanted is not None else "which comes after the last one"
                raise InputError(f"has package {printable(row['package'])}, {place}: it is of another fleet", file=bundle.file)
        if bundle.head.fleet != names_digest(members):
            raise InputError("is of another fleet: of packages that are not all here", file=bundle.file)
    if (wanted := next(expected, None)) is not None:
        raise InputError(f"no bundle has package {printable(wanted)}: they are of another fleet", file=bundles[-1].file)
