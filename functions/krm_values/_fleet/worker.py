"""What runs in a worker: a batch of packages, one after the other, answered with JSON in bytes."""

from __future__ import annotations

import gc
import json
import math
import os
import signal
import sys
import threading
import time
import warnings
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import UserError, from_os
from krm_values._run import fault
from krm_values._run.terminal import Called

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence
    from multiprocessing.process import BaseProcess
    from typing import Any, TypeAlias

    Answer: TypeAlias = dict[str, Any]
    Task: TypeAlias = Callable[[str, Any, Any, Any], Answer]
    Item: TypeAlias = tuple[str, Any, Any]

_CALLS = 20  # of functions by each other for a level of a text, as in `_cli/main`
_COLLECTED = 50_000  # objects, more than a small package makes
PROCESS, BEGUN, AT = 0, 1, 2
"""What a worker tells about itself: its process, when it began the package that it is at (0: none), and which one of its batch that is."""
_told: MutableSequence[float] = [0.0, 0.0, 0.0]


def begin(told: MutableSequence[float], environment: dict[str, str], depth: int) -> None:
    """Prepare a process that is a worker from now on. told: shared with the coordinator."""
    global _told  # noqa: PLW0603 - one for each process
    _told = told
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator says when to end
    os.environ.clear()
    os.environ.update(environment)
    allow(depth)
    warnings.simplefilter("ignore")
    gc.freeze()  # what is loaded stays; what a package leaves is collected after some packages, before it costs the processor's caches
    gc.set_threshold(_COLLECTED)
    Called(quiet=True).__enter__()  # no bar of its own on the coordinator's terminal
    from multiprocessing import parent_process  # noqa: PLC0415 - what `render` imports need not have it

    if parent := parent_process():
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    told[PROCESS] = os.getpid()


def allow(depth: int) -> None:
    """Let texts nest as deeply as the limit allows."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS * depth))


def _end_with(parent: BaseProcess) -> None:
    """End this process as soon as the coordinator has, however that has ended."""
    parent.join()
    os._exit(1)


def batch(task: Task, settings: str, items: Sequence[Item], longest: float = math.inf) -> bytes:
    """Call the task for each item and return the answers; only those of the first items after more seconds than `longest`."""
    data = json.loads(settings)
    answers: list[Answer] = []
    until = time.monotonic() + longest
    for number, item in enumerate(items):
        if answers and time.monotonic() > until:
            break
        _told[AT] = number
        _told[BEGUN] = time.monotonic()
        answers.append(answered(task, item, data))
    _told[BEGUN] = 0.0
    return json.dumps(answers).encode()


def answered(task: Task, item: Item, data: Any) -> Answer:
    """Return what a task answers about an item, with the seconds that it took; what it raises is its answer."""
    suggest.begin()
    began = time.perf_counter()
    try:
        answer = task(*item, data)
    except Exception as error:  # noqa: BLE001 - a defect of krm-values, which must not end the others
        answer = failed(error)
    answer["seconds"] = round(time.perf_counter() - began, 6)
    return answer


def failed(error: BaseException) -> Answer:
    """Return the answer about a package for which an error was raised."""
    match error:
        case UserError():
            return failure("failed", *error.lines)
        case OSError():
            return failure("failed", *from_os(error).lines)
        case MemoryError():
            return failure("failed", "needs more memory than is available: raise the memory limit, or use fewer jobs")
        case RecursionError():
            return failure("failed", "nests more deeply than can be read: flatten it")
        case _:
            return failure("error", fault.line(error).removeprefix("error: "))


def failure(status: str, *lines: str) -> Answer:
    """Return the answer about a package that has none of its own."""
    return {"status": status, "findings": [{"message": line, "severity": "error"} for line in lines]}
