"""The container image, called as kpt, kustomize and people call it."""

from __future__ import annotations

import pytest

from tests.hosts.machine import FUNCTION_IMAGE, IMAGE, Machine
from tests.hosts.package import PACKAGES, Package, result

IMAGES = (IMAGE, FUNCTION_IMAGE)
HERMETIC = ("docker", "run", "--rm", "-i", "--network", "none", "--read-only", "--tmpfs", "/tmp", "--env", "HOME=/nonexistent")


@pytest.mark.parametrize("image", IMAGES)
def test_help_and_version_need_no_stdin(image: str, machine: Machine) -> None:
    machine.needs_image(image)
    version = machine.run("krm-values", "--version").stdout
    assert machine.run("docker", "run", "--rm", image, "--version").stdout == version
    assert "krm-values" in machine.run("docker", "run", "--rm", image, "--help").stdout


@pytest.mark.parametrize("user", ["", "nobody", "65534", "12345:6789"])
def test_any_user_can_run_it(user: str, machine: Machine) -> None:
    machine.needs_image(IMAGE)
    chosen = ("--user", user) if user else ()
    done = machine.run(*HERMETIC, *chosen, IMAGE, stdin=Package(PACKAGES / "release").resource_list())
    assert result(done.stdout) == result((PACKAGES / "release.expected.yaml").read_text("utf-8"))


def test_it_runs_as_nobody_unless_told(machine: Machine) -> None:
    machine.needs_image(IMAGE)
    identity = machine.run("docker", "run", "--rm", "--entrypoint", "id", IMAGE).stdout
    assert identity.startswith("uid=65534(nobody)")
    assert machine.run("docker", "image", "inspect", "--format", "{{.Config.User}}", IMAGE).stdout.strip()[0].isdigit()


def test_every_module_in_it_is_compiled(machine: Machine) -> None:
    """A missing .pyc is compiled again at every start, as the file system is read-only."""
    machine.needs_image(IMAGE)
    script = (
        "import sys, pathlib, importlib.util as u;"
        "print(*(p for r in sys.path if r for p in pathlib.Path(r).glob('krm_values/**/*.py')"
        " if not pathlib.Path(u.cache_from_source(str(p))).exists()), 'checked')"
    )
    done = machine.run("docker", "run", "--rm", "--entrypoint", "/opt/krm-values/bin/python", IMAGE, "-c", script)
    assert done.stdout == "checked\n"


def test_a_function_can_be_named_as_an_argument(machine: Machine) -> None:
    machine.needs_image(IMAGE)
    done = machine.run(*HERMETIC, IMAGE, "tekton-params", stdin=Package(PACKAGES / "release").resource_list())
    assert result(done.stdout) == result((PACKAGES / "release.expected.yaml").read_text("utf-8"))
