"""The manifests of Glasskube packages: candidates, choice, and one manifest as plain classes [2 to 10]."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = Any
TYPES = ("boolean", "text", "number", "options")
BOUNDS = ("min", "max", "minLength", "maxLength")
APPLY = {"text": ("minLength", "maxLength", "pattern"), "number": ("min", "max", "pattern"), "boolean": (), "options": ()}
GLASSKUBE, OURS = "packages.glasskube.dev", "krm-values.dev"


@dataclass
class Target:
    """One place to write to. apigroup: as written, None if it is absent."""

    chart: str
    apigroup: str | None
    kind: str
    name: str
    namespace: str
    op: str
    path: str
    template: str


@dataclass
class Definition:
    type: str
    targets: list[Target]
    default: str
    options: list[str]
    required: bool
    pattern: str | None
    bounds: dict[str, int]


@dataclass
class Transformation:
    source: dict[str, Json] | None
    path: str
    targets: list[Target]


@dataclass
class Manifest:
    """What a manifest says. faults: names of definitions that cannot be read, "" for a transformation."""

    name: str
    scope: str
    namespace: str
    helm: dict[str, Json]
    definitions: dict[str, Definition] = field(default_factory=dict)
    transformations: list[Transformation] = field(default_factory=list)
    plain: list[tuple[str, str]] = field(default_factory=list)  # file and namespace of each plain manifest
    faults: set[str] = field(default_factory=set)


@dataclass
class Candidate:
    data: dict[str, Json]
    version: str
    repository: str


def candidates(items: list[Json], config: dict[str, Json]) -> list[Candidate]:
    """Every manifest that is at hand."""
    found = [Candidate(data, "", "") for data in config.get("manifests") or []]
    for item in items:
        spec = item.get("spec") or {}
        group, _, _ = item["apiVersion"].partition("/")
        if (group, item["kind"]) == (GLASSKUBE, "PackageInfo"):
            data = (item.get("status") or {}).get("manifest")
            repository = spec.get("repositoryUrl")
        elif (group, item["kind"]) == (OURS, "PackageManifest"):
            data, repository = spec.get("manifest"), spec.get("repositoryName")
        else:
            continue
        if isinstance(data, dict):
            found.append(Candidate(data, spec.get("version") or "", repository or ""))
    return found


def chosen(info: dict[str, Json], known: list[Candidate]) -> dict[str, Json] | str:
    """The manifest of a Package, or `none` or `several`."""
    wanted = info.get("repositoryName") or ""
    fitting = [
        candidate
        for candidate in known
        if candidate.data.get("name") == info.get("name")
        and candidate.version in ("", info.get("version"))
        and (not wanted or candidate.repository in ("", wanted))
    ]
    if any(candidate.version for candidate in fitting):
        fitting = [candidate for candidate in fitting if candidate.version]
    if not fitting:
        return "none"
    if any(candidate.data != fitting[0].data for candidate in fitting):
        return "several"
    return fitting[0].data


def read(data: dict[str, Json]) -> Manifest:
    """A manifest as rules 5 to 10 and the D-table mean it."""
    manifest = Manifest(
        data.get("name") or "", data.get("scope") or "", data.get("defaultNamespace") or "", data.get("helm") or {}
    )
    for name, written in (data.get("valueDefinitions") or {}).items():
        constraints = written.get("constraints") or {}
        bounds = {key: constraints[key] for key in BOUNDS if constraints.get(key) is not None}
        targets = read_targets(written.get("targets"))
        if written.get("type") not in TYPES or targets is None:
            manifest.faults.add(name)
        judged = APPLY.get(written.get("type"), BOUNDS)  # S31: what does not apply may hold anything
        if any(not isinstance(bound, int) or isinstance(bound, bool) for key, bound in bounds.items() if key in judged):
            manifest.faults.add(name)
        manifest.definitions[name] = Definition(
            written.get("type") or "",
            targets or [],
            as_text(written.get("defaultValue")) or "",
            [as_text(option) or "" for option in written.get("options") or []],
            bool(constraints.get("required")),
            as_text(constraints.get("pattern")),
            bounds,
        )
    for written in data.get("manifests") or []:
        manifest.plain.append((written["url"].split("/")[-1], written.get("defaultNamespace") or ""))
    for written in data.get("transformations") or []:
        targets = read_targets(written.get("targets"))
        if targets is None:
            manifest.faults.add("")
        source = written.get("source") or {}
        manifest.transformations.append(Transformation(source.get("resource"), source.get("path") or "", targets or []))
    return manifest


def read_targets(written: Json) -> list[Target] | None:
    """The targets, a list of patches as several [D1]; None where one is wrong."""
    found = []
    for target in written or []:
        resource, patch = target.get("resource"), target.get("patch")
        if (resource is None) == (target.get("chartName") is None):
            return None
        group = (resource or {}).get("apiGroup")
        if group is None:
            group = (resource or {}).get("apiVersion")  # [D5]
        found += [
            Target(
                target.get("chartName") or "",
                group,
                (resource or {}).get("kind") or "",
                (resource or {}).get("name") or "",
                (resource or {}).get("namespace") or "",
                one.get("op") or "",
                one.get("path") or "",
                target.get("valueTemplate") or "",
            )
            for one in (patch if isinstance(patch, list) else [patch])
        ]
    return found


def as_text(value: Json) -> str | None:
    """[6]"""
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)
