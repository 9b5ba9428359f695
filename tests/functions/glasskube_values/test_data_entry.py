"""`krm-values glasskube new` and `set`: a Package by its manifest, checked, and asked for on a terminal only."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest
import yaml

from krm_values._cli.main import main

MANIFEST = """\
name: foo
scope: Namespaced
defaultNamespace: apps
valueDefinitions:
  host:
    type: text
    metadata: {label: Host, description: Where it is reached}
    constraints: {required: true, minLength: 3}
    targets: [{chartName: foo, patch: {op: add, path: /host}}]
  replicas:
    type: number
    defaultValue: "2"
    constraints: {max: 5}
    targets: [{chartName: foo, patch: {op: add, path: /replicas}}]
  tier:
    type: options
    options: [gold, silver]
    targets: [{chartName: foo, patch: {op: add, path: /tier}}]
helm: {repositoryUrl: https://charts.example.test, chartName: foo, chartVersion: v1.0.0}
"""
PACKAGE = """\
# of the team
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: foo, namespace: apps}
spec:
  packageInfo: {name: foo, version: v1.0.0}
  values:
    host: # reached from outside
      value: foo.test # for now
    tier: {valueFrom: {configMapRef: {name: a, key: b}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data: {b: gold}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "package.yaml").write_text(MANIFEST)
    (tmp_path / "foo.yaml").write_text(PACKAGE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


VERSION = ["--package-version", "v1.0.0"]


def values(text):
    return {name: entry.get("value") for name, entry in yaml.safe_load(text)["spec"]["values"].items()}


def test_a_new_package_has_given_values_and_defaults(folder, capsys):
    assert main(["glasskube", "new", "package.yaml", *VERSION, "host=a.test", "tier=gold"]) == 0
    printed = capsys.readouterr().out
    assert values(printed) == {"host": "a.test", "replicas": "2", "tier": "gold"}
    made = yaml.safe_load(printed)
    assert (made["kind"], made["metadata"]) == ("Package", {"name": "foo", "namespace": "apps"})


def test_a_manifest_of_cluster_scope_makes_a_cluster_package(folder, capsys):
    (folder / "package.yaml").write_text(MANIFEST.replace("scope: Namespaced\n", ""))
    assert main(["glasskube", "new", "package.yaml", *VERSION, "host=a.test", "--name", "bar"]) == 0
    made = yaml.safe_load(capsys.readouterr().out)
    assert (made["kind"], made["metadata"]) == ("ClusterPackage", {"name": "bar"})


def test_a_written_package_runs(folder, capsys):
    assert (
        main(["glasskube", "new", "package.yaml", *VERSION, "host=a.test", "--namespace", "team", "--output", "new.yaml"]) == 0
    )
    assert yaml.safe_load((folder / "new.yaml").read_text())["metadata"]["namespace"] == "team"
    wrapped = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "PackageManifest", "metadata": {"name": "foo"}}
    (folder / "manifest.yaml").write_text(yaml.safe_dump({**wrapped, "spec": {"manifest": yaml.safe_load(MANIFEST)}}))
    assert main(["run", "glasskube-values", "new.yaml", "manifest.yaml"]) == 0
    assert "host: a.test" in capsys.readouterr().out
    assert main(["glasskube", "new", "package.yaml", *VERSION, "host=a.test", "-o", "new.yaml"]) == 2
    assert "must not exist yet" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["host=a.test", "hosst=b"], ["`hosst` is not a value of foo", "`host`"]),
        (["host=ab"], ["`host` violates minLength 3"]),
        (["host="], ["`host` is required and must not be empty"]),
        (["host=a.test", "replicas=9", "tier=gild"], ["`replicas` violates max 5", "`tier` must be one of", "gold"]),
        ([], ["`host` is required: give it as `host=VALUE`"]),
    ],
    ids=str,
)
def test_all_that_is_wrong_is_named_and_nothing_is_written(folder, capsys, given, words):
    assert main(["glasskube", "new", "package.yaml", *VERSION, *given, "-o", "new.yaml"]) == 1
    printed = capsys.readouterr()
    assert all(word in printed.err for word in words)
    assert not (folder / "new.yaml").exists()


@pytest.mark.parametrize("word", ["host", "=x"])
def test_a_word_of_another_form_is_a_usage_error(folder, capsys, word):
    assert main(["glasskube", "new", "package.yaml", *VERSION, word]) == 2
    assert main(["glasskube", "new", "package.yaml", *VERSION, "host=abc", "host=abd"]) == 2


def test_set_changes_the_values_and_no_other_byte(folder, capsys):
    assert main(["glasskube", "set", "foo.yaml", "host=bar.test", "tier=silver", "replicas=3"]) == 0
    text = (folder / "foo.yaml").read_text()
    assert "    host: # reached from outside\n      value: bar.test # for now\n" in text
    assert values(text.split("---")[0]) == {"host": "bar.test", "tier": "silver", "replicas": "3"}
    assert text.split("---")[1] == PACKAGE.split("---")[1]
    assert text.startswith("# of the team\n")
    capsys.readouterr()
    assert main(["glasskube", "set", "foo.yaml", "replicas=3"]) == 0
    assert capsys.readouterr().err == "changed: nothing\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["foo.yaml", "replicas=many"], ["`replicas` must be a whole number"]),
        (["foo.yaml", "hosst=abc"], ["`host`"]),
        (["package.yaml", "host=abc"], ["must hold one Package"]),
        (["foo.yaml", "host=abc", "--manifest", "other.yaml"], ['is the manifest of "other"']),
    ],
    ids=str,
)
def test_set_writes_nothing_that_the_manifest_refuses(folder, capsys, arguments, words):
    (folder / "other.yaml").write_text(MANIFEST.replace("name: foo\n", "name: other\n", 1))
    assert main(["glasskube", "set", *arguments]) == 1
    assert all(word in capsys.readouterr().err for word in words)
    assert (folder / "foo.yaml").read_text() == PACKAGE


def test_without_a_manifest_beside_it_one_must_be_named(folder, capsys):
    (folder / "package.yaml").rename(folder / "elsewhere.txt")
    assert main(["glasskube", "set", "foo.yaml", "host=abc"]) == 1
    assert "name the file with `--manifest`" in capsys.readouterr().err
    assert main(["glasskube", "set", "foo.yaml", "host=abc", "--manifest", "elsewhere.txt"]) == 0


def on_terminal(folder, typed, *arguments):
    """Run `new` with a terminal as stdin and stderr: its exit code, stdout, and what the terminal shows."""
    master, slave = pty.openpty()
    program = "import sys; from krm_values._cli.main import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "glasskube", "new", "package.yaml", *VERSION, *arguments]
    with subprocess.Popen(command, cwd=folder, stdin=slave, stderr=slave, stdout=subprocess.PIPE) as process:
        os.close(slave)
        os.write(master, typed.encode())
        out, _ = process.communicate(timeout=60)
    shown = os.read(master, 100_000).decode()
    os.close(master)
    return process.returncode, out.decode(), shown


def test_on_a_terminal_the_other_values_are_asked_for_until_they_fit(folder):
    code, out, shown = on_terminal(folder, "ab\nabc.test\n\n", "tier=gold")
    assert code == 0
    assert values(out) == {"host": "abc.test", "replicas": "2", "tier": "gold"}
    assert "Where it is reached" in shown
    assert "Host (text), required:" in shown
    assert "violates minLength 3" in shown
    assert "replicas (number) [2]:" in shown


def test_an_input_that_ends_writes_nothing(folder):
    code, out, shown = on_terminal(folder, "\x04", "tier=gold", "-o", "new.yaml")
    assert (code, out) == (1, "")
    assert "nothing was written" in shown
    assert not (folder / "new.yaml").exists()


def test_the_version_is_that_of_the_manifests_directory(folder, capsys):
    assert main(["glasskube", "new", "package.yaml", "host=a.test"]) == 2
    assert "--package-version" in capsys.readouterr().err
    (folder / "v1.2.0+1").mkdir()
    (folder / "package.yaml").rename(folder / "v1.2.0+1/package.yaml")
    assert main(["glasskube", "new", "v1.2.0+1/package.yaml", "host=a.test"]) == 0
    assert yaml.safe_load(capsys.readouterr().out)["spec"]["packageInfo"]["version"] == "v1.2.0+1"
