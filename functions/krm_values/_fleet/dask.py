"""Dask as an engine: batches travel as bytes, over mutual TLS, to the workers of a scheduler that the user runs; answers come back as bytes.

Nothing that comes back is run. Dask unpickles much of what a worker or the scheduler says: results that are no bytes, exceptions, tracebacks,
warnings. So pickles find no class or function in this process but `bytes`, whoever reads them (`_refuse`), a result counts only if it is
bytes, and of an exception only the name of its class is looked up in the pickle.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import pickletools
import sys
import threading
import time
import warnings
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING

import dask
from distributed import Client, Security

from krm_values._data.errors import UserError
from krm_values._data.shown import described, printable
from krm_values._fleet import parcel
from krm_values._fleet.task import Settings

if TYPE_CHECKING:
    from collections.abc import Coroutine, Mapping
    from typing import Any, Self, TypeVar

    from krm_values._fleet.door import Door
    from krm_values._fleet.parcel import Parcel

    T = TypeVar("T")

WAIT = 15
"""Seconds in which a scheduler must answer, and have a worker."""
_PAUSE = 1.0
_KILLED = "distributed.scheduler.KilledWorker"
_LONGEST = 200  # characters of what a worker calls its error


class Cluster(Executor):
    """The workers of a scheduler, in a `with` block. workers: their threads at its beginning. UserError if there are none."""

    def __init__(self, door: Door, programs: Mapping[str, str]) -> None:
        self._door, self._programs, self._environment = door, parcel.programs_of(programs), parcel.variables()
        self._loop = asyncio.new_event_loop()
        self._client: Any = None
        self._broken: asyncio.Future[str] = self._loop.create_future()
        _only_bytes(on=True)
        self._faults = _Faults(self)
        _quiet(self._faults)
        self._thread = threading.Thread(target=self._loop.run_forever, name="dask", daemon=True)
        self._thread.start()
        try:
            self.workers = self._run(self._connect()).result()
        except BaseException:
            self.shutdown()
            raise

    async def _connect(self) -> int:
        warnings.simplefilter("ignore")
        security = Security(  # type: ignore[no-untyped-call] # as Dask has it
            tls_ca_file=self._door.ca,
            tls_client_cert=self._door.certificate,
            tls_client_key=self._door.key,
            require_encryption=True,
        )
        try:
            self._client = Client(  # type: ignore[no-untyped-call] # as Dask has it
                self._door.address,
                security=security,
                timeout=WAIT,
                asynchronous=True,
                set_as_default=False,
                direct_to_workers=False,
                deserializers=["msgpack", "dask", "error"],
            )
            await self._client
        except Exception as error:
            raise UserError(
                f"{self._door.address}: no scheduler answers: {_reason(error)}; is one started with `dask scheduler --protocol"
                " tls`, and its certificate and ours from this CA?"
            ) from error
        for topic in ("print", "warn"):  # what workers want to be said here
            self._client.unsubscribe_topic(topic)
        try:
            await self._client.wait_for_workers(1, timeout=WAIT)
        except Exception as error:
            raise UserError(f"{self._door.address}: the scheduler has no workers: start one with `dask worker`") from error
        self._run(self._watch())
        return sum((await self._client.nthreads()).values())

    def _run(self, call: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(call, self._loop)

    def submit(self, _: object, /, *arguments: Any, **__: Any) -> Future[Any]:
        """Send a batch of `pool.run` to a worker, for a plan of each package."""
        _, settings, items, _ = arguments
        made = parcel.pack(items, Settings.of_json(json.loads(settings)), self._programs, self._environment)
        if made.content:
            return self._run(self._answer(made))
        known: Future[bytes] = Future()
        known.set_result(json.dumps(made.answers).encode())
        return known

    async def _answer(self, made: Parcel) -> bytes:
        """Return the answers about a batch. BrokenExecutor if its workers died, UserError if there is no answer."""
        future = self._client.submit(parcel.planned, made.content, pure=False, retries=0, fifo_timeout=0)
        asking = asyncio.ensure_future(_result(future))
        waited: list[asyncio.Future[Any]] = [asking, self._broken]
        try:
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise UserError(f"{self._door.address}: {self._broken.result()}")
            content = asking.result()
        finally:
            asking.cancel()
            future.release()
        return json.dumps(parcel.opened(made, content)).encode()

    async def _watch(self) -> None:
        """Say so when the scheduler is gone, or has had no worker for too long."""
        seen = time.monotonic()
        while not self._broken.done():
            await asyncio.sleep(_PAUSE)
            try:
                if await asyncio.wait_for(self._client.nthreads(), WAIT):
                    seen = time.monotonic()
            except (OSError, TimeoutError):
                self.end("the scheduler is gone: what it had not answered is not rendered; start it, and run this again")
            if time.monotonic() - seen > WAIT:
                self.end(
                    f"the scheduler has had no worker for {WAIT} seconds: start one with `dask worker`, and run this again"
                )

    def end(self, text: str) -> None:
        """Let every batch that is not answered end with this error; on the loop."""
        if not self._broken.done():
            self._broken.set_result(text)

    def end_soon(self, text: str) -> None:
        """Do as `end`, from any thread."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.end, text)

    def __enter__(self) -> Self:
        return self

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - an Executor's
        """Leave the scheduler; what it has not answered is not waited for."""
        self._run(self._close()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        _only_bytes(on=False)

    async def _close(self) -> None:
        if self._client is not None:
            with contextlib.suppress(Exception):  # what its reader has met, which was told
                await self._client.close(timeout=1)
            self._client.status = "closed"
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


async def _result(future: Any) -> bytes:
    try:
        found = await future
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        if future.cancelled():
            raise UserError("the scheduler has dropped a batch, or is gone: start it, and run this again") from None
        if (kind := _kind(error)) == _KILLED:
            raise BrokenExecutor from None
        text = f"a worker or the scheduler answers with an error, {kind}: have they krm-values? Their logs say more"
        raise UserError(text) from None
    if type(found) is not bytes:
        raise UserError("a worker answers with something else than bytes, which is not read: end it")
    return found


def _kind(error: Exception) -> str:
    """Return the class of an exception that a worker has raised, by the first global of its pickle, which is not run."""
    data = error.args[0] if error.args else None
    if not isinstance(data, bytes):
        return type(error).__name__
    texts: list[str] = []
    try:
        for code, argument, _ in pickletools.genops(data):
            name = ".".join(texts[-2:]) if code.name == "STACK_GLOBAL" else ""
            if name and not name.startswith("tblib."):  # which wraps exceptions
                return printable(name)[:_LONGEST]
            if isinstance(argument, str):
                texts.append(argument)
    except ValueError:
        pass
    return "one that cannot be read"


def _reason(error: BaseException) -> str:
    """Return the last cause of an error, in one line."""
    while error.__cause__ is not None:
        error = error.__cause__
    return described(str(error) or type(error).__name__)


class _Faults(logging.Handler):
    """Ends a run with what Dask's client would only log: a message that it cannot read may be the one that is waited for."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(logging.ERROR)
        self._cluster = cluster

    def emit(self, record: logging.LogRecord) -> None:
        """Take a line of the log."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, (OSError, asyncio.CancelledError)):
            return  # the scheduler is gone, which is told elsewhere
        if error or record.name.startswith("distributed.protocol"):
            self._cluster.end_soon(
                "a worker or the scheduler answers with something else than bytes, which is not read: end it"
            )
        else:
            self._cluster.end_soon(f"the client ends: {printable(record.getMessage())[:_LONGEST]}")


def _quiet(handler: logging.Handler) -> None:
    """Let nothing be logged on stderr, and errors be told to the handler."""
    roots = ("distributed", "tornado", "asyncio")
    for name in [*roots, *logging.root.manager.loggerDict]:
        if name.partition(".")[0] in roots:
            logger, is_root = logging.getLogger(name), name in roots
            logger.handlers = [handler if name == "distributed" else logging.NullHandler()] if is_root else []
            logger.propagate = not is_root
    dask.config.set({"distributed.scheduler.allowed-imports": []})  # enumerations of a message import nothing


# Pickles find nothing in this process while it has a cluster.

_WATCHED = {"is_added": False, "on": False}


def _only_bytes(*, on: bool) -> None:
    """Let pickles find `bytes` only, from now on or no longer. A hook of the interpreter cannot be removed, or avoided."""
    _WATCHED["on"] = on
    if not _WATCHED["is_added"]:
        _WATCHED["is_added"] = True
        sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "pickle.find_class" and _WATCHED["on"] and arguments != ("builtins", "bytes"):
        raise TypeError("a pickle may hold nothing but bytes")
