"""`krm-values fleet render`: plans the packages of a fleet in worker processes, and commits them here."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from krm_values._data.errors import UsageError, UserError
from krm_values._data.record import record
from krm_values._fleet import bundle as bundles
from krm_values._fleet import pool, results, roots, state, task
from krm_values._fleet.bundle import Head
from krm_values._fleet.commit import WRITERS, StaleError, commit
from krm_values._fleet.door import Door, door_of
from krm_values._fleet.parcel import HERE
from krm_values._fleet.results import Results
from krm_values._fleet.task import Settings
from krm_values._fleet.worker import failed, failure
from krm_values._run import arguments, registry
from krm_values._run.planned import Manner, manner_of
from krm_values._run.terminal import coloured, progress, tell, tell_at_once

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from krm_values._fleet.dask import Cluster
    from krm_values._fleet.roots import Member
    from krm_values._fleet.state import State
    from krm_values._fleet.worker import Answer

INTERRUPTED = 130
_STOPPING = "krm-values: stops after the packages under way; Ctrl-C again ends it now"


class Stop:
    """Whether no further package is to be begun, and why."""

    def __init__(self) -> None:
        self.is_interrupted = self.is_failed = False

    def __call__(self) -> bool:
        return self.is_interrupted or self.is_failed


@record
class Engine:
    """What plans the packages: processes of our own, the executor, or a Dask cluster. timeout: seconds for each package, 0 for any.

    door: to the scheduler of the cluster.
    """

    jobs: int = 0
    executor: Executor | None = None
    timeout: float = 0.0
    door: Door | None = None


def render(
    found: Results,
    settings: Settings,
    engine: Engine,
    stop: Stop,
    *,
    writes: bool,
    known: State,
    fail_fast: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Plan each package, and commit it if `writes`; add what has come of it to the results. known: the state, by package."""
    plans = _Plans(found.members, settings, engine, stop, known)
    run = _Run(found, settings, plans.of, stop, writes, known, fail_fast, advance)
    stale = run.tried(range(len(found.members)))
    stale = run.tried(stale) if stale else stale
    run.give_up(stale, "was changed while it was planned, twice: run again when nobody writes to it")


@record
class _Plans:
    """Answers about packages by their numbers, with the indices of these, as they arrive."""

    members: Sequence[Member]
    settings: Settings
    engine: Engine
    stop: Stop
    known: State

    def of(self, numbers: Sequence[int]) -> Iterator[tuple[int, Answer]]:
        """Yield the answers; those that git's index gives are here before any worker is started."""
        rest: list[int] = []
        for index, number in enumerate(numbers):
            member = self.members[number]
            try:
                answer = task.as_it_was(member.name, member.directory, self._key(number), self.settings, hashes=False)
            except (UserError, OSError):  # which its plan will say
                answer = None
            if self.stop():
                return
            if answer is None:
                rest.append(index)
            else:
                yield index, answer
        for at, answer in self._by_engine([numbers[index] for index in rest]) if rest else ():
            yield rest[at], answer

    def _by_engine(self, numbers: Sequence[int]) -> Iterator[tuple[int, Answer]]:
        engine = self.engine
        if engine.door is None:
            yield from self._planned(numbers, engine.jobs, engine.executor, engine.timeout)
            return
        here: list[int] = []
        with _cluster(engine.door, self.settings) as cluster:
            for index, answer in self._planned(numbers, cluster.workers, cluster):
                if answer["status"] == HERE:
                    here.append(index)
                else:
                    yield index, answer
        for at, answer in self._planned([numbers[index] for index in here]):
            yield here[at], answer

    def _planned(
        self, numbers: Sequence[int], jobs: int = 0, executor: Executor | None = None, timeout: float = 0.0
    ) -> Iterator[tuple[int, Answer]]:
        return pool.run(
            [self.members[number] for number in numbers],
            task.plan,
            self.settings.as_json(),
            jobs=jobs,
            executor=executor,
            timeout=timeout,
            extra=lambda index: self._key(numbers[index]),
            is_stopped=self.stop,
            limits=self.settings.manner.limits,
        )

    def _key(self, number: int) -> str | None:
        key: str | None = self.known.get(self.members[number].name, {}).get("key")
        return key


def _cluster(door: Door, settings: Settings) -> Cluster:
    try:
        from krm_values._fleet.dask import Cluster  # noqa: PLC0415 - only where a scheduler is named
    except ImportError:
        raise UserError("`--scheduler` needs the library `distributed`: pip install 'krm-values[dask]'") from None
    return Cluster(door, settings.manner.programs)


def commit_all(
    found: Results,
    settings: Settings,
    answers: Callable[[Sequence[int]], Iterator[tuple[int, Answer]]],
    stop: Stop,
    *,
    advance: Callable[[], None],
) -> None:
    """Commit answers that are there, and add what has come of them to the results."""
    run = _Run(found, settings, answers, stop, True, {}, False, advance)
    stale = run.tried(range(len(found.members)))
    run.give_up(stale, "was changed while it was merged: render its shard again")


@record
class _Run:
    """Takes the answers about packages, commits them and adds what has come of it. answers: of packages by their numbers, with indices of these."""

    results: Results
    settings: Settings
    answers: Callable[[Sequence[int]], Iterator[tuple[int, Answer]]]
    stop: Stop
    writes: bool
    known: State
    fail_fast: bool
    advance: Callable[[], None]

    def give_up(self, numbers: Sequence[int], text: str) -> None:
        """Add that these packages are stale."""
        for number in numbers:
            self._add(number, failure("stale", text))

    def tried(self, numbers: Sequence[int]) -> list[int]:
        """Plan and commit these packages; return those that were changed meanwhile."""
        stale: list[int] = []
        with ThreadPoolExecutor(WRITERS) as writers:
            writing: deque[tuple[Future[None], int, Answer]] = deque()
            for index, answer in self.answers(numbers):
                number = numbers[index]
                if answer["status"] == "stale":
                    stale.append(number)
                elif self.writes and (answer.get("changes") or answer.get("staged")) and not answer.get("written"):
                    directory = self.results.members[number].directory
                    future = writers.submit(commit, directory, answer, self.settings.manner.limits)
                    writing.append((future, number, answer))
                    stale += self._settled(writing, most=2 * WRITERS)
                else:
                    self._add(number, answer)
            stale += self._settled(writing, most=0)
        return sorted(stale)

    def _settled(self, writing: deque[tuple[Future[None], int, Answer]], *, most: int) -> list[int]:
        """Take the first writes if they have ended, and wait while there are more than `most`; return those that were not made of a stale plan."""
        stale = []
        while writing and (len(writing) > most or writing[0][0].done()):
            future, number, answer = writing.popleft()
            error = future.exception()
            if isinstance(error, StaleError):
                stale.append(number)
            else:
                self._add(number, answer if error is None else failed(error))
        return stale

    def _add(self, number: int, answer: Answer) -> None:
        if answer["status"] == "skipped" and "findings" not in answer:
            answer["findings"] = self.known[self.results.members[number].name]["findings"]
        if self.writes:  # what is written need not be kept
            answer["changes"] = [[path] for path, *_ in answer.get("changes", ())]
        elif answer["status"] == "changed":
            answer.pop("key", None)
        self.results.add(number, answer)
        self.advance()
        self.stop.is_failed |= self.fail_fast and self.results.has_failed


# The command.


def run(options: Namespace) -> int:
    """Render as the options say and return the exit code."""
    _check(options)
    door = door_of(options)
    if options.html:
        from krm_values._explain.page import file  # noqa: PLC0415 - pages are for people only

        file.check(options.html, ())
    named = options.roots or ["."]
    fleet = roots.find(named, options.select or (), options.limits)
    members = fleet.members
    known, key = state.remembered(options)
    manner = manner_of(options)
    settings = Settings(manner, options.diff, facts(manner) if key or options.shard else "", key)
    head = _head(options, fleet.members, settings)
    if options.since:
        from krm_values._fleet import reach  # noqa: PLC0415 - only where a revision is named

        members = tuple(reach.changed_since(members, named, options.since, options.limits))
    if head:
        weights = [bundles.weight(member.directory) for member in members]
        numbers = bundles.part(weights, head.shard, head.of)
        members = members[numbers.start : numbers.stop]
    timeout = fleet.timeout if options.timeout is None else options.timeout
    if door and timeout:
        tell(f"warning: `timeout` of {roots.CONFIG} is not kept by the workers of a scheduler")
    engine, stop = Engine(options.jobs or 0, None, timeout, door), Stop()
    with Results(members) as found, interruptible(stop):
        with progress("rendering", len(members), unit="packages") as advance:
            writes = not (options.diff or options.bundle)
            render(found, settings, engine, stop, writes=writes, known=known, fail_fast=options.fail_fast, advance=advance)
        if key is not None:
            state.write(options.state, known, found, whole=not (options.select or options.since or head))
        code = report(found, options, stop)
        if options.html:
            from krm_values._fleet.page import data  # noqa: PLC0415 - pages are for people only

            data.write(found, fleet, data.title_of(named), options.html)
        if options.bundle and head and not stop():
            bundles.write(found, options.bundle, head)
            return 0 if code == 1 else code  # what failed is in the bundle, and the merge says so
        return code


def _head(options: Namespace, members: Sequence[Member], settings: Settings) -> Head | None:
    """Return which shard this is, None for all packages. UsageError for options that do not fit."""
    if not options.shard:
        arguments.refuse(options, "with `--shard`", "--bundle")
        return None
    shard, of = bundles.shard_of(options.shard, os.environ.get("JOB_COMPLETION_INDEX", ""))
    names, select = bundles.names_digest(members), tuple(options.select or ())
    return Head(registry.version(), shard, of, names, settings.facts, select)


def report(found: Results, options: Namespace, stop: Stop) -> int:
    """Write and print what has come of the packages; return the exit code."""
    if options.results:
        results.write_results(found, options.results)
    if options.timings:
        results.write_timings(found, options.timings)
    if options.diff:
        _print_diffs(found)
        tell(*results.summary(found))
    else:
        print(*results.summary(found), sep="\n")
    if stop.is_interrupted:
        return INTERRUPTED
    return found.exit_code(diff=options.diff, stopped=stop())


def _check(options: Namespace) -> None:
    state.check(options)
    if options.bundle:
        arguments.refuse(options, "without `--bundle`", "--since", "--fail-fast")
        if len(options.roots) > 1:
            raise UsageError(f"`--bundle` takes one ROOT, found {len(options.roots)}: name the directory above them")


def facts(manner: Manner) -> str:
    """Return what answers depend on beside the files of a package."""
    told = {name: value for name, value in Settings(manner).as_json().items() if name in ("manner", "allowed", "limits")}
    return json.dumps({**told, "version": registry.version(), "function": os.environ.get("KRM_FUNCTION", "")}, sort_keys=True)


@contextlib.contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """Let the first SIGINT stop a run, in the `with` block, when what is in progress is done; the second one ends it.

    A terminal says so.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(*_: object) -> None:
        stop.is_interrupted = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        tell_at_once(_STOPPING)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _print_diffs(found: Results) -> None:
    from krm_values._explain import diff  # noqa: PLC0415 - only where one is printed

    for _, answer in found:
        if text := answer.get("diff"):
            diff.print_diff(text, sys.stdout, colours=coloured(sys.stdout))


# From a Python program.


class RenderedFleet:
    """What has come of the packages of a fleet, which are written.

    counts: how many packages ended in each status. rows: `{package, status, changed, findings}` of each, in order. exit_code: that of the
    command.
    """

    __slots__ = ("counts", "exit_code", "rows")

    def __init__(self, found: Results) -> None:
        self.counts, self.exit_code = dict(found.counts), found.exit_code()
        self.rows = [results.row(*each) for each in found]


def render_fleet(
    *directories: str | os.PathLike[str],
    jobs: int = 0,
    executor: Executor | None = None,
    select: Sequence[str] = (),
    timeout: float = 0.0,
    skip_foreign: bool = False,
    follow_links: bool = False,
) -> RenderedFleet:
    """Render all packages below the directories, and write those that change.

    jobs: worker processes, 0 for one on each processor. executor: any `concurrent.futures.Executor`, used instead; its workers read the same
    files, and none of them writes. select: patterns, one of which a package's name must match. timeout: seconds for each package, kept where
    the workers are our own. UserError for roots without packages or in each other; what is wrong with a package is in its row.
    """
    if not directories:
        raise UsageError("name a directory with packages")
    manner = Manner(skip_foreign, follow_links)
    fleet = roots.find([os.fspath(directory) for directory in directories], select)
    with Results(fleet.members) as found:
        engine = Engine(jobs, executor, timeout or fleet.timeout)
        render(found, Settings(manner), engine, Stop(), writes=True, known={})
        return RenderedFleet(found)
