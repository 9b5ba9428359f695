"""What we write for random HelmReleases against what Flux's own code composes of the same objects."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from typing import Any

from krm_values._yaml import decode
from tests.conformance.cases import execute
from tests.conformance.layered import BY, texts
from tests.conformance.systems import SYSTEMS
from tests.oracles.flux import releases
from tests.oracles.flux.releases import Release
from tests.oracles.go import ask

CAUSES = [
    ("missing object", r"resource not found"),
    ("missing key", r"key not found"),
    ("text that is no map", r"cannot unmarshal|into Go value"),
    ("text that Go does not read", r"failed to read values data"),
    ("index above 65536", r"greater than maximum supported index"),
    ("more than 30 dots", r"maximum supported nested level"),
    ("path through a scalar, list or null", r"unable to parse key: interface conversion.*not map"),
    ("index on no list", r"unable to parse key: interface conversion.*not \[\]"),
    ("empty segment or trailing dot", r"key map .* has no value"),
    ("list without its brace", r"list must terminate"),
    ("comma without key=value", r"has no value"),
    ("index that is no number, negative or followed by text", r"error parsing index|index not allowed|unexpected data"),
]
KEYS_COLLIDE = re.compile("become the same text|not YAML that Go reads")  # of a Secret nothing more is said


class Result:
    """What was found: the differences, and how many releases there were of each sort."""

    def __init__(self) -> None:
        self.differences: list[str] = []
        self.sorts: Counter[str] = Counter()
        self.causes: Counter[str] = Counter({name: 0 for name, _ in CAUSES})


def run(count: int, seed: int) -> Result:
    """Random releases, composed by both; each composed one also inlined."""
    dice = random.Random(seed)
    made = [releases.make(dice) for _ in range(count)]
    upstream = ask("flux", [_question(release.items) for release in made])
    found = Result()
    composed = [_object(release, theirs, found) for release, theirs in zip(made, upstream, strict=True)]
    _compare(made, upstream, composed, found)
    _inline(made, upstream, composed, found)
    return found


def _object(release: Release, theirs: dict[str, Any], found: Result) -> str | None:
    """The text that we write; None where either refuses, which must be both."""
    state = execute(SYSTEMS["giantswarm"], {"feature": "flux"}, release.items, None)
    errors = [finding.message for finding in state.outcome.findings if finding.severity == "error"]
    if theirs["error"]:
        found.sorts["refused"] += 1
        found.causes[_cause(theirs)] += 1
    if errors and release.collides and any(KEYS_COLLIDE.search(error) for error in errors):
        found.sorts["keys that collide, which only we refuse"] += not theirs["error"]
        return None
    if bool(errors) != bool(theirs["error"]):
        found.differences.append(f"ours {errors}, upstream {theirs['error']}, {release}")
    if errors or theirs["error"]:
        return None
    found.sorts["composed"] += 1
    (written,) = [item for item in state.items if item["metadata"].get("annotations", {}).get(BY)]
    return next(iter(texts(written).values()))


def _compare(made: list[Release], upstream: list[dict[str, Any]], composed: list[str | None], found: Result) -> None:
    again = iter(ask("flux", [{"text": text} for text in composed if text is not None]))
    for release, theirs, text in zip(made, upstream, composed, strict=True):
        if text is None:
            continue
        ours = next(again)
        if ours["error"] or not same(ours["values"], theirs["values"]):
            found.differences.append(f"ours {text!r}, upstream {theirs['values']}, {release}")
        lost = [at for at, digits in theirs["integers"].items() if str(_at(ours["digits"], at)) != digits]
        found.sorts["integers of a targetPath, digit by digit"] += len(theirs["integers"])
        if lost:
            found.differences.append(f"digits lost at {lost}: {text!r}, {release}")


def _inline(made: list[Release], upstream: list[dict[str, Any]], composed: list[str | None], found: Result) -> None:
    """The release that `inline` writes composes to the same, as far as it writes one."""
    asked = [(release, theirs) for release, theirs, text in zip(made, upstream, composed, strict=True) if text is not None]
    written = []
    for release, theirs in asked:
        state = execute(SYSTEMS["giantswarm"], {"feature": "flux"}, release.items, {"output": "inline"})
        if state.outcome.failed:
            found.sorts["inline refused"] += 1
        else:
            stands = decode.to_data(decode.parse(state.out.decode()))["items"]  # type: ignore[index,call-overload]
            found.sorts["inlined" if state.outcome.edited else "nothing to inline"] += 1
            written.append((release, theirs, stands))
    for (release, theirs, stands), ours in zip(written, ask("flux", [_question(items) for *_, items in written]), strict=True):
        if ours["error"] or not same(ours["values"], theirs["values"]):
            found.differences.append(f"inlined {stands[0]['spec']}: {ours}, upstream {theirs['values']}, {release}")


def same(ours: Any, theirs: Any) -> bool:
    """Equal as Go's values are, numbers as 64-bit floats."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(same(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    numbers = [value for value in (ours, theirs) if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) == 2:
        return float(ours) == float(theirs) and math.copysign(1, ours) == math.copysign(1, theirs)
    return type(ours) is type(theirs) and ours == theirs


def _question(items: list[dict[str, Any]]) -> dict[str, Any]:
    release, *objects = items
    spec = release["spec"]
    asked = [
        {
            "kind": one["kind"],
            "name": one["metadata"]["name"],
            "data" if one["kind"] == "ConfigMap" else "bytes": one.get("data"),
            "stringData": one.get("stringData"),
        }
        for one in objects
    ]
    return {"values": spec.get("values"), "refs": spec.get("valuesFrom") or [], "objects": asked}


def _cause(theirs: dict[str, Any]) -> str:
    told = f"{theirs['reason']}: {theirs['error']}"
    return next((name for name, pattern in CAUSES if re.search(pattern, told, re.DOTALL)), told)


def _at(data: Any, pointer: str) -> Any:
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in parts:
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data
