"""The position of a step among the steps of its package: which undo records of a resource are its own, and which those of earlier and later steps."""

from __future__ import annotations

import posixpath
from functools import cached_property
from typing import TYPE_CHECKING

from krm_values._data.errors import InputError, UsageError
from krm_values._data.record import record, replace
from krm_values._krm import config as configs
from krm_values._krm import hosts, names
from krm_values._krm.names import Writer
from krm_values._run import registry
from krm_values._run.generated import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from krm_values._data.values import JSON
    from krm_values._krm.config import ConfigPlace
    from krm_values._krm.item import Item
    from krm_values._krm.kptfile import Step
    from krm_values._krm.undo_record import Record
    from krm_values._run.engine import Source


_KPTFILE = ("Kptfile", "kpt.dev")
OWN, EARLIER, LATER, STALE, LEFT, UNKNOWN = "own", "earlier", "later", "stale", "left", "unknown"
"""Whose a record is. Stale: that of a step which does not select the resource any more. Left: that of no step of the pipelines."""


@record
class PackageStep:
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
        """The name of its undo records."""
        return _unnamed(self.called) if self.is_first else self.called


class PackageSteps:
    """The steps of the packages that a run sees, which are read when they are asked for. list_steps: returns them in the order in which they run."""

    def __init__(self, list_steps: Callable[[], Iterable[PackageStep]] = tuple) -> None:
        self._list_steps = list_steps
        self._writers: dict[str, dict[str, int]] = {}

    @cached_property
    def all(self) -> Sequence[PackageStep]:
        """The steps; those of one function know whether they are the first."""
        return _with_first(self._list_steps())

    def writers_into(self, package: str) -> dict[str, int]:
        """Return the steps that may write into the resources of a package, by the annotation of their record.

        The present ones come first, then those of other orders of steps.
        """
        if package not in self._writers:
            found = self._writers[package] = {}
            paths = [(number, one, _below(package, one.package)) for number, one in enumerate(self.all)]
            around = [(number, one, path) for number, one, path in paths if path is not None]
            for number, one, path in around:
                found.setdefault(names.RECORD + one.writer.key(path), number)
            for number, one, path in around:
                for writer in (one.called, _unnamed(one.called)):
                    found.setdefault(names.RECORD + writer.key(path), number)
        return self._writers[package]


class StepPosition:
    """The position of a step among those of the packages that it sees.

    called: its function and functionConfig. steps: those of the packages. number: the index of this step among them,
    None if that is not known. config_package: returns the package of the functionConfig, None if that is not known. package_of: returns the
    package of a resource. is_render: whether the steps after this one run, too. list_items: returns the resources of the packages.
    folder_of: returns the folder of the nearest Kptfile above a resource, which is its package if the host does not name one.
    """

    def __init__(
        self,
        called: Writer,
        steps: PackageSteps | None = None,
        number: int | None = None,
        config_package: Callable[[], str | None] = lambda: None,
        package_of: Callable[[Item], str] = lambda _: "",
        *,
        is_render: bool = False,
        list_items: Callable[[], Iterable[Item]] = tuple,
        folder_of: Callable[[Item], str] = lambda _: "",
    ) -> None:
        self.folder_of = folder_of
        self.called, self.is_render, self._list_items = called, is_render, list_items
        self._known_steps = steps or PackageSteps()
        self._known_number, self._config_package, self._package_of = number, config_package, package_of

    @cached_property
    def writer(self) -> Writer:
        """The name of the undo records of this step."""
        return _unnamed(self.called) if self._number is None else self._steps[self._number].writer

    @property
    def _steps(self) -> Sequence[PackageStep]:
        return self._known_steps.all

    @cached_property
    def _sources(self) -> dict[str, Item]:
        """The resources by their identity in the marks of generated objects."""
        return {identity(item): item for item in self._list_items()}

    @cached_property
    def _number(self) -> int | None:
        """The index of this step among the steps; None if it is not known.

        If it was not given, it is the first step with this function and functionConfig in the package of the functionConfig, or, where that is not
        known either, in the only package that has such a step.
        """
        if self._known_number is not None:
            return self._known_number
        first: dict[str, int] = {}
        for number, one in enumerate(self._steps):
            if one.called == self.called:
                first.setdefault(one.package, number)
        package = self._told_package
        if package is None:
            return next(iter(first.values())) if len(first) == 1 else None
        return first.get(package)

    @cached_property
    def _told_package(self) -> str | None:
        return self._config_package()

    @cached_property
    def _known_package(self) -> str | None:
        """The package of this step: that of its functionConfig, else the one whose Kptfile lists it; None if neither is known."""
        if self._told_package is None and self._number is not None:
            return self._steps[self._number].package
        return self._told_package

    @property
    def package(self) -> str:
        """The package of this step, "" for the outermost one and where it is not known."""
        return self._known_package or ""

    def path(self, item: Item) -> str:
        """Return the path from the package of this step to that of a resource."""
        package = self._package_of(item)
        return _below(package, self.package) or "" if package else ""

    def key(self, item: Item) -> str:
        """Return the annotation for this step's record of a resource."""
        return names.RECORD + self.released_as(item)

    def released_as(self, item: Item) -> str:
        """Return the name that `clean` leaves on a resource when it removes this step's record."""
        return self.writer.key(self.path(item))

    def owner_of(self, key: str, found: Record, item: Item) -> str:
        """Return whose a record is: OWN, EARLIER, LATER, STALE, LEFT or UNKNOWN.

        The name alone does not decide it: only the second step of a function has its functionConfig in the name, so that one step may have written
        under two names. So where the pipeline is known, the step that has the name now decides; else the package in the record.
        """
        is_named_so = key in self._keys(found.package)
        writer = self._known_steps.writers_into(self._package_of(item)).get(key)
        if is_named_so and found.package == self.path(item) and writer in (None, self._number):
            return OWN
        if writer is not None and self._number is not None:
            return self._owner_by_order(writer, self._number, item)
        if is_named_so and (self._known_package is None or not found.number):
            return OWN  # a record of version 2 has no number, and its name does not tell packages apart
        if self._is_from_outside(found, item):
            return LATER
        return UNKNOWN if self._number is None else LEFT

    def _owner_by_order(self, writer: int, own: int, item: Item) -> str:
        """Return whose the record of a step of the pipeline is, by the indexes of that step and of this one."""
        if not self._steps[writer].step.selects(item):
            return STALE
        return OWN if writer == own else LATER if writer > own else EARLIER

    def _is_from_outside(self, found: Record, item: Item) -> bool:
        """Return whether a step of a package around the outermost one that is seen wrote a record: the outermost one in a list is this step's."""
        if self._known_package is None:
            return False
        return len(found.package) > len(self.path(item) if self._known_number is None else self._package_of(item))

    def current(self, key: str, found: Record, item: Item) -> tuple[str, Record]:
        """Return a record of version 2 as this version names it: a step around the resource's package had no path in the name there.

        Of several steps that wrote under one name it is the last one's, which had taken back what the others wrote.
        """
        package = self._package_of(item)
        for one in () if found.number else reversed(self._steps):
            path = _below(package, one.package)
            if path is not None and key == names.RECORD + _unnamed(one.called).key() and one.step.selects(item):
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

    def twin(self, item: Item) -> PackageStep | None:
        """Return another step that writes under the same name into a resource, so that their records cannot be told apart."""
        if self._number is None:
            return None
        own = self._steps[self._number]
        others = (one for number, one in enumerate(self._steps) if number != self._number)
        return next(
            (one for one in others if (one.writer, one.package) == (own.writer, own.package) and one.step.selects(item)), None
        )

    def owns(self, made: Item) -> bool:
        """Return whether a generated object that has the mark of this step is its own.

        Not one of a step of the same name in a package within, nor one of another step of the function, which alone selects its source.
        """
        package, makers = self._package_of(made), self._makers(made)
        inner = (self._steps[number] for number in makers) if package else ()
        if any(one.called == self.called and len(one.package) > len(self.package) for one in inner):
            return False
        return self._number is None or self._number in makers or not makers

    def is_made_later(self, made: Item) -> bool:
        """Return whether only later steps generate an object, so that this step does not see it on the originals."""
        return self._number is not None and next(iter(self._makers(made)), -1) > self._number

    def _makers(self, made: Item) -> list[int]:
        """Return the indexes of the steps that may generate an object: of those with its mark the ones that select its source, if it has one."""
        source, package = made.marks.get(names.MADE_FROM, ""), self._package_of(made)
        found = [
            number
            for number, one in enumerate(self._steps)
            if one.called.function == made.marks[names.MADE_BY]
            and source.startswith(one.called.source)
            and _below(package, one.package) is not None
        ]
        is_several = len(found) > 1 and not self._steps[found[0]].called.named
        item = self._sources.get("/".join(source.split("/")[:3])) if is_several else None
        return found if item is None else [number for number in found if self._steps[number].step.selects(item)]

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
        """Return whether no later step gets a resource; False if the index of this step is not known."""
        if self._number is None:
            return False
        package = self._package_of(item)
        later = self._steps[self._number + 1 :]
        return not any(_below(package, one.package) is not None and one.step.selects(item) for one in later)


def _with_first(steps: Iterable[PackageStep]) -> list[PackageStep]:
    """Return steps that know whether they are the first of their function. steps: in the order in which they run."""
    found: list[PackageStep] = []
    for one in steps:
        is_first = not any(
            earlier.called.function == one.called.function and _below(earlier.package, one.package) is not None
            for earlier in found
        )
        found.append(one if is_first else replace(one, is_first=False))
    return found


def unnamed_records(
    steps: Iterable[PackageStep], function: str, config: str, packages: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the names of the records of first steps with a functionConfig of this name, which is not in them, each with the package where they are."""
    first = [one for one in _with_first(steps) if one.is_first and not one.called.named]
    named = [one for one in first if (one.called.function, one.called.config) == (function, config)]
    for package in packages:
        for one in named:
            if (path := _below(package, one.package)) is not None:
                yield package, one.writer.key(path)


def _unnamed(writer: Writer) -> Writer:
    """Return the name of the records of the first step of a function."""
    return writer if writer.named else Writer(writer.function)


def _below(package: str, outer: str) -> str | None:
    """Return the path of a package from one around it; None if that is not around it."""
    if not outer or package == outer:
        return package if not outer else ""
    return package[len(outer) + 1 :] if package.startswith(f"{outer}/") else None


def writer_of(function: str, config: JSON) -> Writer:
    """Return the writer that a function is with this functionConfig."""
    called, namespace = configs.identity(config)
    named = function in registry.functions() and registry.load(function).named
    return Writer(function, called or (function if named else ""), namespace, named)


def _step_of(package: str, step: Step, config: JSON) -> PackageStep | None:
    """Return a step that has this functionConfig; None if it does not run one of our functions."""
    from krm_values._run.calls import call_of  # noqa: PLC0415 - only where records ask for the other steps

    try:
        call = call_of(step)
        return PackageStep(writer_of(call.function or configs.function_name(config), config), package, step) if call else None
    except (InputError, UsageError):
        return None  # the run of the step says what is wrong


def in_list(source: Source, writer: Writer, config: Callable[[], ConfigPlace | None]) -> StepPosition:
    """Return the position of the step that gets this list, as far as the Kptfiles in the list tell it. config: returns the place of the functionConfig."""
    kptfiles = [item for item in source.items if (item.kind, item.group) == _KPTFILE]
    is_render = source.contains(hosts.PACKAGE_PATH)  # kpt tells it to the steps of a pipeline alone

    def config_package() -> str | None:
        place = config() if is_render else None
        if place and hosts.PACKAGE_PATH in place.item.reading.annotations:
            return place.item.position.package
        return "" if is_render and kptfiles else None

    folders = {posixpath.dirname(item.position.path) for item in kptfiles}

    def folder_of(item: Item) -> str:
        path = item.position.path
        above = (path[:at] for at in range(len(path) - 1, 0, -1) if path[at] == "/")
        return next((folder for folder in above if folder in folders), "") if folders else ""

    def package_of(item: Item) -> str:
        return item.position.package or (folder_of(item) if len(folders) > 1 else "")

    return StepPosition(
        writer,
        PackageSteps(lambda: [*_steps_in_list(source, kptfiles)]),
        None,
        config_package,
        package_of,
        is_render=is_render,
        list_items=lambda: source.items,
        folder_of=folder_of,
    )


def _steps_in_list(source: Source, kptfiles: Iterable[Item]) -> Iterator[PackageStep]:
    """Yield the steps of the pipelines in a list that run our functions, those of sub-packages first."""
    placed = {posixpath.dirname(item.position.path): item for item in kptfiles}
    if not placed:
        return
    from krm_values._krm import kptfile  # noqa: PLC0415 - only where records ask for the other steps

    files = {item.position.path: item for item in source.items if item.group == names.GROUP}
    for package in sorted(placed, key=lambda path: (-path.count("/") - bool(path), path)):
        try:
            pipeline = kptfile.read(source.text(placed[package].number), "")
        except InputError:
            continue
        for step in pipeline.mutators:
            file = files.get(posixpath.normpath(posixpath.join(package, step.config_path))) if step.config_path else None
            if found := _step_of(package, step, file.data if file else None):
                yield found


def about_left(key: str, fact: str) -> str:
    """Return what is said about a record that no step takes back. fact: why it stays."""
    name = key.removeprefix(names.RECORD)
    return f"{fact} (undo record `{name}`): `krm-values revert {name}` takes it back"
