"""Our objects for random Apps against what upstream's own code makes of the same texts."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tests.conformance.cases import execute
from tests.conformance.layered import same, texts
from tests.conformance.systems import SYSTEMS
from tests.oracles.giantswarm import apps
from tests.oracles.go import ask

FROM = "krm-values.dev/generated-from"


def differences(count: int, seed: int) -> tuple[list[str], Counter[str]]:
    """What differs, and how many Apps of each sort there were."""
    dice = random.Random(seed)
    made = [apps.make(dice) for _ in range(count)]
    ours = [_ours(app) for app in made]
    theirs = _theirs(made)
    again = iter(_read([text for found in ours if found is not None for _, text in sorted(found.items())]))
    found, sorts = [], Counter[str]()
    for number, (app, mine, upstream) in enumerate(zip(made, ours, theirs, strict=True)):
        sorts["refused" if upstream is None else "merged"] += 1
        read = None if mine is None else {part: next(again) for part in sorted(mine)}
        if not same(read, upstream):
            found.append(f"App {number}: ours {read}, upstream {upstream}, layers {app.chains}")
    return found, sorts


def _ours(app: apps.App) -> dict[str, str] | None:
    """The texts by output; None for an error."""
    state = execute(SYSTEMS["giantswarm"], {"feature": "merge"}, app.items, None)
    if state.outcome.failed:
        return None
    made = [item for item in state.items if FROM in item["metadata"].get("annotations", {})]
    return {item["metadata"]["annotations"][FROM].rpartition("/")[2]: next(iter(texts(item).values())) for item in made}


def _theirs(made: list[apps.App]) -> list[dict[str, Any] | None]:
    """The values by output; None for an error."""
    chains = {kind: ask("giantswarm/chain", [app.chains[kind] for app in made]) for kind in ("ConfigMap", "Secret")}
    pairs = [
        [
            "" if not app.chains[kind] or chains[kind][number]["error"] else chains[kind][number]["text"]
            for kind in ("ConfigMap", "Secret")
        ]
        for number, app in enumerate(made)
    ]
    combined = ask("giantswarm/combined", pairs)
    return [_whole(app, *answers) for app, *answers in zip(made, chains["ConfigMap"], chains["Secret"], combined, strict=True)]


def _whole(app: apps.App, config_map: Any, secret: Any, combined: Any) -> dict[str, Any] | None:
    if config_map["error"] or secret["error"]:
        return None
    found = {"configMap": config_map["values"]} if app.chains["ConfigMap"] else {}
    found |= {"secret": secret["values"]} if app.chains["Secret"] else {}
    return {**found, "combined": combined["values"]} if found else found


def _read(written: list[str]) -> list[Any]:
    """What we wrote, as Go reads it."""
    return [
        answer["values"] if not answer["error"] else answer["error"]
        for answer in ask("giantswarm/chain", [[text] for text in written])
    ]
