"""python scripts/wheels.py DIRECTORY IMAGE [--platform linux/arm64 ...]: the wheels, as they are locked, of all that this project needs.

They are for a base image's Python, on this machine's processor or on those of the platforms.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

_PROBE = """
import platform, sys
try:
    import ensurepip, venv
    fit = 'fit'
except ImportError:
    fit = 'bare'
print(sys.version_info[0], sys.version_info[1], platform.machine(), platform.libc_ver()[0] or 'musl', fit)
"""
_MACHINES = {"linux/amd64": "x86_64", "linux/arm64": "aarch64"}
_OLDEST = (3, 11)
_RUN = ("docker", "run", "--rm", "--network", "none", "--entrypoint", "python3")


class BuildError(Exception):
    """What keeps an image from being built, on one line."""


def main(directory: Path, image: str, platforms: list[str]) -> None:
    """Download what builds this project and what it needs to run, so that the image is built without network."""
    found = [_target(probe(image), platform) for platform in platforms or [""]]
    shutil.rmtree(directory, ignore_errors=True)
    locks = Path(__file__).parent.parent / "requirements"
    for target in found:
        for lock in ("build.txt", "image.txt"):
            wanted = ["--no-deps", "--require-hashes", "--requirement", str(locks / lock)]
            _pip("download", "--dest", str(directory), "--only-binary", ":all:", *target, *wanted)


def probe(image: str) -> tuple[str, str, str]:
    """Return version, processor and C library of a base image's Python. BuildError if it is not fit to build on."""
    done = subprocess.run([*_RUN, image, "-c", _PROBE], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(_unfit(image, done.stdout + done.stderr))
    major, minor, machine, libc, fit = done.stdout.split()
    if (int(major), int(minor)) < _OLDEST:
        raise BuildError(f"the base image {image} has Python {major}.{minor}: 3.11 or newer is needed")
    if fit == "bare":
        raise BuildError(f"the Python of the base image {image} has no venv module (Debian: python3-venv)")
    return f"{major}.{minor}", machine, libc


def _unfit(image: str, said: str) -> str:
    if "exec format error" in said:
        return f"the base image {image} is for another processor than this machine's"
    if "executable file not found" in said or "no such file or directory" in said:
        return f"the base image {image} has no python3: name one with Python 3.11 or newer"
    return f"the base image {image} cannot be run: {last_line(said)}"


def last_line(said: str) -> str:
    """Return what a program says at last, without advice on how to call it."""
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith(("See 'docker", "Run 'docker"))]
    return lines[-1] if lines else "it says nothing"


def _target(found: tuple[str, str, str], platform: str) -> list[str]:
    """Return the pip options that mean a base image's Python, whatever machine we are on."""
    version, machine, libc = found
    machine = _MACHINES[platform] if platform else machine
    tags = ("manylinux_2_28", "manylinux_2_17", "manylinux2014") if libc == "glibc" else ("musllinux_1_2", "musllinux_1_1")
    tagged = [option for tag in tags for option in ("--platform", f"{tag}_{machine}")]
    return ["--implementation", "cp", "--python-version", version, *tagged]


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BuildError(f"the wheels cannot be had: {last_line(done.stderr)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("image")
    parser.add_argument("--platform", action="append", choices=sorted(_MACHINES), default=[])
    options = parser.parse_args()
    try:
        main(options.directory, options.image, options.platform)
    except (BuildError, FileNotFoundError) as error:
        raise SystemExit(f"error: {error}") from None
