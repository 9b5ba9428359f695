"""Application of patches: each Package's patches to the items and charts that they match, in upstream's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import DEFAULT
from krm_values._data.path_tree import PathTree
from krm_values._data.record import record
from krm_values._kit.layers.configmaps import Objects
from krm_values._kit.planner.annotations import is_hidden
from krm_values._kit.planner.findings import title
from krm_values._kit.planner.item import Item, is_secret
from krm_values._kit.planner.plan import RESOURCE, Finding, Origin
from krm_values._kit.planner.report import Report
from krm_values._kit.planner.undo_record.entries import WithheldSecret
from krm_values.glasskube_values.conflicts import Conflicts
from krm_values.glasskube_values.documents import Document
from krm_values.glasskube_values.json_pointers import PatchError
from krm_values.glasskube_values.patches import creates_parents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.configured import Configured
    from krm_values.glasskube_values.json_patch import Patched
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.target_index import TargetIndex


@record
class _Place:
    """A document that a target matches: an item, or the values of a chart."""

    name: str
    document: Document
    item: Item | None = None

    @property
    def is_secret(self) -> bool:
        return self.item is not None and is_secret(self.item)


class Applier:
    """The documents of a run, to which the patches of all Packages are applied."""

    __slots__ = (
        "_config",
        "_conflicts",
        "_failed",
        "_hints",
        "_index",
        "_limits",
        "_metadata",
        "_objects",
        "documents",
        "items",
        "report",
    )

    def __init__(self, config: GlasskubeValues, index: TargetIndex, limits: Limits = DEFAULT) -> None:
        self._hints = index.hints
        self._limits, self._objects = limits, Objects()
        self._config, self._index, self._conflicts = config, index, Conflicts()
        self.items: dict[int, Item] = {}
        self.documents: dict[int, Document] = {}
        self.report = Report()
        self._failed: dict[int, PathTree] = {}
        self._metadata: dict[int, Patch] = {}  # the last that wrote an item's metadata, or all of it

    def package(self, configured: Configured) -> None:
        """Apply all patches of one Package."""
        missed: list[tuple[Patch, str]] = []
        for patch in configured.patches:
            of_target = self._charts if patch.target.resource is None else self._resources
            places, missing = of_target(configured, patch)
            missed += [(patch, missing)] if missing else []
            for place in places:
                self._apply(patch, place)
        self.report.extend(_unmatched(configured.patches, missed, self._index))

    def rest(self) -> Iterator[Finding]:
        """Yield the errors of the patched items; one that is not an object any more is dropped."""
        for number, document in sorted(self.documents.items()):
            item = self.items[number]
            if document.written and not _is_object(document.data):
                del self.documents[number]
                text = "would not be an object any more: a target must leave `metadata` and its `annotations` maps"
                yield self._blamed(Finding("error", "patch", "70", text, item))
                continue
            for name in filter(is_hidden, _annotations(document.data)):
                text = f'would get the annotation "{name}", which targets must not write: it belongs to hosts or krm-values'
                yield self._blamed(Finding("error", "patch", "70", text, item))
        yield from self._conflicts.tested(self.documents)

    def _blamed(self, finding: Finding) -> Finding:
        """Return a finding about an item's metadata with the address of the patch that wrote it."""
        patch = self._metadata.get(finding.item.number) if isinstance(finding.item, Item) else None
        return patch.subject.candidate.pointing(finding, (*patch.target.patch, "path")) if patch else finding

    def _apply(self, patch: Patch, place: _Place) -> None:
        """Apply a patch. One below a place that failed is not reported again."""
        parts, failed = patch.target.parts, self._failed.setdefault(id(place.document), PathTree())
        if failed.above(parts):
            return
        if place.item is not None:
            self.report.extend(self._conflicts.writes(place.item, patch))
        try:
            done = place.document.apply(patch, create_parents=creates_parents(patch.target, self._config))
        except PatchError as error:
            failed.add(() if error.kind == "many" else parts, patch)
            if error.kind in ("pointer", "index"):
                patch.subject.report("pointer", patch.target.path)
            rule = {"op": "56", "pointer": "59", "test": "67"}.get(error.kind, "61")
            text = f"{patch.subject.of('patch')}: {error.message}, in {place.name}"
            self.report.add(patch.subject.finding("error", "patch", rule, text, _faulty(error, patch)))
            return
        self._check(patch, place, done)

    def _resources(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a resource target matches, or the message that it matches none."""
        resource = patch.target.resource
        assert resource is not None
        found = self._index.items(resource, configured.package, configured.manifest)
        if not found:
            near = self._index.near(resource)
            hint = f" (there is {title(near[0])}, {near[0].api_version})" if near else self._index.hint(resource)
            space = f" in namespace {resource.namespace}" if resource.namespace else ""
            return [], f'no {resource.kind} "{resource.name}" ({resource.api_group}){space} matches{hint}'
        return [self._item(item, configured) for item in found if item.data is not None], ""

    def _item(self, item: Item, configured: Configured) -> _Place:
        """Return an item's document; report conflicts with other Packages."""
        self.report.extend([*self._conflicts.reached(item, configured), *self._objects.unknown_keys(item, "S5")])
        self.items[item.number] = item
        document = self.documents.setdefault(item.number, Document(item.data, _authored(item), self._limits))
        return _Place(title(item), document, item)

    def _charts(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a chart target matches, or the message that it matches none."""
        name = patch.target.chart
        found = [chart for chart in configured.charts if chart.release.chart == name]
        if found:
            return [_Place(f'the values of chart "{name}"', chart.document) for chart in found], ""
        hint = self._hints.hint(name, (release.chart for release in configured.manifest.releases), '"')
        return [], f'no chart "{name}" in manifest "{configured.manifest.name}"{hint}'

    def _check(self, patch: Patch, place: _Place, done: Patched) -> None:
        """Report the warnings about a patch that has been applied."""
        if place.item is not None and patch.target.parts[:1] in ((), ("metadata",)):
            self._metadata[place.item.number] = patch
        if patch.target.op == "test":
            if place.item is not None and place.is_secret:
                self._conflicts.tests(place.item, patch)
            return
        if patch.origin.secret and not place.is_secret and patch.target.op != "remove":
            subject = f"value {patch.subject.label}" if patch.subject.kind == "value" else patch.subject.label
            text = f"{subject} comes from a Secret and is written into {place.name}, which is not a Secret"
            self.report.add(patch.subject.finding("warning", "target", "19", text, patch.target.path))
        if patch.type and place.item is not None and isinstance(done.before, bool | int | float):
            text = (
                f"{patch.subject.of('target')}: writes a {patch.type} as a string over a value that is not a string, in {place.name}: "
                'give it a `valueTemplate` of "{{.}}", or set `typed`'
            )
            self.report.add(patch.subject.finding("warning", "target", "45", text, patch.target.path))


def _unmatched(patches: Sequence[Patch], missed: Sequence[tuple[Patch, str]], index: TargetIndex) -> Iterator[Finding]:
    """Yield an error for each value whose targets all match nothing, so that it would be lost; else a warning per target."""
    misses = {id(patch) for patch, _ in missed}
    matching = {patch.subject.label for patch in patches if id(patch) not in misses}
    lost: dict[str, tuple[Patch, list[str]]] = {}
    for patch, missing in missed:
        patch.subject.report("dead-target", patch.target.path)
        if patch.subject.kind == "value" and patch.subject.label not in matching:
            lost.setdefault(patch.subject.label, (patch, []))[1].append(missing)
            continue
        rule = "77" if patch.target.resource is None else "73"
        yield patch.subject.finding(
            "warning", "target", rule, f"{patch.subject.of('target')}: {missing}", _field_of(patch, index)
        )
    for patch, messages in lost.values():
        text = f"{patch.subject.of('target')}: the value is not written anywhere: {suggest.listed(messages)}; correct the target, or unset the value"
        yield patch.subject.finding("error", "target", "S32", text, _field_of(patch, index))


def _field_of(patch: Patch, index: TargetIndex) -> Path:
    """Return the path of the target's field that is most likely wrong."""
    target = patch.target
    return (*target.path, "resource", index.wrong(target.resource)) if target.resource else (*target.path, "chartName")


def _faulty(error: PatchError, patch: Patch) -> Path:
    """Return the path of the patch's field that is wrong."""
    return (*patch.target.patch, "op" if error.kind in ("op", "test", "many") else "path")


def _is_object(data: JSON) -> bool:
    metadata = data.get("metadata") if isinstance(data, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("annotations", {}), dict)


def _annotations(data: Any) -> Iterator[str]:
    """Yield the names of an object's annotations."""
    yield from data["metadata"].get("annotations", {})


def _authored(item: Item) -> Callable[[Path, JSON], Origin]:
    """Return a function that makes the origin of a value before any patch; values of a Secret are withheld."""

    def origin(path: Path, value: JSON) -> Origin:
        is_empty = value in (None, "") and not isinstance(value, WithheldSecret)
        is_unknown = is_secret(item) and (not path or path[0] in ("data", "stringData")) and not is_empty
        return Origin(RESOURCE, None if is_unknown else value, item, path)

    return origin
