"""Dask as the engine, over loopback with real processes: the same bytes as any engine, and nothing that comes from a worker runs here."""

from __future__ import annotations

import gc
import os
import pickle
import re
import shutil
import signal
import socket
from pathlib import Path

import pytest

from tests.cli.packages import command, snapshot, write
from tests.fleet import dasks, made
from tests.fleet.test_deaths import exec_step

TIME = 180
pytestmark = [
    pytest.mark.filterwarnings(f"ignore::{name}") for name in ("ResourceWarning", "pytest.PytestUnraisableExceptionWarning")
]


@pytest.fixture(autouse=True)
def _dropped():
    """What a client of Dask leaves open when a connection fails ends with the command; here it must end with the test."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    with dasks.Dask(tmp_path_factory.mktemp("dask")) as started:
        started.start(3, nanny=False)
        yield started


def rendered(fleet, folder, *words):
    """Render a fleet; its exit code, stdout, stderr, results and state."""
    files = [folder / name for name in ("results", "state")]
    key = write(folder, {"key": "k" * 64}) / "key"
    given = ("--results", files[0], "--state", files[1], "--state-key", key)
    done = command("fleet", "render", ".", *words, *given, cwd=fleet)
    return done.returncode, done.stdout, done.stderr, *(file.read_bytes() if file.exists() else b"" for file in files)


def test_it_comes_to_the_same_as_processes_here(few, dask, tmp_path):
    """Also where some packages do not travel, and in the next run, which skips."""
    found = []
    for number, engine in enumerate([("--jobs", "1"), dask.words]):
        fleet = shutil.copytree(few.source, tmp_path / f"fleet-{number}")
        os.rename(fleet / "c001/app2/run.yaml", fleet / "c001/app2/run.txt")
        os.symlink("run.txt", fleet / "c001/app2/run.yaml")
        os.symlink("/etc/hostname", fleet / "c001/app4/host.yaml")
        os.chmod(fleet / "c001/app5/run.yaml", 0o755)
        for _ in range(2):
            code, _, err, *files = rendered(fleet, tmp_path, *engine)
            found.append((code, err, *files, made.digest(fleet)))
        os.remove(tmp_path / "state")
    assert found[2:] == found[:2]
    assert [one[0] for one in found] == [1] * 4
    assert b"leads out of the directory" in found[0][2]
    assert b'"skipped"' in found[1][2]


def test_the_four_kinds_of_failures_come_to_the_bytes_of_one_after_the_other(serial, dask, tmp_path, fleet):
    code, out, err, *_ = rendered(fleet, tmp_path, *dask.words)
    assert (code, err) == (1, "")
    assert "changed   54\nfailed     6\n" in out
    assert made.digest(fleet) == serial.tree


def test_without_a_certificate_of_the_authority_nobody_is_answered(few, dask, tmp_path):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    _, certificate, key = dasks.authority(tmp_path / "other")
    words = ("--scheduler", dask.address, "--tls-ca", dask.files[0], "--tls-cert", certificate, "--tls-key", key)
    code, out, err, *_ = rendered(fleet, tmp_path, *words)
    assert (code, out, len(err.splitlines())) == (1, "", 1), err
    assert err.startswith(f"error: {dask.address}: no scheduler answers: ")
    assert snapshot(fleet) == snapshot(few.source)


def test_a_scheduler_without_tls_is_not_spoken_to(few, tmp_path):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    with dasks.Dask(tmp_path / "plain", protocol="tcp") as plain:
        code, _, err, *_ = rendered(fleet, tmp_path, *plain.words)
        assert (code, "must be `tls://HOST:PORT`" in err) == (2, True)
        _, _, *files = plain.words
        code, _, err, *_ = rendered(fleet, tmp_path, "--scheduler", plain.address.replace("tcp", "tls"), *files)
    assert (code, len(err.splitlines())) == (1, 1)
    assert "no scheduler answers" in err


def test_where_no_scheduler_listens_it_is_said(few, dask, tmp_path):
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"tls://127.0.0.1:{silent.getsockname()[1]}"
        code, _, err, *_ = rendered(few.source, tmp_path, "--scheduler", address, *dask.words[2:])
    assert (code, len(err.splitlines())) == (1, 1)
    assert err.startswith(f"error: {address}: no scheduler answers: ")


# Workers that are not what they should be.


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A scheduler with one worker that is not honest."""
    folder = tmp_path_factory.mktemp("hostile")
    with dasks.Dask(folder / "dask") as started:
        started.start(nanny=False, preload="tests.fleet.hostile_worker", HOSTILE_MARK=f"{folder}/mark-")
        yield started, folder


def with_hostile(hostile, few, tmp_path, name):
    """Render a fleet of one package that tells the worker what to do; the exit code, stderr, and the processes in which a pickle has run."""
    started, folder = hostile
    fleet = tmp_path / "fleet"
    shutil.copytree(few.source / "c000/app1", fleet / name / "app1")
    code, _, err, *_ = rendered(fleet, tmp_path, *started.words)
    assert not (folder / f"mark-{os.getpid()}").exists(), "a pickle has run here"
    return code, err, fleet


@pytest.mark.parametrize("name", ["result", "listed", "exception", "erred", "raw", "none"])
def test_what_a_hostile_worker_says_runs_nothing_and_is_one_line(hostile, few, tmp_path, name):
    code, err, fleet = with_hostile(hostile, few, tmp_path, name)
    assert (code, len(err.splitlines())) == (1, 1), err
    assert err.startswith("error: ")
    assert "a worker" in err
    assert snapshot(fleet / name / "app1") == snapshot(few.source / "c000/app1")


def test_a_hostile_warning_runs_nothing_and_is_not_printed(hostile, few, tmp_path):
    assert with_hostile(hostile, few, tmp_path, "warning")[:2] == (0, "")


def test_the_pickles_of_these_tests_run_where_they_are_unpickled(tmp_path, monkeypatch):
    """An honest Dask worker unpickles its own exceptions, and a plain process everything."""
    from tests.fleet import hostile_worker  # noqa: PLC0415 - Dask is imported where it is used

    monkeypatch.setattr(hostile_worker, "MARK", f"{tmp_path}/mark-")
    for one in (hostile_worker.Touch, hostile_worker.TouchingError):
        pickle.loads(pickle.dumps(one()))
        (tmp_path / f"mark-{os.getpid()}").unlink()


def test_a_worker_of_another_version_refuses_its_first_batch(hostile, few, tmp_path):
    code, err, _ = with_hostile(hostile, few, tmp_path, "other")
    assert code == 1
    assert err.startswith("error: a worker refuses its packages: it has krm-values 9.9 (here ")
    assert " and Python 3.99 (here 3." in err


# Ends. The last tests of the module: they take workers and the scheduler away.


def waiting(fleet, folder):
    """Let a package wait for a file."""
    step = f'sh -c "touch {folder}/started; while [ ! -e {folder}/go ]; do sleep 0.05; done; cat"'
    exec_step(fleet / "c000/app1", step)
    return "--allow-exec", "--results", folder / "results"


def test_sigint_ends_it_with_nothing_half_written(few, dask, tmp_path):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    words = waiting(fleet, tmp_path)
    before = snapshot(fleet)
    with made.started("fleet", "render", ".", *words, *dask.words, cwd=fleet) as process:
        made.until((tmp_path / "started").exists)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=TIME)
    (tmp_path / "go").touch()
    assert (process.returncode, err) == (130, "")
    assert "not begun" in out
    assert made.rows(tmp_path / "results").keys() <= {
        f"{one.parent.parent.name}/{one.parent.name}" for one in fleet.glob("*/*/Kptfile")
    }
    assert snapshot(fleet / "c000/app1") == {name[10:]: text for name, text in before.items() if name.startswith("c000/app1/")}


def test_a_worker_that_is_killed_gives_its_packages_back(few, dask, tmp_path):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    words = waiting(fleet, tmp_path)
    expected = shutil.copytree(fleet, tmp_path / "expected")
    with made.started("fleet", "render", ".", *words, *dask.words, cwd=fleet) as process:
        made.until((tmp_path / "started").exists)
        os.kill(dask.at_work(tmp_path), signal.SIGKILL)
        (tmp_path / "go").touch()
        _, err = process.communicate(timeout=TIME)
    assert (process.returncode, err) == (1, "")
    with made.started("fleet", "render", ".", "--allow-exec", "--jobs", "1", cwd=expected) as other:
        other.communicate(timeout=TIME)
    assert made.digest(fleet) == made.digest(expected)
    assert {row["status"] for row in made.rows(tmp_path / "results").values()} == {"changed", "failed"}


def test_a_scheduler_that_ends_is_one_error_and_the_next_run_finishes(few, dask, tmp_path):
    fleet = shutil.copytree(few.source, tmp_path / "fleet")
    before = snapshot(fleet / "c000/app1")
    words = waiting(fleet, tmp_path)
    with made.started("fleet", "render", ".", *words, *dask.words, cwd=fleet) as process:
        made.until((tmp_path / "started").exists)
        dask.scheduler.kill()
        out, err = process.communicate(timeout=TIME)
    (tmp_path / "go").touch()
    assert (process.returncode, out, len(err.splitlines())) == (1, "", 1), err
    assert "the scheduler" in err
    write(fleet / "c000/app1", before)
    with made.started("fleet", "render", ".", "--jobs", "1", cwd=fleet) as other:
        other.communicate(timeout=TIME)
    assert made.digest(fleet) == few.tree


def test_the_page_starts_a_cluster_as_these_tests_do():
    text = (
        (dasks.ROOT / "docs/fleets.md").read_text("utf-8").partition("## Dask\n")[2].partition("```sh\n")[2].partition("```")[0]
    )
    settings, scheduler, worker, client = text.splitlines()
    own = Path(dasks.__file__).read_text("utf-8")
    for line in (scheduler, worker):
        assert {option for option in re.findall(r"--[a-z-]+", line) if option not in own} <= {"--nworkers"}
    assert re.findall(r"(DASK_\w+)=(\w+)", settings) == re.findall(r'"(DASK_\w+)": "(\w+)"', own)
    assert re.findall(r"--[a-z-]+", client) == ["--scheduler", "--tls-ca", "--tls-cert", "--tls-key"]
