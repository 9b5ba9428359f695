"""The answers of a run: spooled to a file without a name, so that memory stays small, and read back in the order of the packages."""

from __future__ import annotations

import heapq
import json
import tempfile
from array import array
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.shown import json_text, printable
from krm_values._krm.write import put_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, Self

    from krm_values._fleet.roots import Member
    from krm_values._fleet.worker import Answer

STATUSES = ("changed", "same", "skipped", "failed", "error", "crashed", "timeout", "stale")
FAULTS = ("failed", "timeout", "stale")
"""Of the packages, or of who changes them meanwhile."""
OURS = ("error", "crashed")
_NONE = -1
_SHOWN = 10
_SLOWEST = 10


class Results:
    """The answer about each package by its number."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.members = members
        self._spool = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as this
        self._places = array("q", [_NONE]) * len(members)
        self._end = 0
        self.counts: Counter[str] = Counter()
        self.slowest: list[tuple[float, str]] = []
        self.failures: dict[tuple[str, str], list[int]] = {}
        """The first package and the number of those that ended with this status and message."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()

    def add(self, number: int, answer: Answer) -> None:
        """Take the answer about a package, which has none yet."""
        assert self._places[number] == _NONE
        status = answer["status"]
        self.counts[status] += 1
        heapq.heappush(self.slowest, (answer.get("seconds", 0.0), self.members[number].name))
        if len(self.slowest) > _SLOWEST:
            heapq.heappop(self.slowest)
        if status in FAULTS + OURS:
            message = next((one["message"] for one in answer.get("findings", ()) if one["severity"] == "error"), "")
            first, count = self.failures.get((status, message), (number, 0))
            self.failures[status, message] = [min(first, number), count + 1]
        line = json.dumps(answer).encode() + b"\n"
        self._spool.seek(self._end)
        self._spool.write(line)
        self._places[number] = self._end
        self._end += len(line)

    def of(self, number: int) -> Answer:
        """Return the answer about a package."""
        self._spool.seek(self._places[number])
        answer: Answer = json.loads(self._spool.readline())
        return answer

    def __iter__(self) -> Iterator[tuple[Member, Answer]]:
        """Yield each package that has an answer, in order."""
        for number, member in enumerate(self.members):
            if self._places[number] != _NONE:
                yield member, self.of(number)

    @property
    def lacking(self) -> int:
        """How many packages have no answer."""
        return len(self.members) - self.counts.total()

    @property
    def has_failed(self) -> bool:
        """Whether there is a package that is not as its pipelines leave it."""
        return any(self.counts[status] for status in FAULTS + OURS)

    def exit_code(self, *, diff: bool = False, stopped: bool = False) -> int:
        """Return 3 for what is ours: a defect, or a package without an answer that nobody asked to leave; else that of `render`."""
        if any(self.counts[status] for status in OURS) or (self.lacking and not stopped):
            return 3
        if any(self.counts[status] for status in FAULTS) or self.lacking:
            return 2 if diff else 1
        return int(diff and bool(self.counts["changed"]))


def row(member: Member, answer: Answer) -> dict[str, Any]:
    """Return what a run says of a package; the same for every engine, so without digests, times and hosts."""
    changed = [path for path, *_ in answer.get("changes", ())] if answer["status"] == "changed" else []
    return {"package": member.name, "status": answer["status"], "changed": changed, "findings": answer.get("findings", [])}


def write_results(results: Results, path: str) -> None:
    """Write a line of JSON for each package."""
    put_file(Path(path), (_line(row(*each)) for each in results))


def write_timings(results: Results, path: str) -> None:
    """Write the seconds that each plan took."""
    rows = ({"package": member.name, "seconds": answer.get("seconds", 0.0)} for member, answer in results)
    put_file(Path(path), map(_line, rows))


def _line(data: dict[str, Any]) -> bytes:
    return json_text(json.dumps(data, ensure_ascii=False, sort_keys=True)).encode("utf-8", "replace") + b"\n"


def summary(results: Results) -> Iterator[str]:
    """Yield the lines of the table: how many packages ended in which way, the first that failed, the slowest."""
    known = [(status, results.counts[status]) for status in STATUSES if results.counts[status]]
    rows = [("packages", len(results.members)), *known, *([("not begun", results.lacking)] if results.lacking else [])]
    wide = max(len(f"{count:,}") for _, count in rows)
    yield from (f"{what:<10}{count:>{wide},}" for what, count in rows)
    if results.failures:
        yield "first failures"
    for (status, message), (number, count) in sorted(results.failures.items(), key=lambda one: one[1])[:_SHOWN]:
        yield printable(f"  {status}  {with_others(results.members[number].name, count)}: {message}")
    if slow := sorted(results.slowest, key=lambda one: (-one[0], one[1])):
        yield "slowest"
    yield from (printable(f"  {seconds:8.3f} s  {name}") for seconds, name in slow if seconds)


def with_others(name: str, count: int) -> str:
    """Return the name of the first of so many packages, and how many others there are."""
    return name if count == 1 else f"{name} and {count - 1:,} other{'s' if count > 2 else ''}"
