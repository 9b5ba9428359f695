"""Every example that has a kustomization, built by kubectl: only objects that a cluster would take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.hosts.hosts import kubectl_legacy_plugin
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, Package, read

STORIES = sorted(path.parent for path in EXAMPLES.rglob("kustomization.yaml"))
LOCAL = "config.kubernetes.io/local-config"
OURS = "krm-values.dev"
"""The group of kinds for which there is no CRD."""


def group(resource: dict[str, Any]) -> str:
    group, _, _ = resource["apiVersion"].rpartition("/")
    return str(group)


def annotations_of(resource: dict[str, Any]) -> dict[str, str]:
    return resource["metadata"].get("annotations") or {}


def is_local(resource: dict[str, Any]) -> bool:
    return annotations_of(resource).get(LOCAL) == "true"


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")
def test_a_build_holds_only_what_a_cluster_takes(story: Path, machine: Machine, tmp_path: Path) -> None:
    built = read(kubectl_legacy_plugin(machine, Package.copy(story, tmp_path / "package")))
    assert built, "an example without objects for a cluster has no kustomization"
    assert [resource["kind"] for resource in built if group(resource) == OURS or is_local(resource)] == []
    assert [key for resource in built for key in annotations_of(resource) if key.startswith(OURS)] == []


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")
def test_a_build_of_a_rendered_package_has_no_annotation_of_ours_either(story: Path, machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(story, tmp_path / "package")
    machine.run("krm-values", "render", package.path)
    built = read(kubectl_legacy_plugin(machine, package))
    assert [key for resource in built for key in annotations_of(resource) if key.startswith(OURS)] == []


@pytest.mark.parametrize("story", STORIES, ids=lambda story: f"{story.parent.name}/{story.name}")
def test_what_no_cluster_takes_stays_a_resource_of_the_package(story: Path, machine: Machine, tmp_path: Path) -> None:
    """It is marked as local, the generated ones, too, so that kpt, which applies the package itself, leaves it out."""
    package = Package.copy(story, tmp_path / "package").path
    machine.run("krm-values", "render", package)
    found = [
        item for path in package.rglob("*.y*ml") if ".expected" not in path.parts for item in read(path.read_text("utf-8"))
    ]
    unmarked = [f"{item['kind']} {item['metadata']['name']}" for item in found if group(item) == OURS and not is_local(item)]
    assert unmarked == []
