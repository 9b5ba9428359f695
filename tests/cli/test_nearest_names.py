"""Every unknown word of a command line, a config, a list and a package is shown with the nearest that is known."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, write

RUN = "apiVersion: tekton.dev/v1\nkind: PipelineRun\nmetadata: {name: a}\nspec: {pipelineRef: {name: b}}\n"
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\nspec: {mode: propagate}\n"
LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: {}\n"
KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - image: tekton-params\n    configPath: config.yaml\n"

COMMAND_LINES = [
    ("rnder", 'found string "rnder"; did you mean `render`?'),
    ("explian", 'found string "explian"; did you mean `explain`?'),
    ("envgene proces", 'found string "proces"; did you mean `process`?'),
    ("completion zhs", 'found string "zhs"; did you mean `zsh`?'),
    ("kustomize install-plugin", "did you mean `install-plugins`?"),
    ("run tekton-parms run.yaml", 'did you mean "tekton-params"?'),
    ("lint glaskube-values run.yaml", 'did you mean "glasskube-values"?'),
    ("run tekton-params --cofnig config.yaml run.yaml", "did you mean `--config`?"),
    ("run tekton-params --folow-links run.yaml", "did you mean `--follow-links`?"),
    ("run cartographer-params --yt=ytt run.yaml", "did you mean `--ytt`?"),
    ("explain --jsn tekton-params run.yaml", "did you mean `--json`?"),
    ("render --dif", "did you mean `--diff`?"),
    ("render --dry-run", "did you mean `--diff`?"),
    ("render --dryrun", "did you mean `--diff`?"),
    ("check -o json", "unrecognized arguments: -o; did you mean `--format`?\n"),
    ("lint flux-values a.yaml --json", "did you mean `--format`?"),
    ("clean -o json", "unrecognized arguments: -o\n"),
    ("check --dry-run", "unrecognized arguments: --dry-run\n"),
    ("compare --recursive --against HEAD", "did you mean `krm-values fleet compare`?"),
    ("explain --recursive", "did you mean `krm-values fleet explain`?"),
    ("why --recursive a.yaml:1", "unrecognized arguments: --recursive\n"),
    ("version", "did you mean `krm-values --version`?"),
    ("apply", "did you mean `krm-values render`?"),
    ("validate", "did you mean `krm-values check`?"),
    ("undo", "did you mean `krm-values revert`?"),
    ("get", "did you mean `krm-values values`?"),
    ("lst", "did you mean `list`?"),
    ("kustomize install", "did you mean `install-plugins`?"),
    ("docs layered", 'did you mean "layered-values"?'),
    ("render --skip-foriegn", "did you mean `--skip-foreign`?"),
    ("schema explanatoin", 'no schema is called "explanatoin"; did you mean "explanation"?'),
    ("schema tekton-parms", 'did you mean "tekton-params"?'),
    ("schema something-else", "tekton-params, explanation"),
    ("list --verson", "did you mean `--version`?"),
]
CONFIGS = [
    ("kind: TektonParams", "kind: TektonParam", "did you mean `TektonParams`, the functionConfig of `tekton-params`?"),
    ("kind: TektonParams", "kind: TektonPrams", "did you mean `TektonParams`, the functionConfig of `tekton-params`?"),
    ("kind: TektonParams", "kind: tektonParams", "did you mean `TektonParams`, the functionConfig of `tekton-params`?"),
    ("kind: TektonParams", "kind: FluxValue", "did you mean `FluxValues`, the functionConfig of `flux-values`?"),
    ("kind: TektonParams", "kind: GlaskubeValues", "did you mean `GlasskubeValues`, the functionConfig of `glasskube-values`?"),
    ("spec:", "spce:", "did you mean `spec`?"),
    ("metadata:", "metdata:", "did you mean `metadata`?"),
    ("mode: propagate", "mdoe: propagate", "did you mean `mode`?"),
    ("mode: propagate", "mode: propagat", 'found string "propagat"; did you mean `propagate`?'),
]
LISTS = [
    ("items:", "itmes:", "stdin:3:1: `itmes` is not a field of a ResourceList; did you mean `items`?"),
    (
        "functionConfig:",
        "functionconfig:",
        "stdin:4:1: `functionconfig` is not a field of a ResourceList; did you mean `functionConfig`?",
    ),
    ("kind: ResourceList", "kind: Resourcelist", 'found string "Resourcelist"; did you mean `ResourceList`?'),
]
PACKAGES = [
    ("pipeline:", "pipelin:", "did you mean `pipeline`?"),
    ("mutators:", "mutator:", "did you mean `mutators`?"),
    ("configPath:", "configpath:", "did you mean `configPath`?"),
    ("configPath: config.yaml", "configPath: confg.yaml", "did you mean `config.yaml`?"),
    ("image: tekton-params", "image: tekton-param", "did you mean `tekton-params`?"),
    ("image: tekton-params", "exec: krm-tekton-param", "did you mean `krm-tekton-params`?"),
    ("kind: Kptfile", "kind: Kptfle", "did you mean `Kptfile`?"),
]


@pytest.fixture
def here(tmp_path):
    return write(tmp_path, {"run.yaml": RUN, "config.yaml": CONFIG})


@pytest.mark.parametrize(("line", "hint"), COMMAND_LINES)
def test_of_a_command_line(here, line, hint):
    done = command(*line.split(), cwd=here)
    assert done.returncode == 2
    assert hint in done.stderr


@pytest.mark.parametrize(("right", "wrong", "hint"), CONFIGS)
def test_of_a_config(here, right, wrong, hint):
    write(here, {"config.yaml": CONFIG.replace(right, wrong)})
    done = command("run", "--config", "config.yaml", "run.yaml", cwd=here)
    assert done.returncode == 1
    assert done.stderr.startswith("error: config.yaml:")
    assert hint in done.stderr


@pytest.mark.parametrize(("right", "wrong", "hint"), LISTS)
def test_of_a_list(right, wrong, hint):
    done = command("run", "tekton-params", stdin=LIST.replace(right, wrong))
    assert (done.returncode, done.stdout) == (1, "")
    assert hint in done.stderr


@pytest.mark.parametrize(("right", "wrong", "hint"), PACKAGES)
def test_of_a_package(here, right, wrong, hint):
    write(here, {"Kptfile": KPTFILE.replace(right, wrong)})
    done = command("render", ".", cwd=here)
    assert done.returncode in (1, 2)
    assert hint in done.stderr


def test_what_is_right_is_not_taken_for_a_mistake(here):
    write(here, {"Kptfile": KPTFILE})
    for words in (["render", "."], ["run", "--config", "config.yaml", "run.yaml"], ["explain", "tekton-params", "run.yaml"]):
        assert command(*words, cwd=here).returncode == 0
    assert command("run", "tekton-params", stdin=LIST).returncode == 0


def test_where_no_field_of_a_config_is_near_all_are_listed(here):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nspec: {layers: [{file: a.yaml}], targets: []}\n"
    write(here, {"config.yaml": config})
    done = command("run", "--config", "config.yaml", "run.yaml", cwd=here)
    assert "`spec.layers[0].file`: is not a field of this config; its fields are `configMap`, `secret`, " in done.stderr
