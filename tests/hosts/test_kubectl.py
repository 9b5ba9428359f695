"""`kubectl krm-values`: the same command by another name."""

from __future__ import annotations

import pytest

from tests.hosts.machine import Machine


@pytest.fixture(autouse=True)
def _kubectl(machine: Machine) -> None:
    machine.needs("kubectl")


def test_kubectl_lists_it_as_a_plugin(machine: Machine) -> None:
    assert "kubectl-krm_values" in machine.run("kubectl", "plugin", "list").stdout


@pytest.mark.parametrize("arguments", [("--version",), ("list",), ("schema", "tekton-params"), ("docs", "tekton-params")])
def test_arguments_reach_it(arguments: tuple[str, ...], machine: Machine) -> None:
    assert machine.run("kubectl", "krm-values", *arguments).stdout == machine.run("krm-values", *arguments).stdout


def test_its_exit_code_comes_through(machine: Machine) -> None:
    assert machine.run("kubectl", "krm-values", "run", "no-such-function", code=None).returncode in (1, 2)
