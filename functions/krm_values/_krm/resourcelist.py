"""A ResourceList: its items are parsed on demand, and it is written with every unedited byte preserved."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.record import replace
from krm_values._data.shown import described
from krm_values._krm import events, headers, hosts, reader
from krm_values._krm.item import STDIN, Item, position_of
from krm_values._krm.itemlist import ItemList
from krm_values._krm.list_text import FIELDS, EmptyList, apply, closed
from krm_values._yaml.encoding import BOM, by_lines, check_utf8, line_break, place

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.item import Position
    from krm_values._krm.list_text import Frame, ItemTexts
    from krm_values._krm.plan import Finding

    class Added(Protocol):
        """A new resource."""

        @property
        def data(self) -> JSON: ...

    class Result(Protocol):
        """The result of a run: the new text of edited items and the removed ones, by number, and the new resources."""

        @property
        def edited(self) -> Mapping[int, str]: ...
        @property
        def removed(self) -> Collection[int]: ...
        @property
        def added(self) -> Sequence[Added]: ...


SMALL = 200_000  # below it the parser is done before the scan's patterns are compiled
_VERSIONS = ("config.kubernetes.io/v1", "config.kubernetes.io/v1beta1", "config.kubernetes.io/v1alpha1")
_KUSTOMIZE = "config.kubernetes.io/function"  # by this annotation of a functionConfig kustomize knows what to run
_PACKAGE = hosts.PACKAGE_PATH.encode() + rb"(?:: +'?([^\s'\"\\#&*!|>%@`{}\[\],]+)'?(?=\n))?"


class ResourceList:
    """A ResourceList as text: the places of its items, and its other fields."""

    __slots__ = ("_by_host", "_contained", "_data", "_frame", "_list", "_outermost", "function_config", "items", "limits")

    has_host_annotations = True  # its items carry the hosts' annotations
    has_package_paths = True

    def __init__(self, data: bytes, texts: ItemTexts, frame: Frame, limits: Limits) -> None:
        self._data, self._frame, self.limits = data, frame, limits
        self._list = ItemList(texts, frame, STDIN, limits)
        self._outermost: str | None = None
        self._contained: dict[str, bool] = {}
        self.function_config = frame.value("functionConfig")
        self._by_host: bool | None = None
        self.items: tuple[Item, ...] = tuple(self._list.items(locate=self._position))

    @property
    def by_host(self) -> bool:
        """Whether kpt or kustomize has printed the list, for this run alone: its lines are not those of anything that a user can see."""
        if self._by_host is None:
            text = self._frame.value_text("functionConfig") if self.function_config is not None else ""
            self._by_host = _KUSTOMIZE in text or hosts.served_by_kpt(self)
        return self._by_host

    def config_item(self) -> Item | None:
        """Return the functionConfig as a resource, for the places of its fields; without one, the beginning of the list. None if it cannot be read on its own."""
        text, line = self._frame.text("functionConfig") if "functionConfig" in self._frame.fields else ("", 1)
        try:
            read = reader.read(text, self._list.outer(len(self.items)), self.limits)
        except InputError:
            return None
        found = self._in_package(read.annotations)
        place = found if self.by_host else replace(found, streamed=(line, 0)) if found.file else replace(found, line=line)
        return Item(-1, headers.read(text.encode()), lambda: read, place)

    def is_json(self, number: int) -> bool:  # noqa: ARG002 - other carriers hold several texts
        """Return whether the item is in JSON, or another text in braces, where JSON is valid too."""
        return self._frame.flow

    def text(self, number: int) -> str:
        """Return the item as a document of its own: spaces up to its column, then its own text, to the end of its last line."""
        return self._list.texts.text(number)

    def crossing(self, number: int) -> int:
        """Return the line, from 1, of the item's first anchor or alias that refers across its border; 0 if there is none."""
        return self._list.crossing(number)

    def contains(self, text: str) -> bool:
        """Return whether the text occurs anywhere in the list."""
        if text not in self._contained:
            sought = text.encode()
            self._contained[text] = sought[:1] in self._data and sought in self._data  # an absent character is found out sooner
        return self._contained[text]

    def refused_elsewhere(self) -> Iterator[Finding]:
        """Yield a warning about what other programs cannot read in the list as it was sent, or read otherwise."""
        size = len(self.items)
        head = self._data[: self._list.texts.begins(0)[0]] if size else self._data
        slashed = range(size) if self.contains("\\/") else ()
        if self.by_host or not (b"%" in head or BOM in head[1:] or slashed):
            return  # what a host prints, it reads
        from krm_values._krm.documents import refused_in_list  # noqa: PLC0415 - nearly no list has any of it

        found = ((self.text(number), self._list.place(number)) for number in slashed)
        yield from refused_in_list(head, ((text, at) for text, at in found if "\\/" in text), STDIN, self.limits)

    def apply(self, outcome: Result, results: Iterable[JSON] = ()) -> Iterator[bytes | memoryview]:
        """Return the list with the result of a run and these `results`."""
        return self.write(outcome.edited, outcome.removed, [added.data for added in outcome.added], results)

    def write(
        self, edited: Mapping[int, str], removed: Collection[int], added: Sequence[JSON], results: Iterable[JSON]
    ) -> Iterator[bytes | memoryview]:
        """Return the list with edited, removed and new items and these results; every other byte is the input's.

        Edited texts have the form of `text()`. With an item its dash and the comment lines directly above it are removed. New items are put
        at the end, in the style of the list. Results of the input are replaced. EditError if an edited text cannot be inserted.
        """
        breaks = line_break(self._data)
        patches = self._list.texts.patches(edited, removed, added, breaks)
        if "items" not in self._frame.fields:
            patches = self._frame.put("items", added, breaks)
        first = next(rest := iter(results), None)
        patches += self._frame.remove("results") if first is None else self._frame.put("results", chain([first], rest), breaks)
        return apply(self._data, closed(self._data, patches, breaks))

    def edit(self, edited: Mapping[int, str]) -> Iterator[bytes | memoryview]:
        """Return the list with edited items, in the form of `text()`; every other byte, results included, is the input's."""
        breaks = line_break(self._data)
        return apply(self._data, closed(self._data, self._list.texts.patches(edited, frozenset(), (), breaks), breaks))

    def _position(self, number: int, annotations: Mapping[str, str]) -> Position:
        """Return the position of an item: in the file that the host names, or else in the list."""
        found = self._in_package(annotations)
        if self.by_host:
            return found
        line, shift = self._list.place(number)
        return replace(found, streamed=(line, shift)) if found.file else replace(found, line=line, shift=shift)

    def _in_package(self, annotations: Mapping[str, str]) -> Position:
        """Return the position that the hosts' annotations give, relative to the outermost package."""
        found = position_of(annotations)
        if not found.package:
            return found
        if self._outermost is None:
            self._outermost = hosts.outermost(self._packages())
        return replace(found, package=hosts.relative(found.package, self._outermost))

    def _packages(self) -> set[str]:
        """Return all package paths. A path on a line of its own that is already known saves parsing the item."""
        found: set[str] = set()
        read: set[int] = set()
        if not self.contains(hosts.PACKAGE_PATH):
            return found
        for hit in re.finditer(_PACKAGE, self._data):
            number = self._list.texts.holder(hit.start())
            if number < 0 or number in read or (hit[1] or b"").decode() in found:
                continue
            read.add(number)
            found.add(self.items[number].reading.annotations.get(hosts.PACKAGE_PATH, ""))
        return found - {""}


def read(data: bytes, limits: Limits = DEFAULT) -> ResourceList:
    """Read a ResourceList, YAML or JSON. InputError, with the line and column of stdin, if it is not one or exceeds a limit."""
    if not data or data.isspace():
        raise InputError(
            "must be a ResourceList, found nothing: pipe one in, for example `kpt fn source DIR |`, or name a directory, as `.`",
            1,
            1,
            STDIN,
        )
    try:
        check_utf8(data)
        texts, frame = _cut(data, limits)
        _check(frame)
        _check_fields(frame)
        _count(texts, limits)
    except InputError as error:
        raise by_lines(data.decode(errors="replace"), error).moved(STDIN, 1) from None
    return ResourceList(data, EmptyList(data, len(data), len(data), 0) if texts is None else texts, frame, limits)


def _cut(data: bytes, limits: Limits) -> tuple[ItemTexts | None, Frame]:
    """Return the items and the frame, by the scan or the parser's events, whichever is faster at this size; the other one if that fails."""
    if len(data) >= SMALL:
        return _scanned(data, limits) or events.cut(data, limits)
    try:
        return events.cut(data, limits)
    except InputError:
        found = _scanned(data, limits)
        if found is None:
            raise
        return found


def _scanned(data: bytes, limits: Limits) -> tuple[ItemTexts | None, Frame] | None:
    """Return the items and the frame by the scan; None if its proof fails."""
    from krm_values._krm.scan import UnprovedError, scan  # noqa: PLC0415 - not for small lists

    try:
        return scan(data, limits)
    except UnprovedError:
        return None


def _count(texts: ItemTexts | None, limits: Limits) -> None:
    if texts is not None and len(texts) > limits.items:
        line, column = place(texts.data, texts.begins(limits.items)[0])
        text = f"must not have more than {limits.items:,} items, found {len(texts):,}"
        raise InputError(beyond(limits, "items", text), line, column)


def _check(frame: Frame) -> None:
    kind, version = frame.value("kind"), frame.value("apiVersion")
    if kind != "ResourceList":
        found = "nothing" if kind is None else described(kind)
        near = suggest.hint(kind, ["ResourceList"]) if isinstance(kind, str) else ""
        raise InputError(f"`kind` must be `ResourceList`, found {found}{near or f'; {events.PLAIN}'}", *frame.place("kind"))
    if version not in _VERSIONS:
        found = "nothing" if version is None else described(version)
        raise InputError(f"`apiVersion` must be `{_VERSIONS[0]}`, found {found}", *frame.place("apiVersion"))


def _check_fields(frame: Frame) -> None:
    """Raise InputError for a key that looks like a misspelt field which the list lacks; other unknown keys are kept."""
    lacking = [field for field in FIELDS if field not in frame.fields]
    for key in frame.fields:
        near = "" if key in FIELDS else suggest.nearest(key, lacking)
        if near:
            raise InputError(f"`{key}` is not a field of a ResourceList; did you mean `{near}`?", *frame.begins(key))
