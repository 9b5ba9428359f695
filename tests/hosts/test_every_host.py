"""One package through every way to run a function: one result."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.hosts import EVERY, IN_PLACE, KUSTOMIZE, Host
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package, result

EXPECTED = PACKAGES / "release.expected.yaml"
# a function that makes new files gives resources that no kustomization lists: its own tests compare those
STORIES = sorted(path.parent for path in EXAMPLES.glob("tekton-params/*/Kptfile"))


def _named(host: Host) -> str:
    return host.__name__


@pytest.fixture
def release(tmp_path: Path) -> Package:
    return Package.copy(PACKAGES / "release", tmp_path / "package")


@pytest.mark.parametrize("host", EVERY, ids=_named)
def test_every_host_gives_the_same_resources(host: Host, machine: Machine, release: Package) -> None:
    assert result(host(machine, release)) == result(EXPECTED.read_text("utf-8"))


@pytest.mark.parametrize("host", IN_PLACE, ids=_named)
def test_hosts_that_write_files_write_the_same_bytes(host: Host, machine: Machine, release: Package) -> None:
    assert host(machine, release) == EXPECTED.read_text("utf-8")


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
@pytest.mark.parametrize("host", KUSTOMIZE, ids=_named)
def test_an_examples_kustomization_gives_what_its_kptfile_gives(
    host: Host, story: Path, machine: Machine, tmp_path: Path
) -> None:
    rendered = Package.copy(story, tmp_path / "rendered")
    machine.run("krm-values", "render", rendered.path)
    built = host(machine, Package.copy(story, tmp_path / "built"))
    assert result(built) == result(rendered.resources())
