"""What can go wrong, by who can mend it; and the exit code each kind leads to.

    KrmError
     ├── UsageError    the command line            exit 2
     ├── InputError    what came in is unreadable  exit 1
     ├── ConfigError   the functionConfig          exit 1, all mistakes at once
     └── EditError     an edit that cannot be made without guessing   exit 1

Anything else that escapes is a fault of ours and exits 3.
"""

from __future__ import annotations


class KrmError(Exception):
    """An error with a message for the user: an address, a fact and a way out, on one line."""

    exit_code = 1

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class UsageError(KrmError):
    """The command line asks for something that cannot be done."""

    exit_code = 2


class InputError(KrmError):
    """A text that cannot be read. `line` and `column` are 1-based, 0 where unknown."""

    def __init__(self, message: str, line: int = 0, column: int = 0, file: str = "") -> None:
        super().__init__(message)
        self.line, self.column, self.file = line, column, file

    def __str__(self) -> str:
        place = f"line {self.line}, column {self.column}" if self.line else ""
        return ": ".join(part for part in (self.file, place, self.message) if part)


def from_os(error: OSError) -> InputError:
    """What the system says of a file, as one line."""
    return InputError(error.strerror or str(error), file="" if error.filename is None else str(error.filename))


class ConfigError(KrmError):
    """Every mistake of a functionConfig: (field path, what is wrong) pairs, in the order of the fields."""

    def __init__(self, mistakes: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"functionConfig `{path}`: {text}" if path else text for path, text in mistakes))
        self.mistakes = mistakes


class EditError(KrmError):
    """An edit that would have to guess. `line` is 1-based within the item's text."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
