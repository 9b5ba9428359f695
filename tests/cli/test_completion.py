"""Shell completion: what each word may become, by the hidden command that the scripts of the shells call, and by kubectl."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.packages import START, command, write

from krm_values._cli.arguments import table
from krm_values._run import registry

ROOT = Path(__file__).parents[2]
PATHS = {
    "spec.replicas",
    "spec.template.spec.containers[0].image",
    "spec.template.spec.containers[0].resources.limits.memory",
}
FILES = {"Kptfile", "deployment.yaml", "layers.yaml", "sub/"}


@pytest.fixture
def package(tmp_path):
    folder = Path(shutil.copytree(ROOT / "examples/layered-values/first", tmp_path / "web"))
    shutil.rmtree(folder / ".expected")
    (folder / "README.md").unlink()
    (folder / "sub").mkdir()
    return folder


def candidates(*words, cwd=None):
    done = command("__complete", *words, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return {line.partition("\t")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["rend"], {"render"}),
        (["envgene", "s"], {"source", "sink"}),
        (["kustomize", ""], {"install-plugins", "uninstall-plugins"}),
        (["help", "comp"], {"compare", "completion"}),
        (["help", "env"], {"envgene"}),
        (["help", "fleet", "m"], {"merge"}),
        (["help", "render", ""], set()),
        (["docs", "flux-v"], {"flux-values"}),
        (["docs", ""], {*registry.functions()}),
        (["docs", "readab"], {"readable-secret"}),
        (["schema", "e"], {"envgene-sd", "explanation"}),
        (["schema", "fleet"], {"fleet-explanation", "fleet-comparison"}),
        (["revert", "lay"], {"layered-values"}),
        (["revert", "layered-values", ""], {"sub/"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["render", "--re"], {"--recursive", "--results-dir", "--release"}),
        (["explain", "-o", ""], {"text", "json", "yaml"}),
        (["check", "--format", "s"], {"sarif"}),
        (["render", ""], {"sub/"}),
        (["render", "sub/"], set()),
        (["why", ""], FILES),
        (["explain", "--config", "l"], {"layers.yaml"}),
        (["explain", "--overridden-by", ""], {"base", "prod", "resource"}),
        (["explain", "--resource", ""], {"Deployment/web"}),
        (["explain", "--path", ""], PATHS),
        (["explain", ".", "spec"], PATHS),
        (["explain", "--all", ".", "spec.r"], {"spec.replicas"}),
        (["values", ".", "Dep"], {"Deployment/web"}),
        (["explain", ".", "Dep"], {"Deployment/web"}),
        (["values", "fl"], {"flux-values"}),
        (["nonsense", ""], set()),
        (["list", ""], set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_word_is_completed(package, words, expected):
    assert candidates(*words, cwd=package) == expected


def test_without_a_word_it_is_a_command():
    assert candidates("") == {*table.COMMANDS, "envgene", "glasskube"}
    assert candidates("run", "") >= {*registry.functions()}


def test_what_cannot_be_rendered_completes_without_values_and_without_a_message(package):
    write(package, {"layers.yaml": "a: [\n"})
    assert candidates("explain", ".", "", cwd=package) == {*FILES}
    assert candidates("explain", "--overridden-by", "", cwd=package) == set()


def test_no_name_that_a_terminal_acts_on_is_printed(package):
    (package / "x\x1b]0;y\ntest.yaml").write_text("a: 1\n")
    assert candidates("why", "", cwd=package) == FILES


def test_kubectl_asks_a_program_of_its_own(package, tmp_path):
    """`kubectl krm-values` is completed by what kubectl itself finds on the PATH."""
    if shutil.which("kubectl") is None:
        assert os.environ.get("KRM_HOSTS") != "required", "kubectl must be installed"
        pytest.skip("kubectl is not on PATH")
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("kubectl-krm_values", "kubectl_complete-krm_values"):
        script = folder / name
        script.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{START}' {name} \"$@\"\n")
        script.chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}

    def asked(*words):
        done = subprocess.run(
            ["kubectl", "__complete", "krm-values", *words],
            cwd=package,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return [line.partition("\t")[0] for line in done.stdout.splitlines()]

    assert asked("rend") == ["render", ":4"]
    assert asked("explain", "--resource", "") == ["Deployment/web", ":4"]
    assert asked("render", "s") == ["sub/", ":6"]
