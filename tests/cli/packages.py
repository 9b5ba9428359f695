"""Small packages as texts by path, and the command that works on them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from tests.commands import called

SOURCE = Path(__file__).resolve().parents[2] / "functions"
START = "import sys; sys.argv[0] = sys.argv.pop(1); from krm_values._cli.main import main; sys.exit(main())"

STEP = "exec: krm-tekton-params"
RUN = """\
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata:
  name: {name}
  namespace: ci
spec:
  params:
  - name: url # of the clone
    value: https://example.com/a.git
  pipelineSpec:
    tasks:
    - name: fetch
      taskSpec:
        steps:
        - name: clone
          image: git
          script: git clone $(params.url)
"""
ADDED = """\
  pipelineSpec:
    params:
    - name: url
      type: string
    tasks:
    - name: fetch
      params:
      - name: url
        value: $(params.url)
      taskSpec:
        params:
        - name: url
          type: string
        steps:
"""
PROPAGATE = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata:\n  name: config\nspec:\n  mode: propagate\n"
CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  a: b\n"


def run(name: str = "build") -> str:
    """A PipelineRun whose embedded task uses a param that nobody passes."""
    return RUN.format(name=name)


def resolved(name: str = "build") -> str:
    """The same after `tekton-params` in propagate mode."""
    before, _, after = run(name).partition("  pipelineSpec:\n")
    return before + ADDED + after.partition("      taskSpec:\n        steps:\n")[2]


def kptfile(*steps: str, name: str = "demo", validators: tuple[str, ...] = ()) -> str:
    """A Kptfile; each step is one line of flow fields, for example `exec: krm-tekton-params, configPath: a.yaml`."""
    text = f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: {name}\n"
    if steps or validators:
        text += "pipeline:\n"
    for part, given in (("mutators", steps), ("validators", validators)):
        if given:
            text += f"  {part}:\n" + "".join(f"  - {{{step}}}\n" for step in given)
    return text


def write(directory: Path, files: dict[str, str]) -> Path:
    """Make the package."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return directory


def snapshot(directory: Path) -> dict[str, str]:
    """Every file's text."""
    return {str(path.relative_to(directory)): path.read_bytes().decode() for path in directory.rglob("*") if path.is_file()}


class Done(subprocess.CompletedProcess[str]):
    """A command that has ended."""

    @property
    def said(self) -> str:
        """What it printed on stderr, with files of a package that was named by its path as they are in it, and without the kinds of findings."""
        text = self.stderr
        for word in self.args:
            if isinstance(word, Path):
                text = text.replace(f" {word}/", " ")
        return re.sub(r"(?m) \[[\w-]+\]$", "", text)


def command(
    *arguments: str | Path, program: str = "krm-values", stdin: str | bytes = b"", cwd: Path | None = None, **environment: str
) -> Done:
    """One of our commands, run in this process, as if it had been started: its own stdin, environment, directory and exit code."""
    wanted = clean(environment)
    with pytest.MonkeyPatch.context() as patch:
        for name in {*os.environ, *wanted}:
            patch.setenv(name, wanted[name]) if name in wanted else patch.delenv(name)
        if cwd is not None:
            patch.chdir(cwd)
        done = called(program, *arguments, stdin=stdin.encode() if isinstance(stdin, str) else stdin)
    return Done([program, *arguments], done.code, done.stdout.decode(), done.stderr.decode())


def started(
    *arguments: str | Path,
    program: str = "krm-values",
    stdin: str | bytes = b"",
    cwd: Path | None = None,
    path: Iterable[Path] = (),
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, where the process is what is tested. path: further folders with modules."""
    done = subprocess.run(
        [sys.executable, "-c", START, program, *map(str, arguments)],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        env={**clean(environment), "PYTHONPATH": os.pathsep.join(map(str, [SOURCE, *path]))},
        cwd=cwd,
        capture_output=True,
        check=False,
        timeout=120,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def clean(environment: dict[str, str]) -> dict[str, str]:
    """The environment of a command: ours without what would change its output, and the given variables."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("KRM_", "NO_COLOR", "COLUMNS"))}
    return {**kept, **environment}


PROPAGATING = f"{STEP}, configPath: config.yaml"
SIMPLE = {"Kptfile": kptfile(PROPAGATING), "config.yaml": PROPAGATE, "run.yaml": run()}
"""A package of one step that changes its run."""
BAD = run("bad").replace(
    "- name: url # of the clone\n    value: https://example.com/a.git", "- name: url\n    value: x\n  - name: url\n    value: y"
)
"""A run that is an error to that step."""
