"""What the fuzzing begins with: every conformance case, document with a typo, golden input and example, as texts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from krm_values._krm import documents, names
from krm_values._run import registry
from krm_values._yaml import decode, emit
from tests.conformance import cases
from tests.conformance.systems import SYSTEMS

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples"
AMONG = {"flux-values": "giantswarm", "layered-values": "layers"}
"""Case files that are not named after their function's system."""
_SMALL = 6000


@cache
def of_function(name: str) -> tuple[bytes, ...]:
    """ResourceLists for a function."""
    lists = [cases.resource_list(items, name, spec) for items, spec in (*_conformance(name), *_typos(name), *_examples(name))]
    folder = TESTS / "functions" / name.replace("-", "_") / "cases"
    return (*lists, *(path.read_bytes() for path in sorted(folder.glob("*/input.yaml"))))


@cache
def lists() -> tuple[bytes, ...]:
    """Small ResourceLists of every function, a part of them."""
    found = [cases.resource_list(given, name, spec) for name in registry.functions() for given, spec in _typos(name)[::6]]
    return tuple(data for data in found if len(data) < _SMALL)


@cache
def files() -> tuple[bytes, ...]:
    """Files of the examples."""
    return tuple(path.read_bytes() for path in sorted(EXAMPLES.rglob("*.yaml")) if ".expected" not in path.parts)


@cache
def items() -> tuple[bytes, ...]:
    """Resources of the examples and of typos, each as a text of its own."""
    found = []
    for data in files():
        source = documents.read(data, "f.yaml")
        found += [source.text(item.number).encode() for item in source.items]
    for name in registry.functions():
        found += [("\n".join(emit.block(item)) + "\n").encode() for given, _ in _typos(name) for item in given]
    return tuple(found)


def _conformance(name: str) -> list[tuple[list[Any], dict[str, Any]]]:
    found: list[tuple[list[Any], dict[str, Any]]] = []
    for path in sorted((TESTS / "conformance").glob(f"{AMONG.get(name, name.partition('-')[0])}*.yaml")):
        system = SYSTEMS.get(path.stem) or SYSTEMS[path.stem.partition("-")[0]]
        mine = [
            case for case in cases.of(system, path) if isinstance(case.get("input"), list) and system.function(case) == name
        ]
        found += [(case["input"], {**system.config(case), **(case.get("config") or {})}) for case in mine]
    return found


def _typos(name: str) -> list[tuple[list[Any], dict[str, Any]]]:
    path = TESTS / "typos" / f"{name}.yaml"
    if not path.exists():
        return []
    found: Any = decode.to_data(decode.parse(path.read_text("utf-8")))
    return [(one[key], one.get("config", {})) for one in found for key in ("input", "corrected")]


def _examples(name: str) -> list[tuple[list[Any], dict[str, Any]]]:
    found = []
    for folder in sorted(path for path in (EXAMPLES / name).glob("*") if path.is_dir()):
        held: list[Any] = []
        for path in sorted(folder.rglob("*.yaml")):
            if ".expected" not in path.parts:
                source = documents.read(path.read_bytes(), "f.yaml")
                held += [decode.data(source.text(item.number)) for item in source.items]
        own = [one for one in held if isinstance(one, dict) and one.get("kind") == names.kind(name)]
        found.append(([one for one in held if one not in own], own[0].get("spec") or {} if own else {}))
    return found
