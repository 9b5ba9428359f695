"""Whatever dies while a fleet is rendered, the others' packages are right, and the next run comes to the bytes of an undisturbed one."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
from pathlib import Path

import pytest

from tests.cli.packages import command, snapshot, write
from tests.fleet import made

KILLS = 5


def workers(process: int) -> list[int]:
    """The workers of a command, which its server of forks has started: those that have children or could."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            rest = path.read_text().rpartition(")")[2]
        except OSError:
            continue
        if int(rest.split()[2]) == process:  # its group
            found.append(int(path.parent.name))
    return sorted(set(found) - {process})


def exec_step(folder: Path, words: str) -> None:
    write(folder, {"Kptfile": (folder / "Kptfile").read_text().replace("exec: krm-flux-values", f"exec: '{words}'")})


def test_one_poison_package_is_crashed_and_all_others_are_right(fleet, tmp_path, serial):
    poison = fleet / "c003/app7"
    before = snapshot(poison)
    exec_step(poison, 'sh -c "kill -9 $PPID"')
    results = tmp_path / "results"
    done = command("fleet", "render", ".", "--jobs", "2", "--allow-exec", "--results", results, cwd=fleet)
    assert done.returncode == 3, "a worker that dies is ours"
    assert [name for name, row in made.rows(results).items() if row["status"] == "crashed"] == ["c003/app7"]
    write(poison, before)
    assert command("fleet", "render", ".", "--jobs", "2", cwd=fleet).returncode == 1
    assert made.digest(fleet) == serial.tree


def test_one_hung_package_is_timeout_and_what_it_started_is_ended(fleet, tmp_path, serial):
    hung = fleet / "c003/app7"
    before = snapshot(hung)
    exec_step(hung, f'sh -c "echo $$ > {tmp_path}/started; exec sleep 1000"')
    results = tmp_path / "results"
    words = ("--jobs", "2", "--allow-exec", "--timeout", "6", "--results", results)
    done = command("fleet", "render", ".", *words, cwd=fleet)
    assert done.returncode == 1
    assert [name for name, row in made.rows(results).items() if row["status"] == "timeout"] == ["c003/app7"]
    program = int((tmp_path / "started").read_text())
    made.until(lambda: not made.is_running(program))
    write(hung, before)
    assert command("fleet", "render", ".", "--jobs", "2", cwd=fleet).returncode == 1
    assert made.digest(fleet) == serial.tree


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_worker_that_is_killed_at_random_changes_nothing(few, tmp_path, seed):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    kill_worker(fleet, tmp_path, random.Random(seed))


def kill_worker(fleet, folder, dice):
    """Kill any worker when some packages have been written, while a step of one waits."""
    kptfile = fleet / "c000/app1/Kptfile"
    step = f'sh -c "touch {folder}/started; while [ ! -e {folder}/go ]; do sleep 0.05; done; cat"'
    kptfile.write_text(f"{kptfile.read_text()}  - {{exec: '{step}'}}\n")
    expected, results = shutil.copytree(fleet, folder / "expected"), folder / "results"
    with made.started("fleet", "render", ".", "--jobs", "2", "--allow-exec", "--results", results, cwd=fleet) as process:
        count = dice.randrange(6)
        made.until(lambda: (folder / "started").exists() and changed(fleet) >= count)
        os.kill(dice.choice([one for one in workers(process.pid) if is_worker(one)]), signal.SIGKILL)
        (folder / "go").touch()
        process.communicate(timeout=120)
    assert process.returncode == 1
    assert command("render", "--recursive", "--allow-exec", expected).returncode == 1
    assert made.digest(fleet) == made.digest(expected)
    assert {row["status"] for row in made.rows(results).values()} == {"changed", "failed"}


def is_worker(process: int) -> bool:
    """Whether it is a worker, and not the server that forks them or what counts their semaphores."""
    try:
        text = Path(f"/proc/{process}/cmdline").read_bytes()
        parent = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
        return b"forkserver" in text and b"forkserver" in Path(f"/proc/{parent}/cmdline").read_bytes()
    except OSError:
        return False


def changed(fleet: Path) -> int:
    """How many packages have been written: those with what a step generates."""
    return len([*fleet.glob("*/*/beacon-flux-values.yaml")])


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_coordinator_that_is_killed_leaves_whole_files_and_the_next_run_finishes(few, tmp_path, seed):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    kill_coordinator(fleet, tmp_path, few, random.Random(seed))


def kill_coordinator(fleet, folder, serial, dice):
    """Kill the coordinator when some packages have been written: no worker is left, each file is as before or as it is to be."""
    before = snapshot(fleet)
    count = dice.randrange(0, 15)
    with made.started("fleet", "render", ".", "--jobs", "2", cwd=fleet) as process:
        made.until(lambda: changed(fleet) >= count or process.poll() is not None)
        others = workers(process.pid)
        process.kill()
        process.communicate(timeout=120)
    made.until(lambda: not any(map(made.is_running, others)))
    state = snapshot(fleet)
    done = command("fleet", "render", ".", "--jobs", "2", "--results", folder / "results", cwd=fleet)
    assert done.returncode == 1
    assert made.digest(fleet) == serial.tree
    after = snapshot(fleet)
    assert [
        name for name, text in state.items() if text not in (before.get(name), after.get(name)) and ".krm-values-" not in name
    ] == []


def test_sigint_finishes_what_is_in_progress_and_writes_the_state(fleet, serial, tmp_path):
    """A step waits for a file: the signal comes while it is in progress."""
    waiting = fleet / "c000/app1"
    exec_step(waiting, f'sh -c "touch {tmp_path}/started; while [ ! -e {tmp_path}/go ]; do sleep 0.05; done; cat"')
    names = ("results", "state", "key")
    results, state, key = (tmp_path / name for name in names)
    given = ("--results", results, "--state", state, "--state-key", key)
    with made.started("fleet", "render", ".", "--jobs", "1", "--allow-exec", *given, cwd=fleet) as process:
        made.until((tmp_path / "started").exists)
        os.killpg(process.pid, signal.SIGINT)
        made.until(lambda: ends_at_once(process.pid))
        (tmp_path / "go").touch()
        out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert "not begun" in out
    rows = made.rows(results)
    assert rows["c000/app1"]["status"] == "changed"
    assert 0 < len(rows) < 60
    entries = [json.loads(line)["package"] for line in state.read_text().splitlines()]
    assert entries == [name for name, row in rows.items() if row["status"] == "changed" and name != "c000/app1"]


def ends_at_once(process: int) -> bool:
    """Whether the coordinator has taken the first signal: Python's own handler is back, for the second one."""
    caught = Path(f"/proc/{process}/status").read_text()
    pending = int(caught.partition("ShdPnd:\t")[2].split()[0], 16)
    return not pending & (1 << (signal.SIGINT - 1))
