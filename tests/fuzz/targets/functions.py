"""The functions, each as a host calls it: bytes on stdin, bytes on stdout, an exit code."""

from __future__ import annotations

import json
import zlib
from functools import partial
from typing import Any

from krm_values._data.errors import InputError
from krm_values._krm import resourcelist
from krm_values._run import pipe
from tests.fuzz import corpus, cut
from tests.fuzz.target import Target, require
from tests.fuzz.targets.streams import commanded, ran

EXPLAINED = 5
FORGETS = (b"record: false",)
"""Under it a function is told to forget what it wrote, and may write it twice."""


def target(name: str) -> Target:
    return Target(name, lambda: [*corpus.of_function(name)], partial(check, name), cut.TOKENS, is_yaml=True)


def check(name: str, data: bytes) -> str:
    """What leaves is a list again; with an error every item is as it came; the second run on what left changes nothing.

    `explain` ends as `run` does. It is asked for some inputs only.
    """
    code, out, err = served(name, data)
    require(code in (0, 1), f"exit {code}")
    if zlib.crc32(data) % EXPLAINED == 0:
        _explain(name, data, code)
    if not out:
        require(code == 1 and err.startswith("error: "), f"nothing on stdout, exit {code}, {err[:200]}")
        return "unreadable"
    given, left = resourcelist.read(data), _read(out)
    if code:
        require(texts(left) == texts(given), "an error, and items left otherwise than they came")
        return "error"
    if any(word in data for word in FORGETS):
        return "done"
    again, second, _ = served(name, out)
    require(again == 0, "what left cannot be run again")
    require(texts(_read(second)) == texts(left), "a second run changes something")
    return "changed" if texts(left) != texts(given) else "kept"


def _explain(name: str, data: bytes, code: int) -> None:
    for view in ("--json", "--patch"):
        found, out, err = commanded("explain", name, view, stdin=data)
        if found and not code and view == "--patch" and "into JSON; write it as a string" in err:
            continue  # no JSON patch can hold it
        require(found == code, f"`run` ends with {code}, `explain {view}` with {found}: {err[:300]}")
        require(code or json.loads(out) is not None, "no JSON")


def _read(out: bytes) -> Any:
    try:
        return resourcelist.read(out)
    except InputError as error:
        require(False, f"what left is no list: {error}")


def texts(source: Any) -> list[str]:
    return [source.text(number).rstrip("\n") for number in range(len(source.items))]


def served(name: str, data: bytes) -> tuple[int, bytes, str]:
    """Exit code, stdout and stderr of `krm-values run NAME`."""
    return ran(lambda: pipe.run(name), data)
