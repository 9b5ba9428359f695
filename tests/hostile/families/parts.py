"""What attacks are made of: a package that would otherwise be rendered, and lists."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.packages import PROPAGATE, kptfile, run
from tests.hostile.attack import Attack

__all__ = [
    "BUILD",
    "DIFF",
    "EXPLAIN",
    "OUTPUT",
    "PROPAGATE",
    "RENDER",
    "attacks",
    "config",
    "config_map",
    "kptfile",
    "listed",
    "run",
    "tekton",
]
RENDER = ("krm-values", "render", "package")
DIFF = ("krm-values", "render", "--diff", "package")
OUTPUT = ("krm-values", "render", "-o", "new", "package")
EXPLAIN = ("krm-values", "explain", "package")
BUILD = {
    "package/Kptfile": kptfile("exec: krm-tekton-params, configPath: config.yaml"),
    "package/config.yaml": PROPAGATE,
    "package/run.yaml": run(),
}
"""A package in which `render` changes `run.yaml`."""


def tekton(files: dict[str, str | bytes]) -> dict[str, str | bytes]:
    """The same with further files, or with some of another text, by their path in the package."""
    return {**BUILD, **{f"package/{name}": text for name, text in files.items()}}


def attacks(command: tuple[str, ...], sees: str, code: int, *rows: tuple[str, str, str]) -> list[Attack]:
    """Attacks by lists on one command, with one answer. rows: the name, what it tries, the list."""
    return [Attack(name, tries, command, sees, code, stdin=stdin) for name, tries, stdin in rows]


def listed(*items: Any, function_config: Any = None) -> str:
    """A ResourceList, as JSON."""
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": list(items)}
    return json.dumps({**whole, **({"functionConfig": function_config} if function_config else {})})


def config(kind: str, **spec: Any) -> dict[str, Any]:
    """A functionConfig."""
    return {"apiVersion": "krm-values.dev/v1alpha1", "kind": kind, "metadata": {"name": "config"}, "spec": spec}


def config_map(name: str = "base", data: Any = None, **annotations: str) -> dict[str, Any]:
    """A ConfigMap in the namespace `team`."""
    metadata = {"name": name, "namespace": "team", **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, **({"data": data} if data is not None else {})}


def secret(name: str = "login", **data: str) -> dict[str, Any]:
    """A Secret of texts."""
    return {**config_map(name), "kind": "Secret", "stringData": data}


def release(*entries: dict[str, Any], name: str = "web", **spec: Any) -> dict[str, Any]:
    """A HelmRelease with `valuesFrom`."""
    whole = {"interval": "10m", "valuesFrom": list(entries), **spec}
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": name, "namespace": "team"},
        "spec": whole,
    }


def values(name: str = "base", **more: Any) -> dict[str, Any]:
    """An entry of `valuesFrom`."""
    return {"kind": "ConfigMap", "name": name, **more}


def pipeline_run(name: str = "build", **annotations: str) -> dict[str, Any]:
    """A PipelineRun that tekton-params would change."""
    step = {"name": "s", "image": "git", "script": "echo $(params.url)"}
    spec = {
        "params": [{"name": "url", "value": "x"}],
        "pipelineSpec": {"tasks": [{"name": "t", "taskSpec": {"steps": [step]}}]},
    }
    metadata = {"name": name, **({"annotations": annotations} if annotations else {})}
    return {"apiVersion": "tekton.dev/v1", "kind": "PipelineRun", "metadata": metadata, "spec": spec}


def text(value: Any) -> str:
    """As JSON, which is YAML."""
    return json.dumps(value)
