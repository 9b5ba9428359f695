"""What can go wrong, by who can mend it; and the exit code each kind leads to.

    KrmError
     ├── UsageError    the command line            exit 2
     ├── InputError    what came in is unreadable  exit 1
     ├── ConfigError   the functionConfig          exit 1, all mistakes at once
     └── EditError     an edit that cannot be made without guessing   exit 1

Anything else that escapes is a fault of ours and exits 3.
"""

from __future__ import annotations

from krm_values._data.pointer import to_field
from krm_values._data.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from krm_values._data.pointer import Path


class KrmError(Exception):
    """An error with a message for the user: an address, a fact and a way out, on one line."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def lines(self) -> tuple[str, ...]:
        """The errors, each of which is printed on a line of its own."""
        return (str(self),)


class UsageError(KrmError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class InputError(KrmError):
    """A text that cannot be read. `line` and `column` are 1-based, 0 where unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0, file: str = "") -> None:
        super().__init__(message)
        self.line, self.column, self.file = line, column, file

    def __str__(self) -> str:
        return ": ".join(part for part in (address(self.file, self.line, self.column), self.message) if part)

    def moved(self, file: str, line: int, shift: int = 0) -> InputError:
        """The same error in a file in which the text begins on this line, its first line `shift` columns further to the right."""
        column = self.column + shift if self.line == 1 and self.column else self.column
        return InputError(self.message, self.line + line - 1 if self.line else 0, column, file)


class InputsError(InputError):
    """Several errors of what came in, each with its place."""

    def __init__(self, messages: Iterable[str]) -> None:
        self._lines = tuple(messages)
        super().__init__("; ".join(self._lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return self._lines


class RepeatedKeyError(InputError):
    """A key that stands twice in a map. The message names it; `unnamed` does not, for where it may be part of a value."""

    def __init__(self, name: str, line: int, column: int) -> None:
        super().__init__(f"must not repeat the key `{name}`", line, column)

    def unnamed(self) -> InputError:
        """The same error without the key."""
        return InputError("must not repeat a key", self.line, self.column, self.file)


class UnfitValueError(InputError):
    """A scalar that does not fit its tag, or that JSON cannot hold. The message leaves out `value`, which may be a Secret's."""

    def __init__(self, message: str, value: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.value = value


def address(file: str, line: int = 0, column: int = 0) -> str:
    """`app.yaml:12:5` as far as it is known (0: it is not); without a file `line 12, column 5`."""
    numbers = [str(number) for number in (line, column) if line and number]
    if file:
        return ":".join((file, *numbers))
    return ", ".join(f"{word} {number}" for word, number in zip(("line", "column"), numbers, strict=False))


def from_os(error: OSError) -> InputError:
    """What the system says of a file, as one line."""
    return InputError(error.strerror or str(error), file="" if error.filename is None else str(error.filename))


class ConfigError(KrmError):
    """Every mistake of a functionConfig, in the order of the fields."""

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__("; ".join(map(str, mistakes)))
        self.mistakes = mistakes


@record
class Mistake:
    """What is wrong with a field of a functionConfig. inside: line and column, from 1, in the text that the field holds."""

    text: str
    path: Path = ()
    inside: tuple[int, int] | None = None

    def __str__(self) -> str:
        return f"functionConfig `{to_field(self.path)}`: {self.text}" if self.path else self.text


class EditError(KrmError):
    """An edit that would have to guess. `line` is 1-based within the item's text."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
