"""What `make images` and `make release` make: labels, layers, SBOMs; and what they say where that is not possible, which leaves nothing behind."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from krm_values._cli import manual
from krm_values._run import registry
from tests.hosts.machine import IMAGE, Machine, lacking
from tests.hosts.package import EXAMPLES, Package, result
from tests.hosts.test_image_build import base_of, cloned
from tests.hosts.test_light_container import STORIES
from tests.test_locks import locked

ROOT = EXAMPLES.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = f"v{PROJECT['version']}"
NAMES = ["krm-values", *registry.functions()]
PYTHON = "/opt/krm-values/bin/python"
INSTALLED = "import importlib.metadata as m; print(*(f\"{d.metadata['Name']}=={d.version}\" for d in m.distributions()))"


@pytest.fixture
def base(machine: Machine) -> str:
    return base_of(machine)


def _inspected(machine: Machine, name: str) -> dict:
    machine.needs_image(f"localhost/{name}:{VERSION}")
    (found,) = json.loads(machine.run("docker", "image", "inspect", f"localhost/{name}:{VERSION}").stdout)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_an_image_says_what_it_is(name: str, machine: Machine) -> None:
    config = _inspected(machine, name)["Config"]
    labels = {key.removeprefix("org.opencontainers.image."): value for key, value in config["Labels"].items()}
    source, documentation, revision = (labels.pop(key) for key in ("source", "documentation", "revision"))
    assert labels == {
        "title": name,
        "description": PROJECT["description"] if name == "krm-values" else manual.summary(name),
        "version": VERSION,
        "licenses": "Apache-2.0",
    }
    assert re.fullmatch(r"[0-9a-f]{40}(-dirty)?", revision)
    assert source.startswith("https://")
    assert (ROOT / documentation.removeprefix(f"{source}/")).is_file()
    assert re.fullmatch(r"\d+(:\d+)?", config["User"])
    assert config["Entrypoint"] == ["krm-values"]
    assert f"KRM_FUNCTION={'' if name == 'krm-values' else name}" in config["Env"]


def test_all_images_share_their_layers(machine: Machine) -> None:
    layers = {tuple(_inspected(machine, name)["RootFS"]["Layers"]) for name in NAMES}
    assert len(layers) == 1


@pytest.mark.parametrize("name", NAMES[1:])
def test_an_image_is_a_function_and_prints_its_manual(name: str, machine: Machine) -> None:
    machine.needs("kpt")
    machine.needs_image(f"localhost/{name}")
    shown = machine.run("kpt", "fn", "doc", "--image", f"localhost/{name}").stdout  # it calls `docker run --rm IMAGE --help`
    assert manual.page(name).strip() in shown


def test_an_image_holds_no_compiler_and_no_pip(machine: Machine) -> None:
    machine.needs_image(IMAGE)
    script = (
        "import importlib.util as u, shutil, subprocess as s\n"
        "print([one for one in 'cc gcc clang make pip pip3'.split() if shutil.which(one)], u.find_spec('pip'))\n"
        "print(s.run(['python3', '-m', 'pip', '--version'], capture_output=True).returncode)\n"
    )
    assert machine.run("docker", "run", "--rm", "--entrypoint", PYTHON, IMAGE, "-c", script).stdout == "[] None\n1\n"


@pytest.mark.parametrize("name", NAMES)
def test_the_sbom_lists_what_is_in_the_image(name: str, machine: Machine) -> None:
    file = ROOT / "dist" / f"{name}-{VERSION}.cdx.json"
    if not file.exists():
        lacking(f"dist has no SBOM of {name} (make images)")
    text = file.read_text("utf-8")
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    sbom = json.loads(text)
    image = sbom["metadata"]["component"]
    assert (image["type"], image["name"], image["version"]) == ("container", f"localhost/{name}", VERSION)
    assert f"sha256:{image['hashes'][0]['content']}" == _inspected(machine, name)["Id"]
    ours = {one["name"]: one for one in sbom["components"] if one["purl"].startswith("pkg:pypi/")}
    assert {name: one["version"] for name, one in ours.items()} == {**locked("image"), "krm-values": PROJECT["version"]}
    if name == "krm-values":
        listing = ("docker", "run", "--rm", "--entrypoint", PYTHON, f"localhost/{name}", "-c", INSTALLED)
        assert len(machine.run(*listing).stdout.split()) == len(ours)
    lock = (ROOT / "requirements" / "image.txt").read_text("utf-8")
    for one in ours.values():
        assert one.get("licenses")
        if one["name"] != "krm-values":
            assert f"--hash=sha256:{one['hashes'][0]['content']}" in lock
    needs = {one["ref"]: one.get("dependsOn", []) for one in sbom["dependencies"]}
    assert len(needs[f"pkg:pypi/krm-values@{PROJECT['version']}"]) == len(PROJECT["dependencies"])


def test_the_wheels_of_another_processor_can_all_be_had(base: str, tmp_path: Path) -> None:
    command = [sys.executable, "scripts/wheels.py", str(tmp_path / "wheels"), base, "--platform", "linux/arm64"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    names = [path.name for path in (tmp_path / "wheels").iterdir()]
    assert len(names) == len(locked("image").keys() | locked("build").keys())
    assert not [name for name in names if not name.endswith(("-any.whl", "_aarch64.whl"))]
    assert any(name.endswith("_aarch64.whl") for name in names)


# Each function's example in its own image.

KPTS_FLAGS = ("--rm", "-i", "--network", "none", "--user", "nobody", "--security-opt=no-new-privileges")


def _story(name: str, folder: Path) -> Package:
    """Return a copy of the function's example whose Kptfile names the image."""
    package = Package.copy(EXAMPLES / name / STORIES[name], folder)
    text = package.text("Kptfile")
    assert f"exec: krm-{name}" in text
    (folder / "Kptfile").write_text(text.replace(f"exec: krm-{name}", f"image: localhost/{name}:{VERSION}"), "utf-8")
    return package


@pytest.mark.parametrize("name", NAMES[1:])
def test_kpt_renders_the_example_of_a_function_with_its_image(name: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt")
    machine.needs_image(f"localhost/{name}:{VERSION}")
    ours, theirs = (_story(name, tmp_path / side / "package") for side in ("ours", "theirs"))
    before = ours.snapshot()
    machine.run("krm-values", "render", ours.path)
    machine.run("kpt", "fn", "render", theirs.path)
    assert ours.snapshot() == theirs.snapshot() != before


@pytest.mark.parametrize("name", NAMES[1:])
def test_an_image_runs_with_the_flags_of_kpt_and_a_read_only_root(name: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt")
    machine.needs_image(f"localhost/{name}:{VERSION}")
    package = _story(name, tmp_path / "package")
    given = machine.run("kpt", "fn", "source", package.path).stdout
    config = next(path for path in package.path.glob(f"{name}*.yaml"))
    listed = given + "functionConfig:\n" + textwrap.indent(config.read_text("utf-8"), "  ")
    done = machine.run("docker", "run", *KPTS_FLAGS, "--read-only", f"localhost/{name}:{VERSION}", stdin=listed)
    assert done.stdout == machine.run(f"krm-{name}", stdin=listed).stdout != listed


@pytest.mark.parametrize(
    "name", [name for name in NAMES[1:] if (EXAMPLES / name / STORIES[name] / "kustomization.yaml").exists()]
)
def test_kustomize_builds_the_example_of_a_function_with_its_image(name: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs("kustomize")
    machine.needs_image(f"localhost/{name}:{VERSION}")
    package = _story(name, tmp_path / "package")
    machine.run("krm-values", "kustomize", "install-plugins")
    build = ("kustomize", "build", "--enable-alpha-plugins", package.path)
    with_plugin = machine.run(*build).stdout
    package.annotate_config(f"container: {{image: localhost/{name}:{VERSION}}}")
    assert result(machine.run(*build).stdout) == result(with_plugin) != []


# What keeps images from being made.


def _images(
    folder: Path, image: str, *options: str, path: str = "", output: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Return a run of the script, in a copy of the project, that tags `localhost/unfinished/...`."""
    copied = cloned(folder / "clone")
    told = ("--base", image, "--registry", "localhost/unfinished", "--output", str(output or folder / "dist"), *options)
    command = [sys.executable, "scripts/images.py", *told]
    environment = {**os.environ, "PATH": os.pathsep.join(filter(None, (path, os.environ["PATH"])))}
    return subprocess.run(command, cwd=copied, capture_output=True, text=True, check=False, env=environment)


def _nothing_is_left(machine: Machine, dist: Path) -> bool:
    tagged = machine.run("docker", "images", "--quiet", "localhost/unfinished/*").stdout
    return not tagged and not (dist.exists() and list(dist.iterdir()))


OLD = '#!/bin/sh\necho "3 9 x86_64 glibc fit"\n'
BARE = '#!/bin/sh\necho "3 13 x86_64 glibc bare"\n'


@pytest.mark.parametrize(
    ("python", "said"),
    [
        (OLD, "has Python 3.9: 3.11 or newer is needed"),
        (BARE, "has no venv module (Debian: python3-venv)"),
        ("", "has no python3: name one with Python 3.11 or newer"),
        ("foreign", "is for another processor than this machine's"),
    ],
)
def test_a_base_image_that_is_not_fit_is_one_clear_error(
    python: str, said: str, base: str, machine: Machine, tmp_path: Path
) -> None:
    folder = tmp_path / "base"
    folder.mkdir()
    image, text = f"localhost/krm-values-unfit-{hashlib.sha256(said.encode()).hexdigest()[:12]}", f"FROM {base}\n"
    if python == "foreign":
        program = bytearray(Path("/bin/true").read_bytes())
        program[18:20] = b"\x00\x00"  # of no processor
        (folder / "python3").write_bytes(program)
    else:
        (folder / "python3").write_text(python, "utf-8")
    (folder / "python3").chmod(0o755)
    text = f"{text}COPY python3 /usr/local/bin/python3\n" if python else "FROM scratch\nCOPY python3 /other\n"
    (folder / "Dockerfile").write_text(text, "utf-8")
    machine.run("docker", "build", "--tag", image, folder)
    failed = _images(tmp_path, image)
    machine.run("docker", "rmi", image)
    (line,) = failed.stderr.splitlines()
    assert failed.returncode == 1
    assert line.startswith("error: ")
    assert line.endswith(said)
    assert _nothing_is_left(machine, tmp_path / "dist")


def test_a_registry_that_cannot_be_reached_is_one_clear_error(base: str, machine: Machine, tmp_path: Path) -> None:
    failed = _images(tmp_path, "127.0.0.1:9/nowhere/python:3.13")
    (line,) = failed.stderr.splitlines()
    assert failed.returncode == 1
    assert line.startswith("error: the base image 127.0.0.1:9/nowhere/python:3.13 cannot be run: ")
    assert "connection refused" in line
    assert _nothing_is_left(machine, tmp_path / "dist")


def _fake(folder: Path, cases: str) -> str:
    """Return the directory of a `docker` that answers in these cases of its arguments, and is the real one otherwise."""
    folder.mkdir()
    (folder / "docker").write_text(f'#!/bin/sh\ncase "$*" in\n{cases}esac\nexec {shutil.which("docker")} "$@"\n', "utf-8")
    (folder / "docker").chmod(0o755)
    return str(folder)


def test_an_engine_without_room_is_one_clear_error(base: str, machine: Machine, tmp_path: Path) -> None:
    full = "write /opt/krm-values/lib/x: no space left on device"
    path = _fake(tmp_path / "bin", f"build*) echo 'Error processing tar file: {full}' >&2; exit 1;;\n")
    failed = _images(tmp_path, base, path=path)
    assert failed.returncode == 1
    assert failed.stderr == (
        "error: the disk of the Docker engine is full: free some space, for example with `docker system prune`\n"
    )
    assert _nothing_is_left(machine, tmp_path / "dist")


def test_a_full_disk_under_the_sboms_leaves_no_image(base: str, machine: Machine, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    mounted = machine.run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", full, code=None)
    if mounted.returncode:
        lacking("no small file system can be mounted here")
    try:
        failed = _images(tmp_path, base, output=full)
        (line,) = failed.stderr.splitlines()
        assert failed.returncode == 1
        assert line.startswith("error: [Errno 28] No space left on device")
        assert _nothing_is_left(machine, full)
    finally:
        machine.run("umount", full)


BUILDER = """\
Name:   default
Driver: {driver}

Nodes:
Name:             default
Endpoint:         default
Status:           running
BuildKit version: v0.8
Platforms:        {platforms}
"""
"""What `docker buildx inspect` prints."""
WITHOUT_QEMU = BUILDER.format(driver="docker", platforms="linux/amd64, linux/amd64/v2, linux/386")
WITH_QEMU = BUILDER.format(driver="docker", platforms="linux/amd64*, linux/arm64, linux/386")
OF_ITS_OWN = BUILDER.format(driver="docker-container", platforms="linux/amd64*, linux/arm64, linux/386")


def _fake_buildx(folder: Path, builder: str) -> str:
    """Return the directory of a `docker` that has a buildx with this builder, which writes archives of one word; no builder: without buildx."""
    cases = f"""\
buildx\\ version) exit {int(not builder)};;
buildx\\ inspect*) cat {folder}/builder; exit;;
buildx\\ build*) echo "$*" >>{folder}/log; for word; do case $word in type=oci,dest=*) echo archive >"${{word#type=oci,dest=}}";; esac; done; exit;;
tag*) exit;;
"""
    (folder / "builder").write_text(builder, "utf-8")
    return _fake(folder / "bin", cases)


@pytest.mark.parametrize(
    ("builder", "why"),
    [
        (OF_ITS_OWN, ""),
        (WITHOUT_QEMU, "(the builder default cannot run its programs; QEMU can: `docker run"),
        (WITH_QEMU, "(the builder of the engine writes no archives: `docker buildx create --use`"),
        ("", "(docker buildx is not installed)"),
    ],
    ids=["all", "without QEMU", "the engine's", "none"],
)
def test_a_release_says_why_a_processor_is_left_out(builder: str, why: str, machine: Machine, tmp_path: Path) -> None:
    machine.needs_image(IMAGE)
    path = os.pathsep.join((_fake_buildx(tmp_path, builder), os.environ["PATH"]))
    command = [sys.executable, "-c", "import images; print(images._why_not_all())"]
    done = subprocess.run(
        command, cwd=ROOT / "scripts", capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    assert done.stdout.startswith(f"not built: arm64 {why}" if why else "\n"), done.stderr


@pytest.mark.parametrize("has_buildx", [True, False])
def test_a_release_is_for_both_processors_where_buildx_can_build_them(
    has_buildx: bool, base: str, machine: Machine, tmp_path: Path
) -> None:
    """The program stands in for buildx, of which it is asked to build all images as archives."""
    path = _fake_buildx(tmp_path, OF_ITS_OWN if has_buildx else "")
    done = _images(tmp_path, base, "--release", "--source", "https://example.com/it", path=path)
    assert done.returncode == 0, done.stderr
    made = sorted(path.name for path in (tmp_path / "dist").iterdir())
    sboms = [f"{name}-{VERSION}.cdx.json" for name in NAMES]
    if not has_buildx:
        assert (done.stderr, made) == ("not built: arm64 (docker buildx is not installed)\n", sorted(sboms))
        return
    assert made == sorted([*sboms, *(f"{name}-{VERSION}.oci.tar" for name in NAMES)])
    calls = (tmp_path / "log").read_text("utf-8").splitlines()
    assert len(calls) == len(NAMES)
    for name, call in zip(NAMES, calls, strict=True):
        assert "--platform linux/amd64,linux/arm64 " in call
        assert f"FUNCTION={'' if name == 'krm-values' else name} " in call
        assert "SOURCE=https://example.com/it " in call
