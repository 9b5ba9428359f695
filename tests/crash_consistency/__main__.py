"""`python -m tests.crash_consistency SCENARIO`: end the scenario's command at every point; a line per kind of end, exit 1 if a promise breaks.

After each end every file is its old or its new text; the same command, run again, gives what an undisturbed run gives, and nothing is left
over. An attacker has planted links and names like those of staged files in the directory: they and everything outside stay.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import io
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from tests.crash_consistency import points, scenarios
from tests.crash_consistency.points import fail_at, kill_at, watched
from tests.crash_consistency.scenarios import Scenario
from tests.crash_consistency.trees import Tree, folders, held, is_staged, lay, plant, planted, torn

TRIES = 500
SCENARIOS = {
    "process": scenarios.process,
    "sink": scenarios.sink,
    "deltas": scenarios.deltas,
    "render": scenarios.rendering,
    "clean": scenarios.cleaning,
}


class Trial:
    """One scenario, tried in a directory of its own."""

    def __init__(self, scenario: Scenario, folder: Path, tries: int = TRIES, seed: int = 1) -> None:
        self.scenario, self.folder, self.root, self.home = scenario, folder, folder / "tree", folder / "home"
        self.tries, self.swapped, self.crowded, self.dice = tries, tries // 5, max(tries // 10, 4), random.Random(seed)
        self.old = scenario.old
        self.failures: list[str] = []
        self._lay()
        self.old_folders = folders(self.root)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            assert self._command() == 0  # here, so that no forked process imports anything
            self.new = held(self.root)
            assert self.new != self.old
            assert [self._command(), self._command()] == [0, 0]
            self.settled = held(self.root)
            assert self._command() == 0
        assert held(self.root) == self.settled
        assert scenario.part or self.settled == self.new, "a second run changes what the first has done"

    def kills(self) -> str:
        """SIGKILL before and after calls of the writing phase; every tenth time the next run is killed as well."""
        self._lay()
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points")
        seen = set()
        tried = self._chosen(total)
        for count, number in enumerate(tried):
            self._lay()
            self._kill(number)
            tree = held(self.root)
            seen.add(
                frozenset(name for name in {*tree, *self.old} if tree.get(name) != self.old.get(name) and not is_staged(name))
            )
            if count % 10 == 0:
                self._kill(self.dice.randrange(total), is_reached=False)
            self._heals(f"kill {number}")
        return f"{len(tried)} of {total} points of the writing phase, which leave {len(seen)} states"

    def _chosen(self, total: int) -> range:
        """Every point, or evenly spaced ones where that is more than the tries."""
        step = -(-total // self.tries)
        return range(self.dice.randrange(step), total, step)

    def _kill(self, number: int, *, is_reached: bool = True) -> None:
        code = points.run(self._command, partial(watched, self.scenario.writing, "write", kill_at(number)))
        self._check(code == -9 or (code == 0 and not is_reached), f"kill {number}: exit {code}")
        self._is_whole(f"kill {number}")

    def full_disk(self) -> str:
        """No space left, at every call that may find none; a call that need not succeed may be passed over."""
        self._lay()
        total = points.count(self._command, self.scenario.writing, "write", self.folder / "points", points.finds_no_space)
        tried = self._chosen(total)
        for number in tried:
            self._lay()
            code, told = points.told(
                self._command, partial(watched, self.scenario.writing, "write", fail_at(number, errno.ENOSPC))
            )
            tree = self._is_whole(f"space {number}")
            if code or tree != self.new:
                self._check(code == 1 and "No space left" in told, f"space {number}: exit {code}, {told}")
                is_old = tree == self.old and folders(self.root) == self.old_folders
                is_partly = "files are written" in told or self.scenario.name == "deltas"
                self._check(is_partly or is_old, f"space {number}: said nothing was written: {list(tree)}")
            self._check(not any(map(is_staged, tree)), f"space {number}: left over")
            self._heals(f"space {number}")
        return f"{len(tried)} of {total} points without space"

    def random_moments(self) -> str:
        """SIGKILL from outside at any moment: half of them somewhere in the run, half of them while it writes."""
        run, writing = self._spans()
        middle = 0
        for number in range(self.tries):
            self._lay()
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
            middle += tree not in (self.old, self.new)
            self._heals(f"moment {number}")
        return f"{self.tries} random moments, {middle} of them in the middle of a write"

    def _spans(self) -> tuple[float, float]:
        """Seconds that the run takes, and the last part of it, from the first write on."""
        self._lay()
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
        """Many at once, and again many of which half are killed: what one comes to, or finished by the next."""
        self._lay()
        children = [points.start(self._command) for _ in range(self.crowded)]
        codes = {points.wait(child) for child in children}
        self._check(codes == {0}, f"crowd: exits {codes}")
        self._check(held(self.root) == self.settled, f"crowd: {sorted(held(self.root))}")
        self._is_untouched("crowd")
        self._lay()
        children = [points.start(self._command) for _ in range(self.crowded)]
        for child in self.dice.sample(children, self.crowded // 2):
            time.sleep(self.dice.random() / self.crowded)
            os.kill(child, signal.SIGKILL)
        ended = [points.wait(child) for child in children]
        self._check(all(code in (0, -9) for code in ended), f"crowd with kills: exits {ended}")
        self._check(ended.count(-9) <= self.crowded // 2, "crowd with kills: others died")
        self._heals("crowd with kills")
        return f"{self.crowded} at once, {self.crowded} at once of which {ended.count(-9)} are killed"

    def swaps(self) -> str:
        """While it runs, a folder is a link to outside again and again: nothing outside changes, and nothing is lost."""
        name = next(name for name in self.new if "/" in name and self.old.get(name) != self.new[name]).partition("/")[0]
        codes = []
        for number in range(self.swapped):
            self._lay()
            attacker = points.start(lambda: _swap(self.root / name, self.home, self.dice))
            time.sleep(self.dice.random() / 50)
            code, told = points.told(self._command, lambda: None)
            codes.append(code)
            os.kill(attacker, signal.SIGTERM)
            points.wait(attacker)
            _swap_back(self.root / name)
            self._check(code in (0, 1), f"swap {number}: exit {code}, {told}")
            own = {path: content for path, content in held(self.root).items() if path in self.old}
            new = {path: self.new[path] for path in self.old if path in self.new}
            self._check(not torn(own, self.old, new), f"swap {number}: torn")
            self._is_untouched(f"swap {number}")
        return f"{self.swapped} runs while a folder is swapped for a link: {codes.count(0)} done, {codes.count(1)} refused"

    def short_files(self) -> str:
        """A real limit: the system takes part of a text, and then no more."""
        limits = [0, 1, *(len(text) - 1 for name, text in self.new.items() if self.old.get(name) != text)]
        for limit in limits:
            self._lay()
            code, told = points.told(self._command, partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit)))
            self._check(code == 1 and "nothing was written" in told, f"limit {limit}: exit {code}, {told}")
            is_elsewhere = self.scenario.name == "deltas"  # in the other directory, which is written first
            self._check(held(self.root) == self.old or is_elsewhere, f"limit {limit}: a file changed")
        return f"{len(limits)} limits of a file's size"

    def twice(self) -> str:
        """Two runs at once come to what one of the two would come to behind the other."""
        first, second = (_sd_data(version) for version in ("3.2.0", "3.3.0"))
        serial = []
        for order in ((first, second), (second, first)):
            self._lay()
            for data in order:
                assert points.run(partial(scenarios.step, self.root, data)) == 0
            serial.append(held(self.root))
        assert serial[0] != serial[1]
        seen = set()
        for number in range(self.crowded):
            self._lay()
            children = [points.start(partial(scenarios.step, self.root, data)) for data in (first, second)]
            codes = [points.wait(child) for child in children]
            found = held(self.root)
            self._check(codes == [0, 0] and found in serial, f"twice {number}: exits {codes}")
            seen |= {number for number, tree in enumerate(serial) if tree == found}
        return f"{self.crowded} times two at once: {len(seen)} of 2 orders seen"

    def read_only(self) -> str:
        """A directory in which nobody may write."""
        self._lay()
        for folder in (self.root, *(self.root / name for name in folders(self.root))):
            folder.chmod(0o555)
        code, told = points.told(self._command, _as_nobody)
        self._check(code == 1 and "nothing was written" in told and "denied" in told, f"read-only: exit {code}, {told}")
        self._check(held(self.root) == self.old, "read-only: a file changed")
        for folder in (self.root, *(self.root / name for name in folders(self.root))):
            folder.chmod(0o755)
        return "a read-only directory"

    def _lay(self) -> None:
        """The old tree with what is planted."""
        lay(self.root, self.old)
        plant(self.root, self.home)
        self.planted = planted(self.root, self.home)

    def _command(self) -> int:
        return self.scenario.command(self.root)

    def _is_whole(self, title: str) -> Tree:
        tree = held(self.root)
        states = (self.old, self.new, self.settled)
        self._check(not torn(tree, *states), f"{title}: torn: {torn(tree, *states)}")
        return tree

    def _heals(self, title: str) -> None:
        """The same command, run again, gives what an undisturbed run gives: for a part that the first run has completed, what two give."""
        code, told = points.told(self._command, lambda: None)
        tree, whole = self._parts(held(self.root)), (self._parts(self.new), self._parts(self.settled))
        torn = [part for part in {*tree, *whole[0]} if tree.get(part) not in [state.get(part) for state in whole]]
        self._check(code == 0 and not torn, f"{title}: not healed: exit {code}, {torn}, {told}")
        self._is_untouched(title)

    def _parts(self, tree: Tree) -> dict[str, Tree]:
        parts: dict[str, Tree] = {}
        for name, content in tree.items():
            found = re.search(self.scenario.part, name)
            parts.setdefault(found.group() if found else "", {})[name] = content
        return parts

    def _is_untouched(self, title: str) -> None:
        found = planted(self.root, self.home)
        self._check(
            found == self.planted, f"{title}: an attacker's path: {set(map(str, found.items() ^ self.planted.items()))}"
        )

    def _check(self, good: bool, text: str) -> None:
        if not good:
            self.failures.append(text)


def main(name: str, folder: Path, tries: int, seed: int) -> int:
    trial = Trial(SCENARIOS[name](), folder, tries, seed)
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


def _as_nobody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


def _sd_data(version: str) -> str:
    return f'{{"applications": [{{"version": "ledger:{version}", "deployPostfix": "finance"}}, {{"version": "new-{version}:1", "deployPostfix": "x"}}]}}'


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.crash_consistency", description="End a command at every point.")
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument(
        "--tries",
        type=int,
        default=TRIES,
        help=f"how many points and random moments at most; a fifth or a tenth of other trials (default {TRIES})",
    )
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="of the random moments (default: a new one)")
    chosen = parser.parse_args()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        Path(directory).chmod(0o755)
        print(f"{chosen.scenario}: seed {chosen.seed}")
        sys.exit(main(chosen.scenario, Path(directory), chosen.tries, chosen.seed))
