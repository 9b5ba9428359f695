"""The example with two workloads: equal objects from every host, and what follows a change is what a fresh run gives."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.package import read

EXAMPLE = Path(__file__).parents[3] / "examples/cartographer-params/web-and-worker"
COMMANDS = Path(sys.executable).parent
HIDDEN = ("config.kubernetes.io/path", "config.kubernetes.io/index", "internal.config.kubernetes.io/")


@pytest.fixture
def package(tmp_path):
    return copied(tmp_path / "package")


def copied(target: Path) -> Path:
    return Path(shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns(".expected")))


def call(*command, code=0, stdin=None, **environment):
    path = f"{COMMANDS}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **environment}
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, input=stdin, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def render(package: Path) -> None:
    call("krm-values", "render", package)


def kpt(package: Path) -> None:
    needs("kpt")
    call("kpt", "fn", "render", "--allow-exec", package)


def needs(program: str) -> None:
    if not shutil.which(program):
        assert os.environ.get("KRM_HOSTS") != "required", f"{program} must be installed"
        pytest.skip(f"{program} is not installed")


def contents(package: Path) -> dict[str, str]:
    return {str(path.relative_to(package)): path.read_text() for path in sorted(package.rglob("*")) if path.is_file()}


def made(package: Path) -> dict[str, str]:
    return {path: text for path, text in contents(package).items() if path.startswith("cartographer/")}


def objects(*texts: str, marked: bool = True):
    """Objects by kind, namespace and name, without what hosts add and without marks: those that have marks, or all."""
    found = {}
    for data in (data for text in texts for data in read(text)):
        annotations = data["metadata"].pop("annotations", {})
        if not marked or annotations.get("krm-values.dev/generated-by") == "cartographer-params":
            if kept := {k: v for k, v in annotations.items() if not k.startswith((*HIDDEN, "krm-values.dev/generated-"))}:
                data["metadata"]["annotations"] = kept
            found[data["kind"], data["metadata"].get("namespace"), data["metadata"]["name"]] = data
    return found


def test_render_kpt_and_kubectl_stamp_equal_objects(package, tmp_path):
    """kustomize leaves out what is marked as local configuration, as a ResolvedParams is."""
    needs("kubectl")
    by_kpt = copied(tmp_path / "kpt")
    render(package)
    kpt(by_kpt)
    assert contents(by_kpt) == contents(package)
    plugins = {"KUSTOMIZE_PLUGIN_HOME": str(tmp_path / "plugins")}
    call("krm-values", "kustomize", "install-plugins", **plugins)
    built = call("kubectl", "kustomize", "--enable-alpha-plugins", copied(tmp_path / "kubectl"), **plugins).stdout
    stamped = objects(*made(package).values())
    found = objects(built, marked=False)
    assert "krm-values.dev/generated" not in built
    assert {key: found.get(key) for key in stamped if key[0] != "ResolvedParams"} == {
        key: data for key, data in stamped.items() if key[0] != "ResolvedParams"
    }


def replace(file: str, old: str, new: str):
    def change(package: Path) -> None:
        text = (package / file).read_text()
        assert old in text
        (package / file).write_text(text.replace(old, new))

    return change


def step_renamed(package: Path) -> None:
    replace("chains/web.yaml", "- name: lint\n    templateRef", "- name: checks\n    templateRef")(package)


def template_renamed(package: Path) -> None:
    replace("templates/settings.yaml", "  name: settings\n", "  name: options\n")(package)
    replace(
        "chains/web.yaml",
        "      kind: ClusterConfigTemplate\n      name: settings",
        "      kind: ClusterConfigTemplate\n      name: options",
    )(package)


def workload_removed(package: Path) -> None:
    (package / "workloads/cart.yaml").unlink()
    replace("kustomization.yaml", "- workloads/cart.yaml\n", "")(package)


def output_withdrawn(package: Path) -> None:
    text = (package / "cartographer-params.yaml").read_text()
    (package / "cartographer-params.yaml").write_text(text[: text.index("    Workload/shop/cart")])


CHANGES = {
    "other chain by label": replace("workloads/cart.yaml", "kind: web", "kind: worker"),
    "step renamed": step_renamed,
    "template renamed": template_renamed,
    "objects taken out of emit": replace("cartographer-params.yaml", "  - objects\n", ""),
    "a supplied output withdrawn": output_withdrawn,
    "workload removed": workload_removed,
}


@pytest.mark.parametrize("run", [render, kpt])
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_gives_the_files_of_a_fresh_run(package, tmp_path, change, run):
    fresh = copied(tmp_path / "fresh")
    run(package)
    once = contents(package)
    for one in (package, fresh):
        change(one)
    users = contents(fresh)
    for one in (package, fresh):
        run(one)
    assert contents(package) == contents(fresh)
    assert {path: text for path, text in contents(package).items() if path in users} == users
    assert contents(package) != once
