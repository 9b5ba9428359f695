"""Where manifests come from, and which of them a Package takes."""

from __future__ import annotations

from krm_values._kit import names, plain
from krm_values._kit.plan import Finding
from krm_values._kit.pointer import get
from krm_values._kit.record import record
from krm_values._kit.results import title
from krm_values.glasskube_values import manifest as manifests
from krm_values.glasskube_values.packages import GROUP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from krm_values._kit.data import JSON
    from krm_values._kit.item import Item
    from krm_values._kit.names import Hints
    from krm_values._kit.plan import Severity
    from krm_values._kit.pointer import Path
    from krm_values._kit.select import Resources
    from krm_values.glasskube_values.config import GlasskubeValues
    from krm_values.glasskube_values.fields import Fault
    from krm_values.glasskube_values.manifest import Manifest
    from krm_values.glasskube_values.packages import Package

WRAPPER = "PackageManifest"
_SHOWN = 10


@record
class Candidate:
    """A manifest and what is stated beside it: None where nothing is. `path`: where it stands in `item`, or in the functionConfig."""

    data: JSON
    manifest: Manifest | None
    faults: tuple[Fault, ...]
    item: Item | None
    path: Path
    version: str | None = None
    repository: str | None = None
    stated: str | None = None

    @property
    def name(self) -> str:
        """The manifest's name, also of one that cannot be read."""
        found = self.manifest.name if self.manifest else get(self.data, ("name",))
        return found if isinstance(found, str) else ""

    @property
    def title(self) -> str:
        return title(self.item) if self.item else f"`{'.'.join(map(str, self.path[:2]))}[{self.path[2]}]`"

    def finding(self, fault: Fault) -> Finding:
        """A fault as a finding with its address."""
        named = f'manifest "{self.name}"' if self.name else "manifest"
        about = f'"{fault.definition}" of {named}: ' if fault.definition else f"{named}: "
        severity: Severity = "error" if fault.severity == "error" else "warning"
        return Finding(severity, fault.kind, fault.rule, about + fault.text, self.item, (*self.path, *fault.path), fault.found)


def all_of(config: GlasskubeValues, resources: Resources) -> list[Candidate]:
    """Every manifest: inline, of the PackageManifests and of the PackageInfos."""
    lenient = config.profile == "recommended"
    found = [_read(data, None, ("spec", "manifests", index), lenient=lenient) for index, data in enumerate(config.manifests)]
    for item in resources.select(WRAPPER, group=names.GROUP):
        if item.data is None:
            continue
        spec = get(item.data, ("spec",))
        found.append(
            _read(
                _at(item, "spec", "manifest"),
                item,
                ("spec", "manifest"),
                version=_text(spec, "version"),
                repository=_text(spec, "repositoryName"),
                lenient=lenient,
            )
        )
    for item in resources.select("PackageInfo", group=GROUP):
        spec, data = _at(item, "spec"), _at(item, "status", "manifest")
        if data is not None:
            stated = {
                "version": _text(spec, "version"),
                "repository": _text(spec, "repositoryUrl"),
                "stated": _text(spec, "name"),
            }
            found.append(_read(data, item, ("status", "manifest"), **stated, lenient=lenient))
    return found


def by_name(candidates: list[Candidate]) -> dict[str, list[Candidate]]:
    """The candidates by the names of their manifests."""
    found: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(candidate.name, []).append(candidate)
    return found


def choose(package: Package, candidates: dict[str, list[Candidate]], findings: list[Finding], hints: Hints) -> Candidate | None:
    """The manifest that a Package takes; None where there is none or it cannot be told, which is then said. candidates: by name."""
    fitting = [candidate for candidate in candidates.get(package.manifest, ()) if _fits(package, candidate)]
    fitting = [candidate for candidate in fitting if candidate.version is not None] or fitting
    if not fitting:
        findings.append(_none(package, candidates, hints))
        return None
    first, *others = fitting
    for other in others:
        if not plain.same(other.data, first.data):
            text = f'manifest "{package.manifest}" is given by {first.title} and by {other.title}, and they differ: keep one'
            findings.append(Finding("error", "manifest", "1", text, package.item, ("spec", "packageInfo")))
            return None
    return first


def _fits(package: Package, candidate: Candidate) -> bool:
    return (
        candidate.stated in (None, package.manifest)
        and candidate.version in (None, package.version)
        and (not package.repository or candidate.repository in (None, package.repository))
    )


def _none(package: Package, candidates: dict[str, list[Candidate]], hints: Hints) -> Finding:
    same = candidates.get(package.manifest, [])
    named = f'no manifest of "{package.manifest}" {package.version}'
    if not same:
        near = hints.nearest(package.manifest, candidates)
        hint = f'; did you mean "{near}"?' if near else ""
        text = f"{named} is given: the package is left alone{hint}"
    else:
        others = " and ".join(map(_stated, same[:_SHOWN]))
        text = f"{named} is given, only {others}: the package is left alone"
    return Finding("warning", "manifest", "12", text, package.item, ("spec", "packageInfo"))


def _stated(candidate: Candidate) -> str:
    repository = f" of {candidate.repository}" if candidate.repository else ""
    return f"{candidate.version or 'one'}{repository}"


def _read(
    data: JSON,
    item: Item | None,
    path: Path,
    *,
    version: str | None = None,
    repository: str | None = None,
    stated: str | None = None,
    lenient: bool,
) -> Candidate:
    found, faults = manifests.read(data, lenient=lenient)
    return Candidate(data, found, faults, item, path, version, repository, stated)


def _at(item: Item, *path: str) -> JSON:
    return get(item.data, path)  # type: ignore[return-value]


def _text(spec: object, key: str) -> str | None:
    value = spec.get(key) if isinstance(spec, dict) else None
    return value if isinstance(value, str) and value else None


def wrappers(resources: Resources) -> Iterator[Finding]:
    """What is wrong with the PackageManifests themselves."""
    known = ("version", "repositoryName", "manifest")
    for item in resources.select(WRAPPER, group=names.GROUP):
        spec = get(item.data, ("spec",))
        for key in spec if isinstance(spec, dict) else ():
            if key not in known:
                near = names.nearest(key, known)
                hint = f"; did you mean `{near}`?" if near else ""
                yield Finding("warning", "unknown-key", "1", f"is no field here and is ignored{hint}", item, ("spec", key))
