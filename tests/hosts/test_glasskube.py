"""Targets under real hosts: kpt gives back what was there before a Package, kustomize builds the same twice."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from krm_values._krm import documents
from tests.hosts.machine import Machine

ROOT = Path(__file__).parents[2]
STORIES = sorted((ROOT / "examples" / "glasskube-values").iterdir())

pytestmark = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture
def package(story: Path, tmp_path: Path) -> Path:
    shutil.copytree(story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected"))
    return tmp_path / "package"


def test_under_kpt_the_state_without_packages_comes_back(package: Path, machine: Machine) -> None:
    machine.needs("kpt")
    text = (package / "package.yaml").read_bytes()
    (package / "package.yaml").unlink()
    machine.run("kpt", "fn", "render", "--allow-exec", package)
    without = contents(package)
    (package / "package.yaml").write_bytes(text)
    machine.run("kpt", "fn", "render", "--allow-exec", package)
    assert contents(package) != without
    (package / "package.yaml").unlink()
    machine.run("kpt", "fn", "render", "--allow-exec", package)
    assert contents(package) == without


def test_kubectl_builds_the_same_twice_also_from_what_kpt_rendered(package: Path, machine: Machine) -> None:
    machine.needs("kubectl")
    machine.needs("kpt")
    machine.run("krm-values", "kustomize", "install-plugins")
    build = ("kubectl", "kustomize", "--enable-alpha-plugins", package)
    first = machine.run(*build).stdout
    assert machine.run(*build).stdout == first
    assert "undo.glasskube-values" not in first
    machine.run("kpt", "fn", "render", "--allow-exec", package)
    assert machine.run(*build).stdout == first


def test_kubectl_builds_what_render_writes(package: Path, machine: Machine) -> None:
    machine.needs("kubectl")
    machine.run("krm-values", "kustomize", "install-plugins")
    built = machine.run("kubectl", "kustomize", "--enable-alpha-plugins", package).stdout
    config = package / "glasskube-values.yaml"
    config.write_text(config.read_text("utf-8").replace("strict: true", "record: false"), "utf-8")
    machine.run("krm-values", "render", package)
    found = {_key(item): item.data for item in documents.read(built.encode(), "built").items}
    for path in package.rglob("*.yaml"):
        for item in documents.read(path.read_bytes(), path.name).items:
            if _key(item) in found:
                assert item.data == found.pop(_key(item))
    assert found == {}


def _key(item: object) -> tuple[str, ...]:
    return tuple(getattr(item, name) for name in ("kind", "group", "namespace", "name"))
