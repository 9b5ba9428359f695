"""`python -m tests.crash_consistency SCENARIO`: end the scenario's command at every point; a line per kind of end, exit 1 if a promise breaks.

After each end every file is its old or its new text; after the next command all are old or all are new, and nothing is left over,
no empty folder either. An attacker has planted journals, staged texts and links in the directory: they and everything outside stay.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import itertools
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from krm_values._kit.process import transaction
from tests.crash_consistency import points, scenarios
from tests.crash_consistency.points import fail_at, kill_at, watched
from tests.crash_consistency.scenarios import Scenario
from tests.crash_consistency.trees import Tree, folders, held, is_staged, lay, plant, planted, torn

TWICE, CROWD, MOMENTS, SWAPS = 50, 50, 500, 100
State = tuple[Tree, Tree]
SCENARIOS = {
    "process": scenarios.process,
    "sink": scenarios.sink,
    "deltas": scenarios.deltas,
    "render": scenarios.rendering,
}


class Trial:
    """One scenario, tried in a directory of its own."""

    def __init__(self, scenario: Scenario, folder: Path, moments: int = MOMENTS, seed: int = 1) -> None:
        self.scenario, self.folder, self.root, self.home = scenario, folder, folder / "tree", folder / "home"
        self.state, self.moments, self.dice = folder / "state", moments, random.Random(seed)
        os.environ["XDG_STATE_HOME"] = str(self.state)
        self.old = scenario.old
        self.failures: list[str] = []
        self._lay((self.old, {}))
        self.old_folders = folders(self.root)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert self._command() == 0  # here, so that no forked process imports anything
        self.new, self.new_folders = held(self.root), folders(self.root)
        assert self.new != self.old
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert [self._command(), self._command()] == [scenario.again] * 2
        self.settled = held(self.root)

    def kills(self) -> str:
        """SIGKILL before and after every call of the writing phase, then the same for the mending of each state that this leaves."""
        self._lay((self.old, {}))
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points")
        left: dict[tuple[tuple[str, bytes], ...], State] = {}
        for number in range(total):
            self._lay((self.old, {}))
            code = points.run(self._command, partial(watched, self.scenario.writing, "write", kill_at(number)))
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
        total = points.count(self._mend, transaction, "_recover", self.folder / "points")
        for number in range(total):
            self._lay(left)
            code = points.run(self._mend, partial(watched, transaction, "_recover", kill_at(number)))
            self._check(code == -9, f"state {state}, kill {number}: exit {code}")
            self._is_whole(f"state {state}, kill {number}")
            self._is_mended(f"state {state}, kill {number}")
        return total

    def full_disk(self) -> str:
        """No space left, at every call that may find none; a call that need not succeed may be passed over."""
        self._lay((self.old, {}))
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points", points.finds_no_space)
        for number in range(total):
            self._lay((self.old, {}))
            code, told = points.told(
                self._command, partial(watched, self.scenario.writing, "write", fail_at(number, errno.ENOSPC))
            )
            tree = self._is_whole(f"space {number}")
            if code or tree != self.new:
                self._check(code == 1 and "No space left" in told, f"space {number}: exit {code}, {told}")
                is_old = tree == self.old and folders(self.root) == self.old_folders
                is_partly = "not finished" in told or self.scenario.others
                self._check(bool(is_partly) or is_old, f"space {number}: said nothing was written: {list(tree)}")
            self._is_mended(f"space {number}")
        return f"{total} points without space"

    def random_moments(self) -> str:
        """SIGKILL from outside at any moment: half of them somewhere in the run, half of them while it writes."""
        run, writing = self._spans()
        middle = 0
        for number in range(self.moments):
            self._lay((self.old, {}))
            began, told = os.pipe()
            child = points.start(self._command, partial(points.telling, self.scenario.writing, "write", told))
            os.close(told)
            if number % 2:
                os.read(began, 1)
            time.sleep(self.dice.random() * (writing if number % 2 else run))
            os.kill(child, signal.SIGKILL)
            points.wait(child)
            os.close(began)
            tree = self._is_whole(f"moment {number}")
            middle += bool(self._journals()) or any(map(is_staged, tree))
            self._is_mended(f"moment {number}")
        return f"{self.moments} random moments, {middle} of them in the middle of a write"

    def _spans(self) -> tuple[float, float]:
        """Seconds that the run takes, and the last part of it, from the first write on."""
        self._lay((self.old, {}))
        began, told = os.pipe()
        start = time.monotonic()
        child = points.start(self._command, lambda: points.telling(self.scenario.writing, "write", told))
        os.close(told)
        os.read(began, 1)
        middle = time.monotonic()
        points.wait(child)
        os.close(began)
        end = time.monotonic()
        return end - start, end - middle

    def crowd(self) -> str:
        """Many at once, and again many of which half are killed: what one after the other comes to, or finished by the next."""
        self._lay((self.old, {}))
        children = [points.start(self._command) for _ in range(CROWD)]
        codes = sorted(points.wait(child) for child in children)
        self._check(codes == [0, *[self.scenario.again] * (CROWD - 1)], f"crowd: exits {codes}")
        self._check(held(self.root) == self.settled, f"crowd: {sorted(held(self.root))}")
        self._is_untouched("crowd")
        self._lay((self.old, {}))
        children = [points.start(self._command) for _ in range(CROWD)]
        for child in self.dice.sample(children, CROWD // 2):
            time.sleep(self.dice.random() / CROWD)
            os.kill(child, signal.SIGKILL)
        codes = [points.wait(child) for child in children]
        self._check(all(code in (0, self.scenario.again, -9) for code in codes), f"crowd with kills: exits {codes}")
        self._check(codes.count(-9) <= CROWD // 2, "crowd with kills: others died")
        self._mend()
        self._check(held(self.root) in (self.new, self.settled), f"crowd with kills: {sorted(held(self.root))}")
        self._is_untouched("crowd with kills")
        return f"{CROWD} at once, {CROWD} at once of which {codes.count(-9)} are killed"

    def swaps(self) -> str:
        """While it runs, a folder is a link to outside again and again: nothing outside changes, and nothing is lost."""
        name = next(name for name in self.new if "/" in name and self.old.get(name) != self.new[name]).partition("/")[0]
        codes, left = [], 0
        for number in range(SWAPS):
            self._lay((self.old, {}))
            attacker = points.start(lambda: _swap(self.root / name, self.home, self.dice))
            time.sleep(self.dice.random() / 50)
            code, told = points.told(self._command, lambda: None)
            codes.append(code)
            os.kill(attacker, signal.SIGTERM)
            points.wait(attacker)
            _swap_back(self.root / name)
            self._check(code in (0, 1), f"swap {number}: exit {code}, {told}")
            self._has_lost_nothing(f"swap {number}")
            with contextlib.suppress(transaction.WriteError):  # a file was put in its place and then moved away: that is said
                self._mend()
            left += sum(map(is_staged, held(self.root)))  # in a folder that has another name now; the next run names them
            self._has_lost_nothing(f"swap {number}, mended")
            self._is_untouched(f"swap {number}")
        done = f"{codes.count(0)} done, {codes.count(1)} refused, {left} staged texts left for the user"
        return f"{SWAPS} runs while a folder is swapped for a link: {done}"

    def short_files(self) -> str:
        """A real limit: the system takes part of a text, and then no more."""
        limits = [0, 1, *(len(text) - 1 for name, text in self.new.items() if self.old.get(name) != text)]
        for limit in limits:
            self._lay((self.old, {}))
            code, told = points.told(self._command, partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)))
            self._check(code == 1 and "nothing was written" in told, f"limit {limit}: exit {code}, {told}")
            self._check(held(self.root) == self.old, f"limit {limit}: a file changed")
            self._check(not self._journals(), f"limit {limit}: left over")
        return f"{len(limits)} limits of a file's size"

    def twice(self) -> str:
        """Two runs at once come to what one of the two would come to behind the other."""
        first, second = (_sd_data(version) for version in ("3.2.0", "3.3.0"))
        serial = []
        for order in ((first, second), (second, first)):
            self._lay((self.old, {}))
            for data in order:
                assert points.run(partial(scenarios.step, self.root, data)) == 0
            serial.append(held(self.root))
        assert serial[0] != serial[1]
        seen = set()
        for number in range(TWICE):
            self._lay((self.old, {}))
            children = [points.start(partial(scenarios.step, self.root, data)) for data in (first, second)]
            codes = [points.wait(child) for child in children]
            found = held(self.root)
            self._check(codes == [0, 0] and found in serial, f"twice {number}: exits {codes}")
            seen |= {number for number, tree in enumerate(serial) if tree == found}
        return f"{TWICE} times two at once: {len(seen)} of 2 orders seen"

    def read_only(self) -> str:
        """A directory in which nobody may write."""
        self._lay((self.old, {}))
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
        """The tree with what is planted, and beside the key of the state directory exactly these journals."""
        tree, journals = left
        lay(self.root, tree)
        plant(self.root, self.home)
        self.planted = planted(self.root, self.home)
        for folder in self.state.glob("krm-values/*/"):
            shutil.rmtree(folder)
        for name in self.scenario.others if journals else ():
            (self.root / name).mkdir(parents=True, exist_ok=True)
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
        for name in ("", *self.scenario.others):
            if (self.root / name).is_dir():
                with transaction.locked(self.root / name):
                    pass
        return 0

    def _is_whole(self, title: str) -> Tree:
        tree = held(self.root)
        self._check(not torn(tree, self.old, self.new), f"{title}: torn: {torn(tree, self.old, self.new)}")
        return tree

    def _is_mended(self, title: str) -> None:
        self._mend()
        tree = held(self.root)
        for part, rest in self._parts(tree):
            pairs = dict(self._parts(self.old)), dict(self._parts(self.new))
            self._check(rest in [pair[part] for pair in pairs], f"{title}: not mended: {part} {sorted(rest)}")
        self._check(not self._journals() and not any(map(is_staged, tree)), f"{title}: left over")
        made = folders(self.root)
        whole = (self.old_folders, self.new_folders)
        self._check(made in whole or bool(self.scenario.others), f"{title}: folders: {made ^ whole[0]}")
        self._is_untouched(title)

    def _has_lost_nothing(self, title: str) -> None:
        """Every file that there was is old or new; what was read may have lacked a folder, so that others were made."""
        tree = held(self.root)
        own = {name: content for name, content in tree.items() if name in self.old}
        self._check(not torn(own, self.old, {name: self.new[name] for name in self.old if name in self.new}), f"{title}: torn")

    def _parts(self, tree: Tree) -> Iterator[tuple[str, Tree]]:
        """The tree without the directories that are wholes of their own, and each of those."""
        inside = {name: other for name, other in itertools.product(tree, self.scenario.others) if name.startswith(f"{other}/")}
        for part in ("", *self.scenario.others):
            yield part, {name: content for name, content in tree.items() if inside.get(name, "") == part}

    def _is_untouched(self, title: str) -> None:
        found = planted(self.root, self.home)
        self._check(
            found == self.planted, f"{title}: an attacker's path: {set(map(str, found.items() ^ self.planted.items()))}"
        )

    def _check(self, good: bool, text: str) -> None:
        if not good:
            self.failures.append(text)


def main(name: str, folder: Path, moments: int, seed: int) -> int:
    trial = Trial(SCENARIOS[name](), folder, moments, seed)
    tasks = [trial.kills, trial.full_disk, trial.random_moments, trial.crowd, trial.swaps, trial.short_files, trial.read_only]
    for task in [*tasks, *([trial.twice] if name == "process" else [])]:
        print(f"{name}: {task()}", flush=True)
    print(*trial.failures[:20], sep="\n")
    return int(bool(trial.failures))


def _swap(folder: Path, outside: Path, dice: random.Random) -> int:
    """Until somebody ends it: the folder is itself for a while, then a link to outside."""
    moved = folder.with_name(f"{folder.name}.moved")
    while not (moved.exists() and folder.exists()):
        folder.rename(moved)
        with contextlib.suppress(FileExistsError):
            folder.symlink_to(outside)
        time.sleep(0.0003)
        with contextlib.suppress(IsADirectoryError):  # the command has made it in between
            folder.unlink()
            moved.rename(folder)
        time.sleep(dice.random() / 30)
    return 0


def _swap_back(folder: Path) -> None:
    """Whatever moment the swapping has ended at; a folder that the command has made in between has the new files only."""
    moved = folder.with_name(f"{folder.name}.moved")
    if folder.is_symlink():
        folder.unlink()
    if moved.is_dir():
        shutil.copytree(folder, moved, dirs_exist_ok=True) if folder.is_dir() else None
        shutil.rmtree(folder, ignore_errors=True)
        moved.rename(folder)


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
    parser = argparse.ArgumentParser(prog="python -m tests.crash_consistency", description="End a command at every point.")
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--moments", type=int, default=MOMENTS, help=f"how many random moments (default {MOMENTS})")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="of the random moments (default: a new one)")
    chosen = parser.parse_args()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        Path(directory).chmod(0o755)
        print(f"{chosen.scenario}: seed {chosen.seed}")
        sys.exit(main(chosen.scenario, Path(directory), chosen.moments, chosen.seed))
