"""Errors of a repository or a download: findings with a rule, all of them reported at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UserError
from krm_values._kit.planner import findings as results
from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

DESCRIPTOR, ENVIRONMENT, NAMESPACE = (
    "70",
    "16",
    "77",
)  # the rules of files of SDs, names of environments and files of Namespaces


class FaultsError(UserError):
    """Error findings that end a command."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("\nerror: ".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(map(results.message, self.findings))


def fault(rule: str, message: str, kind: str = "repository") -> FaultsError:
    """Return the exception for a single error."""
    return FaultsError((Finding("error", kind, rule, message),))


def unreadable(rule: str, error: InputError, file: str) -> FaultsError:
    """Return the exception for a file that cannot be read, with its place."""
    return fault(rule, str(InputError(error.message, error.line, error.column, error.file or file)), "unreadable")
