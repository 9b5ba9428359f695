"""Errors with a message for the user, and the exit code of each.

    UserError
     ├── UsageError    the command line asks for something impossible       exit 2
     ├── InputError    the input cannot be read                             exit 1
     └── EditError     an edit that is impossible without guessing          exit 1

UnusualError is raised and caught between readers. Any other exception is a bug of the program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class UserError(Exception):
    """An error with one line for the user: where, what is wrong and how to fix it."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def lines(self) -> tuple[str, ...]:
        """The errors, one per line."""
        return (str(self),)


class UsageError(UserError):
    """A command line that asks for something impossible."""

    exit_code = 2


class InputError(UserError):
    """An input that cannot be read. `line` and `column` count from 1 and are 0 where unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0, file: str = "") -> None:
        super().__init__(message)
        self.line, self.column, self.file = line, column, file

    def __str__(self) -> str:
        return ": ".join(part for part in (address(self.file, self.line, self.column), self.message) if part)

    def name_files(self, named: Callable[[str], str]) -> None:
        """Give the file another name."""
        self.file = named(self.file)

    def moved(self, file: str, line: int, shift: int = 0) -> InputError:
        """Return the same error for a string that begins on this line of a file, its first line `shift` columns to the right."""
        column = self.column + shift if self.line == 1 and self.column else self.column
        return InputError(self.message, self.line + line - 1 if self.line else 0, column, file)


class InputsError(InputError):
    """Several errors of the input, each with its place."""

    def __init__(self, errors: Iterable[str | InputError]) -> None:
        self._errors = tuple(errors)
        super().__init__("; ".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(str, self._errors)))

    def name_files(self, named: Callable[[str], str]) -> None:
        for one in self._errors:
            if isinstance(one, InputError):
                one.name_files(named)
        self.message = "; ".join(self.lines)


class RepeatedKeyError(InputError):
    """A key that occurs twice in a map. The message names it; `unnamed` is for keys that may be part of a secret value."""

    def __init__(self, name: str, line: int, column: int) -> None:
        super().__init__(f"must not repeat the key `{name}`", line, column)

    def unnamed(self) -> InputError:
        """Return the same error without the key."""
        return InputError("must not repeat a key", self.line, self.column, self.file)


class UnfitValueError(InputError):
    """A scalar that does not fit its tag, or that JSON cannot hold. The message leaves out `value`, which may be a Secret's."""

    def __init__(self, message: str, value: str, line: int, column: int) -> None:
        super().__init__(message, line, column)
        self.value = value


def address(file: str, line: int = 0, column: int = 0) -> str:
    """Format a place: `app.yaml:12:5`, shorter where a number is 0; without a file `line 12, column 5`."""
    numbers = [str(number) for number in (line, column) if line and number]
    if file:
        return ":".join((file, *numbers))
    return ", ".join(f"{word} {number}" for word, number in zip(("line", "column"), numbers, strict=False))


def from_os(error: OSError) -> InputError:
    """Convert an error of the operating system about a file into one line."""
    return InputError(error.strerror or str(error), file="" if error.filename is None else str(error.filename))


class EditError(UserError):
    """An edit that is impossible without guessing. `line` counts from 1 within the edited text, 0 where unknown."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class UnusualError(Exception):
    """A text that a fast reader leaves to the general one."""
