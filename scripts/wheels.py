"""python scripts/wheels.py DIRECTORY IMAGE: the wheels, as they are locked, of all that this project needs, for a base image's Python."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

_PROBE = "import platform as p; print(*p.python_version_tuple()[:2], p.machine(), p.libc_ver()[0] or 'musl')"


def main(directory: str, image: str) -> None:
    """Download what builds this project and what it needs to run, so that the image is built without network."""
    shutil.rmtree(directory, ignore_errors=True)
    locks = Path(__file__).parent.parent / "requirements"
    target = _target(image)
    for lock in ("build.txt", "image.txt"):
        wanted = ["--no-deps", "--require-hashes", "--requirement", str(locks / lock)]
        _pip("download", "--dest", directory, "--only-binary", ":all:", *target, *wanted)


def _target(image: str) -> list[str]:
    """The pip options that mean the image's Python, whatever machine we are on."""
    probe = ["docker", "run", "--rm", "--network", "none", "--entrypoint", "python3", image, "-c", _PROBE]
    major, minor, machine, libc = subprocess.run(probe, check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    tags = ("manylinux_2_28", "manylinux_2_17", "manylinux2014") if libc == "glibc" else ("musllinux_1_2", "musllinux_1_1")
    platforms = [option for tag in tags for option in ("--platform", f"{tag}_{machine}")]
    return ["--implementation", "cp", "--python-version", f"{major}.{minor}", *platforms]


def _pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"], check=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        raise SystemExit(f"error: {error}") from None
