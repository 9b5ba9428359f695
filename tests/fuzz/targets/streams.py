"""Our command line in this process: what it reads and writes is held in memory, what would be a fault of ours is raised."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable

from krm_values._cli import main
from krm_values._data.errors import UserError, from_os


class Stream(io.TextIOWrapper):
    """A standard stream in memory."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", errors="surrogateescape")

    def held(self) -> bytes:
        self.flush()
        held: bytes = self.buffer.getvalue()  # type: ignore[attr-defined]
        return held


def ran(command: Callable[[], int], stdin: bytes = b"") -> tuple[int, bytes, str]:
    """Exit code, stdout and stderr of a command, as `main` has them; what it would answer with exit 3 is raised."""
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, out, err = Stream(stdin), Stream(), Stream()
    sys.stdout, sys.stderr = out, err
    try:
        code = command()
    except (UserError, OSError) as error:
        known = from_os(error) if isinstance(error, OSError) else error
        code = known.exit_code
        print(f"error: {known}", file=err)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    return code, out.held(), err.held().decode(errors="replace")


def commanded(*arguments: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """The same of `krm-values ARGUMENT...`."""
    return ran(lambda: main._dispatch("krm-values", [*arguments]), stdin)
