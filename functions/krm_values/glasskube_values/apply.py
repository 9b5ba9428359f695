"""All patches applied to the items and charts that their targets match, in upstream's order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data import suggest
from krm_values._data.limits import DEFAULT, beyond
from krm_values._data.path_tree import PathTree
from krm_values._data.record import record
from krm_values._krm.findings import title
from krm_values._krm.hosts import is_hidden
from krm_values._krm.item import Item, is_secret
from krm_values._krm.plan import RESOURCE, Finding, Origin
from krm_values._krm.undo_record import WithheldSecret
from krm_values._run.edited import Edited
from krm_values._run.objects import Objects
from krm_values.glasskube_values import json_patch
from krm_values.glasskube_values.conflicts import Conflicts
from krm_values.glasskube_values.json_patch import PatchError
from krm_values.glasskube_values.targets import TargetIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from krm_values._data.limits import Limits
    from krm_values._data.pointer import Path
    from krm_values._data.values import JSON
    from krm_values._krm.findings import Report
    from krm_values._krm.resources import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.json_patch import Patched
    from krm_values.glasskube_values.manifest import Manifest, Release, Target
    from krm_values.glasskube_values.packages import Candidate, Package
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.values import ResolvedValue


_ANNOTATIONS = ("metadata", "annotations")


class Document(Edited):
    """An item, or the values of a chart, while targets are applied to it. patches: how many were; it has a limit."""

    __slots__ = ("_limits", "patches")

    def __init__(
        self, pristine: JSON, origin_of: Callable[[Path, JSON], Origin], apart: Path = (), limits: Limits = DEFAULT
    ) -> None:
        super().__init__(pristine, origin_of, apart)
        self._limits, self.patches = limits, 0

    def apply(self, patch: Patch, *, create_parents: bool) -> Patched:
        """Apply one patch. PatchError, of kind `many` beyond the limit, if that is not possible: the data stay as they are, but the patch counts."""
        self.patches += 1
        if self.patches > self._limits.patches:
            text = f"must not have more than {self._limits.patches:,} patches, found more"
            raise PatchError("many", None, beyond(self._limits, "patches", text))
        target, writer = patch.target, patch.subject.package.item
        done = json_patch.apply(self.data, target.op, target.pointer, patch.value, create_parents=create_parents)
        if done.path is not None:
            self.note(
                done.data,
                done.path,
                patch.origin,
                writer,
                removes=target.op == "remove",
                inserts=done.inserted,
                default=patch.default,
                made=patch.value,
            )
        return done


@record
class Chart:
    """A release of a package while targets are applied to its values. suffix: of the names of a second release of one chart."""

    release: Release
    suffix: str
    document: Document

    @property
    def values(self) -> JSON:
        """Its values; None if there are none and no target applies."""
        return self.document.data if self.document.patches else self.release.values


@record
class Configured:
    """A Package whose manifest can be read. values: by name. patches: in the order in which they are applied. charts: of the manifest's releases."""

    package: Package
    candidate: Candidate
    manifest: Manifest
    values: dict[str, ResolvedValue]
    patches: tuple[Patch, ...]
    charts: tuple[Chart, ...]


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
        "_index",
        "_limits",
        "_metadata",
        "_objects",
        "_report",
        "documents",
        "items",
    )

    def __init__(self, config: GlasskubeValues, resources: Resources, report: Report) -> None:
        self._config, self._limits, self._report = config, resources.limits, report
        self._index, self._conflicts, self._objects = TargetIndex(resources), Conflicts(), Objects()
        self.items: dict[int, Item] = {}
        self.documents: dict[int, Document] = {}
        self._failed: dict[int, PathTree] = {}
        self._metadata: dict[int, Patch] = {}  # the last that wrote an item's metadata, or all of it

    def apply_all(self, configured: Configured) -> None:
        """Apply all patches of one Package."""
        missed: list[tuple[Patch, str]] = []
        for patch in configured.patches:
            matching = self._chart_places if patch.target.resource is None else self._item_places
            places, missing = matching(configured, patch)
            missed += [(patch, missing)] if missing else []
            for place in places:
                self._apply(patch, place)
        self._report.extend(_unmatched(configured.patches, missed, self._index))

    def check_results(self) -> Iterator[Finding]:
        """Yield the errors of the patched items, after all Packages. Removes from `documents` what is not an object any more."""
        for number, document in sorted(self.documents.items()):
            item = self.items[number]
            if document.data is not document.pristine and not _has_metadata(document.data):
                del self.documents[number]
                text = "would not be an object any more: a target must leave `metadata` and its `annotations` maps"
                yield self._blamed(Finding("error", "patch", "70", text, item))
                continue
            for name in filter(is_hidden, _annotations(document.data)):
                text = f'would get the annotation "{name}", which targets must not write: it belongs to hosts or krm-values'
                yield self._blamed(Finding("error", "patch", "70", text, item))
        yield from self._conflicts.overwritten_tests(self.documents)

    def _blamed(self, finding: Finding) -> Finding:
        """Return a finding about an item's metadata with the address of the patch that wrote it."""
        patch = self._metadata.get(finding.item.number) if isinstance(finding.item, Item) else None
        return patch.subject.candidate.pointing(finding, (*patch.target.patch, "path")) if patch else finding

    def _apply(self, patch: Patch, place: _Place) -> None:
        """Apply a patch. One below a place that failed is not reported again."""
        parts, failed = patch.target.parts, self._failed.setdefault(id(place.document), PathTree())
        if failed.above(parts):
            return
        if place.item is not None and (conflict := self._conflicts.note_write(place.item, patch)):
            self._report.add(conflict)
        try:
            done = place.document.apply(patch, create_parents=_creates_parents(patch.target, self._config))
        except PatchError as error:
            failed.add(() if error.kind == "many" else parts, patch)  # beyond the limit every further patch would fail alike
            if error.kind in ("pointer", "index"):
                patch.subject.covers_lint("pointer", patch.target.path)
            text = f"{patch.subject.of('patch')}: {error.message}, in {place.name}"
            self._report.add(patch.subject.finding("error", "patch", error.rule, text, _faulty(error, patch)))
            return
        self._applied(patch, place, done)

    def _item_places(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a resource target matches, or the message that it matches none."""
        resource = patch.target.resource
        assert resource is not None
        found = self._index.items(resource, configured.package, configured.manifest)
        if not found:
            near = self._index.near(resource)
            hint = f" (there is {title(near[0])}, {near[0].api_version})" if near else self._index.hint(resource)
            space = f" in namespace {resource.namespace}" if resource.namespace else ""
            return [], f'no {resource.kind} "{resource.name}" ({resource.api_group}){space} matches{hint}'
        return [self._place_of(item, configured) for item in found if item.data is not None], ""

    def _place_of(self, item: Item, configured: Configured) -> _Place:
        """Return an item's document; report conflicts with other Packages."""
        if conflict := self._conflicts.note_match(item, configured.package):
            self._report.add(conflict)
        self._report.extend(self._objects.unknown_keys(item, "S5"))
        self.items[item.number] = item
        document = self.documents.setdefault(
            item.number, Document(item.data, _origin_before_patches(item), _ANNOTATIONS, self._limits)
        )
        return _Place(title(item), document, item)

    def _chart_places(self, configured: Configured, patch: Patch) -> tuple[list[_Place], str]:
        """Return the documents that a chart target matches, or the message that it matches none."""
        name = patch.target.chart
        found = [chart for chart in configured.charts if chart.release.chart == name]
        if found:
            return [_Place(f'the values of chart "{name}"', chart.document) for chart in found], ""
        hint = suggest.hint(name, (release.chart for release in configured.manifest.releases), '"')
        return [], f'no chart "{name}" in manifest "{configured.manifest.name}"{hint}'

    def _applied(self, patch: Patch, place: _Place, done: Patched) -> None:
        """Note an applied patch for `check_results`, and report its warnings."""
        if patch.target.op == "test":
            if place.item is not None and place.is_secret:
                self._conflicts.note_test(place.item, patch)
            return
        if place.item is not None and patch.target.parts[:1] in ((), ("metadata",)):
            self._metadata[place.item.number] = patch
        if patch.target.op == "remove":
            return
        if patch.origin.secret and not place.is_secret:
            subject = f"value {patch.subject.label}" if patch.subject.kind == "value" else patch.subject.label
            text = f"{subject} comes from a Secret and is written into {place.name}, which is not a Secret"
            self._report.add(patch.subject.finding("warning", "target", "19", text, patch.target.path))
        if patch.string_for and place.item is not None and isinstance(done.before, (bool, int, float)):
            text = (
                f"{patch.subject.of('target')}: writes a {patch.string_for} as a string over a value that is not a string, in {place.name}: "
                'give it a `valueTemplate` of "{{.}}", or set `typed`'
            )
            self._report.add(patch.subject.finding("warning", "target", "45", text, patch.target.path))


def _creates_parents(target: Target, config: GlasskubeValues) -> bool:
    """Return whether `add` creates the missing parents of a target's path (S29)."""
    return target.resource is None if config.create_parents is None else config.create_parents


def _unmatched(patches: Sequence[Patch], missed: Sequence[tuple[Patch, str]], index: TargetIndex) -> Iterator[Finding]:
    """Yield an error for each value whose targets all match nothing, so that it would be lost; else a warning per target."""
    misses = {id(patch) for patch, _ in missed}
    matching = {patch.subject.label for patch in patches if id(patch) not in misses}
    lost: dict[str, tuple[Patch, list[str]]] = {}
    for patch, missing in missed:
        patch.subject.covers_lint("dead-target", patch.target.path)
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
    return (*target.path, "resource", index.wrong_field(target.resource)) if target.resource else (*target.path, "chartName")


def _faulty(error: PatchError, patch: Patch) -> Path:
    """Return the path of the patch's field that is wrong."""
    return (*patch.target.patch, "op" if error.kind in ("test", "many") else "path")


def _has_metadata(data: JSON) -> bool:
    metadata = data.get("metadata") if isinstance(data, dict) else None
    return isinstance(metadata, dict) and isinstance(metadata.get("annotations", {}), dict)


def _annotations(data: Any) -> Iterator[str]:
    """Yield the names of an object's annotations."""
    yield from data["metadata"].get("annotations", {})


def _origin_before_patches(item: Item) -> Callable[[Path, JSON], Origin]:
    """Return a function that makes the origin of a value before any patch; values of a Secret are withheld."""

    def origin(path: Path, value: JSON) -> Origin:
        is_empty = value in (None, "") and not isinstance(value, WithheldSecret)
        is_unknown = is_secret(item) and (not path or path[0] in ("data", "stringData")) and not is_empty
        return Origin(RESOURCE, None if is_unknown else value, item, path)

    return origin
