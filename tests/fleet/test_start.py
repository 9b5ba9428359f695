"""What works on one package loads nothing of what works on many."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.cli.packages import SOURCE
from tests.cli.test_start import PROGRAM

MANY = ("krm_values._fleet", "multiprocessing", "concurrent", "dask", "distributed", "hmac")


def test_processes_of_our_own_need_no_dask(serial, tmp_path):
    package = shutil.copytree(serial.source / "c000/app1", tmp_path / "package")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "krm-values", "fleet", "render", "."],
        cwd=package, env={**os.environ, "PYTHONPATH": str(SOURCE)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    loaded = done.stderr.splitlines()[-1].split()
    assert "krm_values._fleet.pool" in loaded, done.stderr
    assert [name for name in loaded if name.startswith(("dask", "distributed", "krm_values._fleet.dask"))] == []


@pytest.mark.parametrize("words", [["run"], ["render", "."], ["render", "--diff", "."], ["list"]], ids=" ".join)
def test_other_commands_do_not_load_it(serial, tmp_path, words):
    package = shutil.copytree(serial.source / "c000/app1", tmp_path / "package")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "KRM_FUNCTION": "tekton-params"}
    text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "krm-values", *words],
        input=text, cwd=package, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    loaded = done.stderr.splitlines()[-1].split()
    assert "krm_values._run.report" in loaded, done.stderr
    assert [name for name in loaded if name.startswith(MANY)] == []
