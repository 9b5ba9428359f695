"""A fleet whose packages hold copies of three bases, in a git repository; and the same questions to its packages one by one."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from typing import TYPE_CHECKING, Any

from tests.cli.packages import command, kptfile, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

STEP = "exec: krm-layered-values, configPath: layers.yaml"
RELEASES = "exec: krm-flux-values"
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: web, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  layers:
  - {name: default, values: {replicas: 1, paused: true}}
  - name: base
    configMap: base
  - name: own
    values: {zone: %(zone)s}
  targets:
  - kind: Deployment
    fields: {spec.replicas: replicas, spec.paused: paused, "metadata.labels.zone": zone}
    missing: create
"""
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, annotations: {config.kubernetes.io/local-config: "true"}}
data:
  values.yaml: |
    replicas: %(replicas)s
    paused: false
    base: %(base)s
"""
DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n"
SECRET = "hunter2-marker"
RELEASE = f"""\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: web, namespace: apps}}
spec:
  valuesFrom:
  - {{kind: Secret, name: login}}
---
apiVersion: v1
kind: Secret
metadata: {{name: login, namespace: apps}}
stringData:
  values.yaml: |
    password: {SECRET}
"""
BASES = ("a", "b", "c")


def make(root: Path, count: int) -> Path:
    """Make the fleet, committed: each package has the base `bases/NAME.yaml` of one of three names, and few have a zone of their own."""
    for number in range(count):
        base = BASES[number % len(BASES)]
        files = {
            "Kptfile": kptfile(STEP, RELEASES, name=f"p{number}"),
            "layers.yaml": LAYERS % {"zone": "west" if number % 17 == 5 else "east"},
            f"bases/{base}.yaml": BASE % {"replicas": 2 + BASES.index(base), "base": base},
            "deployment.yaml": DEPLOYMENT,
            "release.yaml": RELEASE,
        }
        write(root / f"c{number // 10:03}" / f"app{number % 10}", files)
    git(root, "init", "--quiet")
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=x", "-c", "user.email=x@example.test", "commit", "--quiet", "--message", "one")


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)


def edit(root: Path, base: str, old: str, new: str) -> None:
    """Change all copies of a base."""
    for file in root.glob(f"*/*/bases/{base}.yaml"):
        text = file.read_text()
        assert old in text
        file.write_text(text.replace(old, new))


def packages(root: Path) -> list[Path]:
    return sorted(file.parent for file in root.glob("*/*/Kptfile"))


Rows = Counter[str]


def grouped(answer: dict[str, Any], key: str) -> dict[str, Rows]:
    """The rows of each package, out of the groups; a cause with its edit."""
    found: dict[str, Rows] = {}
    for group in answer["groups"]:
        for name in group["packages"]:
            found.setdefault(name, Counter()).update(_text(row, answer) for row in group[key])
    return found


def one_by_one(
    root: Path, ask: Callable[[Path], Sequence[str | Path]], rows: Callable[[dict], Iterator[dict]]
) -> dict[str, Rows]:
    """The same rows, from a command for each package."""
    found = {}
    for package in packages(root):
        done = command(*ask(package))
        if done.stdout and (own := Counter(_text(row, json.loads(done.stdout)) for row in rows(json.loads(done.stdout)))):
            found[package.relative_to(root).as_posix()] = own
    return found


def _text(row: dict[str, Any], answer: dict[str, Any]) -> str:
    if "causes" in row:
        row = {**row, "causes": [{**cause, "changed": answer["changed"][cause["changed"]]} for cause in row["causes"]]}
    return json.dumps(row, sort_keys=True)
