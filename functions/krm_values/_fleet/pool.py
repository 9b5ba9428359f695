"""Maps a task over packages, in worker processes that may die or hang: `run`.

A further task is a function of a module: `task(name, directory, extra, settings) -> dict`, all of it plain JSON, `settings` those of `run`
and `extra` what `run` got for the package. It reads and writes nothing else; a UserError that it raises is the answer
`{"status": "failed", "findings": [...]}`. Whatever it answers comes back with `seconds`:

    for number, answer in pool.run(members, explain, {"pattern": "spec.replicas"}, jobs=4):
        ...members[number].name, answer["rows"]...

Each worker is an executor of one process, so that a death is known to be that of the batch it was at.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import time
from collections import Counter, deque
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, wait
from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.limits import DEFAULT
from krm_values._fleet import worker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._fleet.roots import Member
    from krm_values._fleet.worker import Answer, Task

SECONDS = 2.0
"""What a batch is to take, so that handing it over costs little beside it. One that takes twice as long is cut, and the rest goes to whoever is free."""
FIRST = 8
"""Packages of a batch until it is known how long they take."""
WINDOW = 4
"""Batches in an executor for each of its workers; one of our own workers holds half of it, since nothing travels."""
MOST = 500
"""Packages of a batch, at most."""
_DEATHS = 2
_STARTS = 5
_POLL = 0.05


def run(
    members: Sequence[Member],
    task: Task,
    settings: Mapping[str, Any],
    *,
    jobs: int = 0,
    executor: Executor | None = None,
    timeout: float = 0.0,
    extra: Callable[[int], Any] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
    limits: Limits = DEFAULT,
) -> Iterator[tuple[int, Answer]]:
    """Yield the number of each package and the answer about it, as answers arrive; each package once, unless the run is stopped.

    jobs: processes, 0 for as many as there are processors. executor: used instead of processes of our own; its workers must see the same
    files. timeout: seconds for each package, 0 for any; it is kept where the processes are ours. is_stopped: whether to begin no more.
    """
    count = jobs or len(os.sched_getaffinity(0))
    queue = _Queue(len(members), count)
    text = json.dumps(dict(settings))

    def items(batch: Sequence[int]) -> list[worker.Item]:
        return [(members[number].name, members[number].directory, extra(number)) for number in batch]

    def submit(to: Executor, batch: Sequence[int]) -> Future[bytes]:
        return to.submit(worker.batch, task, text, items(batch), 2 * SECONDS)

    lanes = (
        [_Own(submit, limits, task.__module__) for _ in range(min(count, len(members)))]
        if executor is None
        else [_Given(submit, executor, count)]
    )
    try:
        while True:
            _hand_out(lanes, queue, is_stopped)
            pending = [future for lane in lanes for future in lane.pending]
            if not pending and (is_stopped() or queue.is_empty):
                break
            wait(pending, timeout=_POLL if timeout or is_stopped() else 1.0, return_when=FIRST_COMPLETED)
            for lane in lanes:
                yield from _answers(lane, queue, timeout)
    finally:
        for lane in lanes:
            lane.close()


def _hand_out(lanes: Sequence[_Own | _Given], queue: _Queue, is_stopped: Callable[[], bool]) -> None:
    """Give each worker as many batches as it holds; none if the run is stopped."""
    for lane in lanes:
        while len(lane.pending) < lane.room and not is_stopped() and (batch := queue.next()):
            lane.submit(batch)
        if not (lane.pending or is_stopped()) and (batch := queue.next_alone()):
            lane.submit(batch)
        if is_stopped():
            lane.withdraw()
        queue.give_back(*lane.innocent())


def _answers(lane: _Own | _Given, queue: _Queue, timeout: float) -> Iterator[tuple[int, Answer]]:
    """Yield what a worker has answered; give back what it had when it died."""
    hung = lane.hung(timeout) if timeout else None
    for future, batch in lane.ended():
        error = future.exception()
        if isinstance(error, UserError):  # of an engine that cannot go on
            raise error
        if error is None:
            answers = json.loads(future.result())
            queue.measure(sum(answer["seconds"] for answer in answers) / len(answers))
            queue.give_back(batch[len(answers) :])
            yield from zip(batch, answers)  # noqa: B905 - fewer where the batch was cut
        elif hung is not None and batch[hung:]:
            number = batch[hung]
            yield number, worker.failure("timeout", f"takes more than {timeout:g} seconds, so it was ended (`--timeout`)")
            queue.give_back([other for other in batch if other != number])
            hung = None
        elif len(batch) > 1:
            queue.give_back(*([number] for number in batch))
        else:
            queue.deaths[batch[0]] += 1
            if queue.deaths[batch[0]] < _DEATHS:
                lane.retry(batch, queue)
            else:
                text = f"ended the process that planned it, {_DEATHS} times, alone: it may need more memory than there is"
                yield batch[0], worker.failure("crashed", text)


class _Queue:
    """The packages that are not begun, in batches of about the same time. deaths: by package, of workers that had nothing else."""

    def __init__(self, count: int, workers: int) -> None:
        self._count, self._workers = count, workers
        self._next = 0
        self._back: deque[list[int]] = deque()
        self._alone: deque[list[int]] = deque()
        self._each = 0.0  # seconds of a package; 0 until one is measured
        self.deaths: Counter[int] = Counter()

    @property
    def is_empty(self) -> bool:
        """Whether all packages have been handed out."""
        return not (self._back or self._alone) and self._next == self._count

    def next(self) -> list[int]:
        """Return a batch, empty if there is none. Towards the end batches get smaller, so that no worker waits for the last one."""
        if self._back:
            return self._back.popleft()
        rest = self._count - self._next
        size = max(1, min(rest // (2 * self._workers), int(SECONDS / self._each) if self._each else FIRST))
        batch = [*range(self._next, self._next + min(size, rest))]
        self._next += len(batch)
        return batch

    def measure(self, seconds: float) -> None:
        """Learn from a batch how long a package takes: the newest batches count most, since neighbours are alike."""
        seconds = max(seconds, SECONDS / MOST)
        self._each = (self._each + seconds) / 2 if self._each else seconds

    def give_back(self, *batches: list[int]) -> None:
        """Take batches that were not answered."""
        self._back.extend(filter(None, batches))

    def keep_alone(self, batch: list[int]) -> None:
        """Take a package that is to run when nothing else does, because it is not known whose death its worker died."""
        self._alone.append(batch)

    def next_alone(self) -> list[int]:
        """Return such a package, empty if there is none."""
        return self._alone.popleft() if self._alone else []


def _serve() -> None:
    """Start the server of worker processes. SIGINT, which it ignores later, would end it with a traceback while it imports: it never gets one."""
    from multiprocessing import forkserver  # noqa: PLC0415 - not where an executor is given

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Own:
    """A worker process, replaced when it dies. pending: its batches, in the order in which it takes them. module: of the task."""

    room = WINDOW // 2

    def __init__(self, submit: Callable[[Executor, Sequence[int]], Future[bytes]], limits: Limits, module: str) -> None:
        self._submit, self._limits, self._module = submit, limits, module
        self.pending: dict[Future[bytes], list[int]] = {}
        self._lost: list[list[int]] = []
        self._failed_starts = 0
        self._start()

    def _start(self) -> None:
        import multiprocessing  # noqa: PLC0415 - not where an executor is given
        from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([self._module, worker.__name__])
        _serve()
        self.told = context.RawArray("d", 3)
        given = (self.told, dict(os.environ), self._limits.depth)
        self._executor = ProcessPoolExecutor(1, context, worker.begin, given)

    def submit(self, batch: list[int]) -> None:
        """Hand a batch to the worker, which may be one that has died meanwhile."""
        try:
            self.pending[self._submit(self._executor, batch)] = batch
        except BrokenExecutor:
            self._lost.append(batch)
            if not self.pending:
                self._replace()

    def hung(self, timeout: float) -> int | None:
        """End the worker if it is at one package for too long; return which one of its batch that is."""
        begun, number = self.told[worker.BEGUN], int(self.told[worker.AT])
        if not begun or time.monotonic() - begun < timeout or begun != self.told[worker.BEGUN]:
            return None
        self._kill()
        wait([*self.pending])
        first = next(iter(self.pending), None)
        return number if first and isinstance(first.exception(), BrokenExecutor) else None

    def _kill(self) -> None:
        """End the worker and the programs that it has started, each of which leads a group."""
        if process := int(self.told[worker.PROCESS]):
            with contextlib.suppress(OSError):
                children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
                os.kill(process, signal.SIGKILL)
                for child in map(int, children):
                    os.killpg(child, signal.SIGKILL)

    def ended(self) -> Iterator[tuple[Future[bytes], list[int]]]:
        """Yield each batch that has an answer; of a worker that died only the one that it was at."""
        while self.pending and (future := next(iter(self.pending))).done():
            batch = self.pending.pop(future)
            if isinstance(future.exception(), BrokenExecutor):
                self._lost += self.pending.values()
                self.pending.clear()
                self._replace()
            else:
                self._failed_starts = 0
            yield future, batch

    def innocent(self) -> list[list[int]]:
        """Return the batches that a worker held when it died, and had not begun."""
        lost, self._lost = self._lost, []
        return lost

    def _replace(self) -> None:
        """Start another worker. UserError if none gets as far as to begin."""
        self._failed_starts = 0 if self.told[worker.PROCESS] else self._failed_starts + 1
        if self._failed_starts == _STARTS:
            raise UserError(f"no worker process starts, {_STARTS} have ended at once: use fewer with `--jobs`")
        self._executor.shutdown(wait=False)
        self._start()

    def retry(self, batch: list[int], queue: _Queue) -> None:
        """Let a package run again: of a worker of our own it is known at what it died."""
        queue.give_back(batch)

    def withdraw(self) -> None:
        """Take back what the worker has not begun."""
        for future in [future for future in self.pending if future.cancel()]:
            del self.pending[future]

    def close(self) -> None:
        """End the worker; one that is at work is not waited for."""
        if self.pending:
            self._kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


class _Given:
    """An executor of somebody else, of whose workers nothing is known."""

    def __init__(self, submit: Callable[[Executor, Sequence[int]], Future[bytes]], executor: Executor, workers: int) -> None:
        self._submit, self._executor = submit, executor
        self.pending: dict[Future[bytes], list[int]] = {}
        self.room = WINDOW * workers

    def submit(self, batch: list[int]) -> None:
        """Hand a batch to the executor. UserError if that is broken: there is nobody who could replace it."""
        try:
            self.pending[self._submit(self._executor, batch)] = batch
        except (BrokenExecutor, RuntimeError) as error:
            raise UserError("the executor takes no more work: pass one whose workers are alive") from error

    def hung(self, _: float) -> None:
        """Return None: a foreign worker cannot be ended."""

    def ended(self) -> Iterator[tuple[Future[bytes], list[int]]]:
        """Yield each batch that has an answer, in the order of their arrival."""
        for future in [future for future in self.pending if future.done()]:
            yield future, self.pending.pop(future)

    def innocent(self) -> list[list[int]]:
        """Return nothing: each batch has an answer of its own."""
        return []

    def retry(self, batch: list[int], queue: _Queue) -> None:
        """Let a package run again, at the end and with no other: its worker may have died of another one."""
        queue.keep_alone(batch)

    def withdraw(self) -> None:
        """Take back what has not begun."""
        for future in [future for future in self.pending if future.cancel()]:
            del self.pending[future]

    def close(self) -> None:
        """Leave the executor to who made it."""
        self.withdraw()
