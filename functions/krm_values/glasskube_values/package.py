"""One Package: its manifest, and stage by stage its values, whether they are right, and the patches that they lead to."""

from __future__ import annotations

from krm_values._kit.plan import Finding, Origin
from krm_values._kit.record import record
from krm_values.glasskube_values import helm, patches, transformations, validation
from krm_values.glasskube_values.references import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.names import Hints
    from krm_values._kit.select import Resources
    from krm_values.glasskube_values.candidates import Candidate
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.helm import Chart
    from krm_values.glasskube_values.manifest import Manifest
    from krm_values.glasskube_values.packages import Package
    from krm_values.glasskube_values.patches import Patch
    from krm_values.glasskube_values.references import Resolver
    from krm_values.glasskube_values.sourcepath import Sources


@record
class Configured:
    """A Package with its manifest: its values by name, the patches in the order of their application, and its charts."""

    package: Package
    candidate: Candidate
    manifest: Manifest
    values: dict[str, Value]
    patches: tuple[Patch, ...]
    charts: tuple[Chart, ...]


@record
class Setting:
    """What all Packages of a run share."""

    config: GlasskubeValues
    resources: Resources
    resolver: Resolver
    hints: Hints
    sources: Sources


def configure(package: Package, candidate: Candidate, setting: Setting) -> tuple[Configured | None, list[Finding]]:
    """What a Package comes to, and every finding of every stage; upstream ends with the first stage that fails."""
    findings = [candidate.finding(fault) for fault in candidate.faults]
    manifest = candidate.manifest
    findings += package.faults
    if manifest is None:
        return None, findings
    ends = setting.config.profile == "upstream"
    if not (ends and _failed(findings)):
        findings += _scope(package, manifest, setting.config)
    stages = _Stages(package, candidate, manifest, setting)
    for stage in (stages.resolve, stages.validate, stages.patch, stages.transform):
        if not (ends and _failed(findings)):
            stage(findings)
    if ends and _failed(findings):
        return None, findings
    charts = tuple(helm.charts(candidate, manifest))
    findings += helm.odd(package, manifest, list(charts))
    return Configured(package, candidate, manifest, stages.values, tuple(stages.patches), charts), findings


class _Stages:
    """The stages of one Package, in upstream's order."""

    __slots__ = ("_candidate", "_failed", "_manifest", "_package", "_setting", "patches", "values")

    def __init__(self, package: Package, candidate: Candidate, manifest: Manifest, setting: Setting) -> None:
        self._package, self._candidate, self._manifest, self._setting = package, candidate, manifest, setting
        self.values: dict[str, Value] = {}
        self.patches: list[Patch] = []
        self._failed: set[str] = set()

    def resolve(self, findings: list[Finding]) -> None:
        found = [self._setting.resolver.value(self._package, one, findings) for one in self._package.values.values()]
        values = [value for value in found if value is not None]
        values += self._defaults()
        self.values = {value.name: value for value in sorted(values, key=lambda value: value.name.encode())}

    def validate(self, findings: list[Finding]) -> None:
        said = list(validation.check(self._package, self._manifest, self.values, self._setting.hints))
        self._failed = {str(finding.path[-1]) for finding in said if finding.severity == "error"}
        findings += said

    def patch(self, findings: list[Finding]) -> None:
        for name, value in self.values.items():
            if name in self._manifest.definitions and name not in self._failed and value.text is not None:
                definition = self._manifest.definitions[name]
                said: list[Finding] = []
                made = list(patches.of_value(value, definition, self._package, self._setting.config, said))
                self.patches += [] if said else made
                findings += said

    def transform(self, findings: list[Finding]) -> None:
        for transformation in self._manifest.transformations:
            said: list[Finding] = []
            made = list(transformations.of(transformation, self._package, self._setting, said))
            self.patches += [] if said else made
            findings += said

    def _defaults(self) -> Iterator[Value]:
        """The defaults that stand in for values that are not configured, as the command line's `--use-default` writes them."""
        wanted = self._setting.config.use_defaults
        for name, definition in self._manifest.definitions.items():
            if definition.default and name not in self._package.names and (wanted is True or name in (wanted or ())):
                path = (*self._candidate.path, *definition.path, "defaultValue")
                default = Origin("manifest", definition.default, self._candidate.item, path)
                origin = Origin(f"default of {name}", definition.default, self._package.item, ("spec",), via=(default,))
                yield Value(name, definition.default, origin)


def _scope(package: Package, manifest: Manifest, config: GlasskubeValues) -> Iterator[Finding]:
    wanted = "Cluster" if package.is_cluster else "Namespaced"
    scope = manifest.scope or "Cluster"
    if scope == wanted:
        return
    kind = "ClusterPackage" if scope == "Cluster" else "Package"
    path = ("spec", "packageInfo")
    if manifest.scope or config.profile == "upstream":
        text = f'manifest "{manifest.name}" has scope {scope}: a {kind} is needed'
        yield Finding("error", "manifest", "11", text, package.item, path)
    else:
        text = f'manifest "{manifest.name}" writes no scope, which means Cluster: a {kind} is needed, or `scope: {wanted}`'
        yield Finding("warning", "manifest", "11", text, package.item, path)


def _failed(findings: list[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)
