"""Where a step stands among the steps of its package: which undo records of a resource are its own, and which those of earlier and later steps."""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._data.record import record, replace
from krm_values._data.scalars import text_of
from krm_values._krm import config as configs
from krm_values._krm import hosts, names
from krm_values._krm.names import Writer
from krm_values._run import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.config import ConfigPlace
    from krm_values._krm.item import Item
    from krm_values._krm.kptfile import Selector, Step
    from krm_values._krm.undo_record import Record
    from krm_values._run.engine import Source


_KPTFILE = ("Kptfile", "kpt.dev")
OWN, EARLIER, LATER, STALE, LEFT, UNKNOWN = "own", "earlier", "later", "stale", "left", "unknown"
"""Whose a record is. Stale: that of a step which does not select the resource any more. Left: that of no step of the pipelines."""


@record
class Known:
    """A step of a pipeline: its function and functionConfig, the package whose Kptfile lists it, and its entry there.

    is_first: whether no earlier step of the package and its sub-packages runs the function. The records of such a step do not name the config,
    unless configs of the function always do.
    """

    called: Writer
    package: str
    step: Step
    is_first: bool = True

    @property
    def writer(self) -> Writer:
        """Under what it writes."""
        return _unnamed(self.called) if self.is_first else self.called


class Standing:
    """The place of a step among those of the packages that it sees.

    called: the function and its functionConfig. steps: returns the steps, in the order in which they run. number: which of them it is, None if that is not known. package: returns that
    of its functionConfig, None if that is not known. package_of: returns the package of a resource. is_render: whether the steps behind it run, too.
    """

    def __init__(
        self,
        called: Writer,
        steps: Callable[[], Iterable[Known]] = tuple,
        number: int | None = None,
        package: Callable[[], str | None] = lambda: None,
        package_of: Callable[[Item], str] = lambda _: "",
        *,
        is_render: bool = False,
    ) -> None:
        self.called, self.is_render = called, is_render
        self._listed, self._given, self._told, self._package_of = steps, number, package, package_of
        self._holders: dict[str, dict[str, int]] = {}

    @cached_property
    def writer(self) -> Writer:
        """Under what the step writes."""
        return _unnamed(self.called) if self._number is None else self._steps[self._number].writer

    @cached_property
    def _steps(self) -> Sequence[Known]:
        """The steps; those of one function know whether they are the first."""
        found: list[Known] = []
        for one in self._listed():
            is_first = not any(
                earlier.called.function == one.called.function and _below(earlier.package, one.package) is not None
                for earlier in found
            )
            found.append(one if is_first else replace(one, is_first=False))
        return found

    @cached_property
    def _number(self) -> int | None:
        """Which of the steps this is: the only one that writes under its name in its package."""
        if self._given is not None:
            return self._given
        found = [number for number, one in enumerate(self._steps) if one.called == self.called]
        packages = {self._steps[number].package for number in found}
        package = self._package if self._package is not None else packages.pop() if len(packages) == 1 else None
        return next((number for number in found if self._steps[number].package == package), None)

    @cached_property
    def _package(self) -> str | None:
        return self._told()

    @cached_property
    def _home(self) -> str | None:
        if self._package is None and self._number is not None:
            return self._steps[self._number].package
        return self._package

    @property
    def home(self) -> str:
        """The package of the functionConfig, "" for the outermost one and where it is not known."""
        return self._home or ""

    def path(self, item: Item) -> str:
        """Return the path from the package of this step to that of a resource."""
        package = self._package_of(item)
        return _below(package, self._home or "") or "" if package else ""

    def key(self, item: Item) -> str:
        """Return the annotation for this step's record of a resource."""
        return names.RECORD + self.writer.key(self.path(item))

    def released_as(self, item: Item) -> str:
        """Return the name that `clean` leaves on a resource when it removes this step's record."""
        return self.key(item).removeprefix(names.RECORD)

    def of(self, key: str, found: Record, item: Item) -> str:
        """Return whose a record is."""
        path, is_mine = self.path(item), key in self._keys(found.package)
        holder = self._holders_of(item).get(key)
        if is_mine and found.package == path and holder in (None, self._number):
            return OWN
        if holder is not None and self._number is not None:
            if not selects(self._steps[holder].step, item):
                return STALE
            return OWN if holder == self._number else LATER if holder > self._number else EARLIER
        if is_mine and (self._home is None or not found.number):  # of a version that did not tell packages apart
            return OWN
        if self._home is not None and len(found.package) > len(path if self._given is None else self._package_of(item)):
            return LATER  # of a package around those that are seen
        return UNKNOWN if self._number is None else LEFT

    def current(self, key: str, found: Record, item: Item) -> tuple[str, Record]:
        """Return a record of version 2 as this version names it: a step around the resource's package had no path in the name there.

        Of several steps that wrote under one name it is the last one's, which had taken back what the others wrote.
        """
        package = self._package_of(item)
        for one in () if found.number else reversed(self._steps):
            path = _below(package, one.package)
            if path is not None and key == names.RECORD + _unnamed(one.called).key() and selects(one.step, item):
                return names.RECORD + one.writer.key(path), replace(found, package=path)
        return key, found

    def _keys(self, package: str) -> tuple[str, ...]:
        """Return the annotations of this step's record: where another step of the function comes first, and where none does."""
        return tuple(names.RECORD + writer.key(package) for writer in (self.called, _unnamed(self.called)))

    def is_only(self, item: Item) -> bool:
        """Return whether no other step of the function may write into a resource, so that a record without the name of a config is this step's."""
        package = self._package_of(item)
        others = (one for number, one in enumerate(self._steps) if number != self._number)
        return not any(
            one.called.function == self.called.function and _below(package, one.package) is not None for one in others
        )

    def twin(self, item: Item) -> Known | None:
        """Return another step that writes under the same name into a resource, so that their records cannot be told apart."""
        if self._number is None:
            return None
        own = self._steps[self._number]
        others = (one for number, one in enumerate(self._steps) if number != self._number)
        return next(
            (one for one in others if (one.writer, one.package) == (own.writer, own.package) and selects(one.step, item)), None
        )

    def owns(self, made: Item) -> bool:
        """Return whether a generated object that has the mark of this step is its own: not that of a step of the same name in a package within."""
        package, home = self._package_of(made), self._home or ""
        return not package or not any(
            one.called == self.called and len(one.package) > len(home) and _below(package, one.package) is not None
            for one in self._steps
        )

    @property
    def field(self) -> str:
        """The place of the step in its Kptfile, "" if that is not known."""
        return "" if self._number is None else self._steps[self._number].step.field

    def title(self, item: Item, found: Record) -> str:
        """Return what messages call the step of a record: `LayeredValues//web`, of another package than this step's with that package."""
        by = found.title
        if found.package == self.path(item):
            return by
        package = self._package_of(item).removesuffix(found.package).rstrip("/")
        return f"{by} of the package `{package}`" if package else f"{by} of the outermost package"

    def is_last(self, item: Item) -> bool:
        """Return whether no later step gets a resource."""
        behind = self._steps[self._number + 1 :] if self._number is not None else ()
        package = self._package_of(item)
        return self._number is not None and not any(
            _below(package, one.package) is not None and selects(one.step, item) for one in behind
        )

    def _holders_of(self, item: Item) -> dict[str, int]:
        """Return the steps that may write into a resource, by the annotation of their record, and by the one that they had before another step became the first of their function."""
        package = self._package_of(item)
        if package not in self._holders:
            found = self._holders[package] = {}
            paths = [(number, one, _below(package, one.package)) for number, one in enumerate(self._steps)]
            for number, one, path in paths:
                if path is not None:
                    found.setdefault(names.RECORD + one.writer.key(path), number)
            for number, one, path in paths:
                for writer in (one.called, _unnamed(one.called)) if path is not None else ():
                    found.setdefault(names.RECORD + writer.key(path or ""), number)
        return self._holders[package]


def _unnamed(writer: Writer) -> Writer:
    """Return under what the first step of its function writes."""
    return writer if writer.named else Writer(writer.function)


def _below(package: str, outer: str) -> str | None:
    """Return the path of a package from one around it; None if that is not around it."""
    if not outer or package == outer:
        return package if not outer else ""
    return package[len(outer) + 1 :] if package.startswith(f"{outer}/") else None


def writer_of(function: str, config: JSON) -> Writer:
    """Return under what a function writes with this functionConfig."""
    called, namespace = configs.identity(config)
    named = function in registry.functions() and registry.load(function).named
    return Writer(function, called or (function if named else ""), namespace, named)


def selects(step: Step, item: Item) -> bool:
    """Return whether a step gets a resource of its package: one that fits any selector and no exclusion."""
    exclude = (selector for selector in step.exclude if selector.fields or selector.labels or selector.annotations)
    is_chosen = not step.selectors or any(fits(one, item) for one in step.selectors)
    return is_chosen and not any(fits(one, item) for one in exclude)


def fits(selector: Selector, item: Item) -> bool:
    """Return whether every field of the selector equals the item's, as kpt compares them."""
    found = {"apiVersion": item.api_version, "kind": item.kind, "namespace": item.namespace, "name": item.name}
    if any(found[field] != value for field, value in selector.fields):
        return False
    if not selector.labels and not selector.annotations:
        return True
    metadata = item.data.get("metadata") if isinstance(item.data, dict) else None
    labels = _texts(metadata, "labels")
    annotations = {**_texts(metadata, "annotations"), **item.reading.annotations}
    return all(labels.get(key) == value for key, value in selector.labels) and all(
        annotations.get(key) == value for key, value in selector.annotations
    )


def _texts(metadata: JSON, field: str) -> dict[str, str]:
    found = metadata.get(field) if isinstance(metadata, dict) else None
    return {key: text_of(value) for key, value in found.items()} if isinstance(found, dict) else {}


def known(package: str, step: Step, config: JSON) -> Known | None:
    """Return a step that has this functionConfig; None if it does not run one of our functions."""
    from krm_values._run.calls import call_of  # noqa: PLC0415 - only where records ask for the other steps

    try:
        call = call_of(step)
        return Known(writer_of(call.function or configs.function_name(config), config), package, step) if call else None
    except (InputError, UsageError):
        return None  # the run of the step says what is wrong


def in_list(source: Source, writer: Writer, config: Callable[[], ConfigPlace | None]) -> Standing:
    """Return the place of the step that gets this list, as far as the list tells: by the Kptfiles in it. config: returns the functionConfig's."""
    kptfiles = [item for item in source.items if (item.kind, item.group) == _KPTFILE]
    is_render = source.contains(hosts.PACKAGE_PATH)  # kpt tells it to the steps of a pipeline alone

    def home() -> str | None:
        place = config() if is_render else None
        if place and hosts.PACKAGE_PATH in place.item.reading.annotations:
            return place.item.position.package
        return "" if is_render and kptfiles else None

    folders = {posixpath.dirname(item.position.path) for item in kptfiles} if len(kptfiles) > 1 else set()

    def package_of(item: Item) -> str:
        if item.position.package:
            return item.position.package
        path = item.position.path
        above = (path[:at] for at in range(len(path) - 1, 0, -1) if path[at] == "/")
        return next((folder for folder in above if folder in folders), "") if folders else ""

    return Standing(writer, lambda: [*_steps(source, kptfiles)], None, home, package_of, is_render=is_render)


def _steps(source: Source, kptfiles: Iterable[Item]) -> Iterator[Known]:
    """Yield the steps of the pipelines in a list that run our functions, those of sub-packages first."""
    from krm_values._krm import kptfile  # noqa: PLC0415 - only where records ask for the other steps

    placed = {posixpath.dirname(item.position.path): item for item in kptfiles}
    files = {item.position.path: item for item in source.items if item.group == names.GROUP} if placed else {}
    for package in sorted(placed, key=lambda path: (-path.count("/") - bool(path), path)):
        try:
            pipeline = kptfile.read(source.text(placed[package].number), "")
        except InputError:
            continue
        for step in pipeline.mutators:
            file = files.get(posixpath.normpath(posixpath.join(package, step.config_path))) if step.config_path else None
            if found := known(package, step, file.data if file else None):
                yield found


def about_left(key: str, fact: str) -> str:
    """Return what is said about a record that no step takes back. fact: why it stays."""
    name = key.removeprefix(names.RECORD)
    return f"{fact} (undo record `{name}`): `krm-values revert {name}` takes it back"
