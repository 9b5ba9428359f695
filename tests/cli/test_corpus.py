"""Manifests as people wrote them: a render that changes nothing leaves every byte, and names what kpt refuses.

The manifests are read from `$KRM_SHARED/corpus`, by default beside the repository; they are no part of it.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import STEP, command, kptfile, snapshot, write

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(os.environ.get("KRM_SHARED") or ROOT.parent / "shared") / "corpus"
TEKTON = ", ".join(f"{{apiVersion: tekton.dev/{version}}}" for version in ("v1", "v1beta1", "v1alpha1"))
TEKTON += ", {kind: TriggerTemplate}"  # one refers to its own params as `$(params.x)`, as Triggers read them in 2020
REFUSED = {
    "fluxcd/flux2-kustomize-helm-example/.fluxschema.yml",
    "prometheus-operator/kube-prometheus/manifests/prometheus-roleSpecificNamespaces.yaml",
    "vmware-tanzu/cartographer/tests/kuttl/supplychain/immutables/03-assert.yaml",
}

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason=f"no manifests in {CORPUS}: set KRM_SHARED to the folder that holds `corpus`"
)


@pytest.fixture
def package(tmp_path):
    directory = tmp_path / "package"
    shutil.copytree(CORPUS, directory)
    return write(directory, {"Kptfile": kptfile(f"{STEP}, exclude: [{TEKTON}]")})


def test_what_kpt_refuses_is_named(package):
    found = command("render", package)
    assert found.returncode == 1
    assert (
        set(re.findall(r"error: ([^:]+):\d+:\d+: input resource list .*: resource must have `metadata\.name`;", found.stderr))
        == REFUSED
    )
    assert found.stderr.count("\n") == found.stderr.count("error: ")


def test_a_render_that_changes_nothing_keeps_every_byte(package, tmp_path):
    write(package, {".krmignore": "\n".join(REFUSED)})
    before = snapshot(package)
    found = command("render", package)
    assert (found.returncode, found.stderr) == (0, "1 step(s) run, changed: nothing\n")
    assert snapshot(package) == before
    assert command("render", package, "-o", tmp_path / "copy").returncode == 0
    copied = snapshot(tmp_path / "copy")
    assert copied == {name: text for name, text in before.items() if name in copied}
    assert len(copied) > 200
