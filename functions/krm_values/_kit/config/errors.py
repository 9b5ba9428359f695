"""Errors of a functionConfig."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import UserError
from krm_values._data.pointer import to_field
from krm_values._data.record import record

if TYPE_CHECKING:
    from krm_values._data.pointer import Path


class ConfigError(UserError):
    """All mistakes of a functionConfig, in the order of the fields."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.mistakes = mistakes


@record
class Mistake:
    """One invalid field of a functionConfig. inside: line and column, from 1, in the string that the field holds."""

    text: str
    path: Path = ()
    inside: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"functionConfig `{to_field(self.path)}`: {self.text}" if self.path else self.text
