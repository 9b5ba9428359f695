"""Hands that edit while a write is under way: no edit is lost at exit 0, whoever comes first."""

from __future__ import annotations

import os
import random
import shutil
import time
from functools import partial
from pathlib import Path

import pytest

from krm_values._kit.process.transaction import Change, WriteError, digest, locked, write
from tests.crash_consistency import points

ROUNDS = 100
NAMES = tuple(f"{number}.yaml" for number in range(6))
OLD, NEW, HAND = b"old: 1\n", b"new: 1\n", b"by: me\n"


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def in_place(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(HAND)


def by_rename(path: Path) -> None:
    other = path.with_name("by-hand")
    other.write_bytes(HAND)
    other.rename(path)


def writing(package: Path, begun: int) -> int:
    os.write(begun, b"b")
    try:
        with locked(package):
            write(package, [Change(name, digest(OLD), NEW) for name in NAMES])
    except WriteError:
        return 1
    return 0


@pytest.mark.parametrize("edit", [in_place, by_rename])
def test_an_edit_by_hand_at_a_random_moment_is_kept(tmp_path, edit):
    """After exit 0 the edit is there, and so are the other new files; after exit 1 nothing but the edit has changed, or it is said."""
    dice, package, codes = random.Random(20), tmp_path / "package", []
    span = 0.0
    for number in range(ROUNDS):
        shutil.rmtree(package, ignore_errors=True)
        package.mkdir()
        for name in NAMES:
            (package / name).write_bytes(OLD)
        reader, begun = os.pipe()
        child = points.start(partial(writing, package, begun))
        os.read(reader, 1)
        began = time.monotonic()
        edited = package / dice.choice(NAMES)
        if number:
            time.sleep(dice.random() * span * 1.2)
            edit(edited)
        codes.append(points.wait(child))
        span = span or time.monotonic() - began
        for descriptor in (reader, begun):
            os.close(descriptor)
        found = {name: (package / name).read_bytes() for name in NAMES}
        if number:
            assert found.pop(edited.name) == HAND, (number, codes[-1])
        if codes[-1] == 0:
            assert set(found.values()) == {NEW}, number
        with_journal = list((tmp_path / "state/krm-values").glob("*/journal"))
        assert codes[-1] == 1 or not with_journal
        for journal in with_journal:  # the edit came between the commit and its rename: the message says to remove this
            journal.unlink()
        assert not list(package.glob(".krm-values-*")) or with_journal
    assert set(codes) == {0, 1}, "the moments do not hit the write"
