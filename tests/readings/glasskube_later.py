"""What happens to a list between two runs: a value changes, a Package goes, a target goes, the config says something else."""

from __future__ import annotations

import copy
from typing import Any

from krm_values._kit.plain import same
from tests.readings import glasskube
from tests.readings.compare import Difference
from tests.readings.glasskube_compare import compared, run
from tests.readings.glasskube_made import TEXTS, Dice

Json = Any
Change = tuple[list[tuple[str, Json]], dict[str, Json]]


def difference(seed: int, items: list[Json], config: dict[str, Json]) -> Difference | None:
    """Run, run again, change and run, change and run: the state is always that of a first run. None as well where a run fails."""
    config = {key: value for key, value in config.items() if key != "record"}
    dice, state = Dice(f"later {seed}"), run(items, config)
    for _ in range(3):
        answer = glasskube.resolve(items, config)
        if answer.unkept:  # what a Secret held does not come back
            return None
        if state.outcome.failed:
            return None
        again = run(state.items, config)
        if again.outcome.failed or not same(again.items, state.items):
            return Difference("again", again.items, [finding.message for finding in again.outcome.findings])
        name = dice.pick(CHANGES)
        number = dice.random.random()
        there = copy.deepcopy(state.items)
        items, config = copy.deepcopy(items), copy.deepcopy(config)
        CHANGES[name](Dice(number), there, copy.deepcopy(config))
        CHANGES[name](Dice(number), items, config)
        state = run(there, config)
        found = compared(items, state, config)
        if found:
            return Difference(f"{found.what} after {name}", found.function, found.reading)
    return None


def packages(items: list[Json]) -> list[Json]:
    return [item for item in items if item["kind"] in ("Package", "ClusterPackage")]


def change_value(dice: Dice, items: list[Json], _: Json) -> None:
    values = dice.pick(packages(items))["spec"]["values"]
    if values:
        values[dice.pick(sorted(values))] = {"value": dice.pick(TEXTS[dice.pick(sorted(TEXTS))])}


def drop_value(dice: Dice, items: list[Json], _: Json) -> None:
    values = dice.pick(packages(items))["spec"]["values"]
    if values:
        del values[dice.pick(sorted(values))]


def drop_package(dice: Dice, items: list[Json], _: Json) -> None:
    items.remove(dice.pick(packages(items)))


def drop_target(dice: Dice, items: list[Json], config: Json) -> None:
    found = list(config.get("manifests") or [])
    found += [item["status"]["manifest"] for item in items if item["kind"] == "PackageInfo"]
    found += [item["spec"]["manifest"] for item in items if item["kind"] == "PackageManifest"]
    manifest = dice.pick(found)
    holders = [*manifest["valueDefinitions"].values(), *manifest.get("transformations", [])]
    holders = [holder for holder in holders if holder["targets"]]
    if holders:
        targets = dice.pick(holders)["targets"]
        del targets[dice.random.randrange(len(targets))]


def change_config(dice: Dice, _: list[Json], config: Json) -> None:
    key, value = dice.pick(
        [
            ("emit", ["helm"]),
            ("emit", ["resources"]),
            ("emit", ["resources", "helm"]),
            ("emit", []),
            ("typed", True),
            ("typed", False),
            ("createParents", False),
            ("useDefaults", True),
            ("useDefaults", False),
        ]
    )
    config[key] = value


CHANGES = {
    "a value changes": change_value,
    "a value goes": drop_value,
    "a package goes": drop_package,
    "a target goes": drop_target,
    "the config changes": change_config,
}
