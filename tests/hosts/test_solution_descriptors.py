"""envgene-sd under kubectl: the printed list, and that feeding it back changes nothing where its marks are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package

STORY = EXAMPLES / "envgene-sd" / "three-environments"
ENVIRONMENTS = ["east/prod-7", "east/prod-8", "west/dev-1"]
# the example has none: it holds nothing that a cluster takes
KUSTOMIZATION = """\
resources:
- artifacts/suite-extra.yaml
- artifacts/suite.yaml
- environments/east/prod-7/Inventory/solution-descriptor/sd.yaml
- environments/east/prod-8/Inventory/solution-descriptor/sd.yml
transformers:
- envgene-sd.yaml
"""
BUILD = ("kubectl", "kustomize", "--enable-alpha-plugins")


@pytest.fixture
def package(machine: Machine, tmp_path: Path) -> Package:
    machine.needs("kubectl")
    machine.run("krm-values", "kustomize", "install-plugins")
    copied = Package.copy(STORY, tmp_path / "package")
    (copied.path / "kustomization.yaml").write_text(KUSTOMIZATION, "utf-8")
    return copied


def only(package: Package, environments: list[str]) -> None:
    """Leave these environments in the kustomization and in ENV_NAMES."""
    gone = [name for name in ENVIRONMENTS if name not in environments]
    for name in ("kustomization.yaml", "envgene-sd.yaml"):
        kept = [line for line in package.text(name).splitlines(keepends=True) if not any(one in line for one in gone)]
        (package.path / name).write_text("".join(kept), "utf-8")


@pytest.mark.parametrize(("name", "count"), [("one", 1), ("two", 2), ("three", 3)])
def test_kubectl_prints_the_stored_list_and_leaves_it_as_it_is(name, count, machine, package, golden) -> None:
    only(package, ENVIRONMENTS[:count])
    assert "krm-values.dev/applied" not in machine.run(*BUILD, package.path).stdout
    config = package.path / "envgene-sd.yaml"
    config.write_text(config.read_text("utf-8").replace("spec:\n", "spec:\n  record: true\n"), "utf-8")
    printed = machine.run(*BUILD, package.path).stdout
    golden(printed, PACKAGES / "solution-descriptors" / f"{name}.expected.yaml")
    (package.path / "printed.yaml").write_text(printed, "utf-8")
    (package.path / "kustomization.yaml").write_text("resources: [printed.yaml]\ntransformers: [envgene-sd.yaml]\n", "utf-8")
    assert machine.run(*BUILD, package.path).stdout == printed
