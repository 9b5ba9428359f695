"""A repository whose settings want to start programs when `compare --against` or `--blame` reads it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.page import package

if TYPE_CHECKING:
    from pathlib import Path

BLAME = ("krm-values", "explain", "package", "--blame")
AGAINST = ("krm-values", "compare", "package", "--against")
SETTINGS = """\
[core]
\trepositoryformatversion = 0
\tbare = false
\tfsmonitor = {canary}
\thooksPath = {hooks}
\tsshCommand = {canary}
\tgitProxy = {canary}
\tpager = {canary}
\teditor = {canary}
\taskPass = {canary}
\talternateRefsCommand = {canary}
\tattributesFile = {attributes}
[filter "x"]
\tsmudge = {canary}
\tclean = {canary}
\tprocess = {canary}
\trequired = true
[diff "x"]
\ttextconv = {canary}
\tcommand = {canary}
[diff]
\texternal = {canary}
[merge "x"]
\tdriver = {canary}
[alias]
\tls-tree = !{canary}
\trev-list = !{canary}
\tcat-file = !{canary}
[log]
\tshowSignature = true
[pager]
\tls-tree = {canary}
\trev-list = {canary}
\tcat-file = {canary}
[credential]
\thelper = !{canary}
[gpg]
\tprogram = {canary}
[remote "origin"]
\turl = ext::{canary}
\tpromisor = true
\tpartialclonefilter = blob:none
\tuploadpack = {canary}
[uploadpack]
\tpackObjectsHook = {canary}
[protocol "ext"]
\tallow = always
[include]
\tpath = {included}
"""
HOOKS = ("post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman", "post-checkout")


def _environment(root: Path) -> dict[str, str]:
    """What git gets: no settings of this machine, and dates that give each commit the same name anywhere."""
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-03-04T05:06:07Z")
    return {"PATH": "/usr/bin:/bin", "HOME": str(root / "nobody"), "GIT_CONFIG_NOSYSTEM": "1", **dates}


def _repository(root: Path) -> None:
    """A commit, then another state of a file, then the settings."""
    directory, trap = root / "package", root / "trap"
    environment = _environment(root)
    commands = (
        ("init", "--quiet", "--initial-branch=main"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@example.test", "commit", "--quiet", "-m", "a"),
    )
    for words in commands:
        subprocess.run(["git", *words], cwd=directory, env=environment, check=True, capture_output=True)
    (directory / "base.json").write_text((directory / "base.json").read_text().replace("first", "second"))
    trap.mkdir()
    canary = trap / "canary"
    canary.write_text(f"#!/bin/sh\ntouch {root}/outside/it-ran\ncat\n")
    canary.chmod(0o755)
    for name in HOOKS:
        for folder in (trap, directory / ".git/hooks"):
            folder.mkdir(exist_ok=True)
            (folder / name).write_bytes(canary.read_bytes())
            (folder / name).chmod(0o755)
    (trap / "attributes").write_text("* filter=x diff=x merge=x\n")
    (trap / "included").write_text(f"[core]\n\tfsmonitor = {canary}\n")
    (directory / ".gitattributes").write_text("* filter=x diff=x merge=x\n")
    settings = SETTINGS.format(canary=canary, hooks=trap, attributes=trap / "attributes", included=trap / "included")
    (directory / ".git/config").write_text(settings)


def _worktree(root: Path) -> None:
    """The same, and the settings in the file that only a worktree has."""
    _repository(root)
    config = root / "package/.git/config"
    (root / "package/.git/config.worktree").write_text(config.read_text())
    config.write_text("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n\tpartialClone = origin\n")


def _git(root: Path, directory: Path, *words: str, given: str = "") -> str:
    environment = _environment(root)
    author = ("-c", "user.name=a", "-c", "user.email=a@example.test")
    done = subprocess.run(
        ["git", *author, *words], cwd=directory, env=environment, input=given.encode(), check=True, capture_output=True
    )
    return done.stdout.decode().strip()


def _bare(root: Path) -> None:
    """A commit, then another state of a file, and beside it a bare repository whose `main` has that state."""
    directory, other = root / "package", root / "trap"
    for folder, text in ((directory, "first"), (other, "second")):
        if folder == other:
            shutil.copytree(directory, other, ignore=shutil.ignore_patterns(".git"))
        file = folder / "base.json"
        file.write_text(file.read_text().replace("first", text))
        _git(root, folder, "init", "--quiet", "--initial-branch=main")
        _git(root, folder, "add", "-A")
        _git(root, folder, "commit", "--quiet", "-m", "a")
    shutil.copy(other / "base.json", directory / "base.json")
    for name in ("objects", "refs"):
        shutil.copytree(other / ".git" / name, directory / name)
    (directory / "HEAD").write_text("ref: refs/heads/main\n")
    (directory / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = true\n")


def _led(root: Path) -> None:
    """The same, with a `.git` that leads to it, as an archive can carry one."""
    _bare(root)
    directory = root / "package"
    shutil.rmtree(directory / ".git")
    (directory / "inner").mkdir()
    for name in ("objects", "refs", "HEAD", "config"):
        (directory / name).rename(directory / "inner" / name)
    (directory / ".git").write_text("gitdir: inner\n")


def _bomb(root: Path) -> None:
    """Ten trees of ten entries each, one in the other: 10^9 files of one object. `main` is a tag of the outermost."""
    directory = root / "package"
    _git(root, directory, "init", "--quiet", "--initial-branch=any")
    name = _git(root, directory, "hash-object", "-w", "--stdin", given="a: b\n")
    for level in range(9):
        head = f"040000 tree {name}" if level else f"100644 blob {name}"
        name = _git(root, directory, "mktree", given="".join(f"{head}\tf{number}.yaml\n" for number in range(10)))
    _git(root, directory, "update-ref", "refs/tags/main", name)


def _large(root: Path) -> None:
    """An object of a gigabyte that is a megabyte in a pack."""
    directory = root / "package"
    _git(root, directory, "init", "--quiet", "--initial-branch=main")
    with (root / "large").open("wb") as file:
        file.truncate(_GIGABYTE)
    name = _git(root, directory, "hash-object", "-w", str(root / "large"))
    (root / "large").unlink()
    tree = _git(root, directory, "mktree", given=f"100644 blob {name}\tlarge.yaml\n")
    _git(root, directory, "update-ref", "refs/tags/main", tree)


def _lacking(root: Path) -> None:
    """Two commits, and the settings; the first version of a file is not there."""
    directory = root / "package"
    _worktree(root)
    config = (directory / ".git/config").read_text()
    (directory / ".git/config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
    (directory / ".gitattributes").unlink()
    name = _git(root, directory, "rev-parse", "HEAD:base.json")
    _git(root, directory, "commit", "--quiet", "-am", "b")
    (directory / ".git/objects" / name[:2] / name[2:]).unlink()
    (directory / ".git/config").write_text(config)


def _grown(root: Path) -> None:
    """A commit whose version of a file is a gigabyte, and one in which it is small again."""
    directory = root / "package"
    _git(root, directory, "init", "--quiet", "--initial-branch=main")
    with (root / "large").open("wb") as file:
        file.truncate(_GIGABYTE)
    name = _git(root, directory, "hash-object", "-w", str(root / "large"))
    (root / "large").unlink()
    tree = _git(root, directory, "mktree", given=f"100644 blob {name}\tbase.json\n")
    first = _git(root, directory, "commit-tree", tree, "-m", "a")
    _git(root, directory, "add", "-A")
    last = _git(root, directory, "commit-tree", _git(root, directory, "write-tree"), "-p", first, "-m", "b")
    _git(root, directory, "update-ref", "refs/heads/main", last)


def _named(root: Path) -> None:
    directory = root / "package"
    _git(root, directory, "init", "--quiet", "--initial-branch=main")
    _git(root, directory, "add", "-A")
    tree = _git(root, directory, "write-tree")
    text = f"tree {tree}\nauthor \x1b]0;x\x07\u202e ##[group] <a> 0 +0\ncommitter a <a> 0 +0000\n\nx\n"
    name = _git(root, directory, "hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=text)
    _git(root, directory, "update-ref", "refs/heads/main", name)


_GIGABYTE = 1 << 30
TEMPORARY = ("tmp/any",)
FILES = package({"a": "first"})
ATTACKS = [
    Attack(
        "git: settings that start programs",
        "run a program: fsmonitor, hooks, filter, textconv, ssh, pager, aliases, an ext:: remote",
        (*AGAINST, "HEAD"),
        "first -> second",
        1,
        FILES,
        _repository,
        writes=TEMPORARY,
    ),
    Attack(
        "git: settings of a worktree, and a partial clone",
        "run a program",
        (*AGAINST, "HEAD"),
        "first -> second",
        1,
        FILES,
        _worktree,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a revision that a partial clone lacks",
        "have it fetched by a program",
        (*AGAINST, "0123456789abcdef0123456789abcdef01234567"),
        "git: ",
        2,
        FILES,
        _worktree,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a revision that is an option",
        "be an option of git",
        (*AGAINST[:-1], "--against=--output=outside/x"),
        "git: ",
        2,
        FILES,
        _repository,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a bare repository within the package",
        "be taken for the repository, so that no value differs",
        (*AGAINST, "main"),
        "first -> second",
        1,
        FILES,
        _bare,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a `.git` that leads into the package",
        "be taken for the repository, so that no value differs",
        (*AGAINST, "main"),
        "leads to a folder of the package itself",
        2,
        FILES,
        _led,
        writes=TEMPORARY,
    ),
    Attack(
        "git: 10^9 files of ten objects",
        "be listed for hours, and fill the memory",
        (*AGAINST, "main"),
        "more than 1,000 files",
        2,
        FILES,
        _bomb,
        environment={"KRM_VALUES_MAX_FILES": "1000"},
        writes=TEMPORARY,
    ),
    Attack(
        "git: settings that start programs, with `--blame`",
        "run a program: fsmonitor, hooks, filter, textconv, ssh, pager, aliases, signatures, an ext:: remote",
        BLAME,
        "not committed",
        0,
        FILES,
        _repository,
        writes=TEMPORARY,
    ),
    Attack(
        "git: settings of a worktree, and a partial clone, with `--blame`",
        "run a program",
        BLAME,
        "not committed",
        0,
        FILES,
        _worktree,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a version that a partial clone lacks",
        "have it fetched by a program, or be told as another's line",
        BLAME,
        "fetch it, as the repository is not whole",
        1,
        FILES,
        _lacking,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a `.git` that leads into the package, with `--blame`",
        "say that somebody else wrote the lines",
        BLAME,
        "leads to a folder of the package itself",
        1,
        FILES,
        _led,
        writes=TEMPORARY,
    ),
    Attack(
        "git: a version of 1 GiB in a small pack",
        "fill the memory before its size is looked at",
        BLAME,
        "must not have more than",
        1,
        FILES,
        _grown,
        writes=TEMPORARY,
    ),
    Attack(
        "git: an author with escapes",
        "write to the terminal, and to the host of a pipeline",
        BLAME,
        r"\x1b]0;x\x07",
        0,
        FILES,
        _named,
        writes=TEMPORARY,
    ),
    Attack(
        "git: an object of 1 GiB in a small pack",
        "fill the memory before its size is looked at",
        (*AGAINST, "main"),
        "must not have more than",
        2,
        FILES,
        _large,
        writes=TEMPORARY,
    ),
]
