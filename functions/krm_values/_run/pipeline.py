"""A package rendered in memory, as kpt renders it: its steps are recognized, run in order, and their results kept for `render` and `explain`."""

from __future__ import annotations

import os
import posixpath
import shlex
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.errors import InputError, InputsError, UsageError, UserError, address
from krm_values._data.limits import DEFAULT
from krm_values._data.record import record, replace
from krm_values._krm import config as configs
from krm_values._krm import documents, names, packages
from krm_values._krm.config import ConfigPlace, nowhere
from krm_values._krm.item import reading_error
from krm_values._krm.kptfile import NAME
from krm_values._krm.plan import Finding
from krm_values._run import settle, tools, tree
from krm_values._run.calls import call_of, foreign_step
from krm_values._run.standing import Known, Standing, about_left, writer_of
from krm_values._run.terminal import progress
from krm_values._run.tree import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from krm_values._data.limits import Limits
    from krm_values._data.values import JSON
    from krm_values._krm.item import Item
    from krm_values._krm.kptfile import Step
    from krm_values._krm.names import Writer
    from krm_values._krm.packages import Package, Skipped
    from krm_values._run.calls import Call
    from krm_values._run.resolve import Outcome
    from krm_values._run.tree import Loaded, Tree


@record
class Rendered:
    """A rendered package: the files as they were read, the resources as they are now, and the result of each step."""

    loaded: Loaded
    ran: tuple[Ran, ...]
    skipped: tuple[Skipped, ...] = ()  # directories that were not read
    refused: tuple[Finding, ...] = ()  # warnings about what other programs do not read in the files

    @property
    def failed(self) -> bool:
        return any(entry.outcome.failed for entry in self.ran)

    @property
    def about_files(self) -> list[Finding]:
        """The infos on directories that were skipped and on lists, and the warnings about what other programs do not read."""
        return [*self.refused, *packages.about_skipped(self.skipped), *_about_lists(self.loaded.tree)]

    def of_package(self, *, skip_foreign: bool) -> list[Finding]:
        """Return what there is to say about its files, and the warning that no package lists a step, if that is so.

        skip_foreign: whether steps of others were left out.
        """
        said = [*self.about_files, *self._left()]
        if self.ran or skip_foreign:
            return said
        kptfile = next(iter(self.loaded.tree.at("", NAME)), None)
        item = None if kptfile is None else self.loaded.tree.item(kptfile)
        return [
            *said,
            Finding("warning", "no-step", None, f"lists no step to run, so nothing changes; add `{EXAMPLE}`", item),
        ]

    def _left(self) -> Iterator[Finding]:
        """Yield the infos on undo records of resources that no step gets any more, so that none of them tells."""
        tree, tasks = self.loaded.tree, [entry.task for entry in self.ran]
        for number, document in enumerate(() if self.failed else tree.documents):
            if names.RECORD not in document.text or any(tree.gives(number, task.step, task.package) for task in tasks):
                continue
            item = tree.item(number)
            for key in item.reading.annotations:
                if key.startswith(names.RECORD):
                    text = about_left(key, "keeps what a step wrote, but no step here gets it any more")
                    yield Finding("info", "record", None, text, item)


def rendered(
    directory: Path,
    *,
    skip_foreign: bool,
    follow_links: bool,
    programs: Mapping[str, str] = settle.NONE,
    limits: Limits = DEFAULT,
) -> Rendered:
    """Read a package and run its pipelines in memory, up to the first step that fails."""
    root = read_package(directory, follow_links=follow_links, limits=limits)
    return of_root(root, skip_foreign=skip_foreign, programs=programs, limits=limits)


def of_root(
    root: Package, *, skip_foreign: bool, programs: Mapping[str, str] = settle.NONE, limits: Limits = DEFAULT
) -> Rendered:
    """Run the pipelines of a package that was read, up to the first step that fails."""
    loaded = tree.load(root, limits)
    tasks = planned_tasks(root, skip_foreign=skip_foreign)
    ran = []
    with progress("rendering", len(tasks)) as advance:
        for entry in run_tasks(loaded.tree, tasks, programs):
            ran.append(entry)
            advance()
    skipped = tuple(
        replace(one, path=posixpath.join(package.path, one.path)) for package in root.walk() for one in package.skipped
    )
    refused = (
        finding
        for package in root.walk()
        for file in package.files
        for finding in documents.refused_elsewhere(file.content, posixpath.join(package.path, file.path), limits)
    )
    done = Rendered(loaded, tuple(ran), skipped, tuple(refused))
    if not done.failed:
        tools.refuse_unused(programs, [entry.function for entry in ran])
    return done


def _about_lists(tree: Tree) -> Iterator[Finding]:
    """Yield an info for each list of resources: in a package it is one resource, as to kpt, while `run` on files takes its items for resources."""
    for number in range(len(tree.documents)):
        item = tree.item(number)
        if not item.kind.endswith("List") or item.error or not isinstance(item.data, dict):
            continue
        items = item.data.get("items")
        if isinstance(items, list) and any(isinstance(one, dict) and "kind" in one for one in items):
            text = "is one resource here, as to kpt, so no step gets what it lists: make each resource a document of its own, with `---` between them"
            yield Finding("info", "list", None, text, item, ("items",))


# Runs a package's pipeline as kpt does: sub-packages first, mutators, then validators on a copy, up to the first failure.


@record
class Task:
    """A step that calls one of our functions, in the package whose pipeline it belongs to."""

    package: str
    step: Step
    call: Call
    validates: bool


@record
class Ran:
    """A step that was run, and its input items."""

    task: Task
    function: str
    items: tuple[Item, ...]
    outcome: Outcome


def planned_tasks(root: Package, *, skip_foreign: bool) -> list[Task]:
    """Return all steps in the order in which they run. InputError names every step that cannot be run."""
    found, wrong = [], []
    for package in root.walk():
        for validates, step in _steps(package):
            try:
                call = call_of(step)
            except InputError as error:
                wrong.append(_at(package.path, step, "exec", error.message))
                continue
            if call is not None:
                found.append(Task(package.path, step, call, validates))
            elif not skip_foreign:
                key = "image" if step.image else "exec"
                wrong.append(_at(package.path, step, key, f"`{step.field}.{key}`: {foreign_step(step)}"))
    if wrong:
        raise InputsError(wrong)
    return found


def run_tasks(tree: Tree, planned: list[Task], programs: Mapping[str, str] = settle.NONE) -> Iterator[Ran]:
    """Run the steps on the tree, which is modified. Stops after a step that failed.

    programs: named on the command line, by tool; for a step in a container, the environment names none.
    """
    steps = _Steps(tree, planned)
    for at, task in enumerate(planned):
        numbers = tree.selected(task.step, task.package)
        selection = Selection(tree, numbers)
        config, place = _config(tree, task)
        try:
            function, outcome = settle.settle(
                _name(task.call, config),
                config,
                selection,
                place,
                programs=programs,
                environment=settle.NONE if task.call.hermetic else os.environ,
                standing=partial(steps.standing, at),
            )
        except UsageError as error:
            raise InputError(_at(task.package, task.step, "", f"`{task.step.field}`: {error.message}")) from None
        yield Ran(task, function, tuple(selection.items), outcome)
        if outcome.failed:
            return
        if not task.validates:
            tree.apply(outcome, task.package)


class _Steps:
    """The steps of a package's pipelines, which are read when undo records ask for them."""

    def __init__(self, tree: Tree, planned: list[Task]) -> None:
        self._tree, self._planned = tree, planned

    @cached_property
    def known(self) -> list[Known]:
        return [Known(self._writer(task), task.package, task.step) for task in self._planned]

    def _writer(self, task: Task) -> Writer:
        try:
            config = _config(self._tree, task)[0]
        except UserError:
            config = None  # the run of the step says what is wrong
        return writer_of(_name(task.call, config) or configs.function_name(config), config)

    def standing(self, number: int, writer: Writer) -> Standing:
        """Return the place of one of them, which runs under this name."""
        package = self._planned[number].package
        return Standing(writer, lambda: self.known, number, lambda: package, lambda item: item.package, is_render=True)


def _steps(package: Package) -> list[tuple[bool, Step]]:
    kptfile = package.kptfile
    return [(False, step) for step in kptfile.mutators] + [(True, step) for step in kptfile.validators]


def _name(call: Call, config: JSON) -> str:
    """Return the function of a step; in a container only the config can name it, because the environment does not reach it."""
    return call.function or (configs.function_name(config) if call.hermetic else os.environ.get("KRM_FUNCTION", ""))


def _config(tree: Tree, task: Task) -> tuple[JSON, Callable[[], ConfigPlace | None]]:
    """Return the functionConfig as the items have it now, and its place."""
    step = task.step
    kptfile = next(iter(tree.at(task.package, "Kptfile")), None)
    place = (lambda: ConfigPlace(tree.item(kptfile), step.path)) if kptfile is not None else nowhere
    if step.config_map:
        data: dict[str, JSON] = dict(step.config_map)
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "function-input"}, "data": data}, place
    if not step.config_path:
        return None, place
    file = posixpath.normpath(step.config_path)
    numbers = tree.at(task.package, file)
    if len(numbers) != 1:
        if numbers:
            fact = f"holds {len(numbers)} resources"
        elif posixpath.join(task.package, file) in tree.empty:
            fact = "holds none: it is empty, or has comments only"
        else:
            fact = f"is not a file of this package{suggest.hint(file, tree.files(task.package))}"
        text = f'`{step.field}.configPath`: must name a file of the package with one resource; "{step.config_path}" {fact}'
        raise InputError(_at(task.package, step, "configPath", text))
    item = tree.item(numbers[0])
    if error := reading_error(item):
        raise error
    return item.data, lambda: ConfigPlace(item)


def _at(package: str, step: Step, key: str, text: str) -> str:
    return f"{address(posixpath.join(package, 'Kptfile'), *step.places.get(key, step.places['']))}: {text}"


# Reads the package of a command line.

_FIRST = 20
EXAMPLE = "pipeline: {mutators: [{exec: krm-FUNCTION, configPath: FILE}]}"
_MISSPELT = ("Kptfile.yaml", "Kptfile.yml", "kptfile", "kptfile.yaml", "KptFile", "KPTFILE")


def read_package(directory: Path, *, follow_links: bool, limits: Limits = DEFAULT) -> Package:
    """Read a package. InputError if the directory is not one."""
    with progress("reading") as advance:
        return packages.read(kpt_package(directory), advance, follow_links=follow_links, limits=limits)


def kpt_package(directory: Path) -> Path:
    """Return the directory. InputError if it is not that of a package."""
    packages.check_directory(directory)
    if not packages.is_package(directory):
        raise InputError(f"holds no Kptfile{_without_kptfile(directory)}", file=str(directory))
    return directory


def _without_kptfile(directory: Path) -> str:
    """Return what to do about a directory without Kptfile."""
    misspelt = next((name for name in _MISSPELT if (directory / name).is_file()), "")
    if misspelt:
        return f", but `{misspelt}`: rename it to `{NAME}`"
    shown = shlex.quote(str(directory))
    if below := packages.near_below(directory):
        named = suggest.several([f"`{path.relative_to(directory)}`" for path in below])
        return f", but packages lie below it, {named}: render them with `krm-values render --recursive {shown}`"
    text = f", which lists the steps to run; write one with `{EXAMPLE}`, or run one function on files: "
    return f"{text}`krm-values run {_function_for(directory)} {shown}`"


def _function_for(directory: Path) -> str:
    """Return the function that the resources in the first files of a directory are for; FUNCTION if that cannot be told."""
    from krm_values._krm import documents  # noqa: PLC0415 - for this message only

    try:
        files = islice(packages.files_below(directory), _FIRST)
        items = [item for path, content in files for item in documents.read(content, str(path)).items]
    except (UserError, OSError):
        return "FUNCTION"
    return next(iter(settle.functions_for(items)), "FUNCTION")
