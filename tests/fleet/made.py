"""Makes fleets: packages of three functions each, some of them broken in one of four ways; and engines and tasks to try them with."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future
from pathlib import Path

from tests.cli.packages import BAD, PROPAGATE, SOURCE, START, clean, kptfile, run, write

STEPS = (
    "exec: krm-layered-values, configPath: layers.yaml",
    "exec: krm-tekton-params, configPath: params.yaml",
    "exec: krm-flux-values",
)
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: web, annotations: {{config.kubernetes.io/local-config: "true"}}}}
spec:
  layers:
  - name: base
    values: {{replicas: 1}}
  - name: cluster
    values: {{replicas: {replicas}}}
  targets:
  - kind: Deployment
    fields: {{spec.replicas: replicas}}
"""
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1 # of one
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: beacon, namespace: apps}
spec:
  interval: 5m
  chart: {spec: {chart: beacon, sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom:
  - {kind: ConfigMap, name: values}
  values:
    period: 5
---
apiVersion: v1
kind: ConfigMap
metadata: {name: values, namespace: apps}
data:
  values.yaml: |
    period: 6
    level: info
"""
BROKEN = {
    "yaml": {"release.yaml": "a: [\n"},
    "step": {"run.yaml": BAD},
    "config": {"layers.yaml": LAYERS.format(replicas=2).replace("targets", "target")},
    "missing": {"Kptfile": kptfile("exec: krm-layered-values, configPath: none.yaml")},
}
"""The four kinds of failures, as the files that are other than in a package that is right."""


def package(number: int, broken: str = "") -> dict[str, str]:
    """The files of a package."""
    files = {
        "Kptfile": kptfile(*STEPS, name=f"p{number}"),
        "layers.yaml": LAYERS.format(replicas=2 + number % 7),
        "deployment.yaml": DEPLOYMENT,
        "params.yaml": PROPAGATE,
        "run.yaml": run(f"build-{number}"),
        "release.yaml": RELEASE,
    }
    return files | BROKEN.get(broken, {})


PLAIN = """\
apiVersion: v1
kind: Service
metadata:
  name: service-{number}
  namespace: apps
  labels: {{app.kubernetes.io/name: web, app.kubernetes.io/part-of: shop}}
spec:
  selector: {{app.kubernetes.io/name: web}}
  ports:
  - {{name: http, port: 80, targetPort: http}}
"""


def make(root: Path, count: int, every: int = 10, plain: int = 0) -> Path:
    """Make a fleet: `clusters` by `apps`; of `every` packages one is broken, in turns in each way; 0: none is. plain: further files, which no step changes."""
    more = {f"plain-{number}.yaml": PLAIN.format(number=number) for number in range(plain)}
    kinds = list(BROKEN)
    for number in range(count):
        broken = kinds[number // every % len(kinds)] if every and number % every == 3 else ""
        write(root / f"c{number // 10:03}" / f"app{number % 10}", package(number, broken) | more)
    return root


def digest(root: Path) -> str:
    """Of every file below, with its mode."""
    total = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file()):
        total.update(f"{path.relative_to(root)} {path.stat().st_mode:o} ".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def rows(file: Path) -> dict[str, dict]:
    """The results file, by package."""
    found = [json.loads(line) for line in file.read_text().splitlines()]
    return {row["package"]: row for row in found}


def started(*words: str | Path, cwd: Path, **more) -> subprocess.Popen:
    """A command in a process of its own, which leads a group."""
    return subprocess.Popen(
        [sys.executable, "-c", START, "krm-values", *map(str, words)],
        env={**clean({}), "PYTHONPATH": str(SOURCE)},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    )


def until(found, seconds: float = 90.0):
    """Wait for something, and return it."""
    for _ in range(int(seconds * 100)):
        if value := found():
            return value
        time.sleep(0.01)
    raise AssertionError("it never came")


def is_running(process: int) -> bool:
    """Whether a process runs, also if nobody has asked how it ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


class Serial(Executor):
    """Does the work at once, here."""

    def submit(self, call, /, *arguments, **named):
        future: Future = Future()
        try:
            future.set_result(call(*arguments, **named))
        except Exception as error:  # noqa: BLE001 - as an executor does
            future.set_exception(error)
        return future


# Tasks of workers.


def echo(name, directory, extra, settings):
    """Tell what is known of the package; die or wait where the settings say so."""
    if name in settings.get("deadly", ()):
        os.kill(os.getpid(), signal.SIGKILL)
    if name in settings.get("once", ()) and not os.path.exists(mark := f"{settings['folder']}/{name}"):
        Path(mark).write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    if name in settings.get("endless", ()):
        while True:
            time.sleep(60)
    if name in settings.get("wrong", ()):
        raise KeyError(name)
    return {"status": "same", "name": name, "extra": extra}
