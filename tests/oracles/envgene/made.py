"""Random small SDs in which names, postfixes, aliases, versions and chunks meet often."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

NAMES, VERSIONS, POSTFIXES = ("a", "ab", "b"), ("1", "2", "1:0"), ("p", "q")
ALIASES, CHUNKS = ("x", "a:p", "b"), ("one", "two", "three")
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    2.5,
    "",
    "x",
    "a:1",
    [],
    [1],
    [None],
    {},
    {"a": 1},
    {"applications": []},
    {"version": "a:1", "deployPostfix": "p"},
)
MODES = ("basic-merge", "basic-exclusion-merge", "extended-merge", "replace")


def run(seed: int, mode: str = "") -> dict[str, Any]:
    """The arguments of one run: sds, mode (a random one, unless it is given), full, namespaces."""
    dice = Random(seed)
    mode = mode or dice.choice(MODES)
    style = {
        "tame": dice.random() < 0.8,
        "text": mode in ("extended-merge", "replace") and dice.random() < 0.1,
        "graph": dice.random() < 0.7,
        "header": dice.random() < 0.8,
    }
    sds = [descriptor(dice, style, 3) for _ in range(dice.choice((1, 1, 2, 3)))]
    full = descriptor(dice, style, 5) if dice.random() < 0.85 else None
    namespaces = [{"name": f"n-{folder}", "folder": folder} for folder in POSTFIXES if dice.random() < 0.95]
    if dice.random() < 0.05:
        namespaces.append(dice.choice(({"folder": "z"}, {"name": "n-p", "folder": "z"}, {"name": "n-q", "folder": "q"})))
    for sd in sds:
        if dice.random() < 0.15:
            mark(sd, dice)
    return {"sds": sds, "mode": mode, "full": full, "namespaces": namespaces}


def descriptor(dice: Random, style: dict[str, bool], most: int) -> dict[str, Any]:
    applications: list[Any] = []
    for _ in range(dice.randint(0, most)):
        one = application(dice, style)
        if not style["tame"] or all(place(one) != place(other) for other in applications):
            applications.append(one)
    sd: dict[str, Any] = {"applications": applications}
    if style["header"]:
        sd = {"version": 2.1, "type": "solutionDeploy", **sd}
        if dice.random() < 0.05:
            sd[dice.choice(("version", "type", "deployMode"))] = dice.choice(("2.1", "other"))
    if style["graph"] and dice.random() < 0.95:
        sd["deployGraph"] = graph(dice, applications)
    if dice.random() < 0.1:
        sd["owner"] = "team"
    return sd


def application(dice: Random, style: dict[str, bool]) -> Any:
    text = f"{dice.choice(NAMES)}:{dice.choice(VERSIONS)}"
    if not style["tame"] and dice.random() < 0.03:
        text = dice.choice(("a", ":1", "a:", ""))
    if style["text"] and dice.random() < 0.95:
        return text
    one: dict[str, Any] = {"version": text}
    if dice.random() < 0.95:
        one["deployPostfix"] = dice.choice(POSTFIXES)
    if dice.random() < 0.15:
        one["alias"] = dice.choice(ALIASES)
    if dice.random() < 0.1:
        one["owner"] = dice.choice(("blue", "red"))
    return one


def place(one: Any) -> tuple[str, Any]:
    """Name and `deployPostfix`, by which the basic modes find an application."""
    name = version(one).partition(":")[0]
    return (name, "") if isinstance(one, str) else (name, one.get("deployPostfix"))


def version(one: Any) -> str:
    """Name and version."""
    text: str = one if isinstance(one, str) else one["version"]
    return text


def alias(one: Any) -> str:
    """The entry of a deployGraph for an application."""
    name, postfix = place(one)
    given = one.get("alias") if isinstance(one, dict) else None
    return given or (f"{name}:{postfix}" if postfix else name)


def graph(dice: Random, applications: list[Any]) -> list[Any]:
    chunks: list[dict[str, Any]] = [{"chunkName": name, "apps": []} for name in CHUNKS[: 2 if dice.random() < 0.9 else 3]]
    for one in applications:
        for chunk in dice.sample(chunks, dice.choice((1, 1, 1, 1, 1, 1, 2, 0) if dice.random() < 0.5 else (1,))):
            chunk["apps"].append(alias(one))
    if dice.random() < 0.2:
        dice.choice(chunks)["apps"].append(dice.choice(("x", "a:p", "b:q", "ghost", "ab")))
    return chunks if dice.random() < 0.9 else chunks[1:]


def mark(sd: dict[str, Any], dice: Random) -> None:
    sd["userData"] = {
        "useDeployPostfixAsNamespace": dice.choice((True, True, True, False, "true")),
        **({"k": 1} if dice.random() < 0.3 else {}),
    }
    if sd["userData"]["useDeployPostfixAsNamespace"] is not True:
        return
    for one in sd["applications"]:
        if isinstance(one, dict) and "deployPostfix" in one and dice.random() < 0.97:
            old = f"{one['version'].partition(':')[0]}:{one['deployPostfix']}"
            one["deployPostfix"] = f"n-{one['deployPostfix']}"
            for chunk in sd.get("deployGraph", []):
                chunk["apps"] = [
                    f"{old.partition(':')[0]}:{one['deployPostfix']}" if app == old else app for app in chunk["apps"]
                ]


def junk(value: Any, dice: Random) -> Any:
    """A value in which one to three places hold something else, or nothing."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        path = dice.choice([*_paths(value)])
        holder = value
        for step in path[:-1]:
            holder = holder[step]
        if path and dice.random() < 0.2:
            del holder[path[-1]]
        elif path:
            holder[path[-1]] = deepcopy(dice.choice(JUNK))
    return value


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, entry in steps:
        yield from _paths(entry, (*path, step))
