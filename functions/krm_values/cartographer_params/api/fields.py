"""Fields of other people's objects, and what is wrong with them."""

from __future__ import annotations

from krm_values._data.pointer import get
from krm_values._kit.planner.plan import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._kit.planner.item import Item
    from krm_values._kit.planner.plan import New, Severity


class Fields:
    """One object's fields by path. A null counts as not written."""

    __slots__ = ("findings", "item")

    def __init__(self, item: Item | New, findings: list[Finding]) -> None:
        self.item, self.findings = item, findings

    def get(self, path: Path) -> JSON:
        """The value at `path`, or None."""
        return get(self.item.data, path)  # type: ignore[return-value]

    def map(self, path: Path, rule: str) -> dict[str, JSON]:
        """The map at `path`; empty where there is none."""
        value = self.get(path)
        if value is None or isinstance(value, dict):
            return value or {}
        self.error(rule, "shape", path, "must be a map; found {found}", value)
        return {}

    def maps(self, path: Path, rule: str) -> Iterator[Path]:
        """The path of each element of the list of maps at `path`."""
        value = self.get(path)
        if value is None:
            return
        if not isinstance(value, list):
            self.error(rule, "shape", path, "must be a list; found {found}", value)
            return
        for index, element in enumerate(value):
            if isinstance(element, dict):
                yield (*path, index)
            else:
                self.error(rule, "shape", (*path, index), "must be a map; found {found}", element)

    def text(self, path: Path, rule: str) -> str:
        """The text at `path`; "" where there is none."""
        value = self.get(path)
        if value is None or isinstance(value, str):
            return value or ""
        self.error(rule, "shape", path, "must be text; found {found}", value)
        return ""

    def texts(self, path: Path, rule: str) -> tuple[str, ...]:
        """The list of texts at `path`."""
        value = self.get(path)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(element, str) for element in value):
            return tuple(map(str, value))
        self.error(rule, "shape", path, "must be a list of texts; found {found}", value)
        return ()

    def error(self, rule: str, kind: str, path: Path, text: str, found: JSON = None) -> None:
        """Say what is refused."""
        self.say("error", rule, kind, path, text, found=found)

    def say(self, severity: Severity, rule: str, kind: str, path: Path, text: str, *, found: JSON = None) -> None:
        """Say something of the field at `path`. found: "" also of what is not written, and of what `text` has refused."""
        written = self.get(path)
        if found == "" and written not in (None, ""):
            return
        if found == "" and written is None:
            text = text.replace("{found}", "nothing")
        self.findings.append(Finding(severity, kind, rule, text, self.item, path, found))
