"""What a template makes of a Secret's value is one value: its keys are a part of it, and shown nowhere."""

from __future__ import annotations

from tests.cli.packages import command, kptfile, write
from tests.secrets.looks import showing

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: GlasskubeValues
metadata: {name: g, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {}
"""
MANIFEST = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {name: gp, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  manifest:
    name: gp
    scope: Namespaced
    defaultNamespace: t
    valueDefinitions:
      a:
        type: text
        targets:
        - resource: {apiGroup: ex.test/v1, kind: Thing, name: one}
          patch: {op: add, path: /spec/n}
          valueTemplate: '{"{{ . }}": "x"}'
      b:
        type: text
        targets:
        - resource: {apiGroup: ex.test/v1, kind: Thing, name: one}
          patch: {op: add, path: /spec/n/z}
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: gp, namespace: t}
spec:
  packageInfo: {name: gp, version: v1}
  values:
    a: {valueFrom: {secretRef: {name: s, key: v}}}
    b: {value: plain}
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: s, namespace: t}
stringData: {v: s3cretA}
"""
THING = """\
apiVersion: ex.test/v1
kind: Thing
metadata: {name: one, namespace: t}
spec:
  own: 1
"""
FILES = {"config.yaml": CONFIG, "m.yaml": MANIFEST, "p.yaml": PACKAGE, "s.yaml": SECRET, "t.yaml": THING}


def test_no_key_is_shown_beside_what_another_value_writes_there(tmp_path):
    package = write(tmp_path / "package", {"Kptfile": kptfile("exec: krm-glasskube-values, configPath: config.yaml"), **FILES})
    assert showing(package, "s3cret") == []
    assert command("render", package).returncode == 0
    text = (package / "t.yaml").read_text(encoding="utf-8")
    assert "s3cretA: x" in text.replace('"', "")
    assert not [line for line in text.splitlines() if "krm-values.dev/" in line and "s3cret" in line]
    assert '"secret":true' in text
    assert "sha" not in text
    assert showing(package, "s3cret") == []
    value = "    a: {valueFrom: {secretRef: {name: s, key: v}}}\n"
    (package / "p.yaml").write_text(PACKAGE.replace(value, ""), encoding="utf-8")
    assert showing(package, "s3cret") == []
