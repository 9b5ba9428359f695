"""`krm-values revert`: what a step wrote that has left the pipeline."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, snapshot, write
from tests.cli.packages import kptfile as kptfile_of

EXAMPLES = Path(__file__).parents[2] / "examples/layered-values"


@pytest.fixture
def variant(tmp_path):
    """The example of a package and its variant, rendered, and then without the variant's step."""
    package = tmp_path / "package"
    shutil.copytree(EXAMPLES / "package-and-variant", package, ignore=shutil.ignore_patterns(".expected"))
    assert command("render", package).returncode == 0
    kptfile = package / "Kptfile"
    kptfile.write_text(kptfile.read_text().rpartition("  - exec")[0])
    return package


def fresh(tmp_path, package):
    """What the package's pipeline makes of the resource as its author wrote it."""
    other = tmp_path / "fresh"
    shutil.copytree(EXAMPLES / "package-and-variant", other, ignore=shutil.ignore_patterns(".expected"))
    shutil.copy(package / "Kptfile", other)
    assert command("render", other).returncode == 0
    return snapshot(other)


def test_what_a_step_wrote_stays_when_it_leaves_and_an_information_says_how_to_take_it_back(variant):
    before = snapshot(variant)
    done = command("render", "-v", variant)
    assert "keeps what a step wrote that no pipeline here has (undo record `layered-values.web-in-paris`)" in done.stderr
    assert "`krm-values revert layered-values.web-in-paris` takes it back" in done.stderr
    assert snapshot(variant) == before


@pytest.mark.parametrize("steps", ["do not select it", "are gone", "are of somebody else", "are of another package"])
def test_what_no_step_gets_any_more_is_told_as_well(variant, steps):
    kptfile = variant / "Kptfile"
    text = kptfile.read_text()
    if steps == "do not select it":
        config = variant / "layered-values.yaml"
        config.write_text(config.read_text().replace("name: web\n    fields", "name: web\n    optional: true\n    fields"))
        text = text.replace("layered-values.yaml\n", "layered-values.yaml\n    selectors: [{kind: Service}]\n")
    elif steps == "are of somebody else":
        text = text.replace("exec: krm-layered-values", "exec: other")
    else:
        text = text.partition("pipeline:")[0]
    kptfile.write_text(text)
    if steps == "are of another package":
        write(variant / "sub", {"Kptfile": kptfile_of("exec: krm-flux-values")})
    before = snapshot(variant)
    done = command("render", "-v", "--skip-foreign", variant)
    for name in ("layered-values.web", "layered-values.web-in-paris"):
        told = f"keeps what a step wrote, but no step here gets it any more (undo record `{name}`): "
        assert f"{told}`krm-values revert {name}` takes it back" in done.stderr
        assert done.stderr.count(told) == 1
    assert snapshot(variant) == before


@pytest.mark.parametrize("name", ["layered-values.web-in-paris", "layered-values/web-in-paris", "LayeredValues/web-in-paris"])
def test_after_revert_and_render_the_package_is_as_if_the_step_had_never_been(tmp_path, variant, name):
    done = command("revert", name, variant)
    assert (done.returncode, done.stderr) == (0, "updated: deployment.yaml\n")
    assert command("render", variant).returncode == 0
    assert snapshot(variant) == fresh(tmp_path, variant)


def test_a_step_below_another_one_is_reverted_and_the_other_one_stays(tmp_path, variant):
    done = command("revert", "layered-values/web", variant)
    assert done.returncode == 0
    text = (variant / "deployment.yaml").read_text()
    assert "image: nginx:1.25" in text
    assert "layered-values.web-in-paris" in text
    assert "undo.layered-values.web:" not in text


def test_all_steps_of_a_function_and_the_original_is_back(variant):
    assert command("revert", "layered-values", variant).returncode == 0
    original = (EXAMPLES / "package-and-variant/deployment.yaml").read_text()
    assert (variant / "deployment.yaml").read_text() == original


def test_a_step_without_records_is_an_error_that_names_those_that_have_some(variant):
    done = command("revert", "layered-values/berlin", variant)
    assert done.returncode == 1
    assert "nothing here was written by `layered-values/berlin`; undo records here: layered-values.web" in done.stderr
    assert "layered-values.web-in-paris" in done.stderr


def test_what_was_edited_by_hand_stays_with_a_warning(variant):
    file = variant / "deployment.yaml"
    file.write_text(file.read_text().replace("replicas: 5", "replicas: 6"))
    done = command("revert", "layered-values/web-in-paris", variant)
    assert "was edited by hand after the step had written it: it stays" in done.stderr
    assert "replicas: 6" in file.read_text()


def test_generated_objects_go_with_their_files(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata:\n  name: made\n"
    (package / "config.yaml").write_text(f"{config}spec: {{layers: [{{values: {{a: 1}}}}], targets: [{{configMap: out}}]}}\n")
    head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: x}\n"
    (package / "Kptfile").write_text(head + "pipeline: {mutators: [{exec: krm-layered-values, configPath: config.yaml}]}\n")
    assert command("render", package).returncode == 0
    made = snapshot(package).keys()
    assert len(made) == 3
    assert command("revert", "layered-values/made", package).returncode == 0
    assert snapshot(package).keys() == {"Kptfile", "config.yaml"}


@pytest.mark.parametrize("field", ["", "namespace: shop"])
def test_generated_objects_go_with_the_record_that_a_render_names(tmp_path, field):
    head = f"apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {{name: made, {field}}}\n"
    targets = "[{configMap: out}, {kind: Target, fields: {spec.x: a}}]"
    target = "apiVersion: example.org/v1\nkind: Target\nmetadata:\n  name: t\nspec:\n  x: 0\n"
    config = f"{head}spec: {{layers: [{{values: {{a: 1}}}}], targets: {targets}}}\n"
    files = {"Kptfile": kptfile_of("exec: krm-layered-values, configPath: z.yaml"), "z.yaml": config, "t.yaml": target}
    write(tmp_path / "package", files)
    assert command("render", tmp_path / "package").returncode == 0
    assert len(snapshot(tmp_path / "package")) == 4
    name = "layered-values.made_shop" if field else "layered-values.made"
    assert command("revert", name, tmp_path / "package").returncode == 0
    assert snapshot(tmp_path / "package").keys() == files.keys()
    assert (tmp_path / "package/t.yaml").read_text() == target


@pytest.mark.parametrize("steps", ["are gone", "have another name", "do not select it", "are of another package"])
def test_what_was_generated_and_no_step_gets_any_more_is_told_with_the_command_that_removes_it(tmp_path, steps):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: made}\n"
    config += "spec: {layers: [{values: {a: 1}}], targets: [{configMap: out}]}\n"
    files = {"Kptfile": kptfile_of("exec: krm-layered-values, configPath: z.yaml"), "z.yaml": config}
    package = tmp_path / "package"
    write(package, files)
    assert command("render", package).returncode == 0
    left = {
        "are gone": {"Kptfile": files["Kptfile"].partition("pipeline:")[0]},
        "have another name": {
            "z.yaml": config.replace("name: made", "name: other").replace("configMap: out", "configMap: new")
        },
        "do not select it": {
            "Kptfile": kptfile_of("exec: krm-layered-values, configPath: z.yaml, selectors: [{kind: Secret}]"),
            "z.yaml": config.replace("configMap: out", "configMap: new"),
        },
        "are of another package": {
            "Kptfile": files["Kptfile"].partition("pipeline:")[0],
            "sub/Kptfile": files["Kptfile"],
            "sub/z.yaml": config.replace("configMap: out", "configMap: new"),
        },
    }[steps]
    write(package, left)
    done = command("render", "-v", package)
    told = "was generated by layered-values/made, but no such step gets it any more: `krm-values revert layered-values/made` removes it"
    assert [line.partition(": ConfigMap ")[2] for line in done.said.splitlines() if told in line] == [f"out: {told}"]
    assert command("revert", "layered-values/made", package).returncode == 0
    assert not [path for path in snapshot(package) if path.endswith("out.yaml")]


@pytest.mark.parametrize("example", sorted(EXAMPLES.parent.glob("*/*/Kptfile")), ids=lambda path: path.parent.name)
def test_nothing_of_a_step_that_is_there_is_told_as_left(tmp_path, example):
    shutil.copytree(example.parent, tmp_path / "package")
    for _ in range(2):
        assert "any more: `krm-values revert" not in command("render", "-v", tmp_path / "package").stderr


def test_quiet_says_nothing_and_links_out_are_followed_on_request_only(tmp_path, variant):
    outside = tmp_path / "outside"
    outside.mkdir()
    (variant / "deployment.yaml").rename(outside / "deployment.yaml")
    (variant / "deployment.yaml").symlink_to(outside / "deployment.yaml")
    refused = command("revert", "layered-values", variant)
    assert (refused.returncode, "layered-values.web" in (outside / "deployment.yaml").read_text()) == (1, True)
    (variant / "deployment.yaml").unlink()
    (outside / "deployment.yaml").rename(variant / "deployment.yaml")
    done = command("revert", "--quiet", "--follow-links", "layered-values", variant)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_record_that_cannot_be_read_is_an_error_with_its_resource(variant):
    file = variant / "deployment.yaml"
    file.write_text(file.read_text().replace('{"by":["LayeredValues//web"]', '{"of":["LayeredValues//web"]'))
    before = snapshot(variant)
    done = command("revert", "layered-values/web", variant)
    assert done.returncode == 1
    line = 1 + next(number for number, line in enumerate(before["deployment.yaml"].splitlines()) if '{"of"' in line)
    place = f"deployment.yaml:{line}:5: Deployment web `metadata.annotations"
    assert f'{place}["krm-values.dev/undo.layered-values.web"]`: is not an undo record' in done.stderr
    assert snapshot(variant) == before


def test_under_a_record_that_cannot_be_read_nothing_is_taken_back(variant):
    """What a step wrote there over another one would be taken for an edit by hand, and stay for ever."""
    file = variant / "deployment.yaml"
    file.write_text(file.read_text().replace('{"by":["LayeredValues//web-in-paris"]', '{"of":["LayeredValues//web-in-paris"]'))
    before = snapshot(variant)
    done = command("render", variant)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"error: {variant}/deployment.yaml")
    assert '`metadata.annotations["krm-values.dev/undo.layered-values.web-in-paris"]`: is not an undo record' in line
    assert snapshot(variant) == before


@pytest.mark.parametrize(("field", "last"), [("stringData", "bmV3"), ("data", "Ym1WMw==")])
def test_a_secret_keeps_its_last_value_with_a_warning(tmp_path, field, last):
    """Its earlier one is not recorded. A render names the record before."""
    head = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: made}\n"
    layers = "layers: [{values: {pw: bmV3}}]"
    files = {
        "Kptfile": kptfile_of("exec: krm-layered-values, configPath: z.yaml"),
        "z.yaml": f"{head}spec: {{{layers}, targets: [{{kind: Secret, fields: {{{field}.pw: pw, {field}.more: {{value: pw, missing: create}}}}}}]}}\n",
        "s.yaml": f"apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n{field}:\n  pw: b2xk\n",
    }
    package = write(tmp_path / "package", files)
    assert command("render", package).returncode == 0
    (package / "Kptfile").write_text(kptfile_of("exec: krm-flux-values"))
    assert "`krm-values revert layered-values.made` takes it back" in command("render", "-v", package).stderr
    done = command("revert", "layered-values/made", package)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("its earlier value was not kept: the last value stays") == 1
    assert (package / "s.yaml").read_text() == files["s.yaml"].replace("b2xk", last)


APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata:
  name: {name}
  namespace: demo
spec:
  catalog: c
  name: shop
  namespace: shop
  version: 1.0.0
  kubeConfig:
    inCluster: true
  config:
    configMap:
      name: base
      namespace: demo
  extraConfigs:
  - name: user
    namespace: demo
"""
FOLD = """\
apiVersion: krm-values.dev/v1alpha1
kind: GiantswarmConfig
metadata:
  name: {name}
spec:
  outputs: [fold]
  allowMissing: [{{kind: Catalog, name: c}}]
"""
STEP = "exec: krm-giantswarm-config, configPath: {name}.yaml"


def folded(*names):
    """The files of a package whose steps, with configs of these names, each fold an App of the same name."""
    files = {
        f"{name}-map.yaml": f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}, namespace: demo}}\ndata: {{values: 'a: 1'}}\n"
        for name in ("base", "user")
    }
    steps = []
    for name in names:
        files |= {f"app-{name}.yaml": APP.format(name=name), f"{name}.yaml": FOLD.format(name=name)}
        selected = f", selectors: [{{name: {name}}}, {{name: base}}, {{name: user}}]" if len(names) > 1 else ""
        steps.append(STEP.format(name=name) + selected)
    return {"Kptfile": kptfile_of(*steps), **files}


@pytest.mark.parametrize("step", ["giantswarm-config/web", "GiantswarmConfig/web", "giantswarm-config"])
def test_a_first_step_whose_records_do_not_name_its_config_is_found(tmp_path, step):
    files = folded("web")
    package = write(tmp_path / "package", files)
    assert command("render", package).returncode == 0
    assert "undo.giantswarm-config:" in (package / "app-web.yaml").read_text()
    assert command("revert", step, package).returncode == 0
    assert snapshot(package) == files


def test_of_two_steps_of_one_function_only_the_named_one_is_taken_back_with_what_it_generated(tmp_path):
    files = folded("web", "site")
    for name in ("web", "site"):
        package = write(tmp_path / name, files)
        assert command("render", package).returncode == 0
        rendered = snapshot(package)
        assert {"web-folded-values.yaml", "site-folded-values.yaml"} <= rendered.keys()
        assert command("revert", f"giantswarm-config/{name}", package).returncode == 0
        assert snapshot(package) == {
            path: files[path] if path == f"app-{name}.yaml" else text
            for path, text in rendered.items()
            if path != f"{name}-folded-values.yaml"
        }


def test_first_steps_of_two_packages_are_told_apart_by_their_configs(tmp_path):
    files = {"Kptfile": kptfile_of()}
    for name in ("web", "site"):
        files |= {f"{name}/{path}": text for path, text in folded(name).items()}
    package = write(tmp_path, files)
    assert command("render", package).returncode == 0
    rendered = snapshot(package)
    assert command("revert", "giantswarm-config/site", package).returncode == 0
    assert snapshot(package) == {
        path: files[path] if path.startswith("site/") else text
        for path, text in rendered.items()
        if path in files or not path.startswith("site/")
    }


def test_a_first_step_that_no_pipeline_tells_any_more_is_named_without_its_config(tmp_path):
    files = folded("web")
    package = write(tmp_path, files)
    assert command("render", package).returncode == 0
    (package / "Kptfile").write_text(kptfile_of())
    done = command("revert", "giantswarm-config/web", package)
    assert done.returncode == 1
    assert (
        "nothing here was written by `giantswarm-config/web`; undo records here: giantswarm-config; those of a first step do not name its functionConfig: "
        in done.stderr
    )
    assert "`krm-values revert giantswarm-config`" in done.stderr
    assert command("revert", "giantswarm-config", package).returncode == 0
    assert {**snapshot(package), "Kptfile": ""} == {**files, "Kptfile": ""}
