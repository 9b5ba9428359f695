"""One run of sops: the program, the variables that it gets, and its limits of time and output."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from typing import TYPE_CHECKING

from krm_values._kit.process import programs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.values import JSON

VARIABLES, PREFIX = ("HOME", "GNUPGHOME"), "SOPS_"
_LOCAL_KEYS = ("age", "pgp", "key_groups")
_SECONDS, _LONGEST = 60.0, 10 << 20
_PIECE = 1 << 16


class SopsError(Exception):
    """A failure of sops; its text contains nothing of the file or the environment."""


def program() -> str | None:
    """Return the `sops` in an absolute entry of PATH, None if there is none."""
    return programs.find("sops")


def environment(key: str, named: Iterable[str]) -> dict[str, str]:
    """Return all variables that sops gets: PATH with its absolute entries, its own variables, the named ones, and the age key."""
    kept = {name: text for name, text in os.environ.items() if name in {*VARIABLES, *named} or name.startswith(PREFIX)}
    return {**kept, "PATH": programs.search_path(), **({"SOPS_AGE_KEY": key} if key else {})}


def key_services(metadata: JSON) -> list[str]:
    """Return the key services of a file, by the name of their list in its `sops` map; age and PGP keys are local."""
    groups = metadata.get("key_groups") if isinstance(metadata, dict) else None
    maps = [metadata, *(groups if isinstance(groups, list) else ())]
    lists = (
        name for each in maps if isinstance(each, dict) for name, value in each.items() if value and isinstance(value, list)
    )
    return sorted({name for name in lists if name not in _LOCAL_KEYS})


def decrypted(program: str, path: str, variables: dict[str, str]) -> str:
    """Return the decrypted text of a file. SopsError if sops fails."""
    command = [program, "--decrypt", "--input-type", "yaml", "--output-type", "yaml", "--", os.path.abspath(path)]
    nothing = subprocess.DEVNULL
    try:
        process = subprocess.Popen(  # noqa: S603 - no shell, no text of the file on the command line
            command, env=variables, stdin=nothing, stdout=subprocess.PIPE, stderr=nothing, start_new_session=True
        )
    except OSError as error:
        raise SopsError(f"cannot be decrypted: sops does not start ({error.strerror})") from None
    with process:
        try:
            out = _output(process, time.monotonic() + _SECONDS)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    if process.returncode:
        raise SopsError("cannot be decrypted by sops")
    try:
        return out.decode()
    except UnicodeDecodeError:
        raise SopsError("is decrypted by sops to something that is not UTF-8") from None


def _output(process: subprocess.Popen[bytes], until: float) -> bytes:
    """Return the output of the program. SopsError beyond the limits of time and size."""
    assert process.stdout is not None
    found = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while selector.select(max(0.0, until - time.monotonic())):
            piece = os.read(process.stdout.fileno(), _PIECE)
            if not piece:
                _wait(process, until)
                return bytes(found)
            found += piece
            if len(found) > _LONGEST:
                raise SopsError(f"cannot be decrypted: sops writes more than {_LONGEST >> 20} MiB")
    raise SopsError(f"cannot be decrypted: sops does not end within {_SECONDS:.0f} seconds")


def _wait(process: subprocess.Popen[bytes], until: float) -> None:
    try:
        process.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        raise SopsError(f"cannot be decrypted: sops does not end within {_SECONDS:.0f} seconds") from None
