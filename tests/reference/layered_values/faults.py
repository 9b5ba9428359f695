"""What a run finds: kinds of errors, warnings and infos."""

from __future__ import annotations

from dataclasses import dataclass, field


class Stop(Exception):
    """An error after which the part at hand cannot go on."""


@dataclass
class Findings:
    """The kinds that were found."""

    errors: set[str] = field(default_factory=set)
    warnings: set[str] = field(default_factory=set)
    infos: set[str] = field(default_factory=set)

    def error(self, kind: str) -> None:
        self.errors.add(kind)
