"""Why a value cannot be written into a field."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._data.pointer import Path
    from krm_values._kit.layers.merge import Assigned


class FieldError(Exception):
    """A value that cannot be written. `{found}` in the message stands for the value of `leaf`, hidden if it comes out of a Secret.

    path: the field, if not the one that was asked for.
    """

    def __init__(self, kind: str, rule: str, message: str, leaf: Assigned | None = None, path: Path | None = None) -> None:
        super().__init__(message)
        self.kind, self.rule, self.message, self.leaf, self.path = kind, rule, message, leaf, path
