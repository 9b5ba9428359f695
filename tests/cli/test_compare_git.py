"""`compare --against`: which repository is meant, what of a hostile one is taken, and what keeps git short."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.packages import SOURCE, START, command

from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._explain import git

EXAMPLE = Path(__file__).parents[2] / "examples/layered-values/eight-lines"
BARE = "[core]\n\trepositoryformatversion = 0\n\tbare = {bare}\n"
AUTHOR = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def run(directory: Path, *words: str, given: bytes = b"") -> str:
    done = subprocess.run(["git", *AUTHOR, *words], cwd=directory, input=given, check=True, capture_output=True)
    return done.stdout.decode().strip()


def commit(directory: Path, message: str = "one") -> None:
    run(directory, "add", "-Af")
    run(directory, "commit", "-qm", message)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package below the top of a repository, changed since the only commit."""
    top = tmp_path / "repository"
    package = top / "teams/p"
    shutil.copytree(EXAMPLE, package, ignore=shutil.ignore_patterns(".expected"))
    run(top, "init", "-q", "-b", "main")
    commit(top)
    file = package / "prod.yaml"
    file.write_text(file.read_text().replace("replicas: 3", "replicas: 300"))
    return package


def test_a_file_that_is_no_yaml_is_compared_with_what_git_has(package):
    for name in ("kept", "edited", "gone"):
        (package / f"{name}.txt").write_text(name)
    (package / "link").symlink_to("kept.txt")
    commit(package, "texts")
    assert command("compare", package, "--against", "HEAD").returncode == 0
    (package / "edited.txt").write_text("other")
    (package / "gone.txt").unlink()
    (package / "ignored.txt").write_text("by git, for all that is known")
    done = command("compare", package, "--against", "HEAD")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "edited.txt\n  changed  because edited.txt changed\n\ngone.txt\n  removed  because gone.txt (A) removed\n"
    )


def test_findings_and_errors_of_the_revision_are_named_as_git_names_files(package):
    good = (package / "Kptfile").read_text()
    (package / "Kptfile").write_text("a: [")
    commit(package, "broken")
    (package / "Kptfile").write_text(good)
    top = package.parents[1]
    assert "error: HEAD:teams/p/Kptfile:1:" in command("compare", "teams/p", "--against", "HEAD", cwd=top).stderr


def plant(folder: Path, package: Path, *, bare: str = "true") -> None:
    """Make a folder a bare repository whose `main` has what the package has now."""
    other = package.parents[2] / "other"
    files = package.relative_to(folder)
    shutil.copytree(package, other / files)
    run(other, "init", "-q", "-b", "main")
    commit(other)
    for name in ("objects", "refs"):
        shutil.copytree(other / ".git" / name, folder / name)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(BARE.format(bare=bare))


@pytest.mark.parametrize("bare", ["true", "false", "false\n\tworktree = ."])
@pytest.mark.parametrize("above", [0, 1])
def test_a_bare_repository_in_a_proposal_is_never_the_repository(package, above, bare):
    folder = [package, package.parent][above]
    plant(folder, package, bare=bare)
    done = command("compare", package, "--against", "main")
    assert (done.returncode, done.stderr) == (1, "")
    assert "3 -> 300" in done.stdout


def test_a_bare_repository_beside_a_broken_one_is_refused(package):
    plant(package, package)
    (package / ".git").mkdir()
    done = command("compare", package, "--against", "main")
    assert (done.returncode, done.stdout) == (2, "")
    assert "repository" in done.stderr


@pytest.mark.parametrize("form", ["file", "link"])
def test_a_git_that_leads_into_the_package_is_refused(package, form):
    plant(package, package)
    inner = package / "inner"
    inner.mkdir()
    for name in ("HEAD", "config", "objects", "refs"):
        (package / name).rename(inner / name)
    if form == "file":
        (package / ".git").write_text("gitdir: inner\n")
    else:
        (package / ".git").symlink_to("inner")
    done = command("compare", package, "--against", "main")
    assert (
        done.stderr
        == f"error: {package}/.git: leads to a folder of the package itself, inner: remove it, or clone the package\n"
    )
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("text", [b"", b"gitdir: nowhere", b"gitdir: a\x00b", b"gitdir: " + b"x" * 9000, b"\xff"])
def test_a_git_that_is_no_repository_is_an_error(package, text):
    (package / ".git").write_bytes(text)
    done = command("compare", package, "--against", "main")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: ")


def test_a_git_that_is_a_pipe_is_an_error(package):
    os.mkfifo(package / ".git")
    done = command("compare", package, "--against", "main")
    assert (done.returncode, done.stdout) == (2, "")
    assert "must be the folder of a git repository" in done.stderr


def test_the_environment_of_git_does_not_choose_the_repository(package):
    plant(package.parent, package)
    chosen = {
        "GIT_DIR": package.parent,
        "GIT_WORK_TREE": package,
        "GIT_OBJECT_DIRECTORY": package.parent / "objects",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.worktree",
        "GIT_CONFIG_VALUE_0": "/",
        "GIT_CEILING_DIRECTORIES": package.parent,
        "GIT_PREFIX": "elsewhere/",
        "GIT_NAMESPACE": "x",
    }
    done = command("compare", package, "--against", "main", **{name: str(value) for name, value in chosen.items()})
    assert (done.returncode, done.stderr) == (1, "")
    assert "3 -> 300" in done.stdout


def test_a_worktree_and_a_submodule_are_repositories(package):
    top = package.parents[1]
    run(top, "worktree", "add", "-q", "-b", "proposal", "../tree")
    tree = top.parent / "tree/teams/p"
    assert command("compare", tree, "--against", "main").returncode == 0
    (tree / "prod.yaml").write_bytes((package / "prod.yaml").read_bytes())
    assert command("compare", tree, "--against", "main").returncode == 1
    outer = top.parent / "outer"
    outer.mkdir()
    run(outer, "init", "-q")
    run(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(top), "module")
    module = outer / "module/teams/p"
    assert (outer / "module/.git").is_file()
    assert command("compare", module, "--against", "main").returncode == 0


def test_another_worktree_in_the_settings_changes_nothing(package):
    run(package, "config", "core.worktree", str(package.parents[2]))
    assert command("compare", package, "--against", "main").returncode == 1


def test_outside_of_a_repository(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "p")
    done = command("compare", tmp_path / "p", "--against", "main")
    assert "is in no git repository" in done.stderr
    assert done.returncode == 2


def tree(directory: Path, *lines: str) -> str:
    return run(directory, "mktree", "--missing", given="".join(f"{line}\n" for line in lines).encode())


def test_a_tree_that_repeats_itself_is_listed_up_to_the_limit(package):
    top = package.parents[1]
    name = run(top, "hash-object", "-w", "--stdin", given=b"a: b\n")
    name = tree(top, *(f"100644 blob {name}\tf{number}.yaml" for number in range(10)))
    for _ in range(8):
        name = tree(top, *(f"040000 tree {name}\tf{number}" for number in range(10)))
    (top / "Kptfile").write_bytes((package / "Kptfile").read_bytes())
    done = command("compare", top, "--against", name, KRM_VALUES_MAX_FILES="100")
    assert done.stderr == (
        f"error: {name}:f0/f0/f0/f0/f0/f0/f1/f0/f0.yaml: must not be read: the directory has more than 100 files; "
        "KRM_VALUES_MAX_FILES raises the limit\n"
    )
    assert done.returncode == 2


@pytest.mark.parametrize("last", ["f.txt", "folder"])
def test_what_no_package_reads_is_bounded_too(package, last, monkeypatch):
    monkeypatch.setattr(git, "_ENTRIES", 1000)
    top = package.parents[1]
    name = run(top, "hash-object", "-w", "--stdin", given=b"a: b\n")
    kind = "100644 blob" if last == "f.txt" else "040000 tree"
    name = name if last == "f.txt" else tree(top)
    name = tree(top, *(f"{kind} {name}\t{number}{last}" for number in range(10)))
    for _ in range(8):
        name = tree(top, *(f"040000 tree {name}\tf{number}" for number in range(10)))
    with pytest.raises(InputError, match=r"must not have more than 1,000 files and folders"):
        git.write(top, name, top.parent, DEFAULT)


def test_a_path_without_end_is_refused(package):
    top = package.parents[1]
    name = run(top, "hash-object", "-w", "--stdin", given=b"a: b\n")
    name = tree(top, f"100644 blob {name}\ta.yaml")
    for _ in range(60):
        name = tree(top, f"040000 tree {name}\t{'a' * 200}")
    with pytest.raises(InputError, match=r"must not have a path of more than 4,096 bytes"):
        git.write(top, name, top.parent, DEFAULT)


@pytest.mark.parametrize(("field", "most"), [("file_bytes", 999), ("total_bytes", 1500)])
def test_a_large_object_is_refused_by_its_size(package, field, most, tmp_path):
    (package / "large.yaml").write_text("a: b\n" * 200)
    commit(package)
    target = tmp_path / "target"
    target.mkdir()
    limits = replace(DEFAULT, advice="{FIELD}", **{field: most})
    with pytest.raises(InputError, match=f"{most:,} bytes.*; {field.upper()}"):
        git.write(package, "HEAD", target, limits)
    assert not [*target.iterdir()]


def test_a_small_object_that_is_made_of_a_large_one_takes_no_memory(package, monkeypatch):
    """A delta of a few bytes against a large object: git would build the large one whole."""
    top = package.parents[1]
    large = b"a: " + random.Random(1).randbytes(2_000_000).hex().encode()
    (package / "large.bin").write_bytes(large)
    (package / "like.yaml").write_bytes(large[:200_000])
    commit(package)
    run(top, "gc", "-q")
    assert int(run(top, "cat-file", "--batch-check=%(objectsize:disk)", given=b"HEAD:teams/p/like.yaml\n")) < 1000
    target = top.parent / "target"
    target.mkdir()
    monkeypatch.setattr(git, "_SPARE", 1 << 10)
    limits = replace(DEFAULT, file_bytes=200_000)
    with pytest.raises(InputError, match="over limit"):
        git.write(package, "HEAD", target, limits)


@pytest.mark.parametrize("place", ["HEAD", "config", "include"])
def test_a_repository_of_pipes_does_not_hang(package, place, monkeypatch):
    monkeypatch.setattr(git, "_SECONDS", 0.5)
    folder = package.parents[1] / ".git"
    if place == "include":
        os.mkfifo(package / "pipe")
        with (folder / "config").open("a") as config:
            config.write(f"[include]\n\tpath = {package / 'pipe'}\n")
    else:
        (folder / place).unlink()
        os.mkfifo(folder / place)
    with pytest.raises(InputError, match=r"git does not answer within .* seconds"):
        git.write(package, "main", package.parent, DEFAULT)


def test_a_link_and_a_folder_of_one_name_write_nothing_outside(package, tmp_path):
    top = package.parents[1]
    (tmp_path / "outside").mkdir()
    blob = run(top, "hash-object", "-w", "--stdin", given=b"a: b\n")
    link = run(top, "hash-object", "-w", "--stdin", given=str(tmp_path / "outside").encode())
    inner = tree(top, f"100644 blob {blob}\tx.yaml")
    name = run(top, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=_twice(link, inner))
    target = tmp_path / "target"
    target.mkdir()
    with pytest.raises((InputError, OSError)):
        git.write(top, name, target, DEFAULT)
    assert not [*(tmp_path / "outside").iterdir()]


def _twice(link: str, folder: str) -> bytes:
    """A tree that git does not make: a link and a folder that are called alike."""
    return b"120000 a.yaml\0" + bytes.fromhex(link) + b"40000 a.yaml\0" + bytes.fromhex(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_stays_of_a_comparison_that_is_ended(package, tmp_path, number):
    folder = package.parents[1] / ".git"
    (folder / "HEAD").unlink()
    os.mkfifo(folder / "HEAD")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    words = [sys.executable, "-c", START, "krm-values", "compare", str(package), "--against", "main"]
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(SOURCE)}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE) as process:
        until = time.monotonic() + 20
        while not [*temporary.iterdir()] and time.monotonic() < until:
            time.sleep(0.01)
        assert [*temporary.iterdir()]
        time.sleep(0.2)
        process.send_signal(number)
        assert process.wait(20) == 128 + number
    assert not [*temporary.iterdir()]
