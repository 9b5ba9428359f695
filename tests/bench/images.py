"""image-size and image-run: the image of a function, and a run of it in Docker, beside the base image, which does `cat`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

from tests.bench import setting, start
from tests.bench.figures import Figure
from tests.bench.processes import Command, measure
from tests.bench.setting import Bench

IMAGE = "localhost/tekton-params"
BASES = ("krm-values-base", "python:3.13-slim")
_LOCKED = (
    "--rm",
    "--interactive",
    "--network",
    "none",
    "--user",
    "nobody",
    "--security-opt",
    "no-new-privileges",
    "--read-only",
)


def rows(bench: Bench) -> Iterator[Figure]:
    """Yield both, where an engine holds the images; the quick bench has neither, as an engine takes as long as it likes."""
    if bench.quick:
        return
    docker = shutil.which("docker")
    sizes = {name: _size(docker, name) for name in (IMAGE, *BASES)} if docker else {}
    base = next((name for name in BASES if sizes.get(name)), "")
    if docker is None or not base or not sizes[IMAGE]:
        setting.missing(f"a Docker engine with {IMAGE} and {' or '.join(BASES)} (make images)", "image-size, image-run")
        return
    yield Figure("image-size", f"image of {start.NAME}", sizes[IMAGE], f"{base}", sizes[base], "MB")
    file = start.listed(bench, 10)
    found = measure({
        "ours": Command([docker, "run", *_LOCKED, IMAGE], file),
        "cat": Command([docker, "run", *_LOCKED, "--entrypoint", "cat", base], file),
    })  # fmt: skip
    row = found["ours"]
    yield Figure(
        "image-run", f"docker run of {start.NAME}, 10 items: wall time", row.wall, f"{base} with cat", found["cat"].wall,
        wall=row.wall, runs=row.runs,
    )  # fmt: skip


def _size(docker: str, image: str) -> float:
    """Return the size of an image in MB, 0 if the engine does not hold it."""
    command = [docker, "image", "inspect", "--format", "{{.Size}}", image]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(found.stdout) / 1e6 if not found.returncode else 0
