"""What somebody meets who tries the commands for the first time: each message names the next step."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from tests.cli.packages import PROPAGATE, PROPAGATING, SIMPLE, command, kptfile, run, snapshot, write

from krm_values._krm.names import kind
from krm_values._run import registry

EMPTY = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"


@pytest.mark.parametrize("function", registry.functions())
def test_the_config_that_a_function_shows_is_one_that_it_takes(tmp_path, function):
    found = command("run", function, stdin=EMPTY)
    example = re.search(r"for example (\{.*\})$", found.stderr, re.MULTILINE)
    if found.returncode == 0:
        assert not example
        return
    assert example, found.stderr
    write(tmp_path, {"config.yaml": example[1] + "\n"})
    again = command("run", function, "--config", "config.yaml", stdin=EMPTY, cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.parametrize("function", registry.functions())
def test_the_config_that_a_function_shows_instead_of_a_list_is_one_that_it_takes(tmp_path, function):
    found = command("run", function, stdin=EMPTY + "functionConfig: []\n")
    example = re.search(r"for example (\{.*\})$", found.stderr, re.MULTILINE)
    assert example, found.stderr
    write(tmp_path, {"config.yaml": example[1] + "\n"})
    assert command("run", "--config", "config.yaml", stdin=EMPTY, cwd=tmp_path).returncode == 0


def test_without_function_and_config_the_functions_are_listed():
    found = command("run", stdin=EMPTY)
    assert found.returncode == 1
    assert found.stderr == (
        "error: stdin:1:1: no functionConfig and no function named; name the function, as in `krm-values run tekton-params`, or give its "
        f"functionConfig (`kind: TektonParams`); functions: {', '.join(registry.functions())}\n"
    )


RELEASE = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web}\nspec: {values: {a: 1}}\n"
RESOURCES = {
    "flux-values": RELEASE,
    "tekton-params": run(),
    "giantswarm-config": "apiVersion: application.giantswarm.io/v1alpha1\nkind: App\nmetadata: {name: web}\n",
    "glasskube-values": "apiVersion: packages.glasskube.dev/v1alpha1\nkind: ClusterPackage\nmetadata: {name: web}\n",
    "cartographer-params": "apiVersion: carto.run/v1alpha1\nkind: ClusterTemplate\nmetadata: {name: web}\n",
    "envgene-sd": "apiVersion: krm-values.dev/v1alpha1\nkind: SolutionDescriptor\nmetadata: {name: web}\n",
    "layered-values": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n",
}
OTHERS = "".join(f"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: c{number}}}\n" for number in range(9))


@pytest.mark.parametrize("function", RESOURCES)
def test_without_a_function_that_of_the_resources_is_suggested(tmp_path, function):
    write(tmp_path, {"a b.yaml": RESOURCES[function] + OTHERS})
    for command_, files in (("explain", "."), ("values", "."), ("run", "."), ("explain", "./a b.yaml")):
        told = command(command_, files, cwd=tmp_path)
        quoted = files if files == "." else f"'{files}'"
        assert told.returncode == 1
        assert told.stderr == (
            f"error: no functionConfig and no function named; name the function, as in `krm-values {command_} {function} {quoted}`, "
            f"or give its functionConfig (`kind: {kind(function)}`); functions for these resources: {function}\n"
        )
        assert "no function named" not in command(command_, function, files, cwd=tmp_path).stderr
    for words in (["render", "."], ["compare", ".", "."]):
        assert f"`krm-values run {function} .`" in command(*words, cwd=tmp_path).stderr


def test_of_several_functions_that_of_the_most_resources_is_suggested(tmp_path):
    write(tmp_path, {"a.yaml": RESOURCES["tekton-params"], "b.yaml": RELEASE + "---\n" + RELEASE.replace("web", "other")})
    told = command("explain", ".", cwd=tmp_path).stderr
    assert "`krm-values explain flux-values .`" in told
    assert "functions for these resources: flux-values, tekton-params\n" in told
    listed = EMPTY.replace(
        "items: []", "items:\n- {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: a}}"
    )
    for words in ("explain", "values", "run"):
        assert f"`krm-values {words} flux-values`" in command(words, stdin=listed).stderr


@pytest.mark.parametrize(
    ("step", "start"),
    [
        ("exec: krm-layered-values", "layered-values needs a functionConfig with `layers` and `targets`, for example {"),
        ("exec: krm-values run layered-values", "layered-values needs a functionConfig with "),
        ("image: example.com/layered-values:1", "layered-values needs a functionConfig with "),
        ("exec: krm-values run", "no functionConfig and no function named; "),
        ("image: example.com/krm-values:1", "no functionConfig and no function named; "),
    ],
)
def test_a_step_without_config_is_told_where_to_name_one(tmp_path, step, start):
    package = write(tmp_path, {"Kptfile": kptfile(step), "run.yaml": run()})
    found = command("render", package)
    assert (found.returncode, found.stdout, found.said.count("\n")) == (1, "", 1)
    assert found.said.startswith(f"error: Kptfile:7:5: functionConfig `pipeline.mutators[0]`: {start}")
    assert found.said.endswith("; add `configPath: FILE` to this step\n")


@pytest.mark.parametrize(("text", "count"), [("", 0), ("# only a comment\n", 0), ("---\n", 0)])
def test_a_config_file_without_resource_is_told_so(tmp_path, text, count):
    package = write(tmp_path, SIMPLE | {"config.yaml": text})
    found = command("render", cwd=package)
    assert found.stderr == (
        "error: Kptfile:7:31: `pipeline.mutators[0].configPath`: must name a file of the package with one resource; "
        '"config.yaml" holds none: it is empty, or has comments only\n'
    )


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("layered-values", "krm-values run layered-values"),
        ("tekton-parms", "krm-values run tekton-params"),
        ("LayeredValues", "krm-values run layered-values"),
        ("diff", "krm-values render --diff"),
        ("rendr", "render"),
    ],
)
def test_what_is_no_command_is_told_the_command(word, meant):
    found = command(word, "x.yaml")
    assert found.returncode == 2
    assert found.stderr.endswith(f"; did you mean `{meant}`?\n")


@pytest.mark.parametrize("options", [[], ["--diff"], ["--recursive"]])
def test_a_file_is_no_package(tmp_path, options):
    write(tmp_path, SIMPLE | {"a b.yaml": run()})
    found = command("render", *options, "run.yaml", cwd=tmp_path)
    assert found.stderr == (
        "error: run.yaml: is a file, not the directory of a package; for single files: "
        "`krm-values run --config CONFIG run.yaml`\n"
    )
    assert "`krm-values run --config CONFIG 'a b.yaml'`" in command("render", "a b.yaml", cwd=tmp_path).stderr
    found = command("render", *options, "Kptfile", cwd=tmp_path)
    assert found.stderr == "error: Kptfile: is a file, not the directory of a package; name its directory: `.`\n"
    assert found.returncode in (1, 2)
    assert (
        "is a file, not the directory of a package; name its directory: `.`"
        in command("clean", "run.yaml", cwd=tmp_path).stderr
    )


def test_a_folder_of_packages_names_them(tmp_path):
    files = {f"apps/{name}/{file}": text for name in ("shop", "cart") for file, text in SIMPLE.items()}
    write(tmp_path, files)
    found = command("render", ".", cwd=tmp_path)
    assert found.stderr == (
        "error: .: holds no Kptfile, but packages lie below it, `apps/cart` and `apps/shop`: "
        "name one of them; `check` and `render` take all with `--recursive`\n"
    )
    assert command("render", "--recursive", ".", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("name", ["Kptfile.yaml", "kptfile"])
def test_a_misspelt_kptfile_is_told_its_name(tmp_path, name):
    write(tmp_path, {name: kptfile(PROPAGATING), "config.yaml": PROPAGATE, "run.yaml": run()})
    for verb in ("render", "explain"):
        found = command(verb, tmp_path)
        assert found.returncode == 1 or verb == "explain"
    assert command("render", tmp_path).stderr == (
        f"error: {tmp_path}: holds no Kptfile, but `{name}`: rename it to `Kptfile`\n"
    )


@pytest.mark.parametrize("verb", ["explain", "values"])
def test_an_element_is_addressed_by_its_number(tmp_path, verb):
    write(tmp_path, SIMPLE)
    found = command(verb, tmp_path, "spec.params[name=url].value")
    assert found.returncode == 2
    assert found.stderr.endswith(
        '; found string "spec.params[name=url].value": elements are addressed by number here, as `[0]`, or all, as `[*]`\n'
    )


@pytest.mark.parametrize("pipeline", ["", "pipeline: {}\n", "pipeline: {mutators: []}\n"])
@pytest.mark.parametrize("options", [[], ["--diff"]])
def test_a_kptfile_without_steps_is_a_warning(tmp_path, pipeline, options):
    files = {"Kptfile": f"apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {{name: p}}\n{pipeline}", "run.yaml": run()}
    write(tmp_path, files)
    assert "lists no step to run" in command("explain", tmp_path).said
    for _ in range(2):  # the second one is that of a package that is as it was
        found = command("render", *options, tmp_path)
        assert found.returncode == 0
        assert "lists no step to run, so nothing changes; add `pipeline: {mutators: [" in found.said.splitlines()[0]
        assert found.said.startswith("warning: Kptfile:1:1: ")
    assert snapshot(tmp_path) == files


@pytest.mark.parametrize("options", [[], ["--json"], ["--layers"], ["--html", "../page.html"]])
def test_explain_answers_for_a_package_without_steps(tmp_path, options):
    write(tmp_path / "package", {"Kptfile": kptfile(), "run.yaml": run()})
    found = command("explain", ".", "--all", *options, cwd=tmp_path / "package")
    assert (found.returncode, "error" in found.stderr) == (0, False)


def test_a_parent_without_steps_runs_those_of_its_sub_packages(tmp_path):
    write(tmp_path, {"Kptfile": kptfile(), **{f"sub/{name}": text for name, text in SIMPLE.items()}})
    assert "warning" not in command("render", tmp_path).stderr


DEPLOYMENT = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: shop}\nspec: {replicas: 1}\n"
LAYERS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: web, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  layers:
  - name: prod
    values: {replicas: 3}
  targets:
  - kind: Deployment
    fields: {spec.replicas: replicas}
"""


@pytest.fixture
def shop(tmp_path):
    """A package with two Deployments."""
    files = {"web.yaml": DEPLOYMENT % "web", "cart.yaml": DEPLOYMENT % "cart", "layers.yaml": LAYERS}
    return write(tmp_path / "shop", {"Kptfile": kptfile("exec: krm-layered-values, configPath: layers.yaml"), **files})


def test_a_word_of_explain_may_be_a_resource_as_of_values(shop):
    for name in ("Deployment/web", "Deployment/shop/web"):
        by_option = command("explain", ".", "spec.replicas", "--resource", name, cwd=shop)
        assert by_option.stdout.startswith("Deployment shop/web  (web.yaml)\nspec.replicas = 3\n")
        for words in ([name, "spec.replicas"], [".", "spec.replicas", name], ["layered-values", ".", name, "spec.replicas"]):
            found = command("explain", *words, cwd=shop)
            assert found.returncode == 0
            assert found.stdout.startswith("Deployment shop/web  (web.yaml)\nspec.replicas = 3\n")
            assert "cart" not in found.stdout
    both = command("explain", ".", "Deployment/web", "--resource", "Deployment/cart", cwd=shop)
    assert (both.returncode, both.stdout) == (2, "")
    assert both.stderr == 'error: one resource can be asked for; found string "Deployment/web" and string "Deployment/cart"\n'


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["web"], "no value has the path `web`; it is a resource: write `Deployment/shop/web`"),
        (["Deployment"], "no value has the path `Deployment`; it is a kind: write `--resource Deployment`"),
        (["--resource", "Deploymnt/web"], "no function decides a value of `Deploymnt/web`; did you mean `Deployment/web`?"),
        (["Deployment/wbe"], "no function decides a value of `Deployment/wbe`; did you mean `Deployment/web`?"),
        (
            ["Deployment/web.a"],
            "no function decides a value of `Deployment/web.a`; a path is a word of its own: write `Deployment/web a`",
        ),
        (["Deployment/shpo/web"], "no function decides a value of `Deployment/shpo/web`; did you mean `Deployment/shop/web`?"),
    ],
)
def test_a_resource_that_is_named_otherwise_is_shown_as_it_is_written(shop, words, message):
    found = command("explain", ".", *words, cwd=shop)
    assert (found.returncode, found.stderr) == (1, f"error: {message}\n")


def test_a_misspelt_file_of_why_is_shown_with_the_nearest(shop):
    found = command("why", "layers.yml:7", cwd=shop)
    assert found.stderr == (
        "error: layers.yml: is not a file of the package, and none that its pipeline writes; did you mean `layers.yaml`?\n"
    )


def test_the_config_of_a_step_is_named_with_the_nearest_kind(shop):
    write(shop, {"layers.yaml": LAYERS.replace("LayeredValues", "LayeredValue")})
    assert command("check", cwd=shop).stderr.startswith(
        "error: layers.yaml:2:1: functionConfig `kind`: must be `apiVersion: krm-values.dev/v1alpha1`, `kind: LayeredValues`, or a "
        'ConfigMap; found string "krm-values.dev/v1alpha1" and string "LayeredValue"; did you mean `LayeredValues`?'
    )


@pytest.mark.parametrize("words", [["--recursive"], ["a", "apps/b"]])
def test_the_diff_of_several_packages_can_be_applied_where_it_was_made(shop, tmp_path, words):
    fleet = tmp_path / "fleet"
    for name in ("a", "apps/b"):
        shutil.copytree(shop, fleet / name)
    diff = command("render", "--diff", *words, cwd=fleet)
    assert diff.returncode == 1
    subprocess.run(["patch", "-p1"], input=diff.stdout, text=True, cwd=fleet, check=True, stdout=subprocess.DEVNULL)
    assert command("render", "--diff", "--recursive", cwd=fleet).returncode == 0


def test_an_unknown_option_is_refused_with_the_words_of_its_command(shop):
    found = command("render", "--no-such", cwd=shop)
    assert found.returncode == 2
    assert found.stderr == (
        "usage: krm-values render [DIR...] [OPTION...]\nkrm-values render: error: unrecognized arguments: --no-such\n"
    )
    inner = command("fleet", "compare", "--against", "HEAD", "--markdown", cwd=shop).stderr
    assert inner.startswith("usage: krm-values fleet compare ")
