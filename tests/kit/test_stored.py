"""Undo records and marks are left only where a later run may get them: kustomize stores nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from krm_values._krm import resourcelist
from krm_values._run import invoke, registry
from tests.cli.packages import command

FIXTURES = Path(__file__).parents[1] / "fixtures/krm"
OURS = "krm-values.dev/"
KUSTOMIZE = "kustomize.config.k8s.io/id: |\n        kind: Any\n"
KPT = "internal.config.kubernetes.io/seqindent: 'compact'\n      internal.config.kubernetes.io/id: '1'\n"
FILE = "config.kubernetes.io/path: 'a.yaml'\n"
NOTHING = "example.com/own: kept\n"


def layered(more: str = "") -> str:
    return f"""\
  kind: LayeredValues
  metadata: {{name: web}}
  spec:
    {more}
    layers: [{{values: {{replicas: 3}}}}, {{secret: pw}}]
    targets:
    - {{kind: ConfigMap, name: web, allowSecrets: true, fields: {{data.replicas: replicas, data.password: password}}}}
    - {{configMap: made, allowSecrets: true}}
"""


def flux(more: str = "") -> str:
    return f"  kind: FluxValues\n  metadata: {{name: web}}\n  spec: {{{more + ', ' if more else ''}output: inline}}\n"


def fold(more: str = "") -> str:
    return (
        f"  kind: GiantswarmConfig\n  metadata: {{name: web}}\n  spec: {{{more + ', ' if more else ''}outputs: [fold], "
        "allowMissing: [{kind: Catalog, name: a}]}\n"
    )


def glasskube(more: str = "") -> str:
    return f"""\
  kind: GlasskubeValues
  metadata: {{name: web}}
  spec:
    {more}
    manifests:
    - name: web
      valueDefinitions:
        replicas:
          type: number
          targets:
          - {{resource: {{apiGroup: v1, kind: ConfigMap, name: web}}, patch: {{op: replace, path: /data/replicas}}}}
"""


def given(config: str, sent: str) -> str:
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    items = (
        ("v1", "ConfigMap", "web", "data: {replicas: '1', password: none}"),
        ("v1", "Secret", "pw", "stringData: {values.yaml: 'password: hunter2'}"),
        ("v1", "ConfigMap", "base", "data: {values: 'replicas: 2'}"),
        (
            *("helm.toolkit.fluxcd.io/v2", "HelmRelease", "rel"),
            "spec: {interval: 1m, chart: {spec: {chart: a, sourceRef: {kind: HelmRepository, name: a}}}, valuesFrom: [{kind: ConfigMap, name: base, valuesKey: values}]}",
        ),
        (
            *("application.giantswarm.io/v1alpha1", "App", "app"),
            "spec: {catalog: a, name: a, namespace: d, version: 1.0.0, kubeConfig: {inCluster: true}, extraConfigs: [{kind: configMap, name: base, namespace: d, priority: 25}]}",
        ),
        (
            "packages.glasskube.dev/v1alpha1",
            "ClusterPackage",
            "web",
            "spec: {packageInfo: {name: web, version: v1}, values: {replicas: {value: '5'}}}",
        ),
    )
    text = "".join(
        f"- apiVersion: {version}\n  kind: {kind}\n  metadata:\n    name: {name}\n    namespace: d\n    annotations:\n      {sent}  {rest}\n"
        for version, kind, name, rest in items
    )
    return f"{head}{text}functionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n{config}"


def left(text: str) -> set[str]:
    """The annotations of ours on the resources."""
    keys = {key for item in yaml.safe_load(text)["items"] for key in item["metadata"].get("annotations") or {}}
    return {key for key in keys if key.startswith(OURS)}


EVERY = pytest.mark.parametrize("config", [layered, flux, fold, glasskube], ids=lambda config: config.__name__)


@EVERY
def test_nothing_of_ours_is_left_where_kustomize_is_the_host(config):
    done = command("run", stdin=given(config(), KUSTOMIZE))
    assert done.returncode == 0, done.stderr
    assert yaml.safe_load(done.stdout)["items"] != yaml.safe_load(given(config(), KUSTOMIZE))["items"]
    assert left(done.stdout) == set()


@EVERY
@pytest.mark.parametrize("sent", [KPT + "      " + FILE, KPT, FILE, NOTHING])
def test_elsewhere_a_record_is_kept(config, sent):
    assert any(key.startswith(f"{OURS}undo.") for key in left(command("run", stdin=given(config(), sent)).stdout))


@EVERY
@pytest.mark.parametrize("sent", [KPT, FILE, NOTHING])
def test_a_config_can_do_without(config, sent):
    done = command("run", stdin=given(config("record: false"), sent))
    assert done.returncode == 0, done.stderr
    assert not any(key.startswith(f"{OURS}undo.") for key in left(done.stdout))


@EVERY
def test_a_config_can_ask_for_them_under_kustomize(config):
    """For a base whose result a step of an overlay works on again."""
    done = command("run", stdin=given(config("record: true"), KUSTOMIZE))
    assert any(key.startswith(f"{OURS}undo.") for key in left(done.stdout))
    again = command(
        "run",
        stdin=re.sub(r"(?s)functionConfig:.*", "", done.stdout)
        + given(config(), "").partition("\nfunctionConfig")[2].join(["functionConfig", ""]),
    )
    assert (again.returncode, left(again.stdout)) == (0, set()), again.stderr


@EVERY
def test_a_list_of_unknown_origin_says_how_to_do_without(config):
    text = given(config(), NOTHING)
    assert "`record: false`" in command("run", "-v", stdin=text).stderr
    assert "`record: false`" not in command("run", stdin=text).stderr
    for known in (given(config(), FILE), given(config("record: false"), NOTHING), given(config(), KUSTOMIZE)):
        assert "`record: false`" not in command("run", "-v", stdin=known).stderr
    assert "`record: false`" not in command("run", "-v", "--release", stdin=text).stderr


@EVERY
def test_a_release_is_what_clean_makes_of_the_result(config, tmp_path):
    text = given(config(), NOTHING)
    released = command("run", "--release", stdin=text)
    assert released.returncode == 0, released.stderr
    assert released.stdout == command("clean", "-", stdin=command("run", stdin=text).stdout).stdout
    assert not any(key.startswith((f"{OURS}undo.", f"{OURS}generated")) for key in left(released.stdout))
    data = yaml.safe_load(text)
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all(data["items"]))
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(data["functionConfig"]))
    words = ("run", "--config", tmp_path / "config.yaml", tmp_path / "all.yaml")
    plain = command(*words, "--release")
    assert plain.returncode == 0, plain.stderr
    assert f"{OURS}undo." in command(*words).stdout
    assert f"{OURS}undo." not in plain.stdout
    assert plain.stdout == command("clean", "-", stdin=command(*words).stdout).stdout


def test_clean_leaves_every_other_byte():
    text = given(layered(), NOTHING) + 'results:\n- {message: "kept", severity: info} # too\n'
    assert command("clean", "-", stdin=text).stdout == text
    marked = text.replace(NOTHING, NOTHING + "      krm-values.dev/generated-by: somebody\n", 1)
    assert command("clean", "-", stdin=marked).stdout == text
    assert command("clean", "-", stdin="").stdout == ""
    assert command("clean", "-", "--follow-links", stdin="").returncode == 2


@pytest.mark.parametrize("function", registry.functions())
def test_every_function_takes_the_field(function):
    kind = "".join(part.capitalize() for part in function.split("-"))
    text = given(f"  kind: {kind}\n  metadata: {{name: web}}\n  spec: {{record: 1}}\n", NOTHING)
    assert "record`: must be true or false; found number 1" in command("run", stdin=text).stderr


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("kustomize/transformer.in.yaml", True),
        ("kustomize/transformer-originAnnotations.in.yaml", True),
        ("kustomize/generator.in.yaml", True),
        ("kpt/eval-stdin-no-paths.in.yaml", False),
        ("kpt/render-configPath.in.yaml", False),
        ("kpt/source.yaml", False),
    ],
)
def test_what_hosts_send_tells_them_apart(name, expected):
    source = resourcelist.read((FIXTURES / name).read_bytes())
    assert invoke.served_by_kustomize(source, source.function_config) is expected


def test_what_an_earlier_generator_of_kustomize_made_has_a_path():
    text = given(layered(), KUSTOMIZE + "      " + FILE)
    assert left(command("run", stdin=text).stdout) == set()
