"""`kpt fn source`, one or more functions in a pipe, `kpt fn sink`: what README.md shows, and what `render` gives."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from krm_values._krm import names
from krm_values._run import registry
from tests.hosts.machine import Machine
from tests.hosts.package import EXAMPLES, Package

README = EXAMPLES.parent / "README.md"
STORIES = sorted(path.parent for path in EXAMPLES.glob("*/*/Kptfile") if not any(path.parent.glob("*/Kptfile")))
"""The examples without sub-packages, whose steps a pipe does not run."""
FLUX = """\
apiVersion: krm-values.dev/v1alpha1
kind: FluxValues
metadata: {name: flux, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web # the shop
  namespace: ci
spec:
  values: {replicas: 2}
"""


def shown_pipe() -> str:
    """The pipe as README.md has it."""
    (found,) = re.findall(r"`set -o pipefail; (kpt fn source DIR \\\| krm-values run \\\| [^`]+)`", README.read_text("utf-8"))
    return str(found).replace("\\|", "|")


def as_kpt_keeps_it(machine: Machine, package: Path, target: Path) -> dict[str, bytes]:
    """The package's files after `kpt fn source` and `kpt fn sink` alone."""
    machine.pipe(f"kpt fn source . | kpt fn sink {target}", cwd=package)
    return contents(target)


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.mark.parametrize("story", STORIES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_pipe_of_the_readme_gives_what_render_gives(story: Path, machine: Machine, tmp_path: Path) -> None:
    """Where several functionConfigs lie in the package, the error names them, and each piece of the pipe has its own by `--config`."""
    machine.needs("kpt")
    for name in ("piped", "rendered"):
        shutil.copytree(story, tmp_path / name)
    script = shown_pipe().replace("DIR", "piped").replace("OUT", "out")
    used = re.findall(r"configPath: (\S+)", (story / "Kptfile").read_text("utf-8"))
    kinds = [names.kind(function) for function in registry.functions()]
    texts = {path.name: path.read_text("utf-8") for path in story.glob("*.yaml")}
    configs = [name for name, text in texts.items() if any(f"\nkind: {kind}\n" in text for kind in kinds)]
    if len(configs) > 1:
        refused = machine.pipe(script.replace("out", "refused"), cwd=tmp_path, code=1).stderr
        assert [name for name in [*configs, "`--config FILE`"] if name not in refused] == []
        pieces = " | ".join(f"krm-values run --config piped/{name}" for name in used)
        machine.pipe(script.replace("krm-values run", pieces), cwd=tmp_path)
    else:
        taken = machine.pipe(script, cwd=tmp_path).stderr
        assert [line for line in taken.splitlines() if "functionConfig" in line and used[0] in line]
    machine.run("krm-values", "render", "rendered", cwd=tmp_path)
    assert contents(tmp_path / "out") == as_kpt_keeps_it(machine, tmp_path / "rendered", tmp_path / "kept")


def test_each_function_of_a_pipe_has_its_own_config(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt")
    package = Package.copy(EXAMPLES / "tekton-params/build-and-deploy", tmp_path / "package").path
    (package / "release.yaml").write_text(RELEASE, "utf-8")
    (package / "flux.yaml").write_text(FLUX, "utf-8")
    pieces = "krm-values run tekton-params --config tekton-params.yaml | krm-values run flux-values --config flux.yaml"
    done = machine.pipe(f"kpt fn source . | {pieces} | kpt fn sink ../out", cwd=package)
    assert done.stderr == ""
    kptfile = package / "Kptfile"
    kptfile.write_text(f"{kptfile.read_text('utf-8')}  - exec: krm-flux-values\n    configPath: flux.yaml\n", "utf-8")
    machine.run("kpt", "fn", "render", package, "--allow-exec")
    out, rendered = contents(tmp_path / "out"), as_kpt_keeps_it(machine, package, tmp_path / "kept")
    assert out.pop("Kptfile") != rendered.pop("Kptfile")
    assert out == rendered
    assert "web-flux-values.yaml" in out
    assert b"propagate" in out["tekton-params.yaml"]


def test_a_pipe_stops_where_a_function_has_the_config_of_another(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt")
    package = Package.copy(EXAMPLES / "tekton-params/build-and-deploy", tmp_path / "package").path
    (package / "flux.yaml").write_text(FLUX, "utf-8")
    pieces = "krm-values run flux-values --config flux.yaml | krm-values run tekton-params --config flux.yaml"
    done = machine.pipe(f"kpt fn source . | {pieces} | kpt fn sink ../out", cwd=package, code=1)
    assert 'found string "FluxValues", the functionConfig of `flux-values`' in done.stderr
