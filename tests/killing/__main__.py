"""`python -m tests.killing SCENARIO`: end the scenario's command at every point; a line per kind of end, exit 1 if a promise breaks.

After each end every file is its old or its new text; after the next command all are old or all are new, and nothing is left over.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

from krm_values._kit import writer
from tests.killing import points, scenarios
from tests.killing.points import fail_at, kill_at, watched
from tests.killing.scenarios import Scenario
from tests.killing.trees import Tree, folders, held, is_staged, lay, torn

TWICE = 50
State = tuple[Tree, Tree]
SCENARIOS = {"process": scenarios.process, "render": scenarios.rendering}


class Trial:
    """One scenario, tried in a directory of its own."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.scenario, self.folder, self.root = scenario, folder, folder / "tree"
        self.state = folder / "state"
        os.environ["XDG_STATE_HOME"] = str(self.state)
        self.old = scenario.old
        lay(self.root, self.old)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert self._command() == 0  # here, so that no forked process imports anything
        self.new = held(self.root)
        assert self.new != self.old
        self.failures: list[str] = []

    def kills(self) -> str:
        """SIGKILL before and after every call of the writing phase, then the same for the mending of each state that this leaves."""
        lay(self.root, self.old)
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points")
        left: dict[tuple[tuple[str, bytes], ...], State] = {}
        for number in range(total):
            self._lay((self.old, {}))
            code = points.run(self._command, lambda: watched(self.scenario.writing, "write", kill_at(number)))  # noqa: B023
            self._check(code == -9, f"kill {number}: exit {code}")
            tree, journals = self._is_whole(f"kill {number}"), self._journals()
            if journals:
                left.setdefault(_key(tree, journals), (tree, journals))
            self._is_mended(f"kill {number}")
        states = _spread(list(left.values()))
        again = sum(self._recoveries(number, state) for number, state in enumerate(states))
        return (
            f"{total} points of the writing phase; {len(left)} states to mend, of {len(states)} {again} points of their mending"
        )

    def _recoveries(self, state: int, left: State) -> int:
        self._lay(left)
        total = points.count(self._mend, writer, "_recover", self.folder / "points")
        for number in range(total):
            self._lay(left)
            code = points.run(self._mend, lambda: watched(writer, "_recover", kill_at(number)))  # noqa: B023
            self._check(code == -9, f"state {state}, kill {number}: exit {code}")
            self._is_whole(f"state {state}, kill {number}")
            self._is_mended(f"state {state}, kill {number}")
        return total

    def full_disk(self) -> str:
        """No space left, at every call that may find none; a call that need not succeed may be passed over."""
        lay(self.root, self.old)
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points", points.finds_no_space)
        for number in range(total):
            lay(self.root, self.old)
            arm = lambda: watched(self.scenario.writing, "write", fail_at(number, errno.ENOSPC))  # noqa: B023, E731
            code, told = points.told(self._command, arm)
            tree = self._is_whole(f"space {number}")
            if code or tree != self.new:
                self._check(code == 1 and "No space left" in told, f"space {number}: exit {code}, {told}")
                self._check(
                    "not finished" in told or tree == self.old, f"space {number}: said nothing was written: {list(tree)}"
                )
            self._is_mended(f"space {number}")
        return f"{total} points without space"

    def short_files(self) -> str:
        """A real limit: the system takes part of a text, and then no more."""
        limits = [0, 1, *(len(text) - 1 for name, text in self.new.items() if self.old.get(name) != text)]
        for limit in limits:
            lay(self.root, self.old)
            code, told = points.told(self._command, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))  # noqa: B023
            self._check(code == 1 and "nothing was written" in told, f"limit {limit}: exit {code}, {told}")
            self._check(held(self.root) == self.old, f"limit {limit}: a file changed")
            self._check(not self._journals(), f"limit {limit}: left over")
        return f"{len(limits)} limits of a file's size"

    def twice(self) -> str:
        """Two runs at once come to what one of the two would come to behind the other."""
        first, second = (_sd_data(version) for version in ("3.2.0", "3.3.0"))
        serial = []
        for order in ((first, second), (second, first)):
            lay(self.root, self.old)
            for data in order:
                assert points.run(lambda data=data: scenarios.step(self.root, data)) == 0  # type: ignore[misc]
            serial.append(held(self.root))
        assert serial[0] != serial[1]
        seen = set()
        for number in range(TWICE):
            lay(self.root, self.old)
            children = [points.start(lambda data=data: scenarios.step(self.root, data)) for data in (first, second)]  # type: ignore[misc]
            codes = [points.wait(child) for child in children]
            found = held(self.root)
            self._check(codes == [0, 0] and found in serial, f"twice {number}: exits {codes}")
            seen |= {number for number, tree in enumerate(serial) if tree == found}
        return f"{TWICE} times two at once: {len(seen)} of 2 orders seen"

    def read_only(self) -> str:
        """A directory in which nobody may write."""
        lay(self.root, self.old)
        for folder in (self.root, *(self.root / name for name in folders(self.root))):
            folder.chmod(0o555)
        code, told = points.told(self._command, lambda: _as_nobody(self.folder / "nobody"))
        self._check(code == 1 and "nothing was written" in told and "denied" in told, f"read-only: exit {code}, {told}")
        self._check(held(self.root) == self.old, "read-only: a file changed")
        for folder in (self.root, *(self.root / name for name in folders(self.root))):
            folder.chmod(0o755)
        (self.folder / "nobody").chmod(0o555)
        shutil.rmtree(self.folder / "nobody/krm-values")
        code, told = points.told(self._command, lambda: _as_nobody_there(self.folder / "nobody"))
        self._check(code == 1 and "state directory" in told, f"read-only state: exit {code}, {told}")
        self._check(held(self.root) == self.old, "read-only state: a file changed")
        return "a read-only directory, a read-only state directory"

    def _lay(self, left: State) -> None:
        """The tree, and beside the key of the state directory exactly these journals."""
        tree, journals = left
        lay(self.root, tree)
        for folder in self.state.glob("krm-values/*/"):
            shutil.rmtree(folder)
        for name, content in journals.items():
            path = self.state / "krm-values" / name
            path.parent.mkdir(mode=0o700, exist_ok=True)
            path.write_bytes(content)

    def _journals(self) -> Tree:
        return {name: content for name, content in held(self.state / "krm-values").items() if "/" in name}

    def _command(self) -> int:
        return self.scenario.command(self.root)

    def _mend(self) -> int:
        """What every command that writes does first."""
        with writer.locked(self.root):
            return 0

    def _is_whole(self, title: str) -> Tree:
        tree = held(self.root)
        self._check(not torn(tree, self.old, self.new), f"{title}: torn: {torn(tree, self.old, self.new)}")
        return tree

    def _is_mended(self, title: str) -> None:
        self._mend()
        tree = held(self.root)
        self._check(tree in (self.old, self.new), f"{title}: not mended: {sorted(tree)}")
        self._check(not self._journals() and not any(map(is_staged, tree)), f"{title}: left over")

    def _check(self, good: bool, text: str) -> None:
        if not good:
            self.failures.append(text)


def main(name: str, folder: Path) -> int:
    trial = Trial(SCENARIOS[name](), folder)
    tasks = [trial.kills, trial.full_disk, trial.short_files, trial.read_only, *([trial.twice] if name == "process" else [])]
    for task in tasks:
        print(f"{name}: {task()}", flush=True)
    print(*trial.failures[:20], sep="\n")
    return int(bool(trial.failures))


def _key(tree: Tree, journals: Tree) -> tuple[tuple[str, bytes], ...]:
    """One state: staged names are random, so their order and texts stand for them."""
    own = sorted((name if not is_staged(name) else "staged", content) for name, content in tree.items())
    return (*own, *((name.rpartition("/")[2], b"") for name in journals))


def _spread(states: list[State]) -> list[State]:
    """Two states from before the commit and three from behind it: the first ones, the middle, the last."""
    late = [state for state in states if any(name.endswith("/journal") for name in state[1])]
    early = [state for state in states if state not in late]
    return [early[0], early[-1], late[0], late[len(late) // 2], late[-1]]


def _as_nobody(state: Path) -> None:
    state.mkdir(exist_ok=True)
    state.chmod(0o777)
    _as_nobody_there(state)


def _as_nobody_there(state: Path) -> None:
    os.environ["XDG_STATE_HOME"] = str(state)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def _sd_data(version: str) -> str:
    return f'{{"applications": [{{"version": "ledger:{version}", "deployPostfix": "finance"}}, {{"version": "new-{version}:1", "deployPostfix": "x"}}]}}'


if __name__ == "__main__":
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        Path(directory).chmod(0o755)
        sys.exit(main(sys.argv[1], Path(directory)))
