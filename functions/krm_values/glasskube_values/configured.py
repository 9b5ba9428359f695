"""What the stages of a Package share, and their result: values, patches and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._data.record import record

if TYPE_CHECKING:
    from krm_values._data.suggest import Hints
    from krm_values._data.values import JSON
    from krm_values._kit.planner.resources import Resources
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.documents import Document
    from krm_values.glasskube_values.manifest import Manifest, Release
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.reported import Reported
    from krm_values.glasskube_values.source_path import Sources
    from krm_values.glasskube_values.values import Resolver, Value


@record
class Setting:
    """What all Packages of a run share."""

    config: GlasskubeValues
    resources: Resources
    resolver: Resolver
    hints: Hints
    sources: Sources
    reported: Reported


@record
class Chart:
    """A release of a package while targets are applied to its values. suffix: of the names of a second release of one chart."""

    release: Release
    suffix: str
    document: Document

    @property
    def values(self) -> JSON:
        """Its values; None if there are none and no target applies."""
        return self.document.data if self.document.patched else self.release.values


@record
class Configured:
    """A Package with its manifest, values by name, patches in the order of application, and charts."""

    package: Package
    candidate: Candidate
    manifest: Manifest
    values: dict[str, Value]
    patches: tuple[Patch, ...]
    charts: tuple[Chart, ...]
