"""The merge rules, slow: plain data in, plain data out, one paragraph per rule, nothing shared with the function."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

HEADER = ("version", "type", "deployMode")
MARKER = "useDeployPostfixAsNamespace"
BASIC, EXCLUSION, EXTENDED, REPLACE = "basic-merge", "basic-exclusion-merge", "extended-merge", "replace"


class Rejected(Exception):
    """The rules that reject."""

    def __init__(self, *rules: int) -> None:
        super().__init__(rules)
        self.rules = {str(rule) for rule in rules}


def process(sds: list[Any], mode: str, full: Any, namespaces: list[dict[str, str]]) -> tuple[Any, Any, set[str]]:
    """(new Full SD, Delta SD or None, kinds of warnings); Rejected with every rule that does."""
    warnings: set[str] = set()
    extended = mode == EXTENDED
    broken: set[int] = set()
    is_folded = len(sds) > 1 or mode in (BASIC, EXCLUSION)
    if any(isinstance(sd.get("userData", {}).get("useDeployPostfixAsNamespace"), str) for sd in sds):
        warnings.add("wrong-shape")
    given, sds = deepcopy(sds), []
    for sd in given:
        unclear: set[int] = set()
        sds.append(translated(sd, namespaces, unclear, warnings))
        own = faults(sds[-1], extended=extended, folded=is_folded)
        broken |= unclear | (own - {27, 29, 31} if unclear else own)
    stored = full_faults(full, extended=extended) if full is not None and mode != REPLACE else set()
    if broken:
        raise Rejected(*broken, *stored)
    incoming = folded(sds, stored, extended=extended)
    only = {"applications": incoming["applications"]}
    if mode in (BASIC, EXCLUSION) or (mode == REPLACE and len(sds) > 1):
        incoming = only
    if unknown_postfixes(sds, namespaces):
        warnings.add("unknown-postfix")
    if full is None:
        if extended and "deployGraph" in incoming and lacking(incoming):
            warnings.add("graph-incomplete")
        return incoming, None, warnings | ({"no-full-sd"} if mode == EXCLUSION else set())
    if mode == REPLACE:
        return incoming, None, warnings
    if stored:
        raise Rejected(*stored)
    if extended:
        return extend(full, incoming, warnings), incoming, warnings
    merge = {BASIC: basic, EXCLUSION: exclude}[mode]
    applications = merge(full["applications"], incoming["applications"], warnings)
    seen = [(key(one, extended=False), version(one)) for one in applications]
    if len(set(seen)) < len(seen):
        raise Rejected(30)
    return {"applications": applications}, incoming, warnings


def text(application: Any) -> Any:
    return application.get("version") if isinstance(application, dict) else application


def name(application: Any) -> str:
    return text(application).split(":", 1)[0]  # type: ignore[no-any-return]


def version(application: Any) -> str:
    return text(application).split(":", 1)[1]  # type: ignore[no-any-return]


def postfix(application: Any) -> str:
    return (application.get("deployPostfix") or "") if isinstance(application, dict) else ""


def alias(application: Any) -> str:
    own = application.get("alias") if isinstance(application, dict) else ""
    return own or (f"{name(application)}:{postfix(application)}" if postfix(application) else name(application))


def key(application: Any, *, extended: bool) -> tuple[str, ...]:
    return (name(application), postfix(application), *([alias(application)] if extended else []))


def translated(sd: Any, namespaces: list[dict[str, str]], broken: set[int], warnings: set[str]) -> Any:
    if sd.get("userData", {}).get(MARKER) is not True:
        return sd
    folders: dict[str, set[str]] = {}
    for namespace in namespaces:
        if "name" in namespace:
            folders.setdefault(namespace["name"], set()).add(namespace["folder"])
        else:
            warnings.add("namespace-without-name")
    if any(len(found) > 1 for found in folders.values()):
        broken.add(84)
    new_names = {}
    for application in sd.get("applications", []):
        if postfix(application):
            if application["deployPostfix"] not in folders:
                broken.add(78)
                continue
            old = alias(application)
            application["deployPostfix"] = min(folders[application["deployPostfix"]])
            if "alias" not in application:
                new_names[old] = alias(application)
    for chunk in sd.get("deployGraph") or []:
        chunk["apps"] = [new_names.get(app, app) for app in chunk["apps"]]
    del sd["userData"][MARKER]
    if not sd["userData"]:
        del sd["userData"]
    return sd


def faults(sd: Any, *, extended: bool, folded: bool) -> set[int]:
    if not isinstance(sd.get("applications"), list):
        return {15}
    applications = sd["applications"]
    if any(not isinstance(text(one), str) or not all(text(one).partition(":")) for one in applications):
        return {21}
    broken = set()
    if folded and not all(postfix(one) for one in applications):
        broken.add(24)
    keys = [key(one, extended=extended) for one in applications]
    whole = [(key(one, extended=extended), version(one)) for one in applications]
    if len(set(whole)) < len(whole):
        broken.add(29)
    if len(set(keys)) < len(set(whole)):
        broken.add(31)
    return broken | (of_extended(applications, set(keys)) if extended else set())


def full_faults(sd: Any, *, extended: bool) -> set[int]:
    if not isinstance(sd.get("applications"), list):
        return {15}
    applications = sd["applications"]
    if any(not isinstance(text(one), str) or not all(text(one).partition(":")) for one in applications):
        return {21}
    broken = set()
    if not extended and not all(postfix(one) for one in applications):
        broken.add(24)
    whole = [(key(one, extended=extended), version(one)) for one in applications]
    if len(set(whole)) < len(whole):
        broken.add(30)
    return broken | (of_extended(applications, set(whole)) if extended else set())


def of_extended(applications: list[Any], distinct: set[Any]) -> set[int]:
    broken = set()
    if len({isinstance(one, dict) for one in applications}) > 1:
        broken.add(28)
    if len({alias(one) for one in applications}) < len(distinct):
        broken.add(27)
    return broken


def folded(sds: list[Any], stored: set[int], *, extended: bool) -> Any:
    if len(sds) == 1:
        return deepcopy(sds[0])
    applications: list[Any] = []
    for sd in sds:
        for application in sd["applications"]:
            same = [one for one in applications if key(one, extended=extended) == key(application, extended=extended)]
            if same:
                same[0]["version"] = application["version"]
            else:
                applications.append(deepcopy(application))
    if not extended:
        return {"applications": applications}
    broken = set()
    for sd in sds:
        if any((field in sd, str(sd.get(field))) != (field in sds[0], str(sds[0].get(field))) for field in HEADER):
            broken.add(35)
    if len({alias(one) for one in applications}) < len(applications):
        broken.add(27)
    if broken:
        raise Rejected(*broken, *stored)
    result = {field: sds[0][field] for field in HEADER if field in sds[0]} | {"applications": applications}
    graph: dict[str, list[str]] = {}
    for sd in sds:
        for chunk in sd.get("deployGraph", []):
            apps = graph.setdefault(chunk["chunkName"], [])
            apps += [app for app in dict.fromkeys(chunk["apps"]) if app not in apps]
    if any("deployGraph" in sd for sd in sds):
        result["deployGraph"] = [{"chunkName": chunk, "apps": apps} for chunk, apps in graph.items()]
    return result


def moved(application: Any, other: Any) -> Any:
    """An application in another one's version."""
    return {**application, "version": other["version"]} if isinstance(application, dict) else other


def basic(full: list[Any], incoming: list[Any], _: set[str], *, extended: bool = False) -> list[Any]:
    result = []
    for old in full:
        said = [one for one in incoming if key(one, extended=extended) == key(old, extended=extended)]
        result.append(moved(old, said[0]) if said else old)
    known = [key(old, extended=extended) for old in full]
    return result + [one for one in incoming if key(one, extended=extended) not in known]


def exclude(full: list[Any], incoming: list[Any], warnings: set[str]) -> list[Any]:
    if any(key(one, extended=False) not in [key(old, extended=False) for old in full] for one in incoming):
        warnings.add("new-app-ignored")
    result = []
    for old in full:
        said = [one for one in incoming if key(one, extended=False) == key(old, extended=False)]
        if not said:
            result.append(old)
        elif version(said[0]) != version(old):
            result.append(moved(old, said[0]))
    return result


def extend(full: Any, incoming: Any, warnings: set[str]) -> Any:
    broken = set()
    old, new = full["applications"], incoming["applications"]
    if len({isinstance(one, dict) for one in old + new}) > 1:
        broken.add(28)
    if any((field in full, str(full.get(field))) != (field in incoming, str(incoming.get(field))) for field in HEADER):
        broken.add(50)
    known = [key(one, extended=True) for one in old]
    added = [one for one in new if key(one, extended=True) not in known]
    if {alias(one) for one in added} & {alias(one) for one in old}:
        broken.add(27)
    result = {**full, "applications": basic(old, new, warnings, extended=True)}
    if ("deployGraph" in full) != ("deployGraph" in incoming):
        raise Rejected(51, *broken)
    if "deployGraph" not in full:
        if added:
            broken.add(53)
    else:
        broken |= graph_faults(full, incoming, added)
        warnings |= graph_warnings(full, incoming)
        result["deployGraph"] = grown(full["deployGraph"], incoming["deployGraph"], [alias(one) for one in added])
    if broken:
        raise Rejected(*broken)
    return result


def graph_faults(full: Any, incoming: Any, added: list[Any]) -> set[int]:
    broken = set()
    if {chunk["chunkName"] for chunk in incoming["deployGraph"]} - {chunk["chunkName"] for chunk in full["deployGraph"]}:
        broken.add(52)
    placed = [app for chunk in incoming["deployGraph"] for app in chunk["apps"]]
    if any(alias(one) not in placed for one in added):
        broken.add(53)
    return broken


def graph_warnings(full: Any, incoming: Any) -> set[str]:
    warnings = set()
    if lacking(full) or lacking(incoming):
        warnings.add("graph-incomplete")
    known = [alias(one) for one in full["applications"] + incoming["applications"]]
    if any(app not in known for chunk in incoming["deployGraph"] for app in chunk["apps"]):
        warnings.add("unknown-graph-entry")
    return warnings


def lacking(sd: Any) -> bool:
    """Whether a graph lacks an application of its own SD."""
    placed = [app for chunk in sd["deployGraph"] for app in chunk["apps"]]
    return any(alias(one) not in placed for one in sd["applications"])


def unknown_postfixes(sds: list[Any], namespaces: list[dict[str, str]]) -> bool:
    """Whether an application goes to a folder that no Namespace has, alone or as one of a blue-green pair."""
    folders = {namespace["folder"] for namespace in namespaces}
    wanted = {postfix(one) for sd in sds for one in sd["applications"]} - {""}
    return bool(folders) and any(not folders & {one, f"{one}-origin", f"{one}-peer"} for one in wanted)


def grown(graph: list[Any], incoming: list[Any], new: list[str]) -> list[Any]:
    result = deepcopy(graph)
    for chunk in incoming:
        mine = [one for one in result if one["chunkName"] == chunk["chunkName"]]
        for app in chunk["apps"]:
            if mine and app in new and app not in mine[0]["apps"]:
                mine[0]["apps"].append(app)
    return result
