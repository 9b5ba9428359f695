"""The fuzzing finds what it is there to find, and what it once found stays mended."""

from __future__ import annotations

import contextlib
import mmap
import os
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import child, engine
from tests.fuzz.mutation import mutated
from tests.fuzz.shrink import shrunk
from tests.fuzz.target import Target, Wrong
from tests.fuzz.targets import NAMES, target

FOUND = sorted(path for path in (Path(__file__).parent / "found").glob("*/*"))


@pytest.mark.parametrize("path", FOUND, ids=[f"{path.parent.name}/{path.name}" for path in FOUND])
def test_what_was_found_stays_mended(path):
    assert child.tried(target(path.parent.name), path.read_bytes()) == ""


class _Told(tempfile.TemporaryDirectory[str]):
    """A temporary directory that is told."""

    def __init__(self, folders: list[str], **given: object) -> None:
        super().__init__(**given)
        folders.append(self.name)


def fails(data: bytes) -> str:
    if b"x" in data and b"y" in data:
        raise KeyError("both")
    return "good"


def breaks(data: bytes) -> str:
    if data.count(b"\n") > 2:
        raise Wrong("too many lines")
    return "good"


def hangs(data: bytes) -> str:
    while b"slow" in data:
        pass
    return "good"


def waits(data: bytes) -> str:
    while b"slow" in data:
        time.sleep(1)
    return "good"


def grows(data: bytes) -> str:
    if b"big" in data:
        return str(len(bytearray(2 * child.MEMORY)))
    return "good"


def dies(data: bytes) -> str:
    if b"die" in data:
        os.abort()
    return "good"


@pytest.mark.parametrize(
    ("check", "seeds", "why", "small"),
    [
        (fails, [b"a line\nwith x\n", b"another\nwith y\n"], "KeyError in test_fuzz.py:fails: 'both'", {b"xy", b"yx"}),
        (breaks, [b"1\n2\n3\n"], "Wrong in test_fuzz.py:breaks: too many lines", {b"\n\n\n"}),
        (hangs, [b"very slow"], "hang: does not end in time", {b"slow"}),
        (waits, [b"very slow"], "hang: does not end in time", {b"slow"}),
        (grows, [b"a big one"], "memory: needs more than 1 GiB", {b"big"}),
        (dies, [b"to die"], "killed: SIGABRT", {b"die"}),
    ],
)
def test_a_failure_is_found_made_smaller_and_saved(check, seeds, why, small, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "BUILD", tmp_path / "build" / "fuzz")
    monkeypatch.setattr(child, "WAITING", 1.0)
    session = engine.Session(Target("planted", lambda: seeds, check, seconds=0.5), 4, 1)
    session.run()
    (line,) = session.save()
    assert line.startswith(f"planted: {why}\n  again: python -m tests.fuzz --target planted --again build/fuzz/planted/")
    saved = (tmp_path / line.rpartition(" ")[2]).read_bytes()
    assert saved in small


def test_a_target_that_holds_has_no_finding_and_figures(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "BUILD", tmp_path / "build" / "fuzz")
    session = engine.Session(Target("planted", lambda: [b"x"], lambda data: "good"), 1, 1)
    session.run()
    assert session.save() == []
    assert session.counts["good"] > 100
    assert session.figures().startswith("planted: ")


def test_a_smaller_input_fails_in_the_same_way():
    assert shrunk(b"one\ntwo x\nthree\nfour y\n" * 20, lambda data: b"x" in data and b"y" in data) in (b"xy", b"yx")


def test_the_same_seed_gives_the_same_changes():
    one, other = ([mutated(Random(7), b"a: 1\nb:\n  c: 2\n", b"d: 3\n", [], is_yaml=True) for _ in range(50)] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("name", NAMES)
def test_a_target_begins_with_inputs_that_hold(name):
    """Some of them; the others are tried at the beginning of each run."""
    given = target(name)
    seeds = given.seeds()
    assert seeds
    some = Random(1).sample(seeds, min(5, len(seeds)))
    assert [child.tried(given, data) for data in some] == [""] * len(some)


def test_nothing_is_left_in_the_place_for_temporary_files(monkeypatch):
    folders: list[str] = []
    monkeypatch.setattr(tempfile, "TemporaryDirectory", partial(_Told, folders))
    assert child.tried(target("krmignore"), target("krmignore").seeds()[0]) == ""
    assert len(folders) == 1
    assert not Path(folders[0]).exists()


def test_memory_is_counted_from_what_the_process_had():
    """A test runner has more than a gibibyte of addresses after some thousand tests."""
    held = mmap.mmap(-1, child.MEMORY)
    with contextlib.closing(held):
        assert child.tried(target("render"), target("render").seeds()[0]) == ""
