"""A container that may do next to nothing: no network, a file system that nobody writes, user nobody, 256 MiB; and a list of 30 MB."""

from __future__ import annotations

import io
import textwrap

import pytest

from krm_values._run import registry
from tests.bench import data
from tests.hosts.machine import IMAGE, Machine, lacking
from tests.hosts.package import EXAMPLES

MEMORY = 256 << 20
LIGHT = (
    *("docker", "run", "--rm", "-i", "--network", "none", "--read-only", "--user", "65534"),
    *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--memory", str(MEMORY), "--memory-swap", str(MEMORY)),
)
STORIES = {
    "cartographer-params": "web-and-worker",
    "envgene-sd": "three-environments",
    "flux-values": "into-the-release",
    "giantswarm-config": "stage-and-region",
    "glasskube-values": "chart-value",
    "layered-values": "one-config-many-fields",
    "tekton-params": "build-and-deploy",
}
LIMITS = "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"
SHOW_LIMIT = f"import os; print(next(open(p).read().strip() for p in {LIMITS} if os.path.exists(p)))"


def indented(text: str, prefix: str) -> str:
    return textwrap.indent(text.removeprefix("---\n").rstrip("\n"), prefix) + "\n"


def big_list(name: str) -> str:
    """An example's resources, and after them others up to 30 MB."""
    story = EXAMPLES / name / STORIES[name]
    files = [path for path in sorted(story.rglob("*.yaml")) if path.name not in (f"{name}.yaml", "kustomization.yaml")]
    texts = [text for path in files if ".expected" not in path.parts for text in path.read_text("utf-8").split("\n---\n")]
    out = io.StringIO()
    out.write("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n")
    out.write(indented((story / f"{name}.yaml").read_text("utf-8"), "  "))
    out.write("items:\n")
    for text in texts:
        lines = indented(text, "  ")
        first = next(line for line in lines.splitlines() if line.strip() and not line.strip().startswith("#"))
        out.write(lines.replace(first, f"- {first[2:]}", 1))
    filler = data.items(10_000, 0)
    while out.tell() < 30_000_000:
        out.write(next(filler))
    return out.getvalue()


def test_every_function_has_a_list():
    assert sorted(STORIES) == sorted(registry.functions())


@pytest.mark.parametrize("name", STORIES)
def test_a_list_of_30_mb_in_256_mib(name: str, machine: Machine) -> None:
    """The result is the one that a run outside gives, and something is done."""
    machine.needs_image(IMAGE)
    text = big_list(name)
    done = machine.run(*LIGHT, IMAGE, "run", name, stdin=text)
    assert done.stdout == machine.run(f"krm-{name}", stdin=text).stdout
    assert 30_000_000 < len(done.stdout) != len(text)


def test_the_limit_of_memory_holds(machine: Machine) -> None:
    """Or the test above would show nothing."""
    machine.needs_image(IMAGE)
    python = "/opt/krm-values/bin/python"
    shown = machine.run(*LIGHT, "--entrypoint", python, IMAGE, "-c", SHOW_LIMIT)
    if shown.stdout.strip() != str(MEMORY):
        lacking(f"the Docker engine does not limit memory: {shown.stdout.strip()}")
    assert machine.run(*LIGHT, "--entrypoint", python, IMAGE, "-c", f"bytearray(b'x' * {MEMORY})", code=None).returncode == 137


def test_a_light_container_can_do_nothing_else(machine: Machine) -> None:
    """Nothing can be written outside of /dev, and nobody can be reached."""
    machine.needs_image(IMAGE)
    script = (
        "import os, socket\n"
        "found = []\n"
        "for folder, _, _ in os.walk('/'):\n"
        "    if not folder.startswith(('/proc', '/sys', '/dev')) and os.access(folder, os.W_OK): found.append(folder)\n"
        "interfaces = [name for _, name in socket.if_nameindex()]\n"
        "print(os.getuid(), found, [name for name in interfaces if name == 'eth0'])\n"
    )
    shown = machine.run(*LIGHT, "--entrypoint", "/opt/krm-values/bin/python", IMAGE, "-c", script).stdout
    assert shown == "65534 [] []\n"
