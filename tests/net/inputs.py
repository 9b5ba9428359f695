"""The inputs of the net: every state of every conformance case as a list, all examples, and random packages."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from krm_values._krm import names
from krm_values._yaml import emit
from tests.cli import stacks
from tests.cli.packages import kptfile, write
from tests.conformance import cases
from tests.conformance.__main__ import named
from tests.conformance.systems import SYSTEMS

ROOT = Path(__file__).parents[2]
LISTED = [["run", "-v"], ["explain", "--json"]]
"""What is asked of a list."""
PACKAGED = [["explain", "--json", "package"], ["render", "--diff", "package"], ["render", "-v", "package"]]
"""What is asked of a package, one after the other."""

Job = dict[str, Any]


def jobs(folder: Path, *, packages: int) -> Iterator[Job]:
    """Write the inputs below a folder and yield a job for each: its name, calls, stdin and package."""
    for name, given in _lists():
        path = folder / f"{name}.yaml"
        path.write_bytes(given)
        yield {"name": name, "calls": LISTED, "stdin": str(path), "package": ""}
    for path in sorted((ROOT / "examples").glob("*/*/Kptfile")):
        name = "-".join(path.parent.parts[-2:])
        yield {"name": f"example-{name}", "calls": PACKAGED, "stdin": "", "package": str(path.parent)}
    for seed in range(packages):
        package = folder / f"package-{seed}"
        random_package(package, random.Random(seed))
        yield {"name": package.name, "calls": PACKAGED, "stdin": "", "package": str(package)}


def _lists() -> Iterator[tuple[str, bytes]]:
    for file in sorted((ROOT / "tests/conformance").glob("*.yaml")):
        system = SYSTEMS[named(file)]
        for case in cases.of(system, file):
            if not system.unmet(case):
                for number, (_, state) in enumerate(cases.run(system, case)):
                    yield f"{file.stem}-{case['id'].replace('/', '_')}-{number}", state.given


def random_package(package: Path, dice: random.Random) -> None:
    """Write a stack of layers under a HelmRelease, or the items and configs of one to three cases as steps of one pipeline."""
    if dice.random() < 0.3:
        stacks.stack(package, dice)
        return
    files: dict[str, str] = {}
    steps = []
    for number, (system, case) in enumerate(dice.sample(_cases(), dice.randint(1, 3))):
        function = system.function(case)
        spec = {**system.config(case), **(case.get("config") or {})}
        metadata = {"name": f"config-{number}", "annotations": {"config.kubernetes.io/local-config": "true"}}
        config = {"apiVersion": names.API_VERSION, "kind": names.kind(function), "metadata": metadata, "spec": spec}
        files |= {f"part-{number}/{at}.yaml": _text(item) for at, item in enumerate(case["input"])}
        files[f"config-{number}.yaml"] = _text(config)
        steps.append(f"exec: krm-{function}, configPath: config-{number}.yaml")
    write(package, {"Kptfile": kptfile(*steps), **files})


def _cases() -> list[tuple[cases.System, dict[str, Any]]]:
    if not _CASES:
        for file in sorted((ROOT / "tests/conformance").glob("*.yaml")):
            system = SYSTEMS[named(file)]
            _CASES.extend((system, case) for case in cases.of(system, file) if not system.unmet(case))
    return _CASES


_CASES: list[tuple[cases.System, dict[str, Any]]] = []


def _text(data: dict[str, Any]) -> str:
    return "\n".join(emit.block(data)) + "\n"
