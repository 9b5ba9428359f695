"""Two renders at once, and a render after one that was interrupted."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.cli.packages import (
    SIMPLE,
    SOURCE,
    command,
    resolved,
    run,
    snapshot,
    write,
)

from krm_values._krm.write import STAGED


def test_what_an_interrupted_render_has_staged_goes_with_the_next_one(tmp_path):
    """A command that only reads leaves it where it is, and reads none of it."""
    package = write(tmp_path, SIMPLE)
    staged = package / f"{STAGED}{'0123456789abcdef' * 2}"
    staged.write_bytes(b"kind: [")
    for reading in (["render", "--diff"], ["render", "-o", "unwrap"], ["explain"]):
        assert "krm-values-0123" not in command(*reading, package).stderr
        assert staged.exists()
    assert command("render", package).returncode == 0
    assert not staged.exists()


@pytest.mark.parametrize("words", [["render"], ["clean"]])
def test_a_link_that_looks_staged_stays_and_is_named(tmp_path, words):
    package = write(tmp_path, SIMPLE)
    link = package / f"{STAGED}{'0123456789abcdef' * 2}"
    link.symlink_to(tmp_path / "nowhere")
    found = command(*words, package)
    assert found.returncode == 0
    assert f"warning: {link}: looks like a file that another user has staged" in found.stderr
    assert link.is_symlink()


def test_a_writer_at_work_is_waited_for(tmp_path):
    package = write(tmp_path, SIMPLE)
    hold = "import sys; from pathlib import Path; from krm_values._krm.write import locked\nwith locked(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
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
