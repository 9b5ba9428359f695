"""What a template has without a tag is a literal of it, with its line; a name made of `generateName` derives from that."""

from __future__ import annotations

from tests.answers import decided
from tests.cli.packages import command, kptfile, write

FILES = {
    "Kptfile": kptfile("exec: krm-cartographer-params, configPath: cp.yaml"),
    "cp.yaml": """\
apiVersion: krm-values.dev/v1alpha1
kind: CartographerParams
metadata: {name: cp}
spec: {emit: [objects]}
""",
    "chain.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: web}
spec:
  selector: {kind: web}
  resources:
  - name: conf
    templateRef: {kind: ClusterConfigTemplate, name: conf}
""",
    "t.yaml": """\
apiVersion: carto.run/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: conf}
spec:
  configPath: .data
  lifecycle: immutable
  params:
  - {name: level, default: info}
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {generateName: conf-}
    data:
      level: $(params.level)$
      fixed: yes-it-is
""",
    "w.yaml": """\
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: w, namespace: n, labels: {kind: web}}
spec: {}
""",
}


def test_literals_are_in_json_and_printed_if_a_word_asks_for_them(tmp_path):
    package = write(tmp_path, FILES)
    found = winners(package)
    assert {path: (cell["path"], cell["line"]) for path, cell in found.items()} == {
        "apiVersion": ("spec.template.apiVersion", 10),
        "kind": ("spec.template.kind", 11),
        "metadata.generateName": ("spec.template.metadata.generateName", 12),
        "metadata.name": ("spec.template.metadata.generateName", 12),
        "data.level": ("spec.params[0].default", 8),
        "data.fixed": ("spec.template.data.fixed", 15),
    }
    assert [hop["path"] for hop in found["data.level"]["way"]] == ["spec.template.data.level"]
    assert [line for line in command("explain", package).stdout.splitlines() if line[:5] == "data."] == ["data.level = info"]
    assert "data.fixed = yes-it-is\n  + template  t.yaml:15" in command("explain", package, "data.fixed").stdout
    assert command("values", package).stdout == "level: info\n"
    assert command("render", package).returncode == 0
    assert winners(package) == found


def winners(package):
    """What won each decided value of the stamped object."""
    told = decided(command("explain", package, "--json").stdout)
    return {one["path"]: one["winner"] for one in told if one["resource"]["kind"] == "ConfigMap"}
