"""The container image, called as kpt, kustomize and people call it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.hosts.machine import FUNCTION_IMAGE, IMAGE, Machine
from tests.hosts.package import EXAMPLES, PACKAGES, Package, result

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
    done = machine.run(*HERMETIC, IMAGE, "run", "tekton-params", stdin=Package(PACKAGES / "release").resource_list())
    assert result(done.stdout) == result((PACKAGES / "release.expected.yaml").read_text("utf-8"))


def _owned(package: Path, user: int) -> Path:
    """Return the package, of this user if we may give it away."""
    shutil.copytree(EXAMPLES / "layered-values" / "eight-lines", package)
    if os.geteuid() == 0:
        for path in (package, *package.rglob("*")):
            os.chown(path, user, user)
    return package


@pytest.mark.parametrize("options", [(), ("--read-only",), ("--read-only", "--cap-drop", "ALL")], ids=" ".join)
def test_it_renders_a_mounted_package_as_the_packages_owner(options: tuple[str, ...], machine: Machine, tmp_path: Path) -> None:
    """With a read-only root, and for a user whom the image does not know."""
    machine.needs_image(IMAGE)
    user = os.geteuid() or 12345
    package, outside = (_owned(tmp_path / name, user) for name in ("package", "outside"))
    mounted = ("--user", str(user), "--volume", f"{package}:/pkg")
    docker = ("docker", "run", "--rm", "--network", "none", *options)
    done = machine.run(*docker, *mounted, IMAGE, "render", "/pkg")
    assert done.stdout + done.stderr == machine.run("krm-values", "render", outside).stderr != ""
    assert Package(package).snapshot() == Package(outside).snapshot()
    assert {path.stat().st_uid for path in package.rglob("*")} == {user}
    again = machine.run(*docker, *mounted, IMAGE, "render", "--diff", "/pkg")
    assert again.stdout == ""
    read_only = ("--volume", f"{package}:/pkg:ro")
    assert (
        machine.run(*docker, *read_only, IMAGE, "explain", "/pkg").stdout
        == machine.run("krm-values", "explain", outside).stdout
    )


def test_a_package_of_somebody_else_is_left_alone_and_the_error_says_how(machine: Machine, tmp_path: Path) -> None:
    machine.needs_image(IMAGE)
    package = _owned(tmp_path / "package", os.geteuid() or 12345)
    package.chmod(0o755)
    before = Package(package).snapshot()
    mounted = ("--user", "54321", "--volume", f"{package}:/pkg")
    failed = machine.run("docker", "run", "--rm", "--read-only", *mounted, IMAGE, "render", "/pkg", code=1)
    (line,) = failed.stderr.splitlines()
    assert line.startswith("error: /pkg: nothing was written: ")
    assert "Permission denied for user 54321; run this as the owner of the directory" in line
    assert "docker run --user" in line
    assert Package(package).snapshot() == before


def test_a_package_that_is_mounted_read_only_is_one_clear_error(machine: Machine, tmp_path: Path) -> None:
    machine.needs_image(IMAGE)
    user = os.geteuid() or 12345
    mounted = ("--user", str(user), "--volume", f"{_owned(tmp_path / 'package', user)}:/pkg:ro")
    failed = machine.run("docker", "run", "--rm", *mounted, IMAGE, "render", "/pkg", code=1)
    (line,) = failed.stderr.splitlines()
    assert line.startswith("error: /pkg: nothing was written: ")
    assert line.endswith("Read-only file system")


@pytest.mark.parametrize("image", IMAGES)
def test_without_arguments_it_serves_hosts_else_it_is_the_command_line(image: str, machine: Machine) -> None:
    machine.needs_image(image)
    run = ("docker", "run", "--rm", "-i", image)
    assert machine.run(*run, "list").stdout == machine.run("krm-values", "list").stdout
    assert "must be a ResourceList, found nothing" in machine.run(*run, code=1).stderr
    unknown = machine.run(*run, "tekton-params", code=2).stderr
    assert "must be one of run, " in unknown


def test_the_manual_of_a_functions_image_is_at_the_end_of_its_help(machine: Machine) -> None:
    machine.needs_image(FUNCTION_IMAGE)
    manual = machine.run("krm-values", "docs", "tekton-params").stdout
    assert machine.run("docker", "run", "--rm", FUNCTION_IMAGE, "--help").stdout.count(manual.rstrip()) == 1
