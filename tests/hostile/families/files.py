"""What may lie in a package instead of a file."""

from __future__ import annotations

import os
import socket
import stat
from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.parts import BUILD, DIFF, EXPLAIN, OUTPUT, RENDER, run, tekton

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hostile.attack import Ended


def link(name: str, target: str) -> Callable[[Path], None]:
    """A link in the package."""

    def prepare(root: Path) -> None:
        (root / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "package" / name).unlink(missing_ok=True)
        (root / "package" / name).symlink_to(target)

    return prepare


def fifo(name: str) -> Callable[[Path], None]:
    return lambda root: os.mkfifo(root / "package" / name)


def _socket(root: Path) -> None:
    here = os.getcwd()
    with socket.socket(socket.AF_UNIX) as made:
        short = os.path.relpath(root / "package/odd.yaml", here)
        made.bind(min(short, str(root / "package/odd.yaml"), key=len))


def _device(root: Path) -> None:
    try:
        os.mknod(root / "package/odd.yaml", 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:  # only root makes devices; what others can make is a link to one
        (root / "package/odd.yaml").symlink_to("/dev/zero")


def _hard(root: Path) -> None:
    (root / "package/run.yaml").unlink()
    (root / "outside/run.yaml").write_text(run())
    os.link(root / "outside/run.yaml", root / "package/run.yaml")


def _folder_link(root: Path) -> None:
    (root / "package/sub").symlink_to("../outside")


def _parent(root: Path) -> None:
    (root / "package/loop").symlink_to("..")


def _deep(root: Path) -> None:
    here = os.open(root / "package", os.O_RDONLY)
    for _ in range(1_200):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def _bad_name(root: Path) -> None:
    with open(os.path.join(os.fsencode(root), b"package/\xff\xfe.yaml"), "w", encoding="utf-8") as file:
        file.write(run("other"))


def _read_only(root: Path) -> None:
    (root / "package/run.yaml").chmod(0o444)


def _results(root: Path) -> None:
    (root / "package/results").mkdir()
    (root / "package/results/results.yaml").symlink_to("../../home/.bashrc")


def _mode(root: Path, _: Ended) -> None:
    assert stat.S_IMODE((root / "package/run.yaml").stat().st_mode) == 0o444


def _many(root: Path) -> None:
    for number in range(500):
        (root / f"package/{number}.yaml").symlink_to("run.yaml")


def _swarm(root: Path) -> None:
    """Each link leads to the folder that holds it."""
    for number in range(200):
        (root / f"package/l{number}").symlink_to(".")


ATTACKS = [
    Attack("link to /dev/zero", "eat memory by reading", RENDER, "odd.yaml", 1, BUILD, link("odd.yaml", "/dev/zero")),
    Attack(
        "link to /dev/zero as .krmignore",
        "eat memory by reading",
        RENDER,
        ".krmignore",
        1,
        BUILD,
        link(".krmignore", "/dev/zero"),
    ),
    Attack("link to /dev/zero as Kptfile", "eat memory by reading", RENDER, "Kptfile", 1, BUILD, link("Kptfile", "/dev/zero")),
    Attack("link to /dev/stdin", "wait for a person", DIFF, "odd.yaml", 2, BUILD, link("odd.yaml", "/dev/stdin")),
    Attack("FIFO", "hang for ever", RENDER, "odd.yaml", 1, BUILD, fifo("odd.yaml")),
    Attack("FIFO as .krmignore", "hang for ever", DIFF, ".krmignore", 2, BUILD, fifo(".krmignore")),
    Attack("FIFO, explained", "hang for ever", EXPLAIN, "odd.yaml", 1, BUILD, fifo("odd.yaml")),
    Attack(
        "FIFO in a directory for run",
        "hang for ever",
        ("krm-values", "run", "tekton-params", "package"),
        "odd.yml",
        1,
        BUILD,
        fifo("odd.yml"),
    ),
    Attack(
        "FIFO in a directory for lint",
        "hang for ever",
        ("krm-values", "lint", "glasskube-values", "package"),
        "package.yaml",
        1,
        BUILD,
        fifo("package.yaml"),
    ),
    Attack("socket", "break reading", RENDER, "odd.yaml", 1, BUILD, _socket),
    Attack("device", "eat memory by reading", RENDER, "odd.yaml", 1, BUILD, _device),
    Attack(
        "link to a key, copied",
        "copy a file of the user into the output",
        OUTPUT,
        "key.yaml",
        1,
        BUILD,
        link("key.yaml", "../home/.ssh/id_ed25519"),
        hides=("not really a key",),
    ),
    Attack(
        "link to a file outside, in place",
        "change a file outside",
        RENDER,
        "link.yaml",
        1,
        BUILD,
        link("link.yaml", "../outside/values.yaml"),
    ),
    Attack(
        "link as the target of a write",
        "change a file outside through the file that is rendered",
        RENDER,
        "run.yaml",
        1,
        {**BUILD, "outside/run.yaml": run()},
        link("run.yaml", "../outside/run.yaml"),
    ),
    Attack(
        "link as the target, followed",
        "change a file outside when links are allowed",
        ("krm-values", "render", "--follow-links", "package"),
        "run.yaml",
        1,
        {**BUILD, "outside/run.yaml": run()},
        link("run.yaml", "../outside/run.yaml"),
    ),
    Attack("absolute link", "read /etc/passwd", DIFF, "odd.yaml", 2, BUILD, link("odd.yaml", "/etc/passwd"), hides=("root:",)),
    Attack("dangling link", "break reading", RENDER, "odd.yaml", 1, BUILD, link("odd.yaml", "nowhere")),
    Attack("link to itself", "never end", RENDER, "odd.yaml", 1, BUILD, link("odd.yaml", "odd.yaml")),
    Attack(
        "link to /proc", "read the process's environment", RENDER, "odd.yaml", 1, BUILD, link("odd.yaml", "/proc/self/environ")
    ),
    Attack(
        "folder that is a link out",
        "read and change what it leads to",
        RENDER,
        "1 step run",
        0,
        BUILD,
        _folder_link,
        writes=("package",),
    ),
    Attack("folder that is a link to its parent", "never end", RENDER, "1 step run", 0, BUILD, _parent, writes=("package",)),
    Attack("200 links to the same folder", "take 200^n steps", RENDER, "1 step run", 0, BUILD, _swarm, writes=("package",)),
    Attack("500 links to one file", "render one file many times", RENDER, "run.yaml", 1, BUILD, _many),
    Attack("hard link to a file outside", "change a file outside", RENDER, "hard link", 1, BUILD, _hard),
    Attack("folders 1,200 deep", "overflow the stack", RENDER, "nests", 1, BUILD, _deep),
    Attack("a name that is not UTF-8", "break printing", RENDER, "1 step run", 0, BUILD, _bad_name, writes=("package",)),
    Attack(
        "a directory named like a file",
        "break reading",
        RENDER,
        "1 step run",
        0,
        tekton({"odd.yaml/inner.yaml": run("inner")}),
        writes=("package",),
    ),
    Attack(
        "a read-only file",
        "lose its mode",
        RENDER,
        "updated: run.yaml",
        0,
        BUILD,
        _read_only,
        writes=("package",),
        check=_mode,
    ),
    Attack(
        "results that are a link out",
        "overwrite a file of the user by --results-dir",
        ("krm-values", "render", "--results-dir", "package/results", "package"),
        "results.yaml",
        1,
        BUILD,
        _results,
    ),
    Attack(
        "results directory that is a link out",
        "write a file into a directory of the user by --results-dir",
        ("krm-values", "render", "--results-dir", "package/results", "package"),
        "results",
        1,
        BUILD,
        link("results", "../home"),
    ),
    Attack(
        "output that is a dangling link out",
        "make a directory outside",
        ("krm-values", "render", "-o", "package/new", "package"),
        "package/new",
        2,
        BUILD,
        link("new", "../home/made"),
    ),
    Attack(
        "output below a link out",
        "make a directory outside",
        ("krm-values", "render", "-o", "package/new/made", "package"),
        "package/new",
        1,
        BUILD,
        link("new", "../home"),
    ),
    Attack(
        "a file of 600 MB with holes",
        "eat memory by reading",
        RENDER,
        "big.yaml",
        1,
        BUILD,
        lambda root: os.truncate(_touched(root / "package/big.yaml"), 600 << 20),
    ),
    Attack(
        "a functionConfig that is a link out",
        "read a file of the user as configuration",
        RENDER,
        "config.yaml",
        1,
        BUILD,
        link("config.yaml", "../home/.ssh/id_ed25519"),
        hides=("not really a key",),
    ),
]


def _touched(path: Path) -> Path:
    path.touch()
    return path
