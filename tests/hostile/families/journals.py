"""Journals and staged texts that lie in a package, and what may be wrong with the state directory."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from tests.hostile.attack import Attack
from tests.hostile.families.files import link
from tests.hostile.families.parts import BUILD, DIFF, OUTPUT, RENDER, tekton

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.hostile.attack import Ended

NOTHING = hashlib.sha256(b"").hexdigest()
STAGED = ".krm-values-" + "0" * 32


def old_journal(target: str, staged: str, old: str = "removed", new: str = NOTHING) -> dict[str, str | bytes]:
    """What 0.1.0 kept in the package."""
    entries = [{"target": target, "old": old, "new": new, "staged": staged}]
    return tekton({".krm-values/journal": json.dumps({"entries": entries}), ".krm-values/0": ""})


def state(name: str, content: bytes) -> Callable[[Path], None]:
    """A file in the state directory of the package, as somebody might have put it there without the user's key."""

    def prepare(root: Path) -> None:
        base = root / "state/krm-values"
        folder = base / hashlib.sha256(str(root / "package").encode()).hexdigest()[:32]
        folder.mkdir(parents=True)
        base.chmod(0o700)
        folder.chmod(0o700)
        (folder / name).write_bytes(content)

    return prepare


def _planted_is_gone(name: str) -> Callable[[Path, Ended], None]:
    def check(root: Path, _: Ended) -> None:
        assert not (root / name).exists()

    return check


def _state_link(root: Path) -> None:
    (root / "state/krm-values").symlink_to("../home")


def _open_state(root: Path) -> None:
    (root / "state/krm-values").mkdir()
    (root / "state/krm-values").chmod(0o777)


def _key_link(root: Path) -> None:
    (root / "state/krm-values").mkdir(mode=0o700)
    (root / "state/krm-values/key").symlink_to("/dev/zero")


def _state_file(root: Path) -> None:
    (root / "state/krm-values").write_text("")


BODY = json.dumps({"directory": "x", "entries": [{"target": "../home/.bashrc", "old": "x", "new": NOTHING, "staged": STAGED}]})
WRITES = ("package",)
ATTACKS = [
    Attack(
        "0.1.0's journal with an absolute target",
        "make a file anywhere",
        RENDER,
        "0.1.0",
        0,
        old_journal("/tmp/hostile-made", "0"),
        writes=("package/run.yaml", "package"),
    ),
    Attack(
        "0.1.0's journal with `..`",
        "overwrite ~/.bashrc",
        RENDER,
        "0.1.0",
        0,
        old_journal("../home/.bashrc", "0"),
        writes=WRITES,
    ),
    Attack(
        "0.1.0's journal that removes",
        "delete a key",
        RENDER,
        "0.1.0",
        0,
        old_journal("../home/.ssh/id_ed25519", "", new="removed"),
        writes=WRITES,
    ),
    Attack(
        "0.1.0's journal with a staged file outside",
        "move a key into the package",
        RENDER,
        "0.1.0",
        0,
        old_journal("new.yaml", "../../home/.ssh/id_ed25519"),
        writes=WRITES,
    ),
    Attack(
        "0.1.0's journal, read only", "do the same in a reading command", DIFF, "0.1.0", 1, old_journal("../home/.bashrc", "0")
    ),
    Attack(
        "0.1.0's journal of nonsense",
        "break a reader of journals",
        RENDER,
        "0.1.0",
        0,
        tekton({".krm-values/journal": b"\xff\0{"}),
        writes=WRITES,
    ),
    Attack(
        "`.krm-values` as a link",
        "delete what it leads to",
        RENDER,
        "1 step run",
        0,
        BUILD,
        link(".krm-values", "../home"),
        writes=WRITES,
    ),
    Attack("`.krm-values` as a file", "block every run", RENDER, "1 step run", 0, tekton({".krm-values": "x"}), writes=WRITES),
    Attack(
        "`.krm-values` as a folder with a link",
        "delete through it",
        OUTPUT,
        "0.1.0",
        0,
        BUILD,
        link(".krm-values/journal", "../../home/.bashrc"),
        writes=("new",),
        changed=True,
    ),
    Attack(
        "a staged text of nobody",
        "be taken for one of ours",
        DIFF,
        "remove it if no other command is writing here",
        1,
        tekton({STAGED: "evil"}),
    ),
    Attack("a staged name that is a link", "be removed or followed", DIFF, STAGED, 1, BUILD, link(STAGED, "../home/.bashrc")),
    Attack(
        "a journal without our MAC",
        "overwrite ~/.bashrc by recovery",
        RENDER,
        "is not a journal that this user's krm-values wrote",
        1,
        BUILD,
        state("journal", b"0" * 64 + b"\n" + BODY.encode()),
    ),
    Attack(
        "an intent of nonsense", "break recovery", RENDER, "is not a journal", 1, BUILD, state("intent", b"\xff\xfe\0" * 100)
    ),
    Attack("an empty journal", "break recovery", RENDER, "is not a journal", 1, BUILD, state("journal", b"")),
    Attack(
        "a journal of 100,000 brackets",
        "overflow the stack of recovery",
        RENDER,
        "is not a journal",
        1,
        BUILD,
        state("journal", b"[" * 100_000),
    ),
    Attack(
        "the state directory as a link", "write into a directory of the user", RENDER, "symbolic link", 1, BUILD, _state_link
    ),
    Attack("the state directory open to others", "let others write journals", RENDER, "0700", 1, BUILD, _open_state),
    Attack("the state directory as a file", "block with a riddle", RENDER, "state", 1, BUILD, _state_file),
    Attack("the key as a link to /dev/zero", "eat memory by reading", RENDER, "key", 1, BUILD, _key_link),
    Attack(
        "the state directory in the package",
        "own the journals",
        RENDER,
        "must not lie in the directory that is written",
        1,
        BUILD,
        environment={"XDG_STATE_HOME": "{root}/package"},
    ),
]
