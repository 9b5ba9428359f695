"""Every command on a package of layered-values that grows in one of many ways."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from krm_values._cli.main import main
from tests.growth.measure import Dimension, Work

_KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
_FIRST = 6
"""The line of the first value of a layer."""
Files = dict[str, str]


def _map(name: str, data: str = "  k: v\n", more: str = "") -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}{more}}}\ndata:\n{data}"


def _layer(name: str, values: str = "a: 1\n") -> str:
    return _map(name, "  values.yaml: |\n" + "".join(f"    {line}\n" for line in values.splitlines()))


def _config(layers: list[str], targets: list[str], name: str) -> str:
    return (
        f"apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {name}}}\nspec:\n"
        f"  layers: [{', '.join(layers)}]\n  targets:\n" + "".join(f"  - {target}\n" for target in targets)
    )


def _target(name: str = "t", field: str = "data.k", value: str = "a") -> str:
    return f"{{kind: ConfigMap, name: {name}, fields: {{{field}: {value}}}}}"


def _package(
    *,
    layers: Files | None = None,
    targets: list[str] | None = None,
    target: str = "",
    steps: int = 1,
    configs: int = 1,
    **files: str,
) -> Files:
    """A package: two layers and a target, unless others are given; further files. configs: the functionConfigs, of which each step has one."""
    low, high = {"low": _layer("low")}, {"high": _layer("high", "a: 2\n")}
    found = {f"{name}.yaml": text for name, text in {**low, **(layers or {}), **high}.items()}
    named = [f"{{configMap: {name}}}" for name in {**low, **(layers or {}), **high}]
    paths = [f"config{i or ''}.yaml" for i in range(configs)]
    found |= {path: _config(named, targets or [_target()], f"c{i}") for i, path in enumerate(paths)}
    mutators = "".join(f"  - {{exec: krm-layered-values, configPath: {path}}}\n" for path in paths[:steps])
    found["Kptfile"] = f"{_KPTFILE}pipeline:\n  mutators:\n{mutators}"
    found["target.yaml"] = target or _map("t")
    return {**found, **files}


def _sub_packages(n: int) -> Files:
    found = _package()
    for i in range(n):
        for path, text in _package().items():
            found[f"sub{i}/{path}"] = re.sub("low|high|name: t", lambda match, i=i: f"{match[0]}{i}", text)  # type: ignore[misc]
    return found


def _conflicting(n: int) -> Files:
    """Each key is a map below and a text above, which is a warning."""
    maps = "".join(f"k{i}: {{x: 1}}\n" for i in range(n))
    return _package(layers={"maps": _layer("maps", maps), "texts": _layer("texts", "".join(f"k{i}: x\n" for i in range(n)))})


def _two_steps(n: int, field: str = "data.{}") -> Files:
    """Each of two steps adds values to one object. field: a path with the value's name in it."""
    names = [[f"{step}{i}" for i in range(n)] for step in ("first", "second")]
    fields = [", ".join(f"{field.format(name)}: {name}" for name in found) for found in names]
    first, second = (f"{{kind: ConfigMap, name: t, missing: create, fields: {{{found}}}}}" for found in fields)
    values = {"values": _layer("values", "".join(f"{name}: {name}\n" for found in names for name in found))}
    layers = ["{configMap: low}", "{configMap: values}", "{configMap: high}"]
    return _package(layers=values, targets=[first], steps=2, configs=2, **{"config1.yaml": _config(layers, [second], "c1")})


def _fields_of_targets(n: int) -> list[str]:
    return [_target(f"t{i}") for i in range(n)]


def _targets(n: int, more: str = "") -> Files:
    return _package(targets=_fields_of_targets(n), target="---\n".join(_map(f"t{i}", more=more) for i in range(n)))


GROWN: dict[str, Callable[[int], Files]] = {
    "files": lambda n: _package(**{f"more{i}.yaml": _map(f"m{i}") for i in range(n)}),
    "resources of a file": lambda n: _package(**{"more.yaml": "---\n".join(_map(f"m{i}") for i in range(n))}),
    "documents of a text": lambda n: _package(layers={"more": _layer("more", "---\n".join(f"a: {i}\n" for i in range(n)))}),
    "folders, deep": lambda n: _package(**{f"{'d/' * n}more.yaml": _map("m")}),
    "folders, wide": lambda n: _package(**{f"d{i}/more.yaml": _map(f"m{i}") for i in range(n)}),
    "steps": lambda n: _package(steps=n, configs=80),  # each step gets every resource
    "layers": lambda n: _package(layers={f"l{i}": _layer(f"l{i}", f"a: {i}\n") for i in range(n)}),
    "targets": _targets,
    "keys of a layer": lambda n: _package(layers={"more": _layer("more", "".join(f"k{i}: v\n" for i in range(n)))}),
    "lines of a text": lambda n: _package(layers={"more": _layer("more", "t: |\n" + "  line\n" * n)}),
    "comments": lambda n: _package(target=_map("t", "".join(f"  # c\n  x{i}: v # c\n" for i in range(n)) + "  k: v\n")),
    "anchors": lambda n: _package(
        target=_map("t", "".join(f"  x{i}: &a{i} v\n  y{i}: *a{i}\n" for i in range(n)) + "  k: v\n")
    ),
    "fields of a target": lambda n: _package(
        targets=[f"{{kind: ConfigMap, name: t, fields: {{{', '.join(f'data.k{i}: a' for i in range(n))}}}}}"],
        target=_map("t", "".join(f"  k{i}: v\n" for i in range(n))),
    ),
    "keys that two steps add": _two_steps,
    "elements that two steps add": lambda n: _two_steps(n, "'spec.env[name={}].value'"),
    "packages in it": _sub_packages,
    "findings": _conflicting,
    "annotations": lambda n: _package(target=_map("t", more=f", annotations: {{{', '.join(f'a{i}: x' for i in range(n))}}}")),
}
"""What grows, as files."""
BOUNDED = {"folders, deep": "a path has at most 4,096 bytes, and each of these folders has all names above it in its path"}
"""What grows with the square of a number that is bounded."""
_LONG = (
    "documents of a text",
    "keys of a layer",
    "lines of a text",
    "comments",
    "anchors",
    "annotations",
)
COMMANDS: dict[str, tuple[str, ...]] = {
    "run": ("run", "layered-values", "--config", "p/config.yaml", "p"),
    "run, twice": ("run", "layered-values", "--config", "p/config.yaml", "r"),
    "render": ("render", "p"),
    "render, twice": ("render", "r"),
    "render --diff": ("render", "--diff", "p"),
    "explain": ("explain", "p"),
    "explain --all": ("explain", "--all", "p"),
    "explain --json": ("explain", "--json", "p"),
    "explain --html": ("explain", "--html", "page.html", "p"),
    "values": ("values", "p"),
    "why": ("why", "p/target.yaml:5"),
    "impact": ("impact", f"p/high.yaml:{_FIRST}"),
    "compare": ("compare", "p", "r"),
    "clean": ("clean", "r"),
}
"""A command on a package `p`, or on `r`, which is rendered already."""


def size(name: str) -> int:
    """Return the smallest size of what grows: of what makes a text long so many that all sizes are read in the way of long ones."""
    return (
        300
        if name in _LONG
        else {"targets": 50, "keys that two steps add": 150, "elements that two steps add": 100}.get(name, 20)
    )


def prepared(grown: Callable[[int], Files], command: tuple[str, ...], n: int) -> Work:
    """A command in a folder of its own that has the package."""
    folder = Path(tempfile.mkdtemp(prefix="growth-"))
    for path, text in grown(n).items():
        for package in ("p", "r"):
            (folder / package / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / package / path).write_text(text)
    if "r" in command:
        _called(folder, ("render", "r"))

    def work() -> None:
        try:
            code, out = _called(folder, command)
            assert code in (0, 1), out
        finally:
            shutil.rmtree(folder)

    return work


def _called(folder: Path, command: tuple[str, ...]) -> tuple[int, str]:
    here = os.getcwd()
    os.chdir(folder)
    out = io.TextIOWrapper(io.BytesIO(), write_through=True)
    try:
        with redirect_stdout(out), redirect_stderr(out):
            code = main([*command])
    finally:
        os.chdir(here)
    assert sys.stdout is not out
    return code, out.buffer.getvalue().decode()  # type: ignore[attr-defined]


DIMENSIONS = [
    Dimension(f"{command}, {name}", lambda n, grown=grown, words=words: prepared(grown, words, n), size(name))  # type: ignore[misc]
    for command, words in COMMANDS.items()
    for name, grown in GROWN.items()
]
