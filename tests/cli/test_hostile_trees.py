"""What may lie in a directory that somebody else has put together: nothing in it makes a command hang, or read outside of it."""

from __future__ import annotations

import os
import shutil

import pytest
from tests.cli.packages import command, kptfile, run, snapshot, write

PLACES = ["odd.yaml", ".krmignore", "deep/odd.json", "sub/Kptfile"]
READERS = {
    "render": ["render", "package"],
    "diff": ["render", "--diff", "package"],
    "output": ["render", "-o", "new", "package"],
    "explain": ["explain", "package"],
    "check": ["check", "package"],
    "inputs": ["inputs", "package"],
    "run": ["run", "tekton-params", "package"],
    "lint": ["lint", "glasskube-values", "package"],
}


def zero(path):
    path.symlink_to("/dev/zero")


def out(path):
    path.symlink_to("/etc/hostname")


def dangling(path):
    path.symlink_to("nowhere")


def loop(path):
    path.symlink_to(path.name)


HOSTILE = {"a link to a device": zero, "a link out": out, "a FIFO": os.mkfifo, "a dangling link": dangling, "a loop": loop}


@pytest.fixture
def here(tmp_path):
    write(tmp_path, {"package/Kptfile": kptfile("exec: krm-tekton-params"), "package/run.yaml": run()})
    for folder in ("deep", "sub"):
        (tmp_path / "package" / folder).mkdir()
    return tmp_path


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("reader", READERS)
def test_a_file_that_is_none_is_an_error_or_not_read_and_nothing_changes(here, place, kind, reader):
    HOSTILE[kind](here / "package" / place)
    before = {name: text for name, text in snapshot(here).items() if "odd" not in name}
    done = command(*READERS[reader], cwd=here)
    is_read = place.endswith((".yaml", ".json")) or place == ".krmignore"
    if is_read:
        assert done.returncode in (1, 2), done.stderr
        assert place in done.stderr
        assert {name: text for name, text in snapshot(here).items() if "odd" not in name} == before
    assert "Traceback" not in done.stderr
    assert done.returncode != 3


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_kptfile_that_is_no_file_is_never_skipped(here, kind):
    HOSTILE[kind](here / "package/sub/Kptfile")
    done = command("render", "--diff", "package", cwd=here)
    assert (done.returncode, "sub/Kptfile: " in done.stderr) == (2, True), done.stderr
    shutil.copytree(here / "package", here / "fine", ignore=shutil.ignore_patterns("sub"))
    (here / "package/sub/Kptfile").rename(here / "package/Kptfile")
    for words in (("package",), ("--recursive", ".")):
        done = command("render", "--diff", *words, cwd=here)
        assert (done.returncode, "Kptfile: " in done.stderr) == (2, True), done.stderr


def test_links_that_are_followed_on_request(here):
    write(here, {"other.yaml": run("other")})
    (here / "package/link.yaml").symlink_to("../other.yaml")
    refused = command("render", "--diff", "package", cwd=here)
    assert refused.returncode == 2
    assert "link.yaml: is a symbolic link that leads out of the directory" in refused.stderr
    assert "`--follow-links`" in refused.stderr
    assert command("render", "--diff", "--follow-links", "package", cwd=here).returncode == 1
