"""Manifests from the field: a run that changes nothing gives identical bytes, through the pipe and through `render`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from krm_values._krm import documents, resourcelist
from tests import corpus
from tests.commands import called

REFUSED_BY_KPT = {"RoleList", "Test", "Config"}  # no metadata.name
COMMANDS = Path(sys.executable).parent
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: corpus\npipeline:\n  mutators:\n  - exec: krm-tekton-params\n    exclude:\n    - apiVersion: tekton.dev/v1\n    - apiVersion: tekton.dev/v1beta1\n    - kind: TriggerTemplate\n"

pytestmark = corpus.needed


def test_the_corpus_is_whole():
    assert len(corpus.FILES) == 237


def _has_tekton_objects(data: bytes) -> bool:
    return b"tekton.dev/v1" in data


@pytest.mark.parametrize("file", corpus.FILES, ids=lambda file: str(file.relative_to(corpus.FOLDER)))
def test_the_pipe_gives_every_byte_back(file):
    found = documents.read(file.read_bytes(), file.name)
    texts = [found.text(item.number) for item in found.items]
    listed = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + "".join(map(_element, texts))
    data = listed.encode()
    source = resourcelist.read(data)
    assert len(source.items) == len(texts)
    assert b"".join(source.write({}, (), (), ())) == data
    done = called("krm-tekton-params", stdin=data)
    if not _has_tekton_objects(data):
        assert done == (0, data, b"")
    elif done.code:
        after = resourcelist.read(done.stdout)
        assert [after.text(n) for n in range(len(texts))] == [source.text(n) for n in range(len(texts))]


def test_render_gives_every_byte_back_and_names_what_kpt_refuses(tmp_path):
    package = tmp_path / "package"
    kept = [file for file in corpus.FILES if not _refused(file)]
    for file in kept:
        target = package / file.relative_to(corpus.FOLDER)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    (package / "Kptfile").write_text(KPTFILE)
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}
    done = subprocess.run([COMMANDS / "krm-values", "render", package], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "1 step run, changed: nothing\n")
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before
    subprocess.run([COMMANDS / "krm-values", "render", package, "-o", tmp_path / "copy"], check=True)
    copied = {package / path.relative_to(tmp_path / "copy"): path.read_bytes() for path in tmp_path.glob("copy/**/*.y*ml")}
    assert len(copied) > 200
    assert copied.items() <= before.items()
    refused = [file for file in corpus.FILES if _refused(file)]
    assert len(refused) == len(REFUSED_BY_KPT)
    for file in refused:
        target = package / file.name
        shutil.copy(file, target)
        done = subprocess.run([COMMANDS / "krm-values", "render", package], capture_output=True, text=True, check=False)
        lines = done.stderr.splitlines()  # one for each resource of the file
        assert (done.returncode, bool(lines)) == (1, True)
        assert all(f"{file.name}: resource must have `metadata.name`" in line for line in lines), done.stderr
        target.unlink()


def _refused(file: Path) -> bool:
    return any(item.kind in REFUSED_BY_KPT and not item.label for item in documents.read(file.read_bytes(), file.name).items)


def _element(text: str) -> str:
    """Return a document as an element of a list: every line is indented by two."""
    lines = text.rstrip("\n").split("\n")
    return "".join(("- " if not number else "  ") * bool(line or not number) + line + "\n" for number, line in enumerate(lines))
