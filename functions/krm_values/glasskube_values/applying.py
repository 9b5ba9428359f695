"""Targets applied: each Package's patches to the items and charts that they reach, in upstream's order."""

from __future__ import annotations

from krm_values._kit.item import Item, is_secret
from krm_values._kit.plan import Finding, Origin
from krm_values._kit.results import title
from krm_values._kit.undo import Unkept
from krm_values.glasskube_values import pointers
from krm_values.glasskube_values.documents import Document
from krm_values.glasskube_values.pointers import PatchError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from krm_values._kit.data import JSON
    from krm_values._kit.pointer import Path
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.package import Configured
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.patching import Patched
    from krm_values.glasskube_values.reach import Reach


class Applying:
    """The documents of a run while all Packages write into them."""

    __slots__ = ("_by", "_config", "_places", "_reach", "_tested", "documents", "findings", "items")

    def __init__(self, config: GlasskubeValues, reach: Reach) -> None:
        self._config, self._reach = config, reach
        self.items: dict[int, Item] = {}
        self.documents: dict[int, Document] = {}
        self.findings: list[Finding] = []
        self._by: dict[int, list[Configured]] = {}
        self._places: dict[int, list[tuple[tuple[str, ...], Patch]]] = {}
        self._tested: list[tuple[Item, Patch]] = []

    def package(self, configured: Configured) -> None:
        """Apply all patches of one Package."""
        failed: list[tuple[object, tuple[str, ...]]] = []
        for patch in configured.patches:
            reached = self._charts(configured, patch) if patch.target.resource is None else self._resources(configured, patch)
            for where, document, item in reached:
                parts = _parts(patch)
                if any(document is other and parts[: len(above)] == above for other, above in failed):
                    continue
                try:
                    done = document.apply(patch, profile=self._config.profile, create_parents=self._config.create_parents)
                except PatchError as error:
                    failed.append((document, parts))
                    self._refused(patch, where, error)
                    if self._config.profile == "upstream":
                        return
                    continue
                self._look(patch, where, item, done)

    def unsound(self) -> Iterator[Finding]:
        """Items that targets have left without the metadata of an object; nothing is made of them."""
        for number, document in sorted(self.documents.items()):
            metadata = document.data.get("metadata") if isinstance(document.data, dict) else None
            annotations = metadata.get("annotations", {}) if isinstance(metadata, dict) else None
            if document.written and not isinstance(annotations, dict):
                del self.documents[number]
                text = "would be no object any more: a target must leave `metadata` and its `annotations` maps"
                yield Finding("error", "patch", "70", text, self.items[number])

    def secrets(self) -> Iterator[Finding]:
        """Tests of a Secret's value that is also overwritten: what it was is not kept."""
        for item, patch in self._tested:
            parts = _parts(patch)
            for one in self.documents[item.number].written if item.number in self.documents else ():
                shared = min(len(parts), len(one.path))
                if tuple(map(str, one.path[:shared])) == parts[:shared]:
                    text = (
                        f"{patch.subject.of('patch')}: tests what is also overwritten in {title(item)}, "
                        "whose earlier values are not kept: drop the test"
                    )
                    yield patch.subject.finding("error", "record", "67", text)
                    break

    def _resources(self, configured: Configured, patch: Patch) -> list[tuple[str, Document, Item | None]]:
        resource = patch.target.resource
        assert resource is not None
        found = self._reach.items(resource, configured.package, configured.manifest)
        if not found:
            self._dead(patch)
        readable = (item for item in found if item.data is not None)
        return [(title(item), self._document(item, configured, patch), item) for item in readable]

    def _charts(self, configured: Configured, patch: Patch) -> list[tuple[str, Document, Item | None]]:
        name = patch.target.chart
        found = [chart for chart in configured.charts if chart.release.chart == name]
        if not found:
            text = f'{patch.subject.of("target")}: no chart "{name}" in manifest "{configured.manifest.name}"'
            self.findings.append(patch.subject.finding("warning", "target", "77", text))
        return [(f'the values of chart "{name}"', chart.document, None) for chart in found]

    def _document(self, item: Item, configured: Configured, patch: Patch) -> Document:
        """The item's document, and a look at who else writes there."""
        document = self.documents.setdefault(item.number, Document(item.data, _authored(item)))
        self.items[item.number] = item
        writers = self._by.setdefault(item.number, [])
        if not any(writer is configured for writer in writers):
            self.findings += _twins(item, configured, writers)
            writers.append(configured)
        self._overlap(item, patch)
        return document

    def _overlap(self, item: Item, patch: Patch) -> None:
        """Two Packages that write one place."""
        parts = _parts(patch)
        if patch.target.op == "test" or parts[-1:] == ("-",):
            return
        places = self._places.setdefault(item.number, [])
        for above, other in places:
            shared = min(len(above), len(parts))
            if other.subject.package is not patch.subject.package and above[:shared] == parts[:shared]:
                text = (
                    f"{patch.subject.of('target')}: {title(item)} {pointers.shown(parts)} is also written by "
                    f"{other.subject.label} of {other.subject.package.title}; this one wins"
                )
                self.findings.append(patch.subject.finding("warning", "conflict", "79", text))
                break
        places.append((parts, patch))

    def _dead(self, patch: Patch) -> None:
        resource = patch.target.resource
        assert resource is not None
        near = self._reach.near(resource)
        hint = f"; there is {title(near[0])} ({near[0].api_version})" if near else ""
        space = f" in namespace {resource.namespace}" if resource.namespace else ""
        text = (
            f'{patch.subject.of("target")}: no {resource.kind} "{resource.name}" ({resource.api_group}){space} is reached{hint}'
        )
        self.findings.append(patch.subject.finding("warning", "target", "73", text))

    def _refused(self, patch: Patch, where: str, error: PatchError) -> None:
        text = f"{patch.subject.of('patch')}: {error.message}, in {where}"
        rule = {"op": "56", "pointer": "59", "test": "67"}.get(error.kind, "61")
        self.findings.append(patch.subject.finding("error", "patch", rule, text))

    def _look(self, patch: Patch, where: str, item: Item | None, done: Patched) -> None:
        """What is odd about a patch that has been applied."""
        is_held = item is not None and is_secret(item)
        if patch.target.op == "test":
            if is_held and item is not None and _parts(patch)[:1] in (("data",), ("stringData",)):
                self._tested.append((item, patch))
            return
        if patch.origin.secret and not is_held and patch.target.op != "remove":
            text = f"{_goes(patch)} from a Secret into {where}, where everybody can read it"
            self.findings.append(patch.subject.finding("warning", "secret", "19", text))
        if patch.type and item is not None and isinstance(done.before, bool | int | float):
            text = (
                f"{patch.subject.of('target')}: writes a {patch.type} as text over a value that is none, in {where}: "
                'give it a `valueTemplate: "{{{{.}}}}"`, or set `typed`'
            )
            self.findings.append(patch.subject.finding("warning", "text-boolean", "45", text))


def _twins(item: Item, configured: Configured, writers: list[Configured]) -> Iterator[Finding]:
    """Another Package of the same manifest that writes into the item."""
    for other in writers:
        if other.manifest.name == configured.manifest.name:
            text = (
                f"is reached by {other.package.title} and by {configured.package.title}, both of manifest "
                f'"{configured.manifest.name}": give the item a namespace'
            )
            yield Finding("error", "conflict", "75", text, item)


def _authored(item: Item) -> Any:
    """Who says what stood there: the resource; what a Secret held is not kept and therefore not told."""

    def says(path: Path, value: JSON) -> Origin:
        is_unknown = (
            is_secret(item)
            and (not path or path[0] in ("data", "stringData"))
            and (isinstance(value, Unkept) or value not in (None, ""))
        )
        return Origin("resource", None if is_unknown else value, item, path)

    return says


def _parts(patch: Patch) -> tuple[str, ...]:
    """The segments of the target's pointer, whatever its first letter."""
    pointer = patch.target.pointer
    return tuple(map(pointers.decode, pointer.removeprefix("/").split("/"))) if pointer else ()


def _goes(patch: Patch) -> str:
    return f"value {patch.subject.label} goes" if patch.subject.kind == "value" else f"{patch.subject.label} goes"
