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
FOREIGN = {"argparse", "rich", "jsonpatch", "jsonpointer", "pathspec", "shtab", "ruamel", "ruamel.yaml"}
OURS = {f"krm_values._cli.{name}" for name in ("commands", "explaining", "parser", "plain", "render", "table")}


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
    assert (FOREIGN | OURS).isdisjoint(found.stderr.split())
    assert "krm_values._cli.pipe" in found.stderr.split()
