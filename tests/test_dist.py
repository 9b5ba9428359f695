"""`make dist`: what a release has, whole or not at all."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.test_documents import fresh_clone
from tests.test_packaging import PROJECT, ROOT
from tests.test_setup import _small

VERSION = PROJECT["version"]
FILES = [
    "SHA256SUMS",
    f"krm-values-catalog-{VERSION}.tar.gz",
    f"krm_values-{VERSION}-py3-none-any.whl",
    f"krm_values-{VERSION}.tar.gz",
]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what is tracked, without the tests."""
    found = fresh_clone(tmp_path_factory.mktemp("dist") / "clone")
    shutil.rmtree(found / "tests")
    return found


def dist(clone: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **extra}
    command = [sys.executable, str(clone / "scripts/dist.py"), *words]
    return subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)


def contents(clone: Path) -> dict[str, bytes]:
    folder = clone / "dist"
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def test_a_release_has_everything_with_checksums_and_the_same_bytes_again(clone):
    done = dist(clone, "--images", "registry.example/krm/", "--source", "https://git.example/krm", "--email", "a@x.example")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "not built: images and SBOMs (make dist BASE_IMAGE=NAME@sha256:DIGEST)\n"
    found = contents(clone)
    assert done.stdout.split() == sorted(found) == sorted(FILES)
    sums = dict(line.split("  ")[::-1] for line in found["SHA256SUMS"].decode().splitlines())
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in found.items() if name != "SHA256SUMS"}
    (clone / "dist/left over").touch()
    dist(clone, "--images", "registry.example/krm", "--source", "https://git.example/krm", "--email", "a@x.example")
    assert contents(clone) == found
    assert not [*(clone / "build").iterdir()]
    with tarfile.open(clone / "dist" / FILES[1]) as archive:
        texts = {one.name: archive.extractfile(one).read().decode() for one in archive.getmembers()}
    own = {path.relative_to(ROOT).as_posix() for path in (ROOT / "catalog").rglob("*.yaml")}
    assert {*texts} == own
    assert "${" not in "".join(texts.values())
    assert f"image: registry.example/krm/flux-values:v{VERSION}\n" in texts["catalog/flux-values/metadata.yaml"]


def test_names_that_are_not_given_stay_and_are_named(clone):
    done = dist(clone, "--email", "a@x.example")
    assert done.returncode == 0
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["not filled in the catalog"] * 2 + ["not built"]
    with tarfile.open(clone / "dist" / FILES[1]) as archive:
        assert b"${IMAGES}/flux-values" in archive.extractfile("catalog/flux-values/metadata.yaml").read()


@pytest.mark.parametrize("fault", ["pyproject", "images"])
def test_after_a_failure_dist_is_as_it_was(fault, clone, tmp_path):
    copy = shutil.copytree(clone, tmp_path / "clone", symlinks=True)
    assert dist(copy).returncode == 0
    before = contents(copy)
    words = []
    if fault == "pyproject":
        (copy / "README.md").unlink()
    else:
        (copy / "scripts/images.py").write_text("raise SystemExit('error: no engine answers')\n")
        words = ["--base", "python@sha256:x"]
    done = dist(copy, *words)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: dist/ is as it was: ")
    assert fault == "pyproject" or line.endswith(": no engine answers")
    assert contents(copy) == before
    assert not [*(copy / "build").iterdir()]


def test_images_are_part_of_the_checksums(clone, tmp_path):
    copy = shutil.copytree(clone, tmp_path / "clone", symlinks=True)
    (copy / "scripts/images.py").write_text(
        "import sys\nfrom pathlib import Path\nwords = sys.argv[1:]\n"
        "(Path(words[words.index('--output') + 1]) / 'words.cdx.json').write_text(' '.join(words[:-2]))\n"
        "print('not built: arm64', file=sys.stderr)\n"
    )
    done = dist(copy, "--base", "python@sha256:x", "--images", "registry.example/krm", "--source", "s", "--email", "e")
    assert (done.returncode, done.stderr) == (0, "not built: arm64\n")
    found = contents(copy)
    assert found["words.cdx.json"] == b"--release --base python@sha256:x --source s --registry registry.example/krm"
    assert b"  words.cdx.json\n" in found["SHA256SUMS"]


@pytest.mark.parametrize("kilobytes", [512, 1200])
def test_a_full_disk(kilobytes, clone, tmp_path):
    """While hatchling writes the sdist, and the wheel."""
    copy = shutil.copytree(clone, tmp_path / "clone", symlinks=True, ignore=lambda *_: ["dist", "build"])
    disk = _small(copy / "build", 8)
    subprocess.run(["mount", "-o", f"remount,size={kilobytes}k", str(disk)], check=True)
    try:
        done = dist(copy, TMPDIR=str(tmp_path))
        assert done.returncode == 1
        assert done.stderr.startswith("error: dist/ is as it was: ")
        assert "No space left on device" in done.stderr
        assert not [*disk.iterdir()]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert not (copy / "dist").exists()


def test_make_takes_a_base_image_only_with_its_digest():
    done = subprocess.run(
        ["make", "dist", "BASE_IMAGE=python:3.13-slim"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode
    assert "a release needs BASE_IMAGE=NAME@sha256:DIGEST" in done.stderr
    told = subprocess.run(
        ["make", "--dry-run", "dist", "IMAGES=r/n", f"BASE_IMAGE=python@sha256:{'ab' * 32}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"--images 'r/n'   --base 'python@sha256:{'ab' * 32}'" in told.stdout
