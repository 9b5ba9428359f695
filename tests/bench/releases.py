"""Flux: 100 HelmReleases of five ConfigMaps of 200 keys, against PyYAML's C loader on the same list and its embedded texts."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TextIO

from tests.bench import layered

RELEASES = 100
COMMAND = "krm-flux-values"
HEAD = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: FluxValues
  metadata: {name: bench}
items:
"""


def write(out: TextIO) -> None:
    """The list."""
    dice = random.Random(1)
    out.write(HEAD)
    for number in range(RELEASES):
        entries = "".join(f"    - {{kind: ConfigMap, name: {layer.lower()}-{number}}}\n" for layer in layered.LAYERS)
        out.write(
            f"- apiVersion: helm.toolkit.fluxcd.io/v2\n  kind: HelmRelease\n  metadata: {{name: release{number}, namespace: team}}\n"
        )
        out.write(f"  spec:\n    interval: 10m\n    chartRef: {{kind: OCIRepository, name: chart}}\n    valuesFrom:\n{entries}")
        out.write("    values:\n      group0:\n        key0: inline\n")
        for layer in layered.LAYERS:
            out.write(f"- apiVersion: v1\n  kind: ConfigMap\n  metadata: {{name: {layer.lower()}-{number}, namespace: team}}\n")
            out.write("  data:\n    values.yaml: |\n")
            out.writelines(_lines(dice))


def main(folder: Path) -> None:
    """Print the rows."""
    file = folder / "releases.yaml"
    with file.open("w") as out:
        write(out)
    layered.show(f"{RELEASES} HelmReleases", file, COMMAND)


def _lines(dice: random.Random) -> list[str]:
    """The text of one layer."""
    lines = []
    for group in range(layered.GROUPS):
        lines.append(f"      group{group}:\n")
        lines += [
            f"        key{key}: {dice.choice(layered.VALUES[key % len(layered.VALUES)])}\n" for key in range(layered.KEYS)
        ]
    return lines
