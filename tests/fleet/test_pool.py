"""Workers that die or hang: the others' packages are answered as if nothing had been."""

from __future__ import annotations

import json
from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data.errors import UserError
from krm_values._fleet import pool, worker
from krm_values._fleet.roots import Member
from tests.fleet import made

MEMBERS = [Member(f"p{number:02}", f"/nowhere/p{number:02}") for number in range(40)]


def answers(settings, members=MEMBERS, **more):
    """What has come of each package, and that none has two answers."""
    found = [*pool.run(members, made.echo, settings, **more)]
    assert len({number for number, _ in found}) == len(found)
    return {members[number].name: answer for number, answer in found}


def test_each_package_is_answered_with_what_is_known_of_it():
    found = answers({}, jobs=2, extra=lambda number: number)
    assert [found[member.name]["extra"] for member in MEMBERS] == [*range(40)]


def test_a_package_that_ends_its_process_twice_alone_is_crashed_and_no_other():
    found = answers({"deadly": ["p07", "p21"]}, jobs=2)
    assert [name for name, answer in found.items() if answer["status"] != "same"] != []
    assert {name for name, answer in found.items() if answer["status"] == "crashed"} == {"p07", "p21"}
    assert len(found) == len(MEMBERS)


def test_a_package_that_ends_its_process_once_is_not(tmp_path):
    found = answers({"once": ["p03", "p33"], "folder": str(tmp_path)}, jobs=2)
    assert {answer["status"] for answer in found.values()} == {"same"}
    assert len(found) == len(MEMBERS)


def test_a_package_that_hangs_is_ended_and_no_other():
    found = answers({"endless": ["p05"]}, jobs=2, timeout=3.0)
    assert {name for name, answer in found.items() if answer["status"] == "timeout"} == {"p05"}
    assert len(found) == len(MEMBERS)


def test_what_a_task_raises_is_a_defect_without_its_message():
    found = answers({"wrong": ["p09"]}, jobs=1)
    (one,) = found["p09"]["findings"]
    assert found["p09"]["status"] == "error"
    assert one["message"].endswith("--debug: KeyError in krm_values/_fleet/worker.py:" + one["message"].rpartition(":")[2])


class Deaf:
    """An executor that starts nothing."""

    def submit(self, *_):
        raise RuntimeError("cannot schedule new futures after shutdown")


def test_an_executor_that_takes_nothing_is_told_of():
    with pytest.raises(UserError, match="takes no more work"):
        answers({}, executor=Deaf())


class Shuffled:
    """An executor that answers when it is asked whether it has, in an order that is drawn, loses some batches and cuts others short."""

    def __init__(self, data):
        self.data, self.waiting = data, []

    def submit(self, call, /, *arguments):
        future: Future = Future()
        self.waiting.append((future, call, arguments))
        if len(self.waiting) > self.data.draw(st.integers(0, 5)):
            self.answer()
        return future

    def answer(self):
        for future, call, arguments in self.data.draw(st.permutations(self.waiting)):
            if future.set_running_or_notify_cancel():
                if self.data.draw(st.integers(0, 9)) == 0:
                    future.set_exception(OSError("lost"))
                else:
                    found = json.loads(call(*arguments))
                    seconds = self.data.draw(st.sampled_from([0.0, 0.01, 0.3, 5.0]))
                    kept = self.data.draw(st.integers(1, len(found)))
                    future.set_result(json.dumps([{**one, "seconds": seconds} for one in found[:kept]]).encode())
        self.waiting = []


@given(st.data())
def test_any_batches_in_any_order_come_to_the_same(data):
    executor = Shuffled(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "wait", lambda *_, **__: executor.answer())
        found = [*pool.run(MEMBERS, made.echo, {}, executor=executor, jobs=3)]
    assert sorted(number for number, _ in found) == [*range(40)]
    for number, answer in found:
        assert answer["status"] == "crashed" or answer["name"] == MEMBERS[number].name


class Measured:
    """An executor that answers at once, as if each package had taken so many seconds. sizes: of its batches."""

    def __init__(self, seconds):
        self.seconds, self.sizes = seconds, []

    def submit(self, call, /, *arguments):
        future: Future = Future()
        found = json.loads(call(*arguments))
        self.sizes.append(len(found))
        future.set_result(json.dumps([{**one, "seconds": self.seconds} for one in found]).encode())
        return future


@pytest.mark.parametrize(("seconds", "size"), [(0.0, 484), (0.01, 200), (0.5, 4), (60.0, 1)])
def test_batches_take_about_two_seconds_once_it_is_known_how_long_a_package_takes(seconds, size):
    members, executor = [Member(f"p{number}", "") for number in range(1000)], Measured(seconds)
    found = [*pool.run(members, made.echo, {}, executor=executor, jobs=1)]
    assert sorted(number for number, _ in found) == [*range(1000)]
    first = executor.sizes[: pool.WINDOW]
    assert first == [pool.FIRST] * len(first)
    assert max(executor.sizes[pool.WINDOW :]) in range(size // 2, size + 1)


def test_a_batch_that_takes_too_long_is_cut():
    items = [(member.name, member.directory, None) for member in MEMBERS]
    assert [one["name"] for one in json.loads(worker.batch(made.echo, "{}", items, -1.0))] == ["p00"]
    assert len(json.loads(worker.batch(made.echo, "{}", items))) == len(MEMBERS)
