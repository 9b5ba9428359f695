"""What is particular to kustomize, alone and inside kubectl: where errors show, what is skipped, what must come back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from krm_values._run import registry
from tests.hosts.hosts import KUSTOMIZE, Printing
from tests.hosts.machine import Machine
from tests.hosts.package import COMMAND, PACKAGES, Package, result

KUBECTL = ("kubectl", "kustomize", "--enable-alpha-plugins")
KUSTOMIZE_EXEC = ("kustomize", "build", "--enable-alpha-plugins", "--enable-exec")


def _add(package: Package, text: str) -> None:
    (package.path / "kustomization.yaml").write_text(package.text("kustomization.yaml") + text, "utf-8")


@pytest.mark.parametrize("host", KUSTOMIZE, ids=lambda host: host.__name__)
def test_a_failure_shows_every_error_once_on_stderr(host: Printing, machine: Machine, tmp_path: Path) -> None:
    package = Package.copy(PACKAGES / "broken", tmp_path / "package")
    with pytest.raises(AssertionError) as failure:
        host(machine, package)
    text = str(failure.value)
    assert "exit 1" in text
    assert "Traceback" not in text
    for name in ("first", "second", "third", "fourth", "fifth"):
        assert text.count(f": {name}: unknown parameter") == 1


def test_an_error_names_the_file_when_kustomize_says_it(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kustomize")
    package = Package.copy(PACKAGES / "broken", tmp_path / "package")
    _add(package, "buildMetadata: [originAnnotations]\n")
    package.annotate_config(f"exec: {{path: {COMMAND}}}")
    failed = machine.run(*KUSTOMIZE_EXEC, package.path, code=1)
    assert failed.stderr.count("runs.yaml: PipelineRun misspelt ") == 5


def test_kubectl_skips_an_exec_function_without_a_word(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kubectl")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    before = result(package.resources())
    package.annotate_config(f"exec: {{path: {COMMAND}}}")
    built = machine.run(*KUBECTL, package.path)
    assert (result(built.stdout), built.stderr) == (before, "")


def test_kubectl_without_its_flag_refuses_plugins(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kubectl")
    machine.run("krm-values", "kustomize", "install-plugins")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    assert "external plugins disabled" in machine.run("kubectl", "kustomize", package.path, code=1).stderr


def _validate(package: Package) -> None:
    text = package.text("kustomization.yaml")
    (package.path / "kustomization.yaml").write_text(text.replace("transformers:", "validators:"), "utf-8")


@pytest.mark.parametrize("protocol", ["exec function", "legacy plugin"])
def test_under_validators_kustomize_refuses_what_gives_back_the_very_items(
    protocol: str, machine: Machine, tmp_path: Path
) -> None:
    """The package is resolved already and comes back as it was sent; the same happens to `cat`."""
    machine.needs("kustomize")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    machine.run("krm-values", "render", package.path)
    if protocol == "legacy plugin":
        machine.run("krm-values", "kustomize", "install-plugins")
    else:
        package.annotate_config(f"exec: {{path: {COMMAND}}}")
    _validate(package)
    assert "shouldn't modify the resource map" in machine.run(*KUSTOMIZE_EXEC, package.path, code=1).stderr


@pytest.mark.parametrize("host", KUSTOMIZE, ids=lambda host: host.__name__)
def test_names_hashes_and_labels_of_kustomize_survive(host: Printing, machine: Machine, tmp_path: Path) -> None:
    """kustomize keeps its bookkeeping on the items; a generated ConfigMap has its hash suffix only if that comes back."""
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    _add(package, "namePrefix: p-\nnamespace: ci\nconfigMapGenerator:\n- name: generated\n  literals:\n  - a=b\n")
    resources = {item["kind"] + "/" + item["metadata"]["name"]: item for item in result(host(machine, package))}
    (generated,) = (name for name in resources if name.startswith("ConfigMap/p-generated-"))
    assert resources[generated]["data"] == {"a": "b"}
    run = resources["PipelineRun/p-release"]
    assert run["metadata"]["namespace"] == "ci"
    assert [param["name"] for param in run["spec"]["pipelineSpec"]["params"]] == ["tag", "flags", "dry-run"]


def test_a_local_config_resource_is_seen_and_left_out_of_the_build(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kustomize")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    run = package.text("release.yaml").replace(
        "  annotations:\n", '  annotations:\n    config.kubernetes.io/local-config: "true"\n'
    )
    (package.path / "release.yaml").write_text(run, "utf-8")
    package.annotate_config(f"exec: {{path: {COMMAND}}}")
    built = result(machine.run(*KUSTOMIZE_EXEC, package.path).stdout)
    assert [item["kind"] for item in built] == ["ConfigMap", "Service"]


@pytest.mark.parametrize("command", [KUBECTL, ("kustomize", "build", "--enable-alpha-plugins")], ids=["kubectl", "kustomize"])
def test_warnings_of_a_plugin_are_hidden_and_strict_makes_them_errors(
    command: tuple[str, ...], machine: Machine, tmp_path: Path
) -> None:
    """As docs/limits.md says."""
    machine.needs(command[0])
    machine.run("krm-values", "kustomize", "install-plugins")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    text = package.text("release.yaml")
    (package.path / "release.yaml").write_text(text.replace("\nspec:\n", "\nspec:\n  colour: red\n"), "utf-8")
    warning = "`colour` is not a field of this object"
    assert warning in machine.run("krm-values", "render", "--diff", package.path, code=1).stderr
    assert machine.run(*command, package.path).stderr == ""
    config = package.config.read_text("utf-8")
    package.config.write_text(config.replace("spec:\n", "spec:\n  strict: true\n"), "utf-8")
    assert warning in machine.run(*command, package.path, code=1).stderr


@pytest.mark.parametrize("function", registry.functions())
def test_every_function_has_the_remedy_for_hidden_warnings(function: str, machine: Machine) -> None:
    schema = json.loads(machine.run("krm-values", "schema", function).stdout)
    assert schema["properties"]["spec"]["properties"]["strict"]["type"] == "boolean"


@pytest.mark.parametrize("command", [KUBECTL, KUSTOMIZE_EXEC], ids=["kubectl", "kustomize"])
def test_kustomize_refuses_what_has_only_a_generated_name(command: tuple[str, ...], machine: Machine, tmp_path: Path) -> None:
    machine.needs(command[0])
    package = Package.copy(PACKAGES / "nameless", tmp_path / "package")
    assert "metadata.name" in machine.run(*command, package.path, code=1).stderr


def test_plugins_are_installed_where_kustomize_looks(machine: Machine) -> None:
    machine.run("krm-values", "kustomize", "install-plugins")
    default = machine.home / ".config"
    machine.run("krm-values", "kustomize", "install-plugins", extra={"XDG_CONFIG_HOME": str(machine.home / "xdg")})
    for place in (default, machine.home / "xdg"):
        plugin = place / "kustomize/plugin/krm-values.dev/v1alpha1/tektonparams/TektonParams"
        assert plugin.stat().st_mode & 0o111
