"""`render -o unwrap --release`: what a cluster takes. Argo CD's plugin calls it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.packages import CONFIG_MAP, PROPAGATE, STEP, command, kptfile, resolved, run, snapshot, write

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/*/Kptfile"))
PLUGIN: dict[str, Any] = yaml.safe_load((ROOT / "argocd/plugin.yaml").read_text("utf-8"))["spec"]
LOCAL = "config.kubernetes.io/local-config"
SIMPLE = {"Kptfile": kptfile(f"{STEP}, configPath: config.yaml"), "config.yaml": PROPAGATE, "run.yaml": run()}


def printed(package: Path, *options: str) -> list[dict[str, Any]]:
    done = command("render", package, "-o", "unwrap", "--release", *options)
    assert done.returncode == 0, done.stderr
    return [one for one in yaml.safe_load_all(done.stdout) if one is not None]


def annotated(name: str, key: str, value: str) -> str:
    return CONFIG_MAP.format(name=name).replace("\ndata:", f"\n  annotations: {{{key}: {value}}}\ndata:")


def test_only_what_the_package_is_about_is_printed(tmp_path):
    package = write(tmp_path, SIMPLE)
    done = command("render", package, "-o", "unwrap", "--release")
    assert (done.returncode, done.stdout, done.stderr) == (0, resolved(), "")
    assert snapshot(package) == SIMPLE


@pytest.mark.parametrize(
    ("key", "value", "stays"),
    [
        (LOCAL, '"true"', False),
        (LOCAL, "true", False),
        (LOCAL, '""', False),
        (LOCAL, '"false"', True),
        ("config.kubernetes.io/function", "'exec: {path: x}'", False),
        ("internal.config.kubernetes.io/path", "a.yaml", True),
        ("x.test/a", "b", True),
    ],
)
def test_what_an_annotation_keeps_on_the_machine(key, value, stays, tmp_path):
    package = write(tmp_path, SIMPLE | {"marked.yaml": annotated("marked", key, value)})
    found = [one["metadata"]["name"] for one in printed(package)]
    assert found == (["marked", "build"] if stays else ["build"])


def test_a_config_map_that_configures_a_step_stays_behind(tmp_path):
    """In a sub-package, and that of a foreign step, too."""
    config = CONFIG_MAP.format(name="config").replace("a: b", "mode: propagate")
    files = {
        "Kptfile": kptfile(f"{STEP}, configPath: ./config.yaml", "exec: cat, configPath: other.yaml"),
        "config.yaml": config,
        "other.yaml": CONFIG_MAP.format(name="other"),
        "sub/Kptfile": kptfile(f"{STEP}, configPath: config.yaml", name="sub"),
        "sub/config.yaml": config,
        "sub/other.yaml": CONFIG_MAP.format(name="stays"),
        "run.yaml": run(),
    }
    found = printed(write(tmp_path, files), "--skip-foreign")
    assert [one["metadata"]["name"] for one in found] == ["stays", "build"]


def test_kustomizations_and_their_patches_stay_behind(tmp_path):
    files = SIMPLE | {
        "kustomization.yaml": "resources: [run.yaml]\npatches: [{path: patch.yaml}]\n",
        "patch.yaml": CONFIG_MAP.format(name="patched"),
        "component.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nmetadata: {name: c}\n",
        "deleted.yaml": CONFIG_MAP.format(name="deleted") + "$patch: delete\n",
    }
    assert [one["kind"] for one in printed(write(tmp_path, files))] == ["PipelineRun"]


def test_no_annotation_of_ours_is_printed(tmp_path):
    """Neither those that `clean` keeps; the others stay."""
    ours = annotated("a", "krm-values.dev/released", "x") + "---\n" + annotated("b", "krm-values.dev/applied", "x, keep: c")
    texts = {"a.yaml": ours, "b.json": json.dumps(yaml.safe_load(annotated("j", "krm-values.dev/from-secret", "data.a")))}
    found = {one["metadata"]["name"]: one["metadata"] for one in printed(write(tmp_path, SIMPLE | texts))}
    assert found["a"] == {"name": "a"}
    assert found["b"] == {"name": "b", "annotations": {"keep": "c"}}
    assert found["j"] == {"name": "j"}


@pytest.mark.parametrize("source", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_examples_print_objects_only(source, tmp_path):
    """Each has a kind, a name, strings as annotations, and is there once; a second render of a rendered package prints the same."""
    package = tmp_path / "package"
    shutil.copytree(source, package)
    found = printed(package)
    for one in found:
        assert {"apiVersion", "kind", "metadata"} <= {*one}
        annotations = one["metadata"].get("annotations", {})
        assert all(isinstance(value, str) for value in annotations.values())
        assert not any(key.startswith("krm-values.dev/") or key == LOCAL for key in annotations)
        assert not one["apiVersion"].startswith(("krm-values.dev/", "kpt.dev/", "kustomize.config.k8s.io/"))
    labels = [(one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"], one["apiVersion"]) for one in found]
    assert len({*labels}) == len(labels)
    assert bool(found) == (source.name != "three-environments")
    command("render", package)
    assert sorted(map(str, printed(package))) == sorted(map(str, found))


# As Argo CD's sidecar calls it: in a copy of the Application's directory, with its environment, and a read-only root.


def argocd(package: Path, **parameters: str) -> subprocess.CompletedProcess[str]:
    """Run the plugin's generate command as argocd-cmp-server does; parameters come as JSON and one by one."""
    announced = [{"name": name, "string": value} for name, value in parameters.items()]
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ARGOCD_APP_NAME": "shop",
        "ARGOCD_APP_NAMESPACE": "shop",
        "ARGOCD_APP_PROJECT_NAME": "default",
        "ARGOCD_APP_REVISION": "0" * 40,
        "ARGOCD_APP_REVISION_SHORT": "0" * 7,
        "ARGOCD_APP_SOURCE_PATH": "deploy/shop",
        "ARGOCD_APP_SOURCE_REPO_URL": "https://git.example.test/shop.git",
        "ARGOCD_APP_SOURCE_TARGET_REVISION": "HEAD",
        "ARGOCD_APP_PARAMETERS": json.dumps(announced),
        "KUBE_VERSION": "1.32.4",
        "KUBE_API_VERSIONS": "v1,apps/v1",
        **{f"PARAM_{name.upper().replace('-', '_')}": value for name, value in parameters.items()},
    }
    generate = PLUGIN["generate"]
    call = [*generate["command"], *generate["args"]]
    return subprocess.run(call, cwd=package, env=environment, capture_output=True, text=True, check=False)


def test_argo_cd_finds_the_packages_by_their_kptfile(tmp_path):
    assert list(write(tmp_path, SIMPLE).glob(PLUGIN["discover"]["fileName"]))


def test_argo_cd_gets_manifests(tmp_path):
    package = write(tmp_path, SIMPLE)
    done = argocd(package)
    assert (done.returncode, done.stdout, done.stderr) == (0, resolved(), "")
    assert snapshot(package) == SIMPLE


def test_argo_cd_gets_nothing_of_a_package_that_fails(tmp_path):
    package = write(tmp_path, SIMPLE | {"run.yaml": run().replace("url #", "other #")})
    done = argocd(package)
    assert (done.returncode, done.stdout) == (1, "")
    assert "run.yaml" in done.stderr


def test_every_parameter_that_is_announced_has_an_effect(tmp_path):
    """In the fields that Argo CD knows, and with its default."""
    fields = {"name", "title", "tooltip", "required", "itemType", "collectionType", "string", "array", "map"}
    (announced,) = PLUGIN["parameters"]["static"]
    assert {*announced} <= fields
    package = write(tmp_path, SIMPLE | {"Kptfile": kptfile(f"{STEP}, configPath: config.yaml", "exec: cat")})
    default = {announced["name"]: announced["string"]}
    refused = argocd(package, **default)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert argocd(package, **{announced["name"]: "true"}).stdout == resolved()
