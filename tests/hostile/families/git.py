"""A repository whose settings want to start programs when `compare --against` reads it."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.page import package

if TYPE_CHECKING:
    from pathlib import Path

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
\tcat-file = !{canary}
[pager]
\tls-tree = {canary}
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


def _repository(root: Path) -> None:
    """A commit, then another state of a file, then the settings."""
    directory, trap = root / "package", root / "trap"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(root / "nobody"), "GIT_CONFIG_NOSYSTEM": "1"}
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
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(root / "nobody"), "GIT_CONFIG_NOSYSTEM": "1"}
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
