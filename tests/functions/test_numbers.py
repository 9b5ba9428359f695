"""Numbers of raw files, for every function: a host would have changed them before. What is computed is canonical, what is copied is not touched."""

from __future__ import annotations

import re

import pytest

from tests.cli.packages import command, write

CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: {kind}\nmetadata: {{name: c}}\nspec: {spec}\n"


def run(folder, function, text, kind="", spec="{}"):
    """(output, messages, exit code) of a function over a file."""
    write(folder, {"input.yaml": text, **({"config.yaml": CONFIG.format(kind=kind, spec=spec)} if kind else {})})
    configured = ["--config", "config.yaml"] if kind else []
    done = command("run", function, *configured, "input.yaml", cwd=folder)
    return done.stdout, done.stderr, done.returncode


FLUX = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  interval: 10m
  valuesFrom:
  - {kind: ConfigMap, name: base}
  values:
    mode: 0775 # own
    tagged: !!int "0775"
    file: !!binary aGk=
    ports: [0o17, 1_000]
    eight: 08
    map: {x: 0b11}
    word: on
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values.yaml: |
    mode: 1
    fresh: 0775
    map: {z: 0b11}
"""


def test_flux_composes_canonical_numbers(tmp_path):
    out, err, code = run(tmp_path, "flux-values", FLUX)
    assert code == 0
    assert out.startswith(FLUX)
    values = out.partition("  values.yaml: |\n    eight")[2]
    assert values == (
        ": 8\n    file: hi\n    fresh: 509\n    map:\n      x: 3\n      z: 3\n    mode: 509\n    ports:\n    - 15\n    - 1000\n"
        '    tagged: 509\n    word: "on"\n'
    )
    assert "`word: on` (line 15)" in err
    assert len(err.splitlines()) == 1, "only the word is worth a warning: readers agree on numbers"


def test_flux_leaves_the_numbers_that_the_release_itself_wins(tmp_path):
    out, _, code = run(tmp_path, "flux-values", FLUX, "FluxValues", "{output: inline}")
    assert code == 0
    own = FLUX[FLUX.index("    mode: 0775") : FLUX.index("    map:")]
    assert own + "    map: {x: 0b11, z: 3}\n    word: on\n    fresh: 509\n" in out
    write(tmp_path, {"input.yaml": out})
    assert command("run", "flux-values", "--config", "config.yaml", "input.yaml", cwd=tmp_path).stdout == out


CARTOGRAPHER = """\
apiVersion: carto.run/v1alpha1
kind: ClusterTemplate
metadata: {name: crate}
spec:
  params:
  - {name: mode, default: 0775}
  template:
    apiVersion: demo.example/v1
    kind: Widget
    metadata: {name: crate}
    spec:
      literal: 0775
      tagged: !!int "0775"
      file: !!binary aGk=
      text: !!str 0775
      many: 1_000
      long: 9007199254740993
      whole: $(params.mode)$
      inside: m=$(params.mode)$
---
apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: line}
spec:
  selector: {lane: a}
  resources:
  - name: pack
    templateRef: {kind: ClusterTemplate, name: crate}
---
apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: parcel, namespace: dock, labels: {lane: a}}
spec: {}
"""


def test_cartographer_copies_literals_and_computes_tags(tmp_path):
    out, err, code = run(tmp_path, "cartographer-params", CARTOGRAPHER)
    assert (code, err) == (0, "")
    assert "    - name: mode\n      value: 0775\n" in out
    assert out.endswith(
        'spec:\n  literal: 0775\n  tagged: !!int "0775"\n  file: !!binary aGk=\n  text: !!str 0775\n  many: 1_000\n'
        "  long: 9007199254740992\n  whole: 509\n  inside: m=509\n"
    )
    write(tmp_path, {"input.yaml": out})
    assert command("run", "cartographer-params", "input.yaml", cwd=tmp_path).stdout == out


TEKTON = """\
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: oct}
spec:
  params:
  - {name: mode, value: 0775}
  pipelineSpec:
    params:
    - {name: wide, default: 0775}
    - {name: tagged, default: !!int "0775"}
    tasks:
    - name: use
      taskSpec:
        params:
        - {name: mode, type: string, enum: [ENUM]}
        steps:
        - {name: s, image: busybox, script: "echo $(params.mode) $(params.wide) $(params.tagged)"}
"""


@pytest.mark.parametrize("choice", ["'509'", "509", "0775", "0o775", "509.0"])
def test_tekton_takes_the_text_of_a_number_and_copies_defaults(tmp_path, choice):
    out, err, code = run(tmp_path, "tekton-params", TEKTON.replace("ENUM", choice))
    assert code == 0
    assert all("is a number and becomes the text `509`" in line for line in err.splitlines())
    assert "  - {name: mode, value: 0775}\n" in out
    assert re.findall(r"- {name: wide, (.*)}", out) == ["default: 0775", "type: string, default: 0775"]
    assert re.findall(r"- {name: tagged, (.*)}", out) == ['default: !!int "0775"', 'type: string, default: !!int "0775"']
    assert f"enum: [{choice}]" in out
    assert "{name: mode, type: string, enum: ['509']}" in out


@pytest.mark.parametrize("choice", ["'0775'", "775", "!!str 0775"])
def test_tekton_does_not_take_how_a_number_is_written_for_its_text(tmp_path, choice):
    _, err, code = run(tmp_path, "tekton-params", TEKTON.replace("ENUM", choice))
    assert code == 1
    assert '"509"' in err
    assert "mode" in err


def test_tekton_puts_the_numbers_of_a_list_into_its_text(tmp_path):
    text = TEKTON.replace("value: 0775}", "value: [0b11, 2.10, 5.0, {a: 1_000}]}").replace("ENUM", "x")
    _, err, code = run(tmp_path, "tekton-params", text)
    assert code == 1
    assert "[3,2.1,5,{" in err.replace("\\", "")


GLASSKUBE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: PackageInfo
metadata: {name: lumen--v1}
spec: {name: lumen, version: v1}
status:
  manifest:
    name: lumen
    scope: Namespaced
    defaultNamespace: aviary
    valueDefinitions:
      level:
        type: number
        constraints: {min: 010, max: 0o17}
        targets:
        - resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}
          patch: {op: replace, path: /spec/mode}
          valueTemplate: "{{ . }}"
      tone:
        type: options
        options: [0775, 1.10, 1e6]
        targets:
        - {resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}, patch: {op: add, path: /spec/tone}}
    transformations:
    - source: {resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}, path: "{ .spec.from }"}
      targets:
      - {resource: {apiGroup: aviary.example/v1, kind: Thing, name: thing}, patch: {op: add, path: /spec/to}}
---
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: lumen, namespace: aviary}
spec:
  packageInfo: {name: lumen, version: v1}
  values: {level: {value: "LEVEL"}, tone: {value: "TONE"}}
---
apiVersion: aviary.example/v1
kind: Thing
metadata: {name: thing, namespace: aviary}
spec:
  mode: 0775 # m
  from: !!int "0b11"
  keep: 1_000
"""


@pytest.mark.parametrize("tone", ["509", "1.1", "1e+06"])
def test_glasskube_bounds_are_numbers_and_undo_keeps_their_spelling(tmp_path, tone):
    out, err, code = run(tmp_path, "glasskube-values", GLASSKUBE.replace("LEVEL", "9").replace("TONE", tone))
    assert (code, err) == (0, "")
    assert "  mode: 9 # m\n" in out
    assert f"  tone: {tone if tone == '1e+06x' else repr(tone)}\n" in out
    assert '  from: !!int "0b11"\n  keep: 1_000\n' in out
    assert '  to: !!int "0b11"\n' in out
    without = "---\n".join(part for part in out.split("---\n") if "kind: Package\n" not in part)
    write(tmp_path, {"input.yaml": without})
    back = command("run", "glasskube-values", "input.yaml", cwd=tmp_path).stdout
    assert back.endswith(GLASSKUBE[GLASSKUBE.index("kind: Thing\nmetadata") :])


@pytest.mark.parametrize(("level", "tone"), [("7", "509"), ("16", "509"), ("9", "0775"), ("9", "775"), ("9", "1000000")])
def test_glasskube_refuses_what_only_the_written_number_would_allow(tmp_path, level, tone):
    _, _, code = run(tmp_path, "glasskube-values", GLASSKUBE.replace("LEVEL", level).replace("TONE", tone))
    assert code == 1


GIANTSWARM = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: shop-api, namespace: team-a}
spec:
  catalog: house
  userConfig: {configMap: {name: person-level, namespace: team-a}}
  extraConfigs:
  - {name: probe, namespace: team-a, priority: PRIORITY}
  kubeConfig: {inCluster: true}
  name: shop-api-chart
  namespace: shop
  version: 1.4.0
---
apiVersion: application.giantswarm.io/v1alpha1
kind: Catalog
metadata: {name: house, namespace: default}
spec: {title: x, description: x, logoURL: x, storage: {type: helm, URL: x}, repositories: [{type: helm, URL: x}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: person-level, namespace: team-a}
data: {values: "who: person\\n"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: probe, namespace: team-a}
data: {values: "who: probe\\nmode: 0775\\n"}
"""


@pytest.mark.parametrize(
    ("priority", "who"),
    [
        ("0115", "person"),
        ("0b1010", "person"),
        ('!!int "0115"', "person"),
        ("7.7e1", "person"),
        ("0x6E", "probe"),
        ("1.1e2", "probe"),
    ],
)
def test_giantswarm_sorts_by_the_number(tmp_path, priority, who):
    text = GIANTSWARM.replace("PRIORITY", priority)
    out, err, code = run(tmp_path, "giantswarm-config", text)
    assert (code, err) == (0, "")
    assert out.startswith(text)
    assert out.endswith(f"    mode: 509\n    who: {who}\n")


@pytest.mark.parametrize("priority", ["0o8", "1:30", "'77'", "7.5", "!!str 77", "0777"])
def test_giantswarm_refuses_a_priority_that_is_no_number_in_range(tmp_path, priority):
    _, err, code = run(tmp_path, "giantswarm-config", GIANTSWARM.replace("PRIORITY", priority))
    assert code == 1
    assert "priority" in err


ENVGENE = """\
apiVersion: krm-values.dev/v1alpha1
kind: SolutionDescriptor
metadata: {name: sd}
spec:
  version: FULL
  applications:
  - {version: "ledger:1", deployPostfix: 0775, many: 1_000}
"""
INCOMING = """\
SD_SOURCE_TYPE: json
  SD_REPO_MERGE_MODE: extended-merge
  SD_DATA:
    version: INCOMING
    applications: [{version: "ledger:2", deployPostfix: "0775"}]
"""


@pytest.mark.parametrize(
    ("full", "incoming", "code"), [("2.10", "'2.10'", 0), ("0775", "'0775'", 0), ("0775", "'509'", 1), ("2.10", "2.1", 1)]
)
def test_envgene_compares_texts_and_leaves_numbers_as_they_are(tmp_path, full, incoming, code):
    text = ENVGENE.replace("FULL", full)
    out, err, found = run(tmp_path, "envgene-sd", text, "EnvgeneSd", "\n  " + INCOMING.replace("INCOMING", incoming))
    assert found == code
    if code:
        assert (out, "`version` of the Full SD and of incoming SD 0 must be equal" in err) == ("", True)
        assert (tmp_path / "input.yaml").read_text() == text
        return
    assert f"  version: {full}\n" in out
    assert "deployPostfix: 0775, many: 1_000}" in out
    assert ('version: "ledger:1", ' in out, 'version: "ledger:2", ' in out) == (False, True)


REFUSED = {
    "flux-values": (FLUX, "mode: 0775 # own"),
    "cartographer-params": (CARTOGRAPHER, "literal: 0775"),
    "tekton-params": (TEKTON.replace("ENUM", "'509'"), "name: mode, value: 0775"),
    "glasskube-values": (GLASSKUBE.replace("LEVEL", "9").replace("TONE", "509"), "mode: 0775 # m"),
    "giantswarm-config": (GIANTSWARM.replace("PRIORITY", "5"), "priority: 5"),
}


@pytest.mark.parametrize("tagged", ["!!int abc", "!!int 1.5", "!!float x", "!!bool maybe", "!!binary '@'"])
@pytest.mark.parametrize("function", REFUSED)
def test_a_tag_that_go_refuses_is_an_error_only_where_a_function_reads(tmp_path, function, tagged):
    text, where = REFUSED[function]
    before, _, _ = text.partition(where)
    line = before.count("\n") + 1
    key = where.removesuffix(" # own").removesuffix(" # m").rpartition(": ")[0]
    out, err, code = run(tmp_path, function, text.replace(where, f"{key}: {tagged}"))
    assert code == 1
    assert f"fits its tag `{tagged.split()[0]}`" in err
    assert f"input.yaml:{line}:" in err
    other = f"---\napiVersion: example.org/v1\nkind: Other\nmetadata: {{name: other}}\nspec: {{n: {tagged}}}\n"
    out, err, code = run(tmp_path, function, text + other)
    assert (code, "fits its tag" in err) == (0, False)
    assert other in out
