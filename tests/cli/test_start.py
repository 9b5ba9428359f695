"""What hosts start often loads only what it needs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.cli.packages import SOURCE, run

PROGRAM = (
    "import sys; sys.argv = sys.argv[1:]; from krm_values._cli.main import main; code = main();"
    "print(*sys.modules, file=sys.stderr); sys.exit(code)"
)
FOREIGN = {"argparse", "rich", "jsonpatch", "jsonpointer", "pathspec", "ruamel", "ruamel.yaml"}
OURS = {"commands", "clean", "render", "manual", "kustomize", "grammar", "completion"}
"""Modules of the command line that a list on stdin does not need; nor does it need `_explain` and the pipeline."""


@pytest.mark.parametrize("arguments", [["krm-values", "run"], ["krm-values", "run", "tekton-params"], ["krm-tekton-params"]])
@pytest.mark.parametrize("kind", ["PipelineRun", "Other"], ids=["edited", "passed"])
def test_a_run_imports_no_command_line_and_no_printer(arguments, kind):
    item = run().replace("PipelineRun", kind).replace("\n", "\n  ").rstrip()
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        input=f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {item}\n",
        env={**os.environ, "PYTHONPATH": str(SOURCE), "KRM_FUNCTION": "tekton-params"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = found.stderr.split()
    assert FOREIGN.isdisjoint(loaded)
    parts = {part for name in loaded if name.startswith("krm_values._cli.") for part in name.split(".")[2:]}
    assert OURS.isdisjoint(parts)
    assert not [
        name
        for name in loaded
        if name.startswith(("krm_values._explain", "krm_values._run.pipeline", "krm_values._run.plain_files"))
    ]
    assert "krm_values._run.pipe" in loaded


def test_what_is_not_needed_exists():
    """So that a module with a new name is not overlooked."""
    known = {path.stem for path in (SOURCE / "krm_values/_cli").rglob("*") if path.suffix in ("", ".py")}
    assert known >= OURS
