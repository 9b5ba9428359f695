"""`python -m tests.fuzz --seconds N [--seed S] [--target NAME]`: try changed inputs on every target, exit 1 if one fails.

A target fails by an exception that is not documented, an exit code that is not, a property that does not hold, more than 5 s, or more
than 1 GiB. Without a seed a new one is chosen and printed. What fails is made smaller and saved in `build/fuzz/TARGET/`, with the command
that tries it again (`--again FILE`); once it is mended, it stays in `tests/fuzz/found/TARGET/` and is tried by every test run.

One engine of our own is the same on every interpreter and machine that the project promises; no version of atheris has wheels for all of
them, so that one lock could hold it. Like atheris it keeps inputs that make new lines run.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.child import tried
from tests.fuzz.engine import Session
from tests.fuzz.targets import NAMES, target

ROOT = Path(__file__).parents[2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--target", action="append", choices=NAMES, help="may be given more than once; without it all targets")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="targets at once")
    parser.add_argument("--again", type=Path, metavar="FILE", help="an input to try on the target")
    options = parser.parse_args()
    names = options.target or NAMES
    if options.again:
        why = tried(target(names[0]), options.again.read_bytes())
        print(why or "it does not fail")
        return int(bool(why))
    if len(names) == 1:
        return _run(names[0], options.seconds, options.seed)
    print(f"seed {options.seed}", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        codes = list(pool.map(lambda name: _apart(name, options.seconds, options.seed), names))
    return int(any(codes))


def _run(name: str, seconds: float, seed: int) -> int:
    session = Session(target(name), seconds, seed)
    session.run()
    said = session.save()
    print(session.figures() + f", seed {seed}", *said, sep="\n", flush=True)
    return int(bool(said))


def _apart(name: str, seconds: float, seed: int) -> int:
    """One target in a process of its own, its lines in one piece."""
    command = [sys.executable, "-m", "tests.fuzz", "--target", name, "--seconds", str(seconds), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr, end="", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
