"""Every function through every host: one result; and one package that nobody has tidied, byte by byte."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.hosts import chains, table
from tests.hosts.hosts import EVERY, IN_PLACE, KUSTOMIZE, STREAMS, Host, Printing, Writing
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package, result

EXPECTED = PACKAGES / "release.expected.yaml"
# a function that makes new files gives resources that no kustomization lists: the cells above compare those
STORIES = sorted(path.parent for path in EXAMPLES.glob("tekton-params/*/Kptfile"))


def _named(host: Host) -> str:
    return host.__name__


@pytest.fixture(scope="session")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the package of a function as our own renderer leaves it."""

    @functools.cache
    def of(function: str) -> Path:
        return chains.render(chains.of_one_function(tmp_path_factory.mktemp(function) / "package", function).path)

    return of


@pytest.mark.parametrize("function", chains.ALL)
@pytest.mark.parametrize("host", EVERY, ids=_named)
def test_cell(host: Host, function: str, rendered: Callable[[str], Path], machine: Machine, tmp_path: Path) -> None:
    """Resources are those of our renderer, and where a host writes files, so are their bytes. tests/hosts/table.py prints all cells."""
    package, ours = chains.of_one_function(tmp_path / "package", function), rendered(function)
    before = chains.data(package.path)
    found = host(machine, package)
    if isinstance(found, Package):
        assert _without_kptfile(found.path) == _without_kptfile(ours)
    is_annotated = host not in KUSTOMIZE
    expected = chains.data(ours, annotated=is_annotated)
    assert chains.data(found if isinstance(found, str) else found.path, annotated=is_annotated) == expected
    assert chains.data(ours) != before


def _without_kptfile(package: Path) -> dict[str, bytes]:
    return {name: content for name, content in chains.contents(package).items() if name != "Kptfile"}


@pytest.fixture
def release(tmp_path: Path) -> Package:
    return Package.copy(PACKAGES / "release", tmp_path / "package")


@pytest.mark.parametrize("host", [*STREAMS, *KUSTOMIZE], ids=_named)
def test_every_host_gives_the_same_resources(host: Printing, machine: Machine, release: Package) -> None:
    assert result(host(machine, release)) == result(EXPECTED.read_text("utf-8"))


@pytest.mark.parametrize("host", IN_PLACE, ids=_named)
def test_hosts_that_write_files_write_the_same_bytes(host: Writing, machine: Machine, release: Package) -> None:
    assert host(machine, release).resources() == EXPECTED.read_text("utf-8")


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
@pytest.mark.parametrize("host", KUSTOMIZE, ids=_named)
def test_an_examples_kustomization_gives_what_its_kptfile_gives(
    host: Printing, story: Path, machine: Machine, tmp_path: Path
) -> None:
    rendered = Package.copy(story, tmp_path / "rendered")
    machine.run("krm-values", "render", rendered.path)
    built = host(machine, Package.copy(story, tmp_path / "built"))
    assert result(built) == result(rendered.resources())


def test_a_cell_that_was_not_tried_is_empty() -> None:
    names = {
        "passed": ["kpt_eval-flux-values", "kpt_render-envgene-sd"],
        "failed": ["kpt_render-flux-values"],
        "": ["kpt_pull-none"],
    }
    reports = {
        outcome: [SimpleNamespace(nodeid=f"tests/hosts/test_every_host.py::test_cell[{cell}]") for cell in cells]
        for outcome, cells in names.items()
    }
    assert table.lines(reports) == [
        "            envgene-sd  flux-values",
        "kpt_eval                same",
        "kpt_render  same        FAILED",
    ]
