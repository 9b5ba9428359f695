"""Libraries warn on stderr, and quote what they read: nothing of it is printed."""

from __future__ import annotations

import subprocess
import sys
import warnings

import pytest

from krm_values._data.data_edits import Put
from krm_values._run import registry
from krm_values._yaml import decode
from krm_values._yaml.edit import reprint

SECRET = "{a: &x hunter2, b: &x hunter3, c: *x, <<: {z: old}}"
LIST = f"""apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: Secret
  metadata: {{name: s}}
  stringData: {SECRET}
- apiVersion: v1
  kind: ConfigMap
  metadata: {{name: base}}
  data: {{values.yaml: "z: new"}}
"""
CONFIG = """functionConfig:
  apiVersion: krm-values.dev/v1alpha1
  kind: LayeredValues
  metadata: {name: l}
  spec:
    layers: [{configMap: base}]
    targets: [{kind: Secret, name: s, fields: {stringData.z: z}}]
"""
PROGRAM = """import sys, warnings
from krm_values._cli.main import main
code = main(sys.argv[1:])
warnings.warn("a library read: hunter4")
sys.exit(code)
"""


def test_a_reprint_of_an_anchor_that_stands_twice_warns_of_nothing():
    after = decode.data(SECRET.replace("old", "new"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert "new" in (reprint.rewrite(SECRET + "\n", after, [Put(("z",), "new")], step=2, dash=0) or "")
    assert caught == []


@pytest.mark.parametrize("arguments", [*(["run", name] for name in sorted(registry.functions())), ["clean", "-"]], ids=" ".join)
def test_no_warning_of_a_library_reaches_stderr(arguments):
    text = LIST + CONFIG * ("layered-values" in arguments)
    command = [sys.executable, "-W", "always", "-c", PROGRAM, *arguments]
    found = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert "Warning" not in found.stderr
    assert "hunter" not in found.stderr
    assert ("z: new}" in found.stdout) == ("layered-values" in arguments)
