"""`python -m tests.conformance FILE|SYSTEM...`: run the cases of files of the conformance form; exit 0 if all that ran passed.

`FILE::ID` is one case of a file, the only one that is read.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable
from pathlib import Path

from tests.conformance import cases
from tests.conformance.systems import SYSTEMS, XFAIL


def main(files: list[str], *, quiet: bool = False) -> int:
    """Run them. quiet: print only what fails, and how many passed."""
    ran = passed = 0
    for file, only in itertools.chain.from_iterable(map(_files, files)):
        system = SYSTEMS[named(file)]
        for case in cases.of(system, file, only):
            unmet = not_run(system, case)
            if unmet:
                print(f"{case['id']}: not run: {unmet}")
                continue
            reason = verdict(system, case)
            ran, passed = ran + 1, passed + (not reason)
            if reason or not quiet:
                print(f"{case['id']}: {_told(case['id'], reason)}")
    print(f"{passed} of {ran}")
    return 0 if ran == passed else 1


def _files(word: str) -> list[tuple[Path, str]]:
    """Return a file that is named, with the id of a case behind `::`, or the files of a system."""
    if word in SYSTEMS:
        return [(file, "") for file in sorted(Path(__file__).parent.glob(f"{word}*.yaml"))]
    name, _, only = word.partition("::")
    return [(Path(name), only)]


def named(file: Path) -> str:
    """The system that a file's name begins with: `glasskube.yaml`, `glasskube-more.yaml`."""
    found = [system for system in SYSTEMS if file.name.startswith(system)]
    if not found:
        sys.exit(f"{file}: its name must begin with a system's: {', '.join(SYSTEMS)} (giantswarm has the cases of flux-values)")
    return found[0]


def not_run(system: cases.System, case: dict) -> str:
    """Why a case cannot be run at all, or ""."""
    return "" if system.elsewhere else system.unmet(case)


def verdict(system: cases.System, case: dict) -> str:
    """Why the case fails, or ""."""
    try:
        return judged(system, case, () if system.unmet(case) else cases.run(system, case))
    except Exception as error:  # noqa: BLE001 - one broken case must not hide the others
        return f"{type(error).__name__}: {error}"


def judged(system: cases.System, case: dict, states: Iterable[tuple[dict, cases.State]]) -> str:
    """Why the case's states are not as expected, or ""."""
    reasons = [cases.judge(system, expected, state) or system.always(case, state) for expected, state in states]
    reasons += [system.elsewhere(case)] if system.elsewhere else []
    return next((reason for reason in reasons if reason), "")


def _told(name: str, reason: str) -> str:
    if not reason:
        return "pass"
    return f"xfail: {XFAIL[name]}" if name in XFAIL else f"FAIL {reason}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
