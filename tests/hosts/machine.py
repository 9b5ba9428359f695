"""The machine the tests run on: our commands, the hosts on PATH, the images. What it lacks is skipped, or fails where required."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import pytest

COMMANDS = Path(sys.executable).parent
IMAGE = "localhost/krm-values"
FUNCTION_IMAGE = "localhost/tekton-params"


def lacking(reason: str) -> NoReturn:
    """Skip the test; with KRM_HOSTS=required, fail it."""
    if os.environ.get("KRM_HOSTS") == "required":
        pytest.fail(f"KRM_HOSTS=required, but {reason}")
    pytest.skip(reason)


@dataclass(frozen=True)
class Machine:
    """Runs programs in a small environment of their own; home is an empty directory."""

    home: Path

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("DOCKER_HOST", "LANG") if name in os.environ}
        path = os.pathsep.join((str(COMMANDS), os.environ["PATH"]))
        return {"HOME": str(self.home), "PATH": path, **kept}

    def needs(self, *programs: str) -> None:
        """Skip (or fail) unless all these are on PATH."""
        for program in programs:
            if not shutil.which(program, path=self.environment["PATH"]):
                lacking(f"`{program}` is not on PATH")

    def needs_image(self, name: str) -> None:
        """Skip (or fail) unless there is a Docker engine that holds the image."""
        self.needs("docker")
        if self.run("docker", "image", "inspect", name, code=None).returncode:
            lacking(f"no Docker engine holds the image {name} (make images)")

    def run(
        self,
        *command: str | Path,
        stdin: str = "",
        cwd: Path | None = None,
        code: int | None = 0,
        extra: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """A finished process, with the exit code that was expected (None: any)."""
        done = subprocess.run(
            list(map(str, command)),
            input=stdin.encode(),
            capture_output=True,
            cwd=cwd or self.home,
            env={**self.environment, **(extra or {})},
            check=False,
        )
        result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
        assert code in (None, result.returncode), f"{command}: exit {result.returncode}\n{result.stdout}\n{result.stderr}"
        return result

    def pipe(self, script: str, *, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        """A shell pipe; it fails when any of its programs does."""
        return self.run("bash", "-euo", "pipefail", "-c", script, cwd=cwd, code=code)
