"""Plain resources in, plain resources out: files, directories, stdin, and kustomize's legacy plugin protocol."""

from __future__ import annotations

import json

import pytest
from tests.answers import decided
from tests.cli.packages import CONFIG_MAP, PROPAGATE, command, kptfile, resolved, run, write

GENERATES = {
    "flux-values": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec: {interval: 5m, values: {a: 1}}
""",
    "giantswarm-config": """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: web, namespace: team}
spec:
  catalog: c
  kubeConfig: {inCluster: true}
  name: web
  namespace: team
  version: 1.0.0
---
apiVersion: application.giantswarm.io/v1alpha1
kind: Catalog
metadata: {name: c, namespace: default}
spec: {config: {configMap: {name: cm, namespace: team}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: cm, namespace: team}
data: {values: "a: 1"}
""",
}
CONFIGURED = ("run", "tekton-params", "--config", "config.yaml")


@pytest.fixture
def here(tmp_path):
    return write(tmp_path, {"config.yaml": PROPAGATE, "run.yaml": run(), "other/a.yaml": CONFIG_MAP.format(name="a")})


@pytest.mark.parametrize(
    "arguments",
    [
        [*CONFIGURED, "run.yaml"],
        ["run", "--config", "config.yaml", "tekton-params", "run.yaml"],
        ["run", "tekton-params", "run.yaml", "--config", "config.yaml"],
    ],
)
def test_a_file_goes_to_stdout_resolved(here, arguments):
    found = command(*arguments, cwd=here)
    assert (found.returncode, found.stdout, found.stderr) == (0, resolved(), "")
    assert (here / "run.yaml").read_text() == run()


def test_the_own_command_takes_the_config_first(here):
    found = command("config.yaml", "run.yaml", "other", program="krm-tekton-params", cwd=here)
    assert (found.returncode, found.stdout) == (0, resolved() + "---\n" + CONFIG_MAP.format(name="a"))


def test_one_argument_alone_is_the_legacy_plugin_protocol(here):
    found = command("config.yaml", program="krm-tekton-params", stdin=CONFIG_MAP.format(name="a") + "---\n" + run(), cwd=here)
    assert (found.returncode, found.stdout) == (0, CONFIG_MAP.format(name="a") + "---\n" + resolved())
    assert command("config.yaml", program="krm-tekton-params", cwd=here).stdout == ""  # a generator gets nothing


def test_a_dash_is_stdin(here):
    found = command(*CONFIGURED, "other", "-", stdin=run(), cwd=here)
    assert found.stdout == CONFIG_MAP.format(name="a") + "---\n" + resolved()


def test_a_directory_gives_all_its_yaml_and_json_files_in_order(here):
    write(
        here,
        {
            "Kptfile": "kind: X\n",
            "sub/Kptfile": "kind: X\n",
            "sub/b.json": '{"kind": "B"}\n',
            "c.txt": "x",
            "d.yml": "kind: D\n",
        },
    )
    found = command("run", "tekton-params", ".", cwd=here)
    assert found.returncode == 0
    assert found.stdout.startswith(PROPAGATE + "---\nkind: D\n---\n" + CONFIG_MAP.format(name="a") + "---\n")
    assert found.stdout.endswith('---\n{"kind": "B"}\n')


def test_krmignore_of_the_directory_counts(here):
    write(here, {".krmignore": "other\nrun.yaml\n"})
    assert command("run", "tekton-params", here).stdout == PROPAGATE


def test_without_a_config_the_defaults_hold(here):
    found = command("run", "tekton-params", "run.yaml", cwd=here)
    assert (found.returncode, found.stdout, found.stderr) == (0, resolved(), "")


def test_a_directory_without_a_config_is_said_to_run_with_the_defaults(here, tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "run.yaml").write_text((here / "run.yaml").read_text())
    told = "info: no functionConfig of tekton-params is among the resources: it runs with its defaults; `--config FILE` names one\n"
    found = command("run", "tekton-params", "package", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, told)


def test_the_environment_names_the_function(here):
    found = command("run", "--config", "config.yaml", "run.yaml", KRM_FUNCTION="tekton-params", cwd=here)
    assert (found.returncode, found.stdout, found.stderr) == (0, resolved(), "")
    found = command("run", "--config", "config.yaml", KRM_FUNCTION="tekton-params", cwd=here)
    assert found.returncode == 1  # no files: a ResourceList on stdin
    assert "must be a ResourceList" in found.stderr


@pytest.mark.parametrize("end", ["", "\n"])
def test_documents_are_joined_by_one_marker(here, end):
    write(here, {"a.yaml": "kind: A" + end, "b.yaml": "---\nkind: B" + end, "c.yaml": "", "d.yaml": "\ufeffkind: D\n"})
    found = command("run", "tekton-params", "a.yaml", "b.yaml", "c.yaml", "d.yaml", cwd=here)
    assert found.stdout == "kind: A\n---\nkind: B\n---\nkind: D\n"


UNFINISHED = (
    "kind: B",
    "# c\nkind: B # d",
    "kind: List\nitems:\n- kind: B",
    '{"kind": "B"}',
    "kind: B\n...",
    "kind: B\r\na: 1",
)


@pytest.mark.parametrize("text", UNFINISHED)
@pytest.mark.parametrize("inputs", [["b.yaml"], ["dir"], ["-"], ["a.yaml", "b.yaml"], ["a.yaml", "dir"], ["b.yaml", "-"]])
def test_a_last_line_without_an_end_stays_without_one(here, text, inputs):
    """Whatever the documents come out of; between two of them the line ends."""
    write(here, {"a.yaml": "kind: A", "b.yaml": text, "dir/b.yaml": text})
    found = command("run", "tekton-params", *inputs, stdin=text, cwd=here)
    first = {"a.yaml": "kind: A\n---\n", "b.yaml": f"{text}\n---\n"}[inputs[0]] if len(inputs) > 1 else ""
    assert (found.returncode, found.stdout) == (0, first + text)


def test_files_and_legacy_streams_keep_a_last_line_without_an_end(here):
    text, expected = run().rstrip("\n"), resolved().rstrip("\n")
    write(here, {"run.yaml": text})
    assert command(*CONFIGURED, "run.yaml", cwd=here).stdout == expected
    assert command("config.yaml", program="krm-tekton-params", stdin=text, cwd=here).stdout == expected
    write(here, {"Kptfile": kptfile("exec: krm-tekton-params, configPath: config.yaml")})
    assert command("render", here).returncode == 0
    assert (here / "run.yaml").read_text() == expected


def test_a_list_is_unfolded_and_stays_a_list(here):
    text = "apiVersion: v1\nkind: List\nitems:\n- " + run().replace("\n", "\n  ").rstrip() + "\n"
    write(here, {"list.yaml": text})
    found = command(*CONFIGURED, "list.yaml", cwd=here)
    assert found.stdout == "apiVersion: v1\nkind: List\nitems:\n- " + resolved().replace("\n", "\n  ").rstrip() + "\n"


def test_json_stays_json(here):
    write(
        here,
        {
            "run.json": json.dumps(
                {
                    "apiVersion": "tekton.dev/v1",
                    "kind": "PipelineRun",
                    "metadata": {"name": "a"},
                    "spec": {
                        "params": [{"name": "x", "value": "1"}],
                        "pipelineSpec": {
                            "tasks": [{"name": "t", "taskSpec": {"steps": [{"image": "a", "script": "$(params.x)"}]}}]
                        },
                    },
                },
                indent=2,
            )
            + "\n"
        },
    )
    found = json.loads(command(*CONFIGURED, "run.json", cwd=here).stdout)
    assert found["spec"]["pipelineSpec"]["params"] == [{"name": "x", "type": "string"}]


@pytest.mark.parametrize("words", [("run.yaml",), (".",), ("-",), ("run.yaml", "--format", "github"), ("run.yaml", "-v")])
def test_an_error_prints_no_resources(words, here):
    """They are piped to `kubectl apply`, which does not see the exit code."""
    text = run().replace(
        "- name: url # of the clone\n    value: https://example.com/a.git",
        "- name: url\n    value: x\n  - name: url\n    value: y",
    )
    write(here, {"run.yaml": text})
    found = command(*CONFIGURED, *words, cwd=here, stdin=text)
    assert (found.returncode, found.stdout) == (1, "")
    assert "error" in found.stderr


def test_findings_name_the_file_as_the_user_did(here):
    text = run().replace("https://example.com/a.git", "$(params.other)")
    write(here, {"deep/er/run.yaml": "# head\n---\n" + text})
    found = command(*CONFIGURED, "./deep/er/run.yaml", cwd=here)
    assert found.stderr.startswith("warning: ./deep/er/run.yaml:11:5: PipelineRun ci/build `spec.params[0].value`: ")


@pytest.mark.parametrize(
    ("arguments", "code", "error"),
    [
        (["run", "tekton-params", "no.yaml"], 1, "error: no.yaml: No such file or directory\n"),
        (["run", "tekton-params", "--config", "no.yaml", "run.yaml"], 1, "error: no.yaml: No such file or directory\n"),
        (["run", "tekton-params", "empty"], 1, "error: found no YAML or JSON file to read\n"),
        (["run", "tekton-parms"], 2, 'error: no function is called "tekton-parms"; did you mean "tekton-params"?\n'),
        (
            ["run", "tekton-params", "--config", "broken.yaml", "run.yaml"],
            1,
            "error: broken.yaml:1:4: is not YAML: ",
        ),
        (
            ["run", "tekton-params", "latin.yaml"],
            1,
            "error: latin.yaml:1:4: must be UTF-8, found the byte 0xff\n",
        ),
        (
            ["run", "tekton-params", "--config", "latin.yaml", "run.yaml"],
            1,
            "error: latin.yaml:1:4: must be UTF-8, ",
        ),
        (
            ["run", "tekton-params", "--config", "other/a.yaml", "run.yaml"],
            1,
            "error: other/a.yaml:6:3: functionConfig `data.a`: must be one of ",
        ),
        (
            ["run", "tekton-params", "--config", "two.yaml", "run.yaml"],
            1,
            "error: two.yaml:8:1: must hold one functionConfig, found 2 documents\n",
        ),
        (
            ["run", "run.yaml", "other"],
            1,
            "error: no functionConfig and no function named; name the function, as in `krm-values run ",
        ),
        (["run", "-", "-"], 2, "error: `-` is given twice, but stdin can be read only once\n"),
        (["run", "tekton-params", "--no-such", "run.yaml"], 2, "unrecognized arguments: --no-such"),
    ],
)
def test_what_goes_wrong_is_one_line(here, arguments, code, error):
    write(here, {"broken.yaml": "a: 'x\n", "two.yaml": PROPAGATE + "---\n" + PROPAGATE})
    (here / "empty").mkdir()
    (here / "latin.yaml").write_bytes(b"a: \xff\n")
    found = command(*arguments, cwd=here)
    assert found.returncode == code
    assert error in found.stderr
    assert "Traceback" not in found.stderr


def test_explain_takes_the_same_input(here):
    found = command("explain", "tekton-params", "run.yaml", "--config", "config.yaml", "--json", cwd=here)
    assert {entry["file"] for entry in json.loads(found.stdout)["documents"]} == {"run.yaml"}
    listed = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- " + run().replace("\n", "\n  ").rstrip()
    listed += "\nfunctionConfig:\n  " + PROPAGATE.replace("\n", "\n  ").rstrip() + "\n"
    pointers = [
        [value["pointer"] for value in decided(text)]
        for text in (command("explain", "--json", stdin=listed).stdout, found.stdout)
    ]
    assert pointers[0] == pointers[1] != []
    assert command("explain", stdin=listed.replace("propagate", "x")).returncode == 1


@pytest.mark.parametrize("function", ["flux-values", "giantswarm-config"])
@pytest.mark.parametrize("spelt", ["{}", "./{}", "../{0.parent.name}/{0.name}", "{0.parent}/{0.name}"])
def test_a_file_may_be_named_by_any_path(tmp_path, function, spelt):
    """Nothing is written beside it, so its path need not lead into a package."""
    (tmp_path / "a.yaml").write_text(GENERATES[function])
    name = spelt.format("a.yaml") if spelt in ("{}", "./{}") else spelt.format(tmp_path / "a.yaml")
    found = command("run", function, name, cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == command("run", function, "a.yaml", cwd=tmp_path).stdout


def test_two_sources_of_one_object_are_named_with_their_files(tmp_path):
    write(tmp_path, dict.fromkeys(("a/rel.yaml", "b/rel.yaml"), GENERATES["flux-values"]))
    found = command("run", "flux-values", "a/rel.yaml", "b/rel.yaml", cwd=tmp_path)
    assert found.returncode == 1
    assert "/web/values of a/rel.yaml and from HelmRelease" in found.stderr
    assert "/web/values of b/rel.yaml: rename one" in found.stderr


def test_an_option_with_one_value_is_given_once(here):
    found = command(*CONFIGURED, "--config", "other.yaml", "run.yaml", cwd=here)
    assert (found.returncode, found.stdout) == (2, "")
    assert "argument --config: must be given once" in found.stderr
