"""Where the function differs from EnvGene's code: each row is a row of the manual's chapter "Differences from EnvGene"."""

from __future__ import annotations

from typing import Any

from tests.conformance.cases import State
from tests.conformance.layered import same
from tests.functions.envgene_sd.support import item, run, spec
from tests.oracles.envgene.made import alias, place, version

WHOLE = "the application of a version that changes"
EXCLUSION = "another version in `basic-exclusion-merge`"
REPLACED = "`replace` with one SD"
BARE = "`replace` with an application without `deployPostfix`"
SEVERAL = "several SDs in `extended-merge`"
EXACT = "what is one application in `extended-merge`"
GRAPH = "`deployGraph` in `extended-merge`"
CHECKED = "headers, chunks and forms in `extended-merge`"
VERSIONS = "an application twice, as strings or in two versions"
NAMELESS = "an application without name or version"
POSTFIX = "an application of the Full SD without `deployPostfix`"
ROWS = (WHOLE, EXCLUSION, REPLACED, BARE, SEVERAL, EXACT, GRAPH, CHECKED, VERSIONS, NAMELESS, POSTFIX)
_REFUSALS = {
    **dict.fromkeys(("29", "30", "31"), VERSIONS),
    **dict.fromkeys(("28", "50", "51", "52", "53"), CHECKED),
    "21": NAMELESS,
    "24": POSTFIX,
    "27": EXACT,
}


def difference(recorded: dict[str, Any]) -> tuple[str, ...]:
    """The rows that explain how a run differs from EnvGene's answer, () if it is equal; ("unknown", ...) if they do not explain it."""
    mode, sds, full = (recorded["given"][key] for key in ("mode", "sds", "full"))
    state = run(*([item(full)] if full is not None else []), data=sds, SD_REPO_MERGE_MODE=mode)
    refused = {finding.rule for finding in state.outcome.findings if finding.severity == "error"}
    if "error" in recorded:
        return () if refused else _accepted(recorded)
    if refused:
        rows = {_REFUSALS.get(rule or "") for rule in refused}
        return tuple(sorted(row or "unknown" for row in rows))
    return _results(recorded, state)


def _accepted(recorded: dict[str, Any]) -> tuple[str, ...]:
    """Rows for what the function accepts and EnvGene refuses."""
    mode, sds = recorded["given"]["mode"], recorded["given"]["sds"]
    if mode == "extended-merge":
        return (SEVERAL,) if len(sds) > 1 else (EXACT,)
    has_postfix = all(place(application)[1] for sd in sds for application in sd["applications"])
    return (BARE,) if mode == "replace" and not has_postfix else ("unknown",)


def _results(recorded: dict[str, Any], state: State) -> tuple[str, ...]:
    """Rows for results of both sides that differ."""
    mode, rows = recorded["given"]["mode"], set()
    for ours, theirs in ((spec(state), recorded["full"]), (spec(state, "delta-sd"), recorded["delta"])):
        if (ours is None) != (theirs is None):
            return ("unknown",)
        if ours is None or same(ours, theirs):
            continue
        if mode == "extended-merge":
            rows.add(
                GRAPH if _is_graph(ours, theirs, recorded["given"]["full"]) else EXACT if _is_ambiguous(recorded) else "unknown"
            )
            continue
        rows |= _applications(recorded, ours["applications"], theirs["applications"])
        if ours.keys() != theirs.keys():
            rows.add(REPLACED if mode == "replace" and len(recorded["given"]["sds"]) == 1 else "unknown")
    return tuple(sorted(rows))


def _applications(recorded: dict[str, Any], ours: list[Any], theirs: list[Any]) -> set[str]:
    if same(ours, theirs):
        return set()
    if [*map(place, ours)] != [*map(place, theirs)]:
        return {"unknown"}
    rows = set()
    given = {version(application) for sd in recorded["given"]["sds"] for application in sd["applications"]}
    for own, other in zip(ours, theirs, strict=True):
        if version(own) != version(other):
            is_excluded = recorded["given"]["mode"] == "basic-exclusion-merge" and version(own) in given
            rows.add(EXCLUSION if is_excluded else "unknown")
        elif not same(own, other):
            rows.add(WHOLE)
    return rows


def _is_ambiguous(recorded: dict[str, Any]) -> bool:
    """Whether names alone do not tell applications apart, or an application has attributes that only one of the SDs gives it."""
    old, new = recorded["given"]["full"]["applications"], recorded["given"]["sds"][0]["applications"]
    for application in new:
        alike = [other for other in old if place(other)[0] == place(application)[0]]
        if any(alias(other) != alias(application) or {*other} != {*application} for other in alike if isinstance(other, dict)):
            return True
    return len({place(application)[0] for application in new}) < len(new)


def _is_graph(ours: dict[str, Any], theirs: dict[str, Any], full: dict[str, Any]) -> bool:
    """Whether only `deployGraph` differs: EnvGene's chunks also get what is no application, or was one of the Full SD before."""
    if not same({**ours, "deployGraph": None}, {**theirs, "deployGraph": None}):
        return False
    own, other = ({chunk["chunkName"]: {*chunk["apps"]} for chunk in sd.get("deployGraph", [])} for sd in (ours, theirs))
    new = {*map(alias, ours["applications"])} - {*map(alias, full["applications"])}
    more = {entry for chunk, entries in other.items() for entry in entries - own.get(chunk, {*()})}
    return own.keys() == other.keys() and all(entries <= other[chunk] for chunk, entries in own.items()) and not more & new
