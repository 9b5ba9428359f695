"""`values` prints what a function composes as YAML that is read back as the same data; `why` answers for a line."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.answers import decided
from tests.cli.packages import command, kptfile, write

from krm_values._data.pointer import ABSENT, get
from krm_values._explain import on_line
from krm_values._krm import documents

EXAMPLES = Path(__file__).parents[2] / "examples"
COMPOSED = [
    ("flux-values/base-and-site", "HelmRelease/coast/beacon", "app/beacon-flux-values.yaml", "values.yaml"),
    ("pipelines/all-six", "ConfigMap/shop/cart-chart-values", "app/cart-chart-values.yaml", "values"),
    ("pipelines/all-six", "ConfigMap/cart-flux-values", "cartographer/shop/workload-cart/cart-flux-values.yaml", "values.yaml"),
]


@pytest.fixture
def package(tmp_path):
    def copied(story: str) -> Path:
        return Path(shutil.copytree(EXAMPLES / story, tmp_path / "package", ignore=shutil.ignore_patterns(".expected")))

    return copied


def written(file: Path, key: str) -> Any:
    """The values in a text of a file that `render` has written."""
    return yaml.safe_load(text(file, key))


def text(file: Path, key: str) -> str:
    """The text itself."""
    item = yaml.safe_load(file.read_text())
    found = item["data"][key]
    return base64.b64decode(found).decode() if item["kind"] == "Secret" else found


@pytest.mark.parametrize(("story", "resource", "file", "key"), COMPOSED, ids=lambda value: value)
@pytest.mark.parametrize("comments", [[], ["--comments"]], ids=["bare", "comments"])
def test_the_values_are_those_that_render_writes(package, story, resource, file, key, comments):
    directory = package(story)
    done = command("values", directory, resource, "--show-secrets", *comments)
    assert done.returncode == 0
    command("render", directory)
    assert yaml.safe_load(done.stdout) == written(directory / file, key)
    after = command("values", directory, resource, "--show-secrets", *comments)
    assert yaml.safe_load(after.stdout) == yaml.safe_load(done.stdout)
    if not comments:
        assert text_of(done.stdout) == text_of(after.stdout) == text(directory / file, key)


def text_of(printed: str) -> str:
    """What is printed, without the heading of an object that is generated for the one that was asked for."""
    return printed.partition("\n")[2] if printed.startswith("# ") else printed


LAYERS = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: {0}}}\nspec: {{layers: [{1}], targets: [{2}]}}\n"
TEXT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {0}}}\ndata:\n  values.yaml: |\n    k: {1}\n    {0}: 1\n"


def layers(name: str, of: tuple[str, ...], *targets: str) -> str:
    """A functionConfig that merges ConfigMaps."""
    return LAYERS.format(name, ", ".join(f"{{configMap: {one}}}" for one in of), ", ".join(f"{{{one}}}" for one in targets))


def chain(directory: Path, *targets: str) -> Path:
    """A package whose second step merges what the first one generates, `out`, with another layer."""
    steps = [f"exec: krm-layered-values, configPath: {name}.yaml" for name in ("one", "two")]
    configs = {
        "one.yaml": layers("one", ("a", "b"), *targets),
        "two.yaml": layers("two", ("out", "t"), "configMap: final").replace(
            "configMap: out", "configMap: out, key: values.yaml"
        ),
    }
    texts = {f"{name}.yaml": TEXT.format(name, number) for number, name in enumerate("abt")}
    return write(directory, {"Kptfile": kptfile(*steps), **configs, **texts})


@pytest.mark.parametrize("is_rendered", [False, True])
def test_a_name_means_the_object_of_that_name_not_what_is_generated_for_it(tmp_path, is_rendered):
    directory = chain(tmp_path, "configMap: out", "configMap: field, key: p, value: k")
    if is_rendered:
        assert command("render", directory).returncode == 0
    asked = {"out": {"k": 1, "a": 1, "b": 1}, "final": {"k": 2, "a": 1, "b": 1, "t": 1}, "field": {"p": "1"}}
    for name, wanted in asked.items():
        for word in (f"ConfigMap/{name}", f"configmap/{name}"):
            assert yaml.safe_load(command("values", directory, word).stdout) == wanted
    both = command("values", directory, "ConfigMap/out", "ConfigMap/final", "k").stdout
    assert both == "# ConfigMap out\nk: 1\n---\n# ConfigMap final\nk: 2\n"
    assert command("values", ".", "ConfigMap/out", cwd=directory).stdout == command("values", directory, "ConfigMap/out").stdout


def test_only_an_object_without_values_of_its_own_is_answered_by_what_is_generated_for_it(package):
    directory = package("pipelines/all-six")
    own = yaml.safe_load(command("values", directory, "HelmRelease/cart").stdout)
    assert own["spec"]["chart"]["spec"] == {"chart": "cart", "version": "1.4.2"}
    assert yaml.safe_load(command("values", directory, "App/cart").stdout) == [{"name": "region-west", "namespace": "shop"}]
    told = command("values", directory, "App/cart", "-v").stderr
    assert "info: what is composed for App shop/cart is in ConfigMap/shop/cart-chart-values\n" in told


def merged(directory: Path, *layers: str, more: str = "") -> Path:
    """A package that merges texts into one of the ConfigMap `out`. more: further settings of the config."""
    names = "abc"[: len(layers)]
    config = LAYERS.format("lv", ", ".join(f"{{configMap: {name}}}" for name in names), "{configMap: out}").replace(
        "spec: {", f"spec: {{{more}"
    )
    files = {f"{name}.yaml": yaml.safe_dump(config_map(name, text)) for name, text in zip(names, layers, strict=True)}
    return write(directory, {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "lv.yaml": config, **files})


def config_map(name: str, text: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"v": text}}


FORMS = """\
"n": 1
"y": 'no'
a: []
b: {}
c: [1, [x, y], {d: 1, e: [2]}]
f: |
  one
  two
g: "::warning::x"
h: "a\\e[1m"
i: 1.0
"""


@pytest.mark.parametrize("comments", [[], ["--comments"]], ids=["bare", "comments"])
def test_a_text_is_printed_as_the_file_has_it_in_every_form(tmp_path, comments):
    directory = merged(tmp_path, FORMS, f"? {'k' * 1001}\n: {{z: 1}}\n")
    assert command("render", directory).returncode == 0
    done = command("values", directory, "ConfigMap/out", *comments)
    rendered = text(directory / "out.yaml", "values.yaml")
    assert yaml.safe_load(done.stdout) == yaml.safe_load(rendered)
    printed = done.stdout.replace('g: "::warning::x"', "g: ::warning::x")
    if comments:
        assert "c:  # a a.yaml:" in done.stdout
        assert "f: |  # a a.yaml:" in done.stdout
    else:
        assert printed == rendered


def test_no_line_is_a_command_of_a_host(tmp_path):
    directory = merged(tmp_path, '"::warning::k": 1\nf: |\n  ::error::x\n  y\ng: ["::notice::z"]\n')
    done = command("values", directory, "ConfigMap/out")
    assert not [line for line in done.stdout.splitlines() if line.lstrip().startswith("::")]
    assert yaml.safe_load(done.stdout) == {"::warning::k": 1, "f": "::error::x\ny\n", "g": ["::notice::z"]}


def test_what_a_step_removes_is_absent(tmp_path):
    directory = merged(tmp_path, "k: 1\nw: [1]\n", "w: null\n", more="nulls: remove, ")
    assert command("values", directory, "ConfigMap/out").stdout == "k: 1\n"
    assert command("values", directory, "ConfigMap/out", "w").returncode == 1


def test_what_is_generated_for_a_name_has_a_heading_and_a_layer_is_an_error_with_the_objects_that_it_goes_into(package):
    directory = package("flux-values/base-and-site")
    done = command("values", directory, "HelmRelease/beacon", "replicas")
    heading = '# Secret coast/beacon-flux-values data["values.yaml"], generated for HelmRelease coast/beacon\n'
    assert done.stdout == f"{heading}replicas: 3\n"
    for layer in ("ConfigMap/beacon-base", "Secret/coast/beacon-login"):
        assert layer.rpartition("/")[2] in "".join(path.read_text() for path in directory.rglob("*.yaml")), layer
        done = command("values", directory, layer)
        assert (done.returncode, done.stdout) == (1, "")
        assert "is a layer of Secret/coast/beacon-flux-values\n" in done.stderr


def test_a_layer_of_a_chain_goes_into_all_that_is_made_of_it(tmp_path):
    done = command("values", chain(tmp_path, "configMap: out"), "ConfigMap/a")
    assert (done.returncode, done.stdout) == (1, "")
    said = "error: no function composes values of ConfigMap/a: it is a layer of ConfigMap/out and ConfigMap/final\n"
    assert done.stderr == said


def test_the_texts_of_an_object_are_documents_with_their_keys_named(tmp_path):
    directory = chain(tmp_path, "configMap: out", "configMap: out, key: b.json, as: json", "configMap: out, key: c, value: k")
    wanted = '# data["b.json"]\na: 1\nb: 1\nk: 1\n---\n# fields\nc: \'1\'\n---\n# data["values.yaml"]\na: 1\nb: 1\nk: 1\n'
    assert command("values", directory, "ConfigMap/out").stdout == wanted
    assert command("values", directory).stdout.startswith(f"# ConfigMap out\n{wanted}---\n# ConfigMap final\n")
    assert (
        command("values", directory, "ConfigMap/out", "k").stdout
        == '# data["b.json"]\nk: 1\n---\n# data["values.yaml"]\nk: 1\n'
    )
    comments = command("values", directory, "ConfigMap/out", "k", "--comments").stdout
    assert comments == '# data["b.json"]\nk: 1  # b b.yaml:6\n---\n# data["values.yaml"]\nk: 1  # b b.yaml:6\n'
    assert command("values", directory, "ConfigMap/out", 'data["b.json"].k').stdout == "k: 1\n"


def test_each_leaf_is_followed_by_its_origin(package):
    done = command("values", package("flux-values/base-and-site"), "--comments")
    assert "replicas: 3  # values app/release.yaml:26\n" in done.stdout
    assert "  password: <hidden>  # valuesFrom[2] site/login.yaml:8\n" in done.stdout


def test_values_of_a_secret_are_hidden_one_by_one(package):
    directory = package("flux-values/base-and-site")
    found = yaml.safe_load(command("values", directory).stdout)
    assert found["upstream"] == {"password": "<hidden>", "user": "beacon"}
    assert "Hs6dLq1vYb8kRf3w" not in command("values", directory, "--comments").stdout
    assert "Hs6dLq1vYb8kRf3w" in command("values", directory, "--show-secrets").stdout


def test_paths_pick_some_values(package):
    assert command("values", package("flux-values/base-and-site"), "lamp.*").stdout == "lamp:\n  colour: white\n  period: 5\n"


def test_params_of_a_step_and_descriptors_have_the_names_of_their_elements(package):
    directory = package("pipelines/all-six")
    params = yaml.safe_load(command("values", directory, "ResolvedParams/workload-cart").stdout)
    assert [step["name"] for step in params] == ["release", "check", "descriptor"]
    assert params[0]["params"] == [
        {"name": "host", "value": "cart.example.test", "beat": [{"value": "localhost"}]},
        {"name": "suite", "value": "suite:2.10"},
        {"name": "version", "value": "1.4.2", "beat": [{"value": "*"}]},
    ]
    found = yaml.safe_load(command("values", directory, "SolutionDescriptor/east.prod-7.sd").stdout)
    assert [one["version"] for one in found] == ["ledger:3.1.0", "cart:1.4.2"]


def test_list_elements_that_a_step_added_have_their_names(package):
    directory = package("tekton-params/build-and-deploy")
    found = yaml.safe_load(command("values", directory).stdout)
    assert [one["name"] for one in found["tasks"]] == ["fetch", "test", "build", "deploy"]
    fetch, test, *_ = found["tasks"]
    names = ["repo-url", "revision"]
    assert fetch["params"] == [{"name": name, "value": f"$(params.{name})"} for name in names]
    assert fetch["taskSpec"]["params"] == [{"name": name, "type": "string"} for name in names]
    assert test["taskSpec"]["params"] == [{"name": "level", "type": "string", "default": "unit"}]
    command("render", directory)
    assert yaml.safe_load(command("values", directory).stdout) == found


def test_several_resources_are_several_documents(package):
    done = command("values", package("pipelines/all-six"))
    assert len([*yaml.safe_load_all(done.stdout)]) == 2
    assert done.stdout.startswith("# ConfigMap shop/cart-chart-values\n")


def test_of_a_list_on_stdin_and_of_files(package):
    directory = package("flux-values/base-and-site")
    whole = command("render", directory, "-o", "stdout").stdout
    assert command("values", "flux-values", stdin=whole).stdout == command("values", directory).stdout


def test_a_resource_without_values_is_named_with_the_nearest(package):
    directory = package("flux-values/base-and-site")
    done = command("values", directory, "HelmRelease/coast/baecon")
    assert done.returncode == 1
    assert "did you mean `HelmRelease/coast/beacon`?" in done.stderr
    short = command("values", directory, "HelmRelease/baecon")
    assert "did you mean `HelmRelease/beacon`?" in short.stderr


def test_a_path_without_values_is_named_with_what_is_near(package):
    directory = package("flux-values/base-and-site")
    done = command("values", directory, "period")
    assert (done.returncode, done.stdout) == (1, "")
    assert "did you mean `lamp.period`? `**.period` matches every path that ends with it" in done.stderr
    assert command("values", directory, "lamp").stdout == "lamp:\n  colour: white\n  period: 5\n"
    assert "did you mean `replicas`?" in command("values", directory, "replcas").stderr


def line_of(file: Path, text: str) -> int:
    return next(number for number, line in enumerate(file.read_text().splitlines(), 1) if line.strip().startswith(text))


def test_why_of_a_line_in_a_text_of_a_rendered_file(package):
    directory = package("pipelines/all-six")
    command("render", directory)
    file = directory / "cartographer/shop/workload-cart/cart-flux-values.yaml"
    for place, cwd in ((file, None), (file.relative_to(directory), directory)):
        done = command("why", f"{place}:{line_of(file, 'host:')}", cwd=cwd)
        assert done.returncode == 0
        assert done.stdout.startswith(
            "ConfigMap shop/cart-flux-values  (HelmRelease shop/cart)\ningress.host = cart.example.test\n"
        )
        assert "+ value host package.yaml:13 cart.example.test" in " ".join(done.stdout.split())
        assert "registry" not in done.stdout
    both = command("why", f"{file}:{line_of(file, 'ingress:')}").stdout
    assert "ingress.host = " in both
    assert "ingress.class = " in both


def test_why_and_impact_take_the_nearest_package_above_the_file_wherever_they_are_called(tmp_path):
    outer = write(
        tmp_path, {"Kptfile": kptfile("exec: krm-layered-values, configPath: none.yaml"), "other.yaml": TEXT.format("x", 1)}
    )
    inner = chain(outer / "deep/sub", "configMap: out")
    for cwd, file in (
        (outer, "deep/sub/a.yaml"),
        (outer / "deep", "../deep/sub/a.yaml"),
        (inner, "a.yaml"),
        (tmp_path, inner / "a.yaml"),
    ):
        done = command("why", f"{file}:7", cwd=cwd)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith('ConfigMap a `data["values.yaml"] » a`\n')
        assert "\n  a = 1: wins\n" in done.stdout
        removed = command("impact", f"{file}:7", cwd=cwd)
        assert "ConfigMap out\n  a removed: 1\n" in removed.stdout, removed.stderr
        assert "--- a/a.yaml\n" in removed.stdout
    made = command("why", "deep/sub/out.yaml:10", cwd=outer)
    assert "ConfigMap out  (ConfigMap a)\na = 1\n" in made.stdout, made.stderr
    write(outer, {"deep/sub/deep/sub/a.yaml": TEXT.format("trap", 1)})
    assert "  a = 1: wins\n" in command("why", "deep/sub/a.yaml:7", cwd=outer).stdout
    assert command("why", "deep/sub/a.yaml:7", ".", cwd=outer).returncode == 1  # `none.yaml` is not there


def test_why_of_a_field_and_of_what_nobody_decides(package):
    directory = package("pipelines/all-six")
    file = directory / "workload.yaml"
    done = command("why", f"{file}:{line_of(file, 'value: cart.localhost')}")
    assert done.stdout.startswith("Workload shop/cart  (workload.yaml)\nspec.params[0].value = cart.example.test\n")
    done = command("why", f"{file}:{line_of(file, 'namespace:')}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Workload shop/cart `metadata.namespace`\n")
    assert "HelmRelease shop/cart  (Workload shop/cart)\n  metadata.namespace = shop: wins\n" in done.stdout


def test_why_of_a_line_with_several_fields_is_of_the_outermost(package):
    directory = package("pipelines/all-six")
    file = directory / "workload.yaml"
    head, mark, rest = file.read_text().partition("  - name: version\n")
    above, params, _ = head.partition("  params:\n")
    file.write_text(f"{above}{params}  - {{name: host, value: cart.localhost}}\n{mark}{rest}")
    done = command("why", f"{file}:{line_of(file, '- {name: host')}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Workload shop/cart  (workload.yaml)\nspec.params[0].value = cart.example.test\n")


def test_why_of_a_line_of_a_layer_says_what_it_goes_into(package):
    directory = package("flux-values/base-and-site")
    file = directory / "base/values.yaml"
    assert (
        command("why", f"{file}:{line_of(file, 'registry:')}").stdout
        == """\
ConfigMap coast/beacon-base `data["values.yaml"] » registry`
Secret coast/beacon-flux-values  (HelmRelease coast/beacon)
  registry = registry.example.test: wins
    rule: only valuesFrom[0] sets it
    because app/release.yaml:13, Kptfile:9
"""
    )


STAMPED = "cartographer/shop/workload-cart/check.yaml"


@pytest.mark.parametrize("is_rendered", [False, True])
@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        ("kind:", "kind", "it is copied from the template, ClusterTemplate check (chain/templates.yaml:35)"),
        ("namespace:", "metadata.namespace", "the function writes it"),
        ("carto.run/resource-name:", 'metadata.labels["carto.run/resource-name"]', "the function writes it"),
        (
            "image:",
            "spec.pipelineSpec.tasks[0].taskSpec.steps[0].image",
            "it is copied from the template, ClusterTemplate check (chain/templates.yaml:50)",
        ),
    ],
)
def test_why_of_what_no_layer_sets_in_an_object_that_is_generated(package, is_rendered, text, field, said):
    directory = package("pipelines/all-six")
    command("render", directory)
    line = line_of(directory / STAMPED, text)
    if not is_rendered:
        (directory / STAMPED).unlink()
    done = command("why", f"{STAMPED}:{line}", cwd=directory)
    assert " ".join(done.stdout.split()) == (
        f"PipelineRun shop/cart-check `{field}`: generated by cartographer-params (pipeline.mutators[1]) "
        f"from Workload shop/cart (workload.yaml:1) no layer sets this field: {said}"
    )
    assert "\n  no layer sets this field: " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_why_of_what_is_generated_never_says_that_somebody_wrote_it(package):
    directory = package("flux-values/base-and-site")
    command("render", directory)
    file = directory / "app/beacon-flux-values.yaml"
    for line in range(1, len(file.read_text().splitlines()) + 1):
        done = command("why", f"{file}:{line}")
        assert done.returncode == 0 or "no value is on this line" in done.stderr
        assert "somebody" not in done.stdout


def test_why_of_a_file_that_only_a_run_would_write(package):
    directory = package("pipelines/all-six")
    done = command("why", f"{directory}/app/cart-chart-values.yaml:17")
    assert done.stdout.startswith("ConfigMap shop/cart-chart-values  (App shop/cart)\n")


@pytest.mark.parametrize(
    ("place", "code", "message"),
    [
        ("workload.yaml", 2, "must be FILE:LINE"),
        ("workload.yaml:0", 2, "must be FILE:LINE"),
        ("none.yaml:1", 1, "none.yaml: is not a file of the package"),
        ("../none.yaml:1", 1, "is in no package"),
    ],
)
def test_a_line_that_cannot_be_found(package, place, code, message):
    done = command("why", place, cwd=package("pipelines/all-six"))
    assert (done.returncode, done.stdout) == (code, "")
    assert message in done.stderr


@pytest.mark.parametrize("file", sorted(EXAMPLES.rglob("*.yaml")), ids=lambda file: file.relative_to(EXAMPLES).as_posix())
def test_every_line_of_a_file_has_a_place(file):
    """Lists, maps in one line and comments in texts, too."""
    items = documents.read(file.read_bytes(), file.name).items
    for line, text in enumerate(file.read_text().split("\n"), 1):
        item = on_line.document_at(items, line)
        field, inner = on_line.place_at(item, line) if item else ((), None)
        assert item is None or not field or get(item.data, field, ABSENT) is not ABSENT
        assert inner is None or isinstance(get(item.data, field), str)
        assert item is None or field or text.startswith(("#", "---")) or not text.strip()


def test_a_key_of_a_text_that_a_later_step_removes_is_a_removed_value(tmp_path):
    """Before a render and after it; the step that removes it decides nothing else."""
    config = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: {name}, annotations: {{config.kubernetes.io/local-config: "true"}}}}
spec:
  layers: [{{name: own, values: {{new: {value}}}}}]
  targets: [{{kind: ConfigMap, name: c, fields: {{'data["app.yaml"].new': {{value: new, missing: create}}}}}}]
"""
    files = {
        "Kptfile": kptfile(*(f"exec: krm-layered-values, configPath: {name}.yaml" for name in ("base", "overlay"))),
        "base.yaml": config.format(name="base", value=2),
        "overlay.yaml": config.format(name="overlay", value="null"),
        "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  app.yaml: |\n    cpu: 1\n",
    }
    package = write(tmp_path, files)
    (before,) = decided(command("explain", "--json", package).stdout)
    assert command("render", package).returncode == 0
    assert "new:" not in (package / "c.yaml").read_text()
    assert decided(command("explain", "--json", package).stdout) == [{key: before[key] for key in before if key != "before"}]
    assert (before["inner"], before["removed"], before["winner"]["line"], before["step"]) == ("new", True, 5, 1)
    assert command("values", package, "ConfigMap/c").stdout == ""


def test_elements_that_a_step_made_have_their_names_after_a_render_too(tmp_path):
    """Its function named by the functionConfig alone, as the record's name tells."""
    files = {
        "Kptfile": kptfile("exec: krm-values run, configPath: own.yaml"),
        "own.yaml": """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: own, annotations: {config.kubernetes.io/local-config: "true"}}
spec:
  layers: [{name: own, values: {level: high}}]
  targets: [{kind: Target, fields: {'spec.env[name=LEVEL].value': {value: level, missing: create}}}]
""",
        "target.yaml": "apiVersion: example.org/v1\nkind: Target\nmetadata: {name: t}\nspec:\n  env: []\n",
    }
    package = write(tmp_path, files)
    before = command("values", package).stdout
    assert before == "- name: LEVEL\n  value: high\n"
    assert command("render", package).returncode == 0
    assert "krm-values.dev/undo.layered-values.own:" in (package / "target.yaml").read_text()
    assert command("values", package).stdout == before
