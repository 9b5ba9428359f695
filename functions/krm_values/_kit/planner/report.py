"""The collector of findings: whoever reads input takes a report and adds findings to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from krm_values._data.pointer import Path
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New


class Report:
    """Findings in the order in which they are added. Their fields are those of `Finding`."""

    __slots__ = ("findings",)

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    @property
    def failed(self) -> bool:
        """Whether there is an error among the findings."""
        return any(finding.severity == "error" for finding in self.findings)

    def error(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add an error. more: other fields of the finding."""
        self.findings.append(Finding("error", kind, rule, message, item, path, **more))

    def warning(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add a warning. more: other fields of the finding."""
        self.findings.append(Finding("warning", kind, rule, message, item, path, **more))

    def info(
        self, kind: str, rule: str | None, message: str, item: Item | New | None = None, path: Path = (), **more: Any
    ) -> None:
        """Add an information. more: other fields of the finding."""
        self.findings.append(Finding("info", kind, rule, message, item, path, **more))

    def add(self, *findings: Finding) -> None:
        """Add existing findings."""
        self.findings.extend(findings)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add the findings that a check yields."""
        self.findings.extend(findings)
