"""What the answers about values cost beside `render -o` of the same package: 5,000 HelmReleases, each with a layer of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.bench.figures import Figure
from tests.bench.processes import Command, measure
from tests.bench.setting import Bench

MANY = 5_000
_IN_FILE = 100
_KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: bench
pipeline:
  mutators:
  - exec: krm-flux-values
    configPath: config.yaml
"""
_CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: FluxValues
metadata:
  name: bench
  annotations:
    config.kubernetes.io/local-config: "true"
"""
_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: app{number}
  namespace: team
spec:
  interval: 10m
  chartRef:
    kind: OCIRepository
    name: chart
  valuesFrom:
  - kind: ConfigMap
    name: values{number}
  values:
    replicas: 3
    host: app{number}.example.test
{port}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: values{number}
  namespace: team
data:
  values.yaml: |
    replicas: 2
    port: 8080
    image:
      repository: registry.example.test/app{number}
      tag: 1.0.{number}
"""
_PORT = 26
"""The line of the first release's `port` in its ConfigMap, which nothing overrides."""
_DIFFERS = (0, 1)
_WHAT = {
    "text": "explain",
    "json": "explain --json",
    "key": "explain DIR KEY of 5,000 objects",
    "one": "explain DIR OBJECT KEY",
    "why": "why",
    "compare": "compare, one edit",
    "impact": "impact",
    "page": "explain --html",
}


def rows(bench: Bench) -> Iterator[Figure]:
    """Yield the processor time and peak memory of each answer, of which none is quick."""
    if bench.quick:
        return
    found = measure(_commands(bench, MANY))
    render = found.pop("render")
    for name, row in found.items():
        shown = {"median": row.cpu_median, "wall": row.wall, "runs": row.runs}
        yield Figure(f"answer-{name}", f"{_WHAT[name]}, {2 * MANY:,} resources", row.cpu, "render -o DIR", render.cpu, **shown)
        yield Figure(f"answer-{name}-memory", "its peak memory", row.megabytes, "render -o DIR", render.megabytes, "MB")


def _commands(bench: Bench, count: int) -> dict[str, Command]:
    package, edited, target, page = (bench.folder / f"answers-{name}" for name in ("a", "b", "out", "page.html"))
    _write(package, count)
    _write(edited, count, "port: 9090")
    explain, place = ("krm-values", "explain", str(package)), f"{package}/apps0.yaml:{_PORT}"
    return {
        "render": Command(bench.ours("krm-values", "render", str(package), "-o", str(target)), prepare=_gone(target)),
        "text": Command(bench.ours(*explain)),
        "json": Command(bench.ours(*explain, "--json")),
        "key": Command(bench.ours(*explain, "replicas")),
        "one": Command(bench.ours(*explain, "HelmRelease/team/app7", "replicas")),
        "why": Command(bench.ours("krm-values", "why", place)),
        "compare": Command(bench.ours("krm-values", "compare", str(package), str(edited)), accepted=_DIFFERS),
        "impact": Command(bench.ours("krm-values", "impact", place), accepted=_DIFFERS),
        "page": Command(bench.ours(*explain, "--html", str(page)), prepare=_gone(page)),
    }


def _write(folder: Path, count: int, port: str = "port: 8080") -> None:
    """Write a package. port: of the first release's layer."""
    folder.mkdir()
    (folder / "Kptfile").write_text(_KPTFILE)
    (folder / "config.yaml").write_text(_CONFIG)
    for first in range(0, count, _IN_FILE):
        listed = range(first, min(count, first + _IN_FILE))
        texts = [_RELEASE.format(number=one, port="    port: 80\n" if one % 2 else "") for one in listed]
        text = "---\n".join(texts)
        (folder / f"apps{first // _IN_FILE}.yaml").write_text(text if first else text.replace("port: 8080", port, 1))


def _gone(path: Path) -> Callable[[], None]:
    """Return what removes a file or directory before a run."""

    def remove() -> None:
        shutil.rmtree(path, ignore_errors=True)
        path.unlink(missing_ok=True)

    return remove
