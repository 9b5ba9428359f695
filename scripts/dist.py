"""python scripts/dist.py [--images NAME] [--source URL] [--email ADDRESS] [--base IMAGE]: what a release has, in dist/.

The wheel, the sdist, the catalog as an archive, with `--base` the SBOMs and images of scripts/images.py, and SHA256SUMS of all. It is made in
build/ and takes its place when it is complete: after a failure dist/ is as it was. Nothing is published.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
IMAGES = ROOT / "scripts" / "images.py"


class BuildError(Exception):
    """Something cannot be built."""


def main(options: argparse.Namespace) -> None:
    """Make dist/ anew."""
    names = {"IMAGES": options.images, "SOURCE": options.source, "EMAIL": options.email}
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    (ROOT / "build").mkdir(exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix="dist.", dir=ROOT / "build"))
    try:
        _run("-m", "hatchling", "build", "--directory", str(staged))
        (staged / f"krm-values-catalog-{version}.tar.gz").write_bytes(_catalog(names))
        if options.base:
            said = _run(str(IMAGES), "--release", "--base", options.base, *_of_images(options), "--output", str(staged))
            print(said, end="", file=sys.stderr)
        _write_sums(staged)
        staged.chmod(0o755)
        _replace(staged)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    for name in (name for name, value in names.items() if not value):
        print(f"not filled in the catalog: ${{{name}}} (make dist {name}=...)", file=sys.stderr)
    if not options.base:
        print("not built: images and SBOMs (make dist BASE_IMAGE=NAME@sha256:DIGEST)", file=sys.stderr)
    print(*sorted(path.name for path in DIST.iterdir()), sep="\n")


def _of_images(options: argparse.Namespace) -> list[str]:
    source = ["--source", options.source] if options.source else []
    return [*source, "--registry", options.images] if options.images else source


def _catalog(names: dict[str, str]) -> bytes:
    """Return the archive of catalog/, with the names that are given; its bytes depend on nothing else."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file, tarfile.open(fileobj=file, mode="w") as archive:
        for path in sorted((ROOT / "catalog").rglob("*.yaml")):
            text = path.read_text("utf-8")
            for name, value in names.items():
                text = text.replace(f"${{{name}}}", value.rstrip("/") if value else f"${{{name}}}")
            entry = tarfile.TarInfo(path.relative_to(ROOT).as_posix())
            entry.size, entry.mode = len(content := text.encode()), 0o644
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def _write_sums(folder: Path) -> None:
    """Write SHA256SUMS, which `sha256sum --check` reads."""
    lines = []
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines), "utf-8")


def _replace(staged: Path) -> None:
    """Put the directory in the place of dist/; the one that was there goes last."""
    old = staged.with_name(f"{staged.name}.old")
    if DIST.exists():
        DIST.rename(old)
    try:
        staged.rename(DIST)
    except OSError:
        if old.exists():
            old.rename(DIST)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _run(*command: str) -> str:
    """Run a Python program and return what it says on stderr. BuildError, with its last line, if it fails."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode:
        raise BuildError((done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2].removeprefix("error: "))
    return done.stderr


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", default="", help="where the images are published, for ${IMAGES}")
    parser.add_argument("--source", default="", help="the address of the sources at this version, for ${SOURCE}")
    parser.add_argument("--email", default="", help="who answers for the functions, for ${EMAIL}")
    parser.add_argument("--base", default="", metavar="IMAGE", help="build the images, too, on this base image")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main(_options())
    except (BuildError, OSError) as error:
        raise SystemExit(f"error: dist/ is as it was: {error}") from None
