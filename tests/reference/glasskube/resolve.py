"""Glasskube's package configuration, written from the rules alone: slow, plain, to be compared with the function.

Numbers in square brackets are rules. Templates, patterns and JSON patches have judges of their own: for these the function's evaluators are
called.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from krm_values.glasskube_values.jsonpatch import apply as patching
from krm_values.glasskube_values.jsonpatch.pointers import PatchError
from tests.reference.glasskube import lint as glasskube_lint
from tests.reference.glasskube import manifests
from tests.reference.glasskube.helm import Release, objects, releases
from tests.reference.glasskube.manifests import GLASSKUBE, Manifest
from tests.reference.glasskube.notes import file_of, stripped
from tests.reference.glasskube.targets import (
    Failed,
    Patch,
    Waits,
    keys_of_secret,
    matched,
    of_target,
    patch_of,
    pointer,
    source,
)
from tests.reference.glasskube.values import (
    Misconfigured,
    Unresolved,
    Value,
    World,
    check_entry,
    is_valid,
    namespace_of,
    resolved,
)

Json = Any
Error = tuple[str, str, str]  # kind, Package, value


@dataclass
class Answer:
    """errors, the values of every Package, the items after the run (the input where there are errors), the Helm objects by file,
    the values of Secrets that no later run can bring back, and warnings of the kinds `target`, `secret` and `conflict`.

    made: whose the Helm object of a file is, and what of it. writers: who wrote to which item. read: values of Secrets that were read.
    unmade: the Packages that have no manifest. odd: what lint says, as (kind, manifest, definition).
    """

    errors: set[Error] = field(default_factory=set)
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    items: list[Json] = field(default_factory=list)
    helm: dict[str, Json] = field(default_factory=dict)
    unkept: set[tuple[int, str, str]] = field(default_factory=set)
    warnings: set[Error] = field(default_factory=set)
    made: dict[str, tuple[str, str]] = field(default_factory=dict)
    writers: dict[int, set[str]] = field(default_factory=dict)
    read: set[tuple[int, str, str]] = field(default_factory=set)
    unmade: set[str] = field(default_factory=set)
    odd: set[Error] = field(default_factory=set)


@dataclass
class Run:
    """What all Packages share. now: the items as patched so far. touched: by which Packages of a manifest each item is a target.

    written: into which items values were put, and at which pointers, whether or not the same value stood there.
    """

    world: World
    answer: Answer
    now: list[Json]
    touched: dict[tuple[str, int], set[int]] = field(default_factory=dict)
    read: set[tuple[int, str, str]] = field(default_factory=set)
    written: set[tuple[int, str]] = field(default_factory=set)
    failed: list[tuple[Json, list[str]]] = field(default_factory=list)
    places: list[tuple[int, list[str], str]] = field(default_factory=list)


def resolve(items: list[Json], config: dict[str, Json], files: list[str] | None = None) -> Answer:
    """What becomes of pristine items. files: where they stand, if they do not say so."""
    files = [file_of(item) for item in items] if files is None else files
    items = [stripped(item) for item in items]
    run = Run(World(items, config, files), Answer(), copy.deepcopy(items))
    known = manifests.candidates(items, config)
    for number, candidate in enumerate(known):
        faults = manifests.read(candidate.data, upstream=run.world.upstream).faults
        run.answer.errors |= {("manifest", f"manifest {number}", name) for name in faults}
        if not faults:
            odd = glasskube_lint.odd(candidate.data, typed=config.get("typed", True) is not False)
            run.answer.odd |= {(kind, candidate.data["name"], name) for kind, name in odd}
    for package in in_order(items):
        misconfigured = check_entries(package, run)
        found = manifests.chosen(package["spec"].get("packageInfo") or {}, known)
        if found == "several":
            run.answer.errors.add(("manifest", label(package), ""))
        elif found == "none":
            run.answer.unmade.add(label(package))
        elif not isinstance(found, str):
            one_package(package, manifests.read(found, upstream=run.world.upstream), misconfigured, run)
    check_shared(run)
    emitted = config.get("emit", ["resources", "helm"])
    if run.answer.errors or "resources" not in emitted:
        run.now = items
    if run.answer.errors:
        run.answer.helm = {}
    run.answer.items = run.now
    run.answer.unkept = overwritten(run)
    run.answer.read |= run.read
    return run.answer


def in_order(items: list[Json]) -> list[Json]:
    """ClusterPackages, then Packages by namespace and name."""
    found = [item for item in items if item["apiVersion"].startswith(GLASSKUBE + "/") and item["kind"].endswith("Package")]
    return sorted(found, key=lambda item: (item["kind"] == "Package", namespace_of(item), item["metadata"]["name"]))


def label(package: Json) -> str:
    return f"{package['kind']}/{namespace_of(package)}/{package['metadata']['name']}"


def check_entries(package: Json, run: Run) -> set[str]:
    """The values whose configuration is none; of any Package, whether or not its manifest is known."""
    failed: set[str] = set()
    for name, entry in (package["spec"].get("values") or {}).items():
        try:
            check_entry(entry, upstream=run.world.upstream)
        except Misconfigured:
            failed.add(name)
            run.answer.errors.add(("configuration", label(package), name))
    return failed


def one_package(package: Json, manifest: Manifest, failed: set[str], run: Run) -> None:
    """All stages of one Package; upstream the first that fails ends it."""
    who, upstream = label(package), run.world.upstream
    failing = set(run.answer.errors)

    def over() -> bool:
        return upstream and run.answer.errors != failing

    entries = dict(package["spec"].get("values") or {})
    if manifest.faults or (failed and upstream):
        return
    if scope_is_wrong(package, manifest, upstream=upstream):
        run.answer.errors.add(("manifest", who, ""))
    if over():
        return
    entries |= defaults(manifest, entries, run.world.config)
    values: dict[str, Value] = {}
    for name, entry in entries.items():
        if name in failed:
            continue
        start = ((package["metadata"]["name"], name),) if package["kind"] == "ClusterPackage" else ()
        try:
            values[name] = resolved(entry, package, run.world, start)
            run.answer.read |= set(values[name].reads)
        except (Unresolved, Misconfigured):
            failed.add(name)
            run.answer.errors.add(("resolution", who, name))
    if over():
        return
    run.answer.values[who] = {name: value.text for name, value in values.items() if value.text is not None}
    wrong = invalid(entries, values, manifest)
    run.answer.errors |= {("validation", who, name) for name in wrong}
    if over():
        return
    write(package, manifest, {name: value for name, value in values.items() if name not in wrong}, run, over)


def scope_is_wrong(package: Json, manifest: Manifest, *, upstream: bool) -> bool:
    """[11, D24]"""
    if not manifest.scope and not upstream:
        return False
    return (manifest.scope or "Cluster") != ("Cluster" if package["kind"] == "ClusterPackage" else "Namespaced")


def defaults(manifest: Manifest, entries: dict[str, Json], config: dict[str, Json]) -> dict[str, Json]:
    """[33, 93, D10]"""
    wanted = config.get("useDefaults", False)
    if wanted is True:
        wanted = list(manifest.definitions)
    return {
        name: {"value": definition.default}
        for name, definition in manifest.definitions.items()
        if name in (wanted or []) and name not in entries and definition.default
    }


def invalid(entries: dict[str, Json], values: dict[str, Value], manifest: Manifest) -> set[str]:
    """[30, 31]"""
    wrong = {name for name, definition in manifest.definitions.items() if definition.required and name not in entries}
    for name, value in values.items():
        definition = manifest.definitions.get(name)
        if definition is None or (value.text is not None and not is_valid(value.text, definition)):
            wrong.add(name)
    return wrong


def write(package: Json, manifest: Manifest, values: dict[str, Value], run: Run, over: Any) -> None:
    """From values to patches, then those of transformations, then all in order [79]."""
    who = label(package)
    patches: list[Patch] = []
    for name in sorted(values, key=str.encode):
        value, definition = values[name], manifest.definitions[name]
        run.read |= set(value.reads)
        if value.text is None:
            continue
        made, wrong = [], False
        for target in definition.targets:
            typed, alias = of_target("typed", target, run.world), not run.world.upstream
            try:
                made.append(patch_of(name, definition.type, value.text, target, secret=value.secret, typed=typed, alias=alias))
            except Failed as failure:
                run.answer.errors.add((str(failure), who, name))
                wrong = True
        patches += [] if wrong else made
    if over():
        return
    patches += transformed(package, manifest, run)
    if over():
        return
    charts = releases(manifest)
    for patch in patches:
        for index in matched(patch.target, package, manifest, run.world) if not patch.target.chart else ():
            run.touched.setdefault((manifest.name, index), set()).add(id(package))
            if patch.target.op == "test":
                run.read |= set(keys_of_secret(run.world.items, index, patch.target.path))
        warn(
            patch,
            package,
            manifest,
            charts,
            run,
            alone=not any(reaches(one, package, manifest, charts, run) for one in patches if one.name == patch.name),
        )
        apply(patch, package, manifest, charts, run)
        if over():
            return
    namespace = namespace_of(package) if package["kind"] == "Package" else manifest.namespace
    for file, (part, made_object) in objects(package["metadata"]["name"], namespace, manifest, charts).items():
        if "helm" not in run.world.config.get("emit", ["helm"]):
            continue
        if file in run.answer.helm or in_the_way(made_object, run.world.items):
            run.answer.errors.add(("generated", who, ""))
        run.answer.helm[file] = made_object
        run.answer.made[file] = (who, part)


def transformed(package: Json, manifest: Manifest, run: Run) -> list[Patch]:
    """[83 to 88]"""
    patches: list[Patch] = []
    for number, transformation in enumerate(manifest.transformations):
        name = f"transformation {number + 1}"
        try:
            value, index = source(transformation.source, transformation.path, package, run.world)
            secret = index is not None and run.world.items[index]["kind"] == "Secret"
            if secret and index is not None:
                run.read |= set(keys_of_secret(run.world.items, index, pointer(transformation.path)))
            made = [
                patch_of(name, "", value, target, secret=secret, typed=False, alias=False) for target in transformation.targets
            ]
        except Waits:
            continue
        except Failed:
            run.answer.errors.add(("transformation", label(package), name))
        else:
            patches += made
    return patches


def reaches(patch: Patch, package: Json, manifest: Manifest, charts: list[Release], run: Run) -> bool:
    target = patch.target
    if target.chart:
        return any(target.chart == release.chart for release in charts)
    return bool(matched(target, package, manifest, run.world))


def warn(patch: Patch, package: Json, manifest: Manifest, charts: list[Release], run: Run, *, alone: bool) -> None:
    """Targets that mean nothing [D16], an error where a value has no others [S32], Secrets' values that anybody may read, and other Packages' places."""
    target, who = patch.target, label(package)
    indexes = [] if target.chart else matched(target, package, manifest, run.world)
    found = indexes or [release for release in charts if target.chart == release.chart]
    in_secrets = not target.chart and (target.apigroup, target.kind) == ("v1", "Secret")
    if not found and alone and not run.world.upstream and not patch.name.startswith("transformation "):
        run.answer.errors.add(("target", who, patch.name))
    elif not found:
        run.answer.warnings.add(("target", who, patch.name))
    elif patch.secret and not in_secrets and target.op not in ("remove", "test"):
        run.answer.warnings.add(("secret", who, patch.name))
    parts = target.path.removeprefix("/").split("/")
    for index in indexes if parts[-1] != "-" and target.op != "test" else ():
        for other, there, writer in run.places:
            if (other, writer != who) == (index, True) and (parts[: len(there)] == there or there[: len(parts)] == parts):
                run.answer.warnings.add(("conflict", who, patch.name))
        run.places.append((index, parts, who))


def apply(patch: Patch, package: Json, manifest: Manifest, charts: list[Release], run: Run) -> None:
    """One patch on everything that it means."""
    target = patch.target
    if target.chart:
        for release in charts:
            if release.chart == target.chart:
                before = {} if release.values is None else release.values
                release.values = applied(patch, before, release, package, run)
        return
    for index in matched(target, package, manifest, run.world):
        run.now[index] = applied(patch, run.now[index], index, package, run)
        if target.op != "test":
            run.answer.writers.setdefault(index, set()).add(label(package))
        if target.op in ("add", "replace"):
            run.written.add((index, target.path))


def applied(patch: Patch, document: Json, place: Json, package: Json, run: Run) -> Json:
    """The document after a patch. One that cannot be done is said; what comes below it only follows from that."""
    config, parts = run.world.config, patch.target.path.removeprefix("/").split("/")
    if any(place is other and parts[: len(above)] == above for other, above in run.failed):
        return document
    profile, creates = config.get("profile", "recommended"), of_target("createParents", patch.target, run.world)
    try:
        found = patching.apply(
            document, patch.target.op, patch.target.path, patch.value, profile=profile, create_parents=creates
        )
    except PatchError:
        run.failed.append((place, parts))
        run.answer.errors.add(("transformation" if patch.transforms else "patch", label(package), patch.name))
        return document
    return found.data


def in_the_way(made: Json, items: list[Json]) -> bool:
    """[96] Somebody's own object of the same name."""
    group = made["apiVersion"].split("/")[0]
    return any(
        item["apiVersion"].split("/")[0] == group
        and item["kind"] == made["kind"]
        and item["metadata"]["name"] == made["metadata"]["name"]
        and namespace_of(item) == namespace_of(made)
        for item in items
    )


def check_shared(run: Run) -> None:
    """Two Packages of one manifest on one item [D28], and Secrets that are read and written (their old values are not kept)."""
    for (_, index), packages in run.touched.items():
        if len(packages) > 1:
            run.answer.errors.add(("conflict", str(index), ""))
    config = run.world.config
    if config.get("record", True) and "resources" in config.get("emit", ["resources"]):
        run.answer.errors |= {("record", str(index), key) for index, _, key in run.read & overwritten(run)}
        for index, item in enumerate(run.world.items):
            if any(no_texts(item.get(name)) and is_written(run, index, name) for name in ("data", "stringData")):
                run.answer.errors |= {("record", str(index), "")} if item["kind"] == "Secret" else set()


def no_texts(held: Json) -> bool:
    """What no Secret may hold, so that it cannot be kept."""
    return held is not None and (not isinstance(held, dict) or any(isinstance(value, dict | list) for value in held.values()))


def is_written(run: Run, index: int, name: str, key: str = "") -> bool:
    """Whether a map of an item, or a key of it, is another in the end, or had the same put into it: what it is equal to is not told."""
    before, now = run.world.items[index].get(name), run.now[index].get(name)
    if key:
        now = now.get(key) if isinstance(now, dict) else None
        before = before[key]
    place = ["", name, *[key] * bool(key)]
    paths = [path.split("/") for at, path in run.written if at == index]
    return before != now or any(path[: len(place)] == place[: len(path)] for path in paths)


def overwritten(run: Run) -> set[tuple[int, str, str]]:
    """The values of Secrets that are not kept: those that were not empty and are written, as (item's index, map, key)."""
    return {
        found
        for index in range(len(run.world.items))
        for name in ("data", "stringData")
        for found in keys_of_secret(run.world.items, index, f"/{name}")
        if is_written(run, index, name, found[2])
    }
