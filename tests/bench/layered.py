"""Layered configuration: 100 Apps of five layers of 200 keys, against PyYAML's C loader on the same list and its embedded texts."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path
from typing import TextIO

from tests.bench import processes

APPS, GROUPS, KEYS = 100, 20, 10
LAYERS = ("config", "userConfig", "early", "middle", "late")
PRIORITIES = {"early": 10, "middle": 60, "late": 120}
LOAD = (
    "import gc, sys, yaml; gc.disable(); load = lambda text: yaml.load(text, yaml.CSafeLoader);"
    "[load(text) for item in load(sys.stdin.buffer)['items'] for text in item.get('data', {}).values()]"
)
HEAD = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: GiantswarmConfig
  metadata: {name: bench}
  spec: {outputs: [configMap]}
items:
- apiVersion: application.giantswarm.io/v1alpha1
  kind: Catalog
  metadata: {name: shelf, namespace: default}
  spec: {title: Shelf}
"""
VALUES = (
    ("text value", "other"),
    ("true", "false"),
    ("80", "8080"),
    ("1.5", "2"),
    ("registry.example.test/image:tag",),
    ("[a, b]", "[c]"),
)


def write(out: TextIO) -> None:
    """The list."""
    dice = random.Random(1)
    out.write(HEAD)
    for number in range(APPS):
        out.write(_app(number))
        for layer in LAYERS:
            out.write(f"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {layer.lower()}-{number}, namespace: team}}\n")
            out.write("  data:\n    values: |\n")
            for group in range(GROUPS):
                out.write(f"      group{group}:\n")
                out.writelines(f"        key{key}: {dice.choice(VALUES[key % len(VALUES)])}\n" for key in range(KEYS))


def main(folder: Path) -> None:
    """Print the rows."""
    file = folder / "apps.yaml"
    with file.open("w") as out:
        write(out)
    show(f"{APPS} Apps", file, "krm-giantswarm-config")


def show(title: str, file: Path, script: str) -> None:
    """Measure a function's run and explanation of a list against the load of it, and print the three rows."""
    load = "CSafeLoader load of list and texts, gc off"
    commands = {
        script: [_command(script)],
        "krm-values explain --json": [_command("krm-values"), "explain", "--json"],
        load: [sys.executable, "-I", "-c", LOAD],
    }
    rows = processes.measure(commands, file, 5)
    print(
        f"\n| {title}, {file.stat().st_size / 1e6:.1f} MB | median ms | to the load | to the run | RSS MB |\n|---|---:|---:|---:|---:|"
    )
    for name, row in rows.items():
        to_load, to_run = (row.milliseconds / rows[other].milliseconds for other in (load, script))
        print(f"| {name} | {row.milliseconds:.0f} | {to_load:.2f} | {to_run:.2f} | {row.megabytes:.1f} |", flush=True)


def _app(number: int) -> str:
    extras = "".join(
        f"    - {{name: {layer}-{number}, namespace: team, priority: {priority}}}\n" for layer, priority in PRIORITIES.items()
    )
    return (
        f"- apiVersion: application.giantswarm.io/v1alpha1\n  kind: App\n  metadata: {{name: app{number}, namespace: team}}\n"
        "  spec:\n    catalog: shelf\n    name: app\n    namespace: apps\n    version: 1.0.0\n    kubeConfig: {inCluster: true}\n"
        f"    config: {{configMap: {{name: config-{number}, namespace: team}}}}\n"
        f"    userConfig: {{configMap: {{name: userconfig-{number}, namespace: team}}}}\n    extraConfigs:\n{extras}"
    )


def _command(name: str) -> str:
    found = shutil.which(name, path=str(Path(sys.executable).parent))
    if found is None:
        raise SystemExit(f"{name} is not installed beside this Python: make bench")
    return found
