"""`docker build .` in a clone: with network and nothing else, and without network from the wheels that `make image` fetches. What documents
say of images is run as it stands there.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import getproxies

import pytest

from tests.hosts.machine import Machine, lacking
from tests.hosts.package import EXAMPLES, Package

ROOT = EXAMPLES.parent
BASES = ("krm-values-base", "python:3.13-slim")
CERTIFICATES = "certificates.pem"
DOCUMENTS = ("README.md", "docs/images.md")
COMMAND = re.compile(r"^(?:\$ )?(docker (?:build|run) .*)$", re.MULTILINE)


def base_of(machine: Machine) -> str:
    """Return an image with Python that the engine holds."""
    machine.needs("docker")
    held = [name for name in BASES if not machine.run("docker", "image", "inspect", name, code=None).returncode]
    return held[0] if held else lacking(f"no Docker engine holds an image to build on: {' or '.join(BASES)}")


def cloned(target: Path) -> Path:
    """Copy what is tracked, as it is now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def _configured(machine: Machine, base: str, folder: Path) -> str:
    """Return the base with this machine's configuration of pip, as somebody behind a proxy or a mirror would make it."""
    folder.mkdir()
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=True).stdout
    found = dict(re.findall(r"^(?:global|user|site|:env:)\.([a-z-]+)='(.*)'$", listed, re.MULTILINE))
    settings = [f"{key} = {found[key]}" for key in ("index-url", "extra-index-url", "trusted-host") if key in found]
    if "cert" in found:
        shutil.copy(found["cert"], folder / CERTIFICATES)
        settings.append(f"cert = /etc/{CERTIFICATES}")
    (folder / "pip.conf").write_text("\n".join(["[global]", *settings, ""]), "utf-8")
    (folder / "Dockerfile").write_text(f"FROM {base}\nCOPY pip.conf {CERTIFICATES}* /etc/\n", "utf-8")
    machine.run("docker", "build", "--tag", f"{base.partition(':')[0]}-with-pip", folder)
    return f"{base.partition(':')[0]}-with-pip"


def _build(machine: Machine, clone: Path, base: str, image: str, *options: str, code: int = 0) -> str:
    """Return what the build printed."""
    arguments = ("--build-arg", f"BASE_IMAGE={base}", "--tag", image)
    done = machine.run("docker", "build", *options, *arguments, ".", cwd=clone, code=code)
    return done.stdout + done.stderr


def _proxies() -> list[str]:
    return [option for name, url in getproxies().items() for option in ("--build-arg", f"{name}_proxy={url}")]


def _try(machine: Machine, image: str, package: Path) -> None:
    """Render a package with the image and without."""
    for name in ("inside", "outside"):
        shutil.copytree(EXAMPLES / "layered-values" / "eight-lines", package / name)
    owner = ("--user", str(os.geteuid()))
    machine.run("docker", "run", "--rm", "--read-only", *owner, "-v", f"{package}/inside:/pkg", image, "render", "/pkg")
    machine.run("krm-values", "render", package / "outside")
    assert Package(package / "inside").snapshot() == Package(package / "outside").snapshot()
    assert machine.run("docker", "run", "--rm", image, "--version").stdout == machine.run("krm-values", "--version").stdout


def test_a_clone_with_network_needs_nothing_else(machine: Machine, tmp_path: Path) -> None:
    base = _configured(machine, base_of(machine), tmp_path / "base")
    clone = cloned(tmp_path / "clone")
    assert not (clone / "build").exists()
    _build(machine, clone, base, "localhost/krm-values-from-network", "--network", "host", *_proxies())
    _try(machine, "localhost/krm-values-from-network", tmp_path)


def test_make_image_builds_without_network_and_of_the_sources_as_they_are(machine: Machine, tmp_path: Path) -> None:
    base, clone, image = base_of(machine), cloned(tmp_path / "clone"), "localhost/krm-values-from-wheels"
    command = [sys.executable, "scripts/wheels.py", "build/wheels", base]
    fetched = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert fetched.returncode == 0, fetched.stderr
    _build(machine, clone, base, image, "--network", "none")
    _try(machine, image, tmp_path)
    readme = clone / "functions" / "krm_values" / "tekton_params" / "README.md"
    readme.write_text("# A manual of today\n", "utf-8")
    _build(machine, clone, base, image, "--network", "none")
    assert machine.run("docker", "run", "--rm", image, "docs", "tekton-params").stdout == "# A manual of today\n"


@pytest.mark.parametrize("has_wheels", [True, False])
def test_a_build_that_cannot_have_its_wheels_says_how(has_wheels: bool, machine: Machine, tmp_path: Path) -> None:
    base, clone = base_of(machine), cloned(tmp_path / "clone")
    if has_wheels:
        (clone / "build" / "wheels").mkdir(parents=True)
        (clone / "build" / "wheels" / "other-1.0-py3-none-any.whl").touch()
    said = _build(machine, clone, base, "localhost/krm-values-none", "--network", "none", code=1)
    hint = "build/wheels is old or for another Python: remove it" if has_wheels else "docker build needs network here"
    assert f"error: {hint}" in said


def test_a_base_image_of_another_processor_than_the_image_is_for_is_refused(machine: Machine, tmp_path: Path) -> None:
    """BuildKit takes a base by the digest of one processor for every platform. It gives TARGETARCH, as this call does."""
    base, clone, image = base_of(machine), cloned(tmp_path / "clone"), "localhost/krm-values-mislabelled"
    own = machine.run("docker", "version", "--format", "{{.Server.Arch}}").stdout.strip()
    other = "arm64" if own == "amd64" else "amd64"
    said = _build(machine, clone, base, image, "--network", "none", "--build-arg", f"TARGETARCH={other}", code=1)
    assert re.search(rf"^(?:#\d+ [\d.]+ |\x1b\[\d+m)?error: the base image is for \w+, not for {other}: ", said, re.MULTILINE)
    assert machine.run("docker", "image", "inspect", image, code=None).returncode


def test_what_documents_say_of_images_works_in_that_order(machine: Machine, tmp_path: Path) -> None:
    """The engine may have no network of its own and no image of Python: it gets the host's network, and a stand-in for the time of the test.

    A `docker run` is called in a package of the caller's.
    """
    found = {name: COMMAND.findall((ROOT / name).read_text("utf-8")) for name in DOCUMENTS}
    base, clone, package = base_of(machine), cloned(tmp_path / "clone"), tmp_path / "package"
    names = {"python:3.13-slim", *re.findall(r"BASE_IMAGE=(python:\S+)", " ".join(found["docs/images.md"]))}
    stand_ins = [name for name in names if machine.run("docker", "image", "inspect", name, code=None).returncode]
    if base == BASES[0]:
        configured = _configured(machine, base, tmp_path / "base")
        for name in stand_ins:
            machine.run("docker", "tag", configured, name)
    try:
        assert len(found["docs/images.md"]) > 5
        for command in (command for commands in found.values() for command in commands):
            shutil.rmtree(package, ignore_errors=True)
            shutil.copytree(EXAMPLES / "layered-values" / "eight-lines", package)
            if "list.yaml" in command:
                (package / "list.yaml").write_text(Package(package).resource_list(), "utf-8")
            options = shlex.join(["--network", "host", *_proxies()])
            script = command.replace("docker build ", f"docker build {options} ")
            machine.run("sh", "-ec", script, cwd=clone if "docker build" in command else package)
            if " render " in command:
                assert machine.run("krm-values", "render", "--diff", package).stdout == ""
                assert (package / "web-values.yaml").exists()
            if "resolved.yaml" in command:
                assert "web-values" in (package / "resolved.yaml").read_text("utf-8")
    finally:
        if base == BASES[0]:
            machine.run("docker", "rmi", *stand_ins, code=None)
