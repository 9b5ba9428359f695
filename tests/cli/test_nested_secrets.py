"""A Secret that another resource holds, a list of Secrets, and one that became another kind: what they hold is a Secret's."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, kptfile, write
from tests.secrets.test_nested import CONFIG, MARKERS, WRITTEN

COPIED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: own}
spec:
  layers: [{from: {kind: TriggerTemplate, name: own}, path: 'spec.resourcetemplates[0].stringData'}]
  targets: [{kind: ConfigMap, name: open, fields: {data.user: user}}]
"""


def test_what_is_copied_out_of_it_comes_from_a_secret(tmp_path):
    files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"), "written.yaml": WRITTEN}
    package = write(tmp_path / "shop", {**files, "config.yaml": COPIED})
    done = command("render", str(package))
    assert done.returncode == 1
    assert "`data.user` would get `user`, which comes from the Secret of layer" in done.stderr
    (package / "config.yaml").write_text(COPIED.replace("name: open,", "name: open, allowSecrets: true,"))
    assert command("render", str(package)).returncode == 0
    text = (package / "written.yaml").read_text()
    assert text.count(MARKERS[2]) == 2
    assert '"path":"/data/user","secret":true' in text
    assert MARKERS[2] not in command("explain", str(package), "--all").stdout
    assert command("render", str(package), "--diff").returncode == 0


@pytest.mark.parametrize("field", ["stringData.user", "metadata.generateName"])
def test_a_record_has_no_digest_of_its_values(tmp_path, field):
    """A step writes one of its values, or something else of the same list."""
    records = []
    for value in MARKERS[:2]:
        config = CONFIG.replace("stringData.user", field)
        written = WRITTEN.replace(MARKERS[2], f"old\n      password: {value}")
        files = {"Kptfile": kptfile("exec: krm-layered-values, configPath: config.yaml"), "written.yaml": written}
        package = write(tmp_path / value, {**files, "config.yaml": config})
        assert command("render", str(package)).returncode == 0
        text = (package / "written.yaml").read_text()
        records += [line for line in text.splitlines() if "krm-values.dev/undo" in line]
    assert len(records) == 2
    assert records[0] == records[1]


def test_a_list_of_secrets_holds_secrets(tmp_path):
    text = f"apiVersion: v1\nkind: SecretList\nmetadata: {{name: all}}\nitems:\n- metadata: {{name: a}}\n  stringData: {{user: {MARKERS[0]}}}\n"
    package = write(tmp_path / "shop", {"Kptfile": kptfile("exec: krm-tekton-params"), "list.yaml": text})
    for call in (["explain", "--all"], ["explain", "--all", "--json"]):
        done = command(call[0], str(package), *call[1:])
        assert done.returncode == 0, done.stderr
        assert MARKERS[0] not in done.stdout


def test_one_whose_kind_a_patch_changed_is_one_still(tmp_path):
    text = f"""\
apiVersion: packages.glasskube.dev/v1alpha1
kind: ClusterPackage
metadata: {{name: app}}
spec: {{packageInfo: {{name: app, version: v1}}, values: {{k: {{value: Other}}}}}}
---
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {{name: app}}
spec:
  manifest:
    name: app
    valueDefinitions:
      k: {{type: text, targets: [{{resource: {{apiGroup: v1, kind: Secret, name: s, namespace: shop}}, patch: {{op: replace, path: /kind}}}}]}}
---
apiVersion: v1
kind: Secret
metadata: {{name: s, namespace: shop}}
stringData: {{user: {MARKERS[0]}}}
"""
    package = write(tmp_path / "shop", {"Kptfile": kptfile("exec: krm-glasskube-values"), "all.yaml": text})
    assert command("render", str(package)).returncode == 0
    assert "kind: Other" in (package / "all.yaml").read_text()
    for before in ("explain", "clean"):
        assert command(before, str(package)).returncode == 0
        for form in ([], ["--json"]):
            assert MARKERS[0] not in command("explain", str(package), "--all", *form).stdout
