"""Two renders at once, and a render after one that was interrupted."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.cli.packages import (
    PROPAGATE,
    SIMPLE,
    SOURCE,
    command,
    resolved,
    run,
    snapshot,
    write,
)

from krm_values._kit.process.transaction import STAGED

INTERRUPTED = """
import os, sys
from pathlib import Path
from krm_values._kit.process.transaction import Change, digest, locked, write
directory, name, new, step = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
with locked(directory):
    old = (directory / name).read_bytes()
    write(directory, [Change(name, digest(old), new.encode())], lambda at: os._exit(9) if at == step else None)
"""


@pytest.mark.parametrize(("step", "finished"), [("staged 0", False), ("committed", True)])
def test_an_interrupted_write_is_finished_or_dropped_before_any_read(tmp_path, step, finished):
    package = write(tmp_path, SIMPLE)
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    subprocess.run(
        [sys.executable, "-c", INTERRUPTED, package, "config.yaml", PROPAGATE + "# new\n", step], env=environment, check=False
    )
    assert list(package.glob(f"{STAGED}*"))
    for reading in (["render", "--diff"], ["render", "-o", "unwrap"], ["explain"]):
        found = command(*reading, package)
        assert ("holds an unfinished write" in found.stderr) == finished
    found = command("render", package)
    assert found.returncode == 0
    assert ("warning: an interrupted write was finished: config.yaml\n" in found.stderr) == finished
    assert not list(package.glob(f"{STAGED}*"))
    assert snapshot(package)["config.yaml"] == PROPAGATE + ("# new\n" if finished else "")


def test_a_writer_at_work_is_waited_for(tmp_path):
    package = write(tmp_path, SIMPLE)
    hold = "import sys; from pathlib import Path; from krm_values._kit.process.transaction import locked\nwith locked(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(
        [sys.executable, "-c", hold, package], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        holder.stdout.readline()
        found = command("render", package, "--lock-timeout", "0.1")
        assert (found.returncode, found.stderr) == (
            1,
            f"error: {package}: another command is writing here; waited 0.1 seconds (`--lock-timeout`)\n",
        )
        assert command("render", package, "--diff").returncode == 1  # who only reads does not wait
        holder.communicate()
    assert command("render", package, "--lock-timeout", "0.1").returncode == 0


def test_two_renders_at_once_do_the_work_once(tmp_path):
    package = write(tmp_path, SIMPLE | {f"more/{n}.yaml": run(f"run-{n}") for n in range(20)})
    start = [
        sys.executable,
        "-c",
        "from krm_values._cli.main import main; import sys; sys.exit(main())",
        "render",
        str(package),
    ]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    both = [subprocess.Popen(start, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate(timeout=120)[1].strip()[-20:] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert "changed: nothing" in "".join(said)
    assert all(snapshot(package)[f"more/{n}.yaml"] == resolved(f"run-{n}") for n in range(20))
