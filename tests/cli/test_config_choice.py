"""Which functionConfig a run takes: the list's, that of `--config`, or the only one among the resources; and which function it names."""

from __future__ import annotations

import json

import pytest
from tests.answers import decided
from tests.cli.packages import CONFIG_MAP, PROPAGATE, command, kptfile, resolved, run, write

FLUX = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata:\n  name: flux\nspec: {}\n"
CLASH = (
    "functionConfig `kind`: must be `TektonParams`, because `tekton-params` is called (by an argument, its own command or "
    'KRM_FUNCTION); found string "FluxValues", the functionConfig of `flux-values`'
)
TAKEN = "is used as the functionConfig\n"
BARE = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata:\n  name: bare\n"
IMPLICIT = PROPAGATE.replace("propagate", "implicit")


def listed(*items: str, config: str = "") -> str:
    """A ResourceList."""

    def indented(text: str) -> str:
        return text.rstrip("\n").replace("\n", "\n  ")

    text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + "".join(
        f"- {indented(item)}\n" for item in items
    )
    return text + (f"functionConfig:\n  {indented(config)}\n" if config else "")


def items_of(text: str) -> str:
    return text.partition("\nfunctionConfig:")[0].partition("\nresults:")[0].rstrip("\n")


@pytest.fixture
def here(tmp_path):
    return write(tmp_path, {"config.yaml": PROPAGATE, "flux.yaml": FLUX, "run.yaml": run()})


@pytest.mark.parametrize("config", ["", IMPLICIT, FLUX, CONFIG_MAP.format(name="function-input"), "{}"])
def test_config_of_the_command_line_replaces_that_of_the_list(here, config):
    """A warning or an error of the list's own would tell that it was read."""
    found = command("run", "tekton-params", "--config", "config.yaml", stdin=listed(run(), config=config), cwd=here)
    assert (found.returncode, found.stderr) == (0, "")
    assert items_of(found.stdout) == items_of(listed(resolved()))
    assert config.rstrip("\n").replace("\n", "\n  ") in found.stdout, "the list's own stays where it is"


@pytest.mark.parametrize("call", [["run"], ["explain", "--patch"]])
@pytest.mark.parametrize("named", [[], ["tekton-params"]])
def test_config_of_the_command_line_names_the_function_in_a_pipe(here, call, named):
    found = command(*call, *named, "--config", "config.yaml", stdin=listed(run()), cwd=here)
    assert (found.returncode, found.stderr) == (0, "")
    assert "params.url" in found.stdout


@pytest.mark.parametrize("call", [["run"], ["explain"]])
@pytest.mark.parametrize("inputs", [[], ["run.yaml"]])
def test_a_config_that_is_not_there_is_an_error(here, call, inputs):
    found = command(*call, "tekton-params", *inputs, "--config", "no.yaml", stdin=listed(run()), cwd=here)
    assert (found.returncode, found.stdout, found.stderr) == (1, "", "error: no.yaml: No such file or directory\n")


@pytest.mark.parametrize(
    ("text", "error"),
    [("a: 'x\n", "broken.yaml:1:4: is not YAML"), ("", "must hold one functionConfig, found 0")],
)
def test_a_config_that_cannot_be_read_is_an_error(here, text, error):
    write(here, {"broken.yaml": text})
    found = command("run", "tekton-params", "--config", "broken.yaml", stdin=listed(run()), cwd=here)
    assert (found.returncode, found.stdout) == (1, "")
    assert error in found.stderr


CALLS = {
    "run, list": (["run", "tekton-params", "--config", "flux.yaml"], {}),
    "run, list's own": (["run", "tekton-params"], {}),
    "run, files": (["run", "tekton-params", "--config", "flux.yaml", "run.yaml"], {}),
    "explain, list": (["explain", "tekton-params", "--config", "flux.yaml"], {}),
    "explain, list's own": (["explain", "tekton-params"], {}),
    "explain, files": (["explain", "tekton-params", "--config", "flux.yaml", "run.yaml"], {}),
    "script, list": ([], {"program": "krm-tekton-params"}),
    "script, files": (["flux.yaml", "run.yaml"], {"program": "krm-tekton-params"}),
    "script, legacy": (["flux.yaml"], {"program": "krm-tekton-params"}),
    "variable, list": (["run", "--config", "flux.yaml"], {"KRM_FUNCTION": "tekton-params"}),
    "variable, list's own": (["run"], {"KRM_FUNCTION": "tekton-params"}),
    "variable, files": (["run", "--config", "flux.yaml", "run.yaml"], {"KRM_FUNCTION": "tekton-params"}),
    "variable, explain": (["explain"], {"KRM_FUNCTION": "tekton-params"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_named_function_with_the_config_of_another_is_an_error(here, name):
    arguments, how = CALLS[name]
    given = run() if "legacy" in name else listed(run(), config=FLUX)
    found = command(*arguments, stdin=given, cwd=here, **how)
    assert found.returncode == 1
    assert found.stderr.count(CLASH) == 1
    assert found.stderr.startswith("error: ")
    assert len(found.stderr.splitlines()) == 1
    if "explain" not in name:
        kept = items_of(listed(run())) if "list" in name else ""
        assert items_of(found.stdout) == kept, "a list leaves as it came; of files nothing is printed"


def test_a_step_with_the_config_of_another_function_is_the_same_error(here):
    write(here, {"Kptfile": kptfile("exec: krm-tekton-params, configPath: flux.yaml")})
    found = command("render", here)
    assert (found.returncode, found.said) == (1, f"error: flux.yaml:2:1: {CLASH}\n")


def test_pieces_in_a_pipe_each_take_their_own_config(here):
    """The second sees what the first left, whatever functionConfig the list came with."""
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: web\n  namespace: ci\nspec:\n  values: {a: 1}\n"
    given = listed(run(), release, config=BARE)
    first = command("run", "tekton-params", "--config", "config.yaml", stdin=given, cwd=here)
    assert (first.returncode, first.stderr) == (0, "")
    second = command("run", "flux-values", "--config", "flux.yaml", stdin=first.stdout, cwd=here)
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.startswith(items_of(listed(resolved(), release)) + "\n- apiVersion: v1\n  kind: ConfigMap\n")
    assert "krm-values.dev/generated-by: flux-values" in second.stdout


@pytest.mark.parametrize("call", [["run"], ["explain", "--json"]])
@pytest.mark.parametrize("named", [[], ["tekton-params"]])
def test_the_only_config_of_a_directory_is_taken_and_named(tmp_path, call, named):
    write(tmp_path, {"sub/config.yaml": PROPAGATE, "run.yaml": run()})
    found = command(*call, *named, ".", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, f"info: sub/config.yaml:1:1: TektonParams config: {TAKEN}")
    if call == ["run"]:
        assert found.stdout == resolved() + "---\n" + PROPAGATE, "it is a resource like the others"


def test_a_function_takes_its_own_config_among_those_of_others(here):
    found = command("run", "tekton-params", ".", cwd=here)
    assert (found.returncode, found.stderr) == (0, f"info: config.yaml:1:1: TektonParams config: {TAKEN}")
    assert found.stdout == PROPAGATE + "---\n" + FLUX + "---\n" + resolved()


def test_the_config_that_is_taken_counts(here):
    write(here, {"config.yaml": PROPAGATE.replace("propagate", "wrong")})
    found = command("run", "tekton-params", "config.yaml", "run.yaml", cwd=here)
    assert found.returncode == 1
    assert found.stderr.startswith("error: config.yaml:6:3: functionConfig `spec.mode`: ")


def test_a_misspelt_config_of_a_directory_is_not_passed_over(here):
    write(here, {"config.yaml": PROPAGATE.replace("TektonParams", "TektonParms")})
    found = command("run", "tekton-params", ".", cwd=here)
    assert found.returncode == 1
    assert "TektonParms" in found.stderr
    assert "`kind: TektonParams`" in found.stderr


def test_without_a_config_in_the_directory_the_defaults_hold(tmp_path):
    write(tmp_path, {"run.yaml": run(), "other.yaml": FLUX})
    found = command("run", "tekton-params", ".", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (0, FLUX + "---\n" + resolved())
    assert found.stderr.startswith("info: no functionConfig of tekton-params is among the resources: it runs with its defaults")


@pytest.mark.parametrize("call", [["run"], ["explain"]])
@pytest.mark.parametrize("named", [[], ["tekton-params"]])
def test_several_configs_of_a_directory_are_an_error_that_lists_them(tmp_path, call, named):
    write(tmp_path, {"a.yaml": PROPAGATE, "b/c.yaml": BARE, "run.yaml": run()})
    found = command(*call, *named, ".", cwd=tmp_path)
    assert found.returncode == 1
    listed_ones = "a.yaml TektonParams config, b/c.yaml TektonParams bare"
    expected = f"error: 2 functionConfigs are among the resources: {listed_ones}; name one with `--config FILE`\n"
    assert found.stderr == expected
    found = command("run", *named, "--config", "b/c.yaml", ".", cwd=tmp_path)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_list_without_a_function_takes_its_only_config(here):
    found = command("run", stdin=listed(run(), PROPAGATE))
    assert (found.returncode, found.stderr) == (0, f"info: stdin:21:3: TektonParams config: {TAKEN}")
    assert items_of(found.stdout) == items_of(listed(resolved(), PROPAGATE))
    again = command("run", stdin=found.stdout)
    assert items_of(again.stdout) == items_of(found.stdout)
    several = command("run", stdin=listed(run(), PROPAGATE, FLUX))
    assert several.returncode == 1
    assert "TektonParams config, FluxValues flux; name one with `--config FILE`" in several.stderr


@pytest.mark.parametrize("call", [["run"], ["run", "-v"], ["explain", "--json"], ["values"]])
def test_a_named_function_takes_its_only_config_in_a_list(here, call):
    """As `run` alone does; the configs of other functions are no candidates."""
    command_line = [call[0], "tekton-params", *call[1:]]
    found = command(*command_line, stdin=listed(run(), PROPAGATE, FLUX), cwd=here)
    assert f"info: stdin:21:3: TektonParams config: {TAKEN}" in found.stderr
    assert "is not used" not in found.stderr
    if call[0] == "run":
        assert items_of(found.stdout) == items_of(listed(resolved(), PROPAGATE, FLUX))
    several = command(*command_line, stdin=listed(run(), PROPAGATE, BARE), cwd=here)
    assert several.returncode == 1
    listing = "2 functionConfigs are among the resources: TektonParams config, TektonParams bare; name one with `--config FILE`"
    assert several.stderr.startswith(f"error: stdin:1:1: {listing}\n")
    given = command(*command_line, stdin=listed(run(), PROPAGATE, BARE, config=IMPLICIT), cwd=here)
    assert "functionConfig" not in given.stderr, "the list's own comes first"


def test_a_step_of_kpt_that_names_the_function_means_the_defaults(here):
    """`exec: krm-values run tekton-params` without a config means the defaults, as `krm-values render` reads the same Kptfile."""
    hosted = "".join(f"    internal.config.kubernetes.io/{key}: '1'\n" for key in ("seqindent", "id"))
    given = run().replace("  namespace: ci\n", f"  namespace: ci\n  annotations:\n{hosted}")
    found = command("run", "tekton-params", stdin=listed(given, PROPAGATE))
    assert "is not used: no functionConfig is given" in found.stdout
    assert TAKEN.strip() not in found.stdout


@pytest.mark.parametrize("how", [{"KRM_FUNCTION": "tekton-params"}, {"program": "krm-tekton-params"}])
def test_a_list_without_a_config_means_defaults_and_warns_of_an_unused_one(here, how):
    arguments = [] if "program" in how else ["run"]
    found = command(*arguments, stdin=listed(run(), PROPAGATE), **how)
    assert found.returncode == 0
    assert found.stderr == (
        "warning: stdin:21:3: TektonParams config: is not used: no functionConfig is given, so tekton-params runs with its defaults; "
        "name this one with `--config` or `configPath`\n"
    )
    assert command(*arguments, stdin=listed(run(), FLUX), **how).stderr == ""
    assert command(*arguments, stdin=listed(run(), PROPAGATE, config=BARE), **how).stderr == ""


def test_under_kpt_an_unused_config_is_an_information(here):
    """A step of its pipeline without a config may well mean the defaults; kpt shows the result."""
    hosted = "".join(f"    internal.config.kubernetes.io/{key}: '1'\n" for key in ("seqindent", "id"))
    given = run().replace("  namespace: ci\n", f"  namespace: ci\n  annotations:\n{hosted}")
    for text, severity in ((given, "info"), (given.replace("seqindent", "index"), "warning")):
        found = command("run", stdin=listed(text, PROPAGATE), KRM_FUNCTION="tekton-params")
        _, _, results = found.stdout.partition("\nresults:\n")
        assert (found.returncode, results.count("is not used: no functionConfig is given")) == (0, 1)
        assert f"  severity: {severity}\n" in results
    assert command("run", stdin=listed(given, PROPAGATE, config=BARE)).stderr == ""


def test_a_step_without_a_config_means_defaults_and_names_an_unused_one(here):
    """A package below may have a config of its own, so this is no warning."""
    write(here, {"Kptfile": kptfile("exec: krm-tekton-params")})
    found = command("render", here, "-v")
    text = "info: config.yaml:1:1: TektonParams config: is not used: no functionConfig is given, so tekton-params runs with its defaults; "
    assert found.returncode == 0
    assert found.said.startswith(text)
    assert command("render", here).said == "1 step run, changed: nothing\n"


@pytest.mark.parametrize("word", ["run.yaml", "./run.yaml", ".", "sub", "sub/run.yaml", "-"])
@pytest.mark.parametrize("call", [["run"], ["explain", "--json"]])
def test_the_config_names_the_function_where_the_first_word_is_a_path(here, call, word):
    write(here, {"sub/run.yaml": run(), "flux.yaml": CONFIG_MAP.format(name="x")})
    found = command(*call, "--config", "config.yaml", word, stdin=run(), cwd=here)
    assert (found.returncode, found.stderr) == (0, "")
    if call == ["run"]:
        assert resolved() in found.stdout
    else:
        assert json.loads(found.stdout)["steps"][0]["function"] == "tekton-params"


@pytest.mark.parametrize("call", ["run", "explain", "schema", "docs", "lint"])
@pytest.mark.parametrize("word", ["./x", "x/y", "../x", ".", "x.yaml", "x.yml", "x.json", "/x", "here"])
def test_a_path_is_never_called_an_unknown_function(tmp_path, call, word):
    write(tmp_path, {"here": "x"})
    found = command(call, word, *(["x"] if call == "lint" else []), cwd=tmp_path)
    assert found.returncode in (1, 2)
    assert "no function is called" not in found.stderr
    assert "invalid choice" not in found.stderr
    assert len(found.stderr.splitlines()) == 1


def test_a_function_comes_before_a_directory_of_its_name(tmp_path):
    write(tmp_path, {"tekton-params/run.yaml": run()})
    found = command("run", "tekton-params", stdin=listed(run()), cwd=tmp_path)
    assert (found.returncode, items_of(found.stdout)) == (0, items_of(listed(resolved())))
    found = command("run", "tekton-params", "tekton-params", cwd=tmp_path)
    assert (found.returncode, found.stdout) == (0, resolved())


def test_explain_of_a_package_with_a_config_explains_its_resources_alone(here):
    """Without one, the steps of its pipeline."""
    write(here, {"Kptfile": kptfile("exec: krm-tekton-params, configPath: config.yaml")})
    whole = command("explain", "--json", here).stdout
    assert json.loads(whole)["steps"][0]["step"] == "pipeline.mutators[0]"
    other = command("explain", "--json", "--config", here / "config.yaml", here).stdout
    assert not json.loads(other)["steps"][0].get("step")
    assert len(decided(other)) == len(decided(whole)) > 0


def test_a_config_among_the_resources_that_cannot_be_read_is_named_with_its_place(here):
    found = command("run", "tekton-params", stdin=listed(run(), PROPAGATE + "  x: *nope\n"))
    assert found.returncode == 1
    line = found.stdout.partition("*nope")[0].count("\n") + 1
    assert f"error: stdin:{line}:8: the functionConfig cannot be read: must define the alias's anchor" in found.stderr


def _named(function: str, *more: str) -> str:
    return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: function-input\ndata:\n  mode: propagate\n" + "".join(
        f"  {line}\n" for line in (f"function: {function}", *more)
    )


@pytest.mark.parametrize(
    ("arguments", "how"),
    [
        (["run"], {}),
        (["run", "tekton-params"], {}),
        (["run"], {"KRM_FUNCTION": "tekton-params"}),
        ([], {"program": "krm-tekton-params"}),
    ],
)
def test_a_config_map_names_its_function(arguments, how):
    found = command(*arguments, stdin=listed(run(), config=_named("tekton-params")), **how)
    assert (found.returncode, found.stderr) == (0, "")
    assert items_of(found.stdout) == items_of(listed(resolved()))


@pytest.mark.parametrize(
    ("arguments", "how"),
    [(["run", "tekton-params"], {}), (["run"], {"KRM_FUNCTION": "tekton-params"}), ([], {"program": "krm-tekton-params"})],
)
@pytest.mark.parametrize("other", ["flux-values", "tekton-param", "TektonParams"])
def test_a_config_map_that_names_another_function_is_an_error(arguments, how, other):
    given = listed(run(), config=_named(other))
    found = command(*arguments, stdin=given, **how)
    assert (found.returncode, items_of(found.stdout)) == (1, items_of(given))
    line = given[: given.index("    function:")].count("\n") + 1
    assert found.stderr == (
        f"error: stdin:{line}:5: functionConfig `data.function`: must be `tekton-params`, because `tekton-params` is called "
        f'(by an argument, its own command or KRM_FUNCTION); found string "{other}"\n'
    )


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("tekton-parms", 'found string "tekton-parms"; did you mean `tekton-params`?'),
        ("../../evil", 'found string "../../evil"'),
        ("tekton-params, flux-values", 'found string "tekton-params, flux-values"'),
        ('""', 'found string ""'),
        ("{a: b}", "found object"),
    ],
)
def test_a_config_map_that_names_no_function_of_ours_is_an_error(function, said):
    found = command("run", stdin=listed(run(), config=_named(function)))
    assert found.returncode == 1
    assert "functionConfig `data.function`: must be one of cartographer-params, " in found.stderr
    assert found.stderr.endswith(said + "\n")


@pytest.mark.parametrize("step", ["image: example.com/krm-values:v1", "exec: krm-values run"])
def test_a_steps_config_map_names_its_function(here, step):
    write(here, {"Kptfile": kptfile(f"{step}, configMap: {{mode: propagate, function: tekton-params}}")})
    found = command("render", here)
    assert (found.returncode, (here / "run.yaml").read_text("utf-8")) == (0, resolved()), found.stderr
    explained = json.loads(command("explain", "--json", here).stdout)
    assert [one["function"] for one in explained["steps"]] == ["tekton-params"]


def test_a_step_whose_image_and_config_map_name_two_functions_is_an_error(here):
    write(here, {"Kptfile": kptfile("image: example.com/tekton-params:v1, configMap: {function: flux-values}")})
    found = command("render", here)
    assert found.returncode == 1
    assert "`pipeline.mutators[0].configMap.function`: must be `tekton-params`" in found.stderr
