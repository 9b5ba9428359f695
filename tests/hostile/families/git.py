"""A repository whose settings want to start programs when `compare --against` reads it."""

from __future__ import annotations

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
]
