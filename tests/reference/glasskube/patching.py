"""How a Package's values and transformations reach their targets; numbers in square brackets are rules."""

from __future__ import annotations

from krm_values.glasskube_values import json_patch as patching
from krm_values.glasskube_values.json_patch import PatchError
from tests.reference.glasskube.helm import Release, objects, releases
from tests.reference.glasskube.manifests import Manifest
from tests.reference.glasskube.state import Json, Run, label
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
    Value,
    namespace_of,
)


def write(package: Json, manifest: Manifest, values: dict[str, Value], run: Run) -> None:
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
            typed = of_target("typed", target, run.world)
            try:
                made.append(patch_of(name, definition.type, value.text, target, secret=value.secret, typed=typed, alias=True))
            except Failed as failure:
                run.answer.errors.add((str(failure), who, name))
                wrong = True
        patches += [] if wrong else made
    patches += transformed(package, manifest, run)
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
    if not found and alone and not patch.name.startswith("transformation "):
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
    parts = patch.target.path.removeprefix("/").split("/")
    if any(place is other and parts[: len(above)] == above for other, above in run.failed):
        return document
    creates = of_target("createParents", patch.target, run.world)
    try:
        found = patching.apply(document, patch.target.op, patch.target.path, patch.value, create_parents=creates)
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
