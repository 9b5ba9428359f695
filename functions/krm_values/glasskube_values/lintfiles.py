"""Manifests in files: `package.yaml` as Go reads it, those inside objects, and the plain resources that lie beside them."""

from __future__ import annotations

from krm_values._kit import documents, goyaml, names
from krm_values._kit.errors import InputError
from krm_values._kit.item import Header, Item, Position, Reading
from krm_values._kit.plan import Finding
from krm_values._kit.pointer import get
from krm_values._kit.record import record
from krm_values._kit.text import is_blank
from krm_values.glasskube_values import lint
from krm_values.glasskube_values.linttargets import Plain
from krm_values.glasskube_values.packages import GROUP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path
    from krm_values.glasskube_values.fields import Fault

_HELD: dict[tuple[str, str], Path] = {
    (GROUP, "PackageInfo"): ("status", "manifest"),
    (names.GROUP, "PackageManifest"): ("spec", "manifest"),
    (names.GROUP, "GlasskubeValues"): ("spec", "manifests"),
}


@record
class Found:
    """A manifest, and where it stands in its item."""

    item: Item
    path: Path
    data: JSON

    def finding(self, fault: Fault) -> Finding:
        """A fault with its address."""
        about = f'"{fault.definition}": ' if fault.definition else ""
        severity = "error" if fault.severity == "error" else "warning"
        path = (*self.path, *fault.path)
        return Finding(severity, fault.kind, fault.rule, about + fault.text, self.item, path, fault.found)  # type: ignore[arg-type]


class Files:
    """What files hold: manifests, plain resources, and findings on what cannot be read."""

    __slots__ = ("findings", "manifests", "plain")

    def __init__(self) -> None:
        self.manifests: list[Found] = []
        self.plain: list[Plain] = []
        self.findings: list[Finding] = []

    def add(self, name: str, content: bytes, *, is_package: bool) -> None:
        """Read a file. is_package: a document without apiVersion and kind is a manifest."""
        try:
            source = documents.read(content, name, unfold=True)
        except InputError as error:
            self.findings.append(_unreadable(_item(name, 0, Reading(None, {}, _nothing, _nothing)), error.message))
            return
        for item in source.items:
            text = source.text(item.number)
            if item.kind or item.api_version:
                self._object(item)
            elif is_package and not is_blank(text):
                self._package(name, item.position.line, text)

    def check(self) -> tuple[Finding, ...]:
        """All findings."""
        plain = self.plain or None
        return (
            *self.findings,
            *(found.finding(fault) for found in self.manifests for fault in lint.check_all(found.data, plain)),
        )

    def _package(self, name: str, line: int, text: str) -> None:
        """A package.yaml."""
        try:
            read = goyaml.read(text, floats=False)
        except InputError as error:
            at = (error.line or 1) - 1
            self.findings.append(_unreadable(_item(name, line, Reading(None, {}, _nothing, lambda _: at)), error.message))
            return
        item = _item(name, line, Reading(read.data, {}, _nothing, _lines(read)), _name(read.data))
        self.manifests.append(Found(item, (), read.data))

    def _object(self, item: Item) -> None:
        path = _HELD.get((item.group, item.kind))
        if path is None:
            if item.group not in (GROUP, names.GROUP) and item.kind != "Kptfile":
                self.plain.append(Plain(item.api_version, item.kind, item.name, item.namespace))
            return
        data: JSON = get(item.data, path)  # type: ignore[assignment]
        if item.error:
            self.findings.append(_unreadable(item, item.error.message))
        elif path[-1] == "manifests" and isinstance(data, list):
            self.manifests += (Found(item, (*path, index), entry) for index, entry in enumerate(data))
        elif data is not None:
            self.manifests.append(Found(item, path, data))


def manifests_of(name: str, content: bytes) -> Iterator[Found]:
    """The manifests of one file. InputError if it cannot be read, or holds none."""
    files = Files()
    files.add(name, content, is_package=True)
    for finding in files.findings:
        raise InputError(finding.message, file=name)
    if not files.manifests:
        raise InputError("holds no PackageManifest", file=name)
    yield from files.manifests


def _item(name: str, line: int, reading: Reading, label: str = "") -> Item:
    """A package.yaml as an item, so that findings have an address."""
    return Item(0, Header("", "manifest", "", label), lambda: reading, Position("", name, 0, line))


def _unreadable(item: Item, message: str) -> Finding:
    return Finding("error", "manifest", "5", f"cannot be read: {message}", item)


def _lines(read: goyaml.GoText) -> Callable[[Path], int | None]:
    """Lines from 0, of the nearest place above what is not written."""

    def line(path: Path) -> int | None:
        while path and read.line(path) is None:
            path = path[:-1]
        return (read.line(path) or 1) - 1

    return line


def _name(data: JSON) -> str:
    name = data.get("name") if isinstance(data, dict) else None
    return name if isinstance(name, str) else ""


def _nothing(_: Path) -> None:
    """No scalar, no line."""
