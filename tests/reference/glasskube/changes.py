"""What authors do to a package between two runs: values, Packages, manifests, the config, files and order."""

from __future__ import annotations

import copy
from typing import Any

from tests.reference.glasskube import generate as made
from tests.reference.glasskube.course import Course, Entry
from tests.reference.glasskube.dice import FILES, TEMPLATES, TEXTS, Dice
from tests.reference.glasskube.generate_manifests import manifest, target
from tests.reference.glasskube.generate_resources import resources as made_resources
from tests.reference.glasskube.notes import PATH

Json = Any


def packages(course: Course) -> list[Entry]:
    return [entry for entry in course.entries if entry.item["kind"] in ("Package", "ClusterPackage")]


def sources(course: Course) -> list[Entry]:
    return [entry for entry in course.entries if entry.item["kind"] in ("PackageInfo", "PackageManifest")]


def manifests(course: Course) -> list[Json]:
    found = list(course.config.get("manifests") or [])
    found += [entry.item["status"]["manifest"] for entry in sources(course) if entry.item["kind"] == "PackageInfo"]
    return found + [entry.item["spec"]["manifest"] for entry in sources(course) if entry.item["kind"] == "PackageManifest"]


def a_value_changes(dice: Dice, course: Course) -> None:
    """Or comes, where the manifest defines it."""
    if not packages(course):
        return
    package = dice.pick(packages(course)).item
    defined = [one["valueDefinitions"] for one in manifests(course) if one["name"] == package["spec"]["packageInfo"]["name"]]
    name = dice.pick([*package["spec"]["values"], *(name for names in defined for name in names), "a"])
    if dice.chance(0.5):
        package["spec"]["values"][name] = {"value": dice.pick(TEXTS[dice.types[name if name in dice.types else "a"]])}
    else:
        package["spec"]["values"][name] = made.entry(
            dice, name if name in dice.types else "a", package["kind"] == "ClusterPackage"
        )


def a_value_goes(dice: Dice, course: Course) -> None:
    values = dice.pick(packages(course)).item["spec"]["values"] if packages(course) else {}
    if values:
        del values[dice.pick(sorted(values))]


def a_package_goes(dice: Dice, course: Course) -> None:
    if packages(course):
        course.entries.remove(dice.pick(packages(course)))


def a_package_comes(dice: Dice, course: Course) -> None:
    known = manifests(course)
    if not known:
        return
    item = made.packages(dice, known)[0]
    there = [(entry.item["kind"], entry.item["metadata"]["name"]) for entry in packages(course)]
    if (item["kind"], item["metadata"]["name"]) not in there:
        course.entries.append(Entry(item))


def a_target_goes(dice: Dice, course: Course) -> None:
    holders = [holder for holder in holding(course) if holder["targets"]]
    if holders:
        targets = dice.pick(holders)["targets"]
        del targets[dice.random.randrange(len(targets))]


def a_target_comes(dice: Dice, course: Course) -> None:
    holders = [holder for holder in holding(course) if "type" in holder]
    if holders:
        holder = dice.pick(holders)
        kind = holder["type"] if holder["type"] in TEMPLATES else "text"
        holder["targets"].insert(0, target(dice, kind))


def holding(course: Course) -> list[Json]:
    return [
        holder for one in manifests(course) for holder in (*one["valueDefinitions"].values(), *one.get("transformations", []))
    ]


def a_manifest_goes(dice: Dice, course: Course) -> None:
    inline = course.config.get("manifests") or []
    if inline and dice.chance(0.5):
        inline.remove(dice.pick(inline))
    elif sources(course):
        course.entries.remove(dice.pick(sources(course)))


def a_manifest_comes(dice: Dice, course: Course) -> None:
    known = manifests(course)
    scope = known[0].get("scope", "Cluster") if known else "Cluster"
    data = manifest(dice, dice.pick("mn"), scope)
    if dice.chance(0.5):
        course.config.setdefault("manifests", []).append(data)
    else:
        course.entries.append(Entry(made.carried(dice, data, dice.pick(("info", "wrapper")))))


def a_manifest_moves(dice: Dice, course: Course) -> None:
    """From the config into an item, or back."""
    inline = course.config.get("manifests") or []
    if inline:
        data = dice.pick(inline)
        inline.remove(data)
        course.entries.append(Entry(made.carried(dice, data, dice.pick(("info", "wrapper")))))
    elif sources(course):
        entry = dice.pick(sources(course))
        course.entries.remove(entry)
        holder = entry.item["status"] if entry.item["kind"] == "PackageInfo" else entry.item["spec"]
        course.config.setdefault("manifests", []).append(holder["manifest"])


def a_manifest_is_another(dice: Dice, course: Course) -> None:
    if manifests(course):
        one = dice.pick(manifests(course))
        new = manifest(dice, one["name"], one.get("scope", "Cluster"))
        one.clear()
        one.update(new)


def the_config_changes(dice: Dice, course: Course) -> None:
    options = (
        *(("emit", emitted) for emitted in (["helm"], ["resources"], ["resources", "helm"], ["resources", "helm"], [])),
        *(("typed", typed) for typed in (True, False)),
        *(("createParents", creates) for creates in (True, False)),
        *(("useDefaults", used) for used in (True, False, ["a", "b"])),
        ("allowMissing", [{"kind": "Secret", "name": "*"}]),
        ("allowMissing", []),
        ("record", False),
        ("record", True),
        ("record", True),
    )
    key, value = dice.pick(options)
    course.config[key] = copy.deepcopy(value)


def items_get_another_order(dice: Dice, course: Course) -> None:
    dice.random.shuffle(course.entries)
    dice.random.shuffle(course.made)


def items_get_other_files(dice: Dice, course: Course) -> None:
    for entry in course.entries:
        if dice.chance(0.5):
            annotations = entry.item["metadata"].setdefault("annotations", {})
            annotations[PATH] = dice.pick(FILES)
            annotations["internal.config.kubernetes.io/path"] = annotations[PATH]


def a_resource_goes(dice: Dice, course: Course) -> None:
    found = resources(course)
    if found:
        course.entries.remove(dice.pick(found))


def a_resource_comes(dice: Dice, course: Course) -> None:
    item = dice.pick(made_resources(dice))
    there = [identity(entry.item) for entry in course.entries]
    if identity(item) not in there:
        course.entries.append(Entry(item))


def resources(course: Course) -> list[Entry]:
    return [entry for entry in course.entries if entry.item["kind"] in ("ConfigMap", "Secret", "Thing")]


def identity(item: Json) -> tuple[str, str, str]:
    return item["kind"], item["metadata"].get("namespace", ""), item["metadata"]["name"]


CHANGES = (
    a_value_changes,
    a_value_changes,
    a_value_goes,
    a_package_goes,
    a_package_comes,
    a_target_goes,
    a_target_comes,
    a_manifest_goes,
    a_manifest_comes,
    a_manifest_moves,
    a_manifest_is_another,
    the_config_changes,
    the_config_changes,
    items_get_another_order,
    items_get_other_files,
    a_resource_goes,
    a_resource_comes,
)
