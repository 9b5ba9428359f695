"""What a step wrote from a Secret stays when the step leaves the pipeline: no command shows it."""

from __future__ import annotations

import pytest
from tests.cli.packages import kptfile, write
from tests.secrets.commands import krm
from tests.secrets.looks import looks

MARKER = "Xq71-marker-Zr"
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: {name}, annotations: {{config.kubernetes.io/local-config: "true"}}}}
spec:
  layers: [{layer}]
  targets: [{{kind: {kind}, name: t, allowSecrets: true, fields: {{{field}: pw}}}}]
"""
SECRET = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: s}}\nstringData:\n  values.yaml: |\n    pw: {MARKER}\n"
THINGS = {
    "a field": ("spec.pw", "apiVersion: example.org/v1\nkind: Thing\nmetadata: {name: t}\nspec:\n  pw: own\n"),
    "a text": ("data.k.pw", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata:\n  k: |\n    pw: own\n    b: 1\n"),
}


@pytest.mark.parametrize("left", [["Kptfile"], ["base/Kptfile"], ["Kptfile", "base/Kptfile"]], ids=" and ".join)
@pytest.mark.parametrize(("field", "thing"), THINGS.values(), ids=THINGS)
def test_no_command_shows_it(field, thing, left, tmp_path):
    kind = "Thing" if "Thing" in thing else "ConfigMap"
    files = {
        "Kptfile": kptfile("exec: krm-layered-values, configPath: over.yaml"),
        "over.yaml": CONFIG.format(name="over", layer="{secret: s}", kind=kind, field=field),
        "s.yaml": SECRET,
        "base/Kptfile": kptfile("exec: krm-layered-values, configPath: base.yaml", name="base"),
        "base/base.yaml": CONFIG.format(name="base", layer="{values: {pw: plain}}", kind=kind, field=field),
        "base/thing.yaml": thing,
    }
    package = write(tmp_path / "package", files)
    assert krm("render", package).code == 0
    assert MARKER in (package / "base/thing.yaml").read_text()
    write(package, {name: kptfile() for name in left})
    for words in (["explain", "--all"], ["explain", "--all", "--json"], ["explain", "--patch"]):
        assert MARKER not in krm(*words, package).said.decode(), words
    for name, _, out, err in looks(package):
        assert MARKER not in (out + err).decode(), name
