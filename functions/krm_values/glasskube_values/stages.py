"""The stages of one Package: scope, resolution, validation, patches, transformations and charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._kit.planner.plan import Finding
from krm_values._kit.planner.report import Report
from krm_values.glasskube_values import helm, patches, transformations, validation
from krm_values.glasskube_values.configured import Configured
from krm_values.glasskube_values.patches import Subject
from krm_values.glasskube_values.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._data.pointer import Path
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.configured import Chart, Setting
    from krm_values.glasskube_values.manifest import Manifest
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.patches import Patch


def configure(package: Package, candidate: Candidate, setting: Setting, report: Report) -> Configured | None:
    """Return the configured Package, None if its manifest cannot be read."""
    own = Report()
    done = _configured(package, candidate, setting, own)
    report.extend(own.findings)
    return done


def _configured(package: Package, candidate: Candidate, setting: Setting, report: Report) -> Configured | None:
    """Run the stages. report: this Package's own."""
    report.extend(candidate.finding(fault) for fault in candidate.faults)
    report.extend(package.faults)
    if candidate.manifest is None:
        return None
    stages = _Stages(package, candidate, candidate.manifest, setting, report)
    for stage in (stages.scope, stages.resolve, stages.validate, stages.patch, stages.transform, stages.release):
        stage()
    return stages.done()


class _Stages:
    """The stages of one Package, in upstream's order; each reports what it finds."""

    __slots__ = ("_candidate", "_charts", "_invalid", "_manifest", "_package", "_patches", "_report", "_setting", "_values")

    def __init__(self, package: Package, candidate: Candidate, manifest: Manifest, setting: Setting, report: Report) -> None:
        self._package, self._candidate, self._manifest, self._setting = package, candidate, manifest, setting
        self._report = report
        self._values: dict[str, Value] = {}
        self._invalid: set[str | int] = set()
        self._patches: list[Patch] = []
        self._charts: list[Chart] = []

    def scope(self) -> None:
        """Check that the manifest's scope fits the kind of Package."""
        wanted = "Cluster" if self._package.is_cluster else "Namespaced"
        scope = self._manifest.scope or "Cluster"
        if scope == wanted:
            return
        kind = "ClusterPackage" if scope == "Cluster" else "Package"
        named, path = f'manifest "{self._manifest.name}"', ("spec", "packageInfo")
        if self._manifest.scope:
            text = f"{named} has scope {scope}: a {kind} is needed"
            self._report.error("manifest", "11", text, self._package.item, path)
        else:
            text = f"{named} has no scope, which means Cluster: a {kind} is needed, or `scope: {wanted}`"
            self._report.warning("manifest", "11", text, self._package.item, path)

    def resolve(self) -> None:
        """Resolve each value."""
        found = [self._setting.resolver.value(self._package, one, self._report) for one in self._package.values.values()]
        values = [value for value in found if value is not None]
        values += self._defaults()
        self._values = {value.name: value for value in sorted(values, key=lambda value: value.name.encode())}

    def validate(self) -> None:
        """Check the values against their definitions."""
        findings = list(validation.check(self._package, self._manifest, self._values, self._setting.hints, self._reported))
        self._invalid = {name for finding in findings if finding.severity == "error" for name in finding.path[2:3]}
        self._report.extend(findings)

    def patch(self) -> None:
        """Make the patches of the values."""
        for name, value in self._values.items():
            definition = self._manifest.definitions.get(name)
            if definition and name not in self._invalid and value.text is not None:
                subject = Subject(
                    f'"{name}"', "value", self._package, ("spec", "values", name), self._candidate, self._setting.reported
                )
                self._take(patches.of_value(value, definition, subject, self._setting.config))

    def transform(self) -> None:
        """Make the patches of the transformations."""
        for transformation in self._manifest.transformations:
            self._take(transformations.of(transformation, self._subject(transformation.number), self._setting))

    def release(self) -> None:
        """Prepare the charts that targets may patch."""
        self._charts = helm.charts(self._candidate, self._manifest)
        self._report.extend(helm.warnings(self._package, self._candidate, self._manifest, self._charts))

    def done(self) -> Configured:
        """Return the result of all stages."""
        return Configured(
            self._package, self._candidate, self._manifest, self._values, tuple(self._patches), tuple(self._charts)
        )

    def _reported(self, lint: str, path: Path) -> None:
        self._setting.reported.add(self._candidate, lint, path)

    def _subject(self, number: int) -> Subject:
        return Subject(f"transformation {number}", "transformation", self._package, (), self._candidate, self._setting.reported)

    def _take(self, made: Iterator[Patch | Finding]) -> None:
        """Keep the patches of one value or transformation, but none of them if one target has an error."""
        steps = list(made)
        findings = [step for step in steps if isinstance(step, Finding)]
        self._patches += [] if findings else [step for step in steps if isinstance(step, patches.Patch)]
        self._report.extend(findings)

    def _defaults(self) -> Iterator[Value]:
        """Yield the defaults of values that are not configured, as the command line's `--use-default` writes them."""
        wanted = self._setting.config.use_defaults
        for name, definition in self._manifest.definitions.items():
            if definition.default and name not in self._package.names and (wanted is True or name in (wanted or ())):
                path = (*definition.path, "defaultValue")
                default = self._candidate.origin("manifest", definition.default, path)
                origin = self._candidate.origin(f"default of {name}", definition.default, path, (default,))
                yield Value(name, definition.default, origin, is_default=True)
