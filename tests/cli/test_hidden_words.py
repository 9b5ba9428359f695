"""`<hidden>, changed` and `unchanged` are about what was there before the first step."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, kptfile, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom: []
  values:
    own: 1
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: team}\nstringData: {values.yaml: 'user: s3cret'}\n"
LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{secret: login, namespace: team}]
  targets:
  - {kind: HelmRelease, name: web, allowSecrets: true, fields: {spec.values.user: {value: user, missing: create}}}
"""
FLUX = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: fx}\nspec: {output: inline}\n"


@pytest.fixture
def package(tmp_path):
    steps = "exec: krm-layered-values, configPath: lv.yaml", "exec: krm-flux-values, configPath: fx.yaml"
    files = {"Kptfile": kptfile(*steps), "lv.yaml": LAYERED, "fx.yaml": FLUX, "all.yaml": f"{RELEASE}---\n{SECRET}"}
    return write(tmp_path / "package", files)


def test_a_field_that_an_earlier_step_made_is_neither(package):
    assert "\nspec.values.user = <hidden>\n" in command("explain", package).stdout
    assert command("render", package).returncode == 0
    assert "\nspec.values.user = <hidden>, unchanged\n" in command("explain", package).stdout
