"""The loop: take an input, change it, try it, keep it if it makes new lines run. What fails is saved, made smaller and told."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.child import HANG, Current, failure, signature, tried, watched
from tests.fuzz.lines_run import Lines
from tests.fuzz.mutation import LONGEST, mutated
from tests.fuzz.shrink import shrunk
from tests.fuzz.target import Target

BUILD = Path(__file__).parents[2] / "build" / "fuzz"
_FIRST = 0.25  # of the time, at most, for the seeds as they are
_LATEST = 50
_LOOKED_AT = 0.2  # of the inputs: to see which lines run takes four times as long


class Session:
    """One target, one seed, so many seconds. `findings`: why and on which input, by what they have in common."""

    def __init__(self, target: Target, seconds: float, seed: int) -> None:
        self.target, self.seconds, self.seed = target, seconds, seed
        self.folder = BUILD / target.name
        self.folder.mkdir(parents=True, exist_ok=True)
        self.findings: dict[str, tuple[str, bytes]] = {}
        self.slow = 0
        self.counts: Counter[str] = Counter()
        self.lines = self.kept = 0

    def run(self) -> None:
        """Try inputs until the time is over; after a hang or a crash with a new process."""
        seeds = sorted({seed[:LONGEST] for seed in self.target.seeds()})
        gc.freeze()
        current, round_ = Current(LONGEST, self.target.seconds), 0
        until = time.monotonic() + self.seconds
        while time.monotonic() < until:
            random = Random(f"{self.target.name}/{self.seed}/{round_}")
            self._note({})
            why, data = watched(partial(self._loop, random, seeds, current, until), current)
            self._take()
            if why:
                self._check_again(why, data)
            round_ += 1

    def _check_again(self, why: str, data: bytes) -> None:
        """What a killed process was about. A busy machine may make anything slow: only what is slow twice is a finding."""
        again = tried(self.target, data) if why == HANG else why
        if again:
            self.findings.setdefault(signature(again), (again, data))
        else:
            self.slow += 1
            (self.folder / f"slow-{hashlib.sha256(data).hexdigest()[:12]}").write_bytes(data)

    def _loop(self, random: Random, seeds: list[bytes], current: Current, until: float) -> None:
        lines, counts, found = Lines(), Counter[str](), dict.fromkeys(self.findings, ("", b""))
        kept: list[bytes] = []
        told = time.monotonic()
        for data in self._inputs(random, seeds, kept, until):
            before = len(lines.seen)
            is_looked_at = counts.total() < len(seeds) or random.random() < _LOOKED_AT
            current.begin(data)
            why, outcome = self._tried(data, lines if is_looked_at else None)
            current.end()
            counts[outcome] += 1
            if len(lines.seen) > before:
                kept.append(data)
            if why:
                found.setdefault(signature(why), (why, data))
            if time.monotonic() > told + 1:
                gc.collect()
                told = time.monotonic()
                self._note(_told(counts, lines, kept, found))
        self._note(_told(counts, lines, kept, found))

    def _tried(self, data: bytes, lines: Lines | None) -> tuple[str, str]:
        """How an input fails, and what became of it."""
        outcomes: list[str] = []

        def check() -> None:
            outcomes.append(self.target.check(data))

        why = failure(partial(lines.watch, check) if lines else check)
        return why, outcomes[0] if outcomes else "failed"

    def _inputs(self, random: Random, seeds: list[bytes], kept: list[bytes], until: float) -> Iterator[bytes]:
        begun = time.monotonic()
        for data in random.sample(seeds, len(seeds)):
            yield data
            if time.monotonic() > begun + _FIRST * (until - begun):
                break
        while time.monotonic() < until:
            among = random.choice((kept[-_LATEST:], kept, seeds, seeds)) or seeds
            yield mutated(random, random.choice(among), random.choice(seeds), self.target.tokens, is_yaml=self.target.is_yaml)

    def _note(self, told: dict[str, Any]) -> None:
        """Leave behind how far the loop is: it may be killed."""
        part = self.folder / "figures.part"
        part.write_text(json.dumps(told), "ascii")
        part.replace(self.folder / "figures.json")

    def _take(self) -> None:
        told = json.loads((self.folder / "figures.json").read_text("ascii"))
        self.counts.update(told.get("counts", {}))
        self.lines, self.kept = max(self.lines, told.get("lines", 0)), max(self.kept, told.get("kept", 0))
        for name, (why, data) in told.get("found", {}).items():
            if why:
                self.findings.setdefault(name, (why, bytes.fromhex(data)))

    def save(self) -> list[str]:
        """Make each failing input smaller and save it: a line for each, with the command that tries it again."""
        said = []
        for name, (why, data) in self.findings.items():
            small = shrunk(data, lambda part: signature(tried(self.target, part)) == name)  # noqa: B023
            path = self.folder / hashlib.sha256(small).hexdigest()[:12]
            path.write_bytes(small)
            shown = os.path.relpath(path, BUILD.parents[1])
            said.append(f"{self.target.name}: {why}\n  again: python -m tests.fuzz --target {self.target.name} --again {shown}")
        return said

    def figures(self) -> str:
        outcomes = ", ".join(f"{name} {count:,}" for name, count in self.counts.most_common())
        slow = f", {self.slow} slow once" if self.slow else ""
        return (
            f"{self.target.name}: {self.counts.total():,} executions in {self.seconds:g} s, {self.lines:,} lines reached, "
            f"{self.kept:,} inputs kept, {len(self.findings)} findings{slow} ({outcomes})"
        )


def _told(counts: Counter[str], lines: Lines, kept: list[bytes], found: dict[str, tuple[str, bytes]]) -> dict[str, Any]:
    failures = {name: (why, data.hex()) for name, (why, data) in found.items()}
    return {"counts": counts, "lines": len(lines.seen), "kept": len(kept), "found": failures}
