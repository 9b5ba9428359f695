"""The error of a value that cannot be written into a field."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Assigned


class FieldError(Exception):
    """A value that cannot be written. `{found}` in the message is replaced by the value of `leaf`, hidden if it comes from a Secret.

    path: the field, if it is not the requested one.
    """

    def __init__(self, kind: str, rule: str, message: str, leaf: Assigned | None = None, path: Path | None = None) -> None:
        super().__init__(message)
        self.kind, self.rule, self.message, self.leaf, self.path = kind, rule, message, leaf, path
