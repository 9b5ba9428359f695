"""Runs an image of somebody else in Docker, locked up as kpt does and more. Imported only where the caller allows images."""

from __future__ import annotations

import selectors
import signal
import socket
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import docker
from docker.errors import APIError, DockerException, ImageNotFound
from docker.types import LogConfig

from krm_values._data.errors import UserError
from krm_values._run.terminal import progress
from krm_values._run.tools import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.limits import Limits

_PROCESSES = 256
_PIECE = 1 << 16
_HEADER = 8
_FOREIGN = b"exec format error"
_CALL = 60  # seconds that an answer of the engine may take


class EngineError(UserError):
    """What keeps the engine from running an image."""


def run(image: str, stdin: bytes, limits: Limits, *, network: bool, pull: bool) -> tuple[int, bytes, bytes]:
    """Run an image and return its exit code, stdout and stderr. Raises EngineError, ProgramError or MemoryError.

    network: whether it gets the network of this machine. pull: whether an image that is not present is fetched.
    """
    try:
        engine = docker.from_env(timeout=_CALL)
        engine.ping()
    except (DockerException, OSError) as error:
        raise EngineError(f"the Docker engine cannot be reached: {_first_line(error)}") from None
    try:
        _have(engine, image, pull=pull)
        code, out, err = _run(engine, image, stdin, limits, network=network)
        if code and _FOREIGN in err:
            raise EngineError(_of_another_processor(engine, image))
        return code, out, err
    except (DockerException, OSError) as error:
        if _FOREIGN.decode() in str(error):
            raise EngineError(_of_another_processor(engine, image)) from None
        raise EngineError(f"the Docker engine fails: {_first_line(error)}") from None
    finally:
        engine.close()


def _first_line(error: Exception) -> str:
    text = error.explanation if isinstance(error, APIError) and error.explanation else str(error)
    return str(text).strip().splitlines()[0] if str(text).strip() else type(error).__name__


def _of_another_processor(engine: Any, image: str) -> str:
    """Return what is wrong with an image whose program this machine cannot run, which some engines tell on stderr of the container."""
    built, own = engine.images.get(image).attrs["Architecture"], engine.version()["Arch"]
    said = f"is for {built}, and this machine is {own}" if built != own else f"holds a program for another processor than {own}"
    return f"{said}: name an image for {own}"


def _have(engine: Any, image: str, *, pull: bool) -> None:
    """Fetch an image that is not present. EngineError if that is not allowed or fails."""
    try:
        engine.images.get(image)
        return
    except ImageNotFound:
        if not pull:
            raise EngineError("is not present on this machine: fetch it with `--pull`") from None
    named = image if "@" in image or ":" in image.rpartition("/")[2] else f"{image}:latest"
    try:
        with progress(f"pulling {image}") as advance:
            for event in engine.api.pull(named, stream=True, decode=True):
                if "error" in event:
                    raise EngineError(f"cannot be pulled: {event['error']}")
                advance()
    except (DockerException, OSError) as error:
        raise EngineError(f"cannot be pulled: {_first_line(error)}") from None


def _run(engine: Any, image: str, stdin: bytes, limits: Limits, *, network: bool) -> tuple[int, bytes, bytes]:
    container = engine.containers.create(
        image,
        stdin_open=True,
        network_mode="host" if network else "none",
        user="nobody",
        security_opt=["no-new-privileges"],
        cap_drop=["ALL"],
        read_only=True,
        tmpfs={"/tmp": ""},  # noqa: S108 - in the container
        mem_limit=limits.step_memory,
        memswap_limit=limits.step_memory,
        pids_limit=_PROCESSES,
        log_config=LogConfig(type="none"),
    )
    before = signal.signal(signal.SIGTERM, _end) if _is_main() else None
    try:
        attached = container.attach_socket(params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
        pipe = getattr(attached, "_sock", attached)
        try:
            container.start()
            out, err = _exchange(pipe, stdin, limits)
        finally:
            pipe.close()  # or the engine waits for somebody who reads what the container still writes
            attached.close()
        code = container.wait(timeout=_CALL)["StatusCode"]
        container.reload()
        if container.attrs["State"].get("OOMKilled"):
            raise MemoryError
        return code, out, err
    finally:
        container.remove(force=True)
        if before is not None:
            signal.signal(signal.SIGTERM, before)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


def _end(*_: object) -> None:
    """End in order, so that no container stays."""
    sys.exit(128 + signal.SIGTERM)


def _exchange(pipe: socket.socket, stdin: bytes, limits: Limits) -> tuple[bytes, bytes]:
    """Send stdin and return what the container writes until it ends. Raises ProgramError."""
    until = time.monotonic() + limits.step_seconds
    read, rest = bytearray(), memoryview(stdin)
    pipe.setblocking(False)
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ | selectors.EVENT_WRITE)
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise ProgramError("time")
            for _, ready in selector.select(left):
                if ready & selectors.EVENT_WRITE:
                    rest = _sent(pipe, rest)
                    if not rest:
                        selector.modify(pipe, selectors.EVENT_READ)
                if ready & selectors.EVENT_READ:
                    piece = pipe.recv(_PIECE)
                    read += piece
                    if not piece:
                        return _parted(read)
                    if len(read) > 2 * limits.input_bytes:
                        raise ProgramError("size")


def _sent(pipe: socket.socket, rest: memoryview) -> memoryview:
    """Return what is left of stdin after a piece of it is sent; the end is told. A container may end without reading all."""
    try:
        rest = rest[pipe.send(rest[:_PIECE]) :] if rest else rest
        if not rest:
            pipe.shutdown(socket.SHUT_WR)
    except OSError:
        return rest[:0]
    return rest


def _parted(stream: bytearray) -> tuple[bytes, bytes]:
    """Return stdout and stderr, which the engine sends in frames: the number of the stream, three zeros, the size, the content."""
    found = {1: bytearray(), 2: bytearray()}
    for number, content in _frames(stream):
        found.setdefault(number, bytearray()).extend(content)
    return bytes(found[1]), bytes(found[2])


def _frames(stream: bytearray) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + _HEADER <= len(stream):
        size = int.from_bytes(stream[at + 4 : at + _HEADER], "big")
        yield stream[at], bytes(stream[at + _HEADER : at + _HEADER + size])
        at += _HEADER + size
