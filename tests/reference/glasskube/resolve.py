"""Glasskube's package configuration, written from the rules alone: slow, plain, to be compared with the function.

Numbers in square brackets are rules. Templates, patterns and JSON patches have judges of their own: for these the function's evaluators are
called.
"""

from __future__ import annotations

import copy

from tests.reference.glasskube import lint as glasskube_lint
from tests.reference.glasskube import manifests
from tests.reference.glasskube.manifests import GLASSKUBE, Manifest
from tests.reference.glasskube.notes import file_of, stripped
from tests.reference.glasskube.patching import write
from tests.reference.glasskube.state import Answer, Json, Run, label
from tests.reference.glasskube.targets import keys_of_secret
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


def resolve(items: list[Json], config: dict[str, Json], files: list[str] | None = None) -> Answer:
    """What becomes of pristine items. files: where they stand, if they do not say so."""
    files = [file_of(item) for item in items] if files is None else files
    items = [stripped(item) for item in items]
    run = Run(World(items, config, files), Answer(), copy.deepcopy(items))
    known = manifests.candidates(items, config)
    for number, candidate in enumerate(known):
        faults = manifests.read(candidate.data).faults
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
            one_package(package, manifests.read(found), misconfigured, run)
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


def check_entries(package: Json, run: Run) -> set[str]:
    """The values whose configuration is none; of any Package, whether or not its manifest is known."""
    failed: set[str] = set()
    for name, entry in (package["spec"].get("values") or {}).items():
        try:
            check_entry(entry)
        except Misconfigured:
            failed.add(name)
            run.answer.errors.add(("configuration", label(package), name))
    return failed


def one_package(package: Json, manifest: Manifest, failed: set[str], run: Run) -> None:
    """All stages of one Package."""
    who = label(package)
    entries = dict(package["spec"].get("values") or {})
    if manifest.faults:
        return
    if scope_is_wrong(package, manifest):
        run.answer.errors.add(("manifest", who, ""))
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
    run.answer.values[who] = {name: value.text for name, value in values.items() if value.text is not None}
    wrong = invalid(entries, values, manifest)
    run.answer.errors |= {("validation", who, name) for name in wrong}
    write(package, manifest, {name: value for name, value in values.items() if name not in wrong}, run)


def scope_is_wrong(package: Json, manifest: Manifest) -> bool:
    """[11, D24]"""
    if not manifest.scope:
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
