"""Writes what a plan came to, through the one writer, if the package is still what was planned."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from krm_values._fleet import inputs
from krm_values._fleet.task import changes_of
from krm_values._krm.write import ChangedError, WriteError, clear, locked, write
from krm_values._run.arguments import LOCK_TIMEOUT

if TYPE_CHECKING:
    from krm_values._data.limits import Limits
    from krm_values._fleet.worker import Answer

WRITERS = 8
"""Packages that are written at once: where a disk is slow, all of them wait for it."""


class StaleError(WriteError):
    """A package is not any more what its plan was made from."""


def commit(directory: str, answer: Answer, limits: Limits) -> None:
    """Write the changes of an answer. StaleError, with nothing written, if another file than was planned from is there by now."""
    root = Path(directory)
    with locked(root, timeout=LOCK_TIMEOUT):
        staged: list[str] = []
        here = inputs.stamp(inputs.files(directory, staged))
        for _ in clear(root, staged):
            pass  # another user's file: the next `render` of the package says so
        is_same = here != "" and here == answer.get("stamp")
        if not is_same and inputs.digest(inputs.listing(directory, limits)) != answer["basis"]:
            raise StaleError(f"{directory}: was changed while it was planned; nothing was written")
        try:
            write(root, changes_of(answer))
        except ChangedError as error:
            raise StaleError(error.message) from error
