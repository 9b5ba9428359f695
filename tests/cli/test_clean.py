"""`clean` and `render -o OUT --release`: the same files, other annotations only, and a later run that never writes twice silently."""

from __future__ import annotations

import os
import re
import shutil
from copy import deepcopy
from pathlib import Path

import pytest
import yaml
from tests.conformance import cases
from tests.conformance.systems import SYSTEMS

from krm_values._cli.main import main
from krm_values._krm import resourcelist
from krm_values._run.recorder import cleaned

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted(path.parent for path in ROOT.glob("examples/*/*/Kptfile"))
PAGE = (ROOT / "docs/clean.md").read_text("utf-8")
ROWS = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| .*? \| (?:error `([a-z-]+)`|nothing changes) \|$", PAGE, re.MULTILINE)
OURS = "krm-values.dev/"
STAYS = {f"{OURS}{name}" for name in ("released", "from-secret", "applied", "environment")}
THING = {"apiVersion": "x.test/v1", "kind": "Thing", "metadata": {"name": "t"}, "spec": {"list": ["a"], "n": "1"}}
APPENDED = {
    "layers": [{"from": {"kind": "Thing"}, "path": "spec.list", "at": "list"}, {"values": {"list": ["b"]}}],
    "merge": {"list": "append"},
    "targets": [{"kind": "Thing", "fields": {"spec.list": "list"}}],
}
FIELD = {"layers": [{"values": {"n": "2"}}], "targets": [{"kind": "Thing", "fields": {"spec.n": "n"}}]}
CASES = {  # by function and what was written: a conformance case, or a config and a later one
    ("tekton-params", "params"): "s-num-001",
    ("cartographer-params", "objects"): "s-bare-001",
    ("giantswarm-config", "values objects and HelmReleases"): "s-hr-001",
    ("giantswarm-config", "`outputs: [fold]`"): "s-fold-001",
    ("flux-values", "an object with the values"): "s-flux-num-001",
    ("flux-values", "`output: inline`"): "s-flux-num-003",
    ("glasskube-values", "releases and repositories"): "s-chart-001",
    ("glasskube-values", "fields, replaced or added to a map"): "s-space-001",
    ("glasskube-values", "list elements, appended or inserted"): "gk-patch-018",
    ("glasskube-values", "members, removed"): "gk-patch-009",
    ("envgene-sd", "a Full SD"): "s-mark-003",
    ("layered-values", "objects"): "lv-order-list",
    ("layered-values", "fields"): (FIELD, FIELD),
    ("layered-values", "fields whose layers have changed since"): (FIELD, {**FIELD, "layers": [{"values": {"n": "3"}}]}),
    ("layered-values", "a list that is also a layer, `append`"): (APPENDED, APPENDED),
    ("layered-values", "fields, removed by null"): "lv-type-null",
}


def files(directory):
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def resources(directory):
    return {
        (path, number): document
        for path, content in files(directory).items()
        if path.endswith(("yaml", "yml", "json"))
        for number, document in enumerate(yaml.load_all(content, yaml.BaseLoader))
    }


def without_ours(document):
    found = deepcopy(document)
    metadata = found.get("metadata") if isinstance(found, dict) else None
    if isinstance(metadata, dict) and isinstance(metadata.get("annotations"), dict):
        metadata["annotations"] = {key: text for key, text in metadata["annotations"].items() if not key.startswith(OURS)}
        if not metadata["annotations"]:
            del metadata["annotations"]
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_release_is_render_and_clean_and_a_second_run_is_never_silent(example, tmp_path, capsys):
    rendered, released = tmp_path / "rendered", tmp_path / "released"
    assert main(["render", str(example), "-o", str(rendered)]) == 0
    full = resources(rendered)
    assert main(["render", str(example), "-o", str(released), "--release"]) == 0
    capsys.readouterr()
    assert main(["clean", str(rendered)]) == 0
    assert files(rendered) == files(released)
    bare = resources(released)
    assert {place: without_ours(found) for place, found in bare.items()} == {
        place: without_ours(found) for place, found in full.items()
    }
    for found in bare.values():
        assert {key for key in (found.get("metadata", {}).get("annotations") or {}) if key.startswith(OURS)} <= STAYS
    before = files(released)
    code = main(["render", str(released)])
    assert files(released) == before
    assert code == 0 or "error: " in capsys.readouterr().err
    assert main(["clean", str(released)]) == 0
    assert files(released) == before


def case_of(function, name):
    for file in sorted((ROOT / "tests/conformance").glob("*.yaml")):
        system = next(SYSTEMS[known] for known in SYSTEMS if file.name.startswith(known))
        for case in cases.of(system, file):
            if case["id"] == name and system.function(case) == function:
                return system, case
    raise AssertionError(name)


def first_and_second(function, made):
    """The first run of a case, and its later run on the cleaned list."""
    if isinstance(made, str):
        system, case = case_of(function, made)
        first = next(cases.run(system, case))[1]
        later = first.given
    else:
        system, (config, later_config) = SYSTEMS["layers"], made
        case = {"id": "x", "name": "lv", "config": config, "input": [THING]}
        first = cases.execute(system, case, [deepcopy(THING)], config)
        later = cases.execute(system, case, [deepcopy(THING)], later_config).given
    source = resourcelist.read(first.out)
    old = {item.number: source.text(item.number) for item in source.items}
    new = {item.number: cleaned(item, old[item.number], is_json=False) for item in source.items}
    out = b"".join(source.write({number: text for number, text in new.items() if text != old[number]}, (), (), ()))
    given = out.replace(config_of(out), config_of(later))
    return first, cases.answer(given, first.programs)[1]


def config_of(whole):
    return re.search(rb"^functionConfig:\n(?:^[ -].*\n)*", whole, re.MULTILINE).group()


def test_the_table_has_a_row_for_each_function_and_a_case_for_each_row():
    assert {(function, written) for function, written, _ in ROWS} == set(CASES)


@pytest.mark.parametrize(("function", "written", "error"), ROWS, ids=lambda text: text)
def test_a_row_of_the_table(function, written, error):
    first, second = first_and_second(function, CASES[function, written])
    assert first.function == function
    assert first.outcome.operations
    assert not first.outcome.failed
    assert second.operations == ()
    errors = {finding.kind for finding in second.findings if finding.severity == "error"}
    assert errors == ({error} if error else set())


PACKAGE = {
    "Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - {image: layered-values, configPath: fn.yaml}\n",
    "fn.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n  layers: [{secret: s}]\n"
    "  targets: [{kind: Thing, allowSecrets: true, fields: {spec.token: token}}, {secret: out}]\n",
    "secret.yaml": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  values.yaml: 'token: hunter2'\n",
    "thing.yaml": "apiVersion: x.test/v1\nkind: Thing\nmetadata: # a thing\n  name: t\nspec: {token: none} # here\n",
}


@pytest.fixture
def package(tmp_path):
    folder = tmp_path / "package"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / name).write_text(text)
    return folder


def test_clean_keeps_comments_and_warns_of_what_it_costs(package, capsys):
    assert main(["render", str(package)]) == 0
    assert main(["clean", str(package)]) == 0
    assert "a later run cannot update or undo" in capsys.readouterr().err
    text = (package / "thing.yaml").read_text()
    assert "metadata: # a thing\n" in text
    assert "spec: {token: hunter2} # here\n" in text
    assert "krm-values.dev/released: layered-values.lv\n" in text
    assert "undo" not in text
    assert main(["clean", str(package)]) == 0
    assert "a later run" not in capsys.readouterr().err


def test_what_came_out_of_a_secret_stays_hidden(package, capsys):
    assert main(["render", str(package)]) == 0
    assert main(["clean", str(package)]) == 0
    assert "krm-values.dev/from-secret: '[\"/spec/token\"]'" in (package / "thing.yaml").read_text()
    (package / "fn.yaml").write_text(
        PACKAGE["fn.yaml"]
        .replace(", {secret: out}", "")
        .replace("token: token", "other: token")
        .replace("}}]", "}, missing: create}]")
    )
    capsys.readouterr()
    main(["render", "--diff", str(package)])
    main(["explain", str(package)])
    printed = capsys.readouterr()
    assert "hunter2" not in printed.out + printed.err


LISTED = {
    **PACKAGE,
    "fn.yaml": PACKAGE["fn.yaml"]
    .replace("[{secret: s}]", "[{configMap: c}, {secret: s}]")
    .replace("{spec.token: token}}", "{spec.token: token, spec.num: num, spec.m: m}, missing: create}"),
    "c.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  values.yaml: |\n    num: 2\n    m: {x: 1}\n",
    "thing.yaml": "apiVersion: x.test/v1\nkind: Thing\nmetadata: {name: t}\nspec:\n  token: none\n  num: 1\n  other: 5\n",
}


def test_clean_lists_what_becomes_authored_and_nothing_of_secrets(package, capsys):
    for name, text in LISTED.items():
        (package / name).write_text(text)
    assert main(["render", str(package)]) == 0
    capsys.readouterr()
    assert main(["clean", str(package)]) == 0
    said = capsys.readouterr().err
    lines = [line.partition(": ")[2] for line in said.splitlines() if line.startswith("  ")]
    assert sorted(lines) == [
        "Secret out, generated by layered-values",
        "Thing t `spec.m`: {x: 1}",
        "Thing t `spec.num`: 2",
        "Thing t `spec.token`: <hidden>",
    ]
    assert "  thing.yaml:6: Thing t `spec.num`: 2\n" in said
    assert "hunter2" not in said
    assert "other" not in said
    assert main(["clean", str(package)]) == 0
    assert capsys.readouterr().err == "changed: nothing\n"


@pytest.mark.parametrize(
    "secret", ["'token: hunter2'", "'token: 3'", "'token: {a: 1, b: hunter2}'", "'token: [hunter2, hunter2]'"]
)
def test_what_clean_lists_does_not_depend_on_a_secret(package, capsys, secret):
    said = []
    for value in (secret, secret.replace("hunter2", "another-one").replace("3", "71").replace("1", "29")):
        for name, text in LISTED.items():
            (package / name).write_text(text.replace("'token: hunter2'", value).replace("  token: none\n", ""))
        assert main(["render", str(package)]) == 0
        capsys.readouterr()
        assert main(["clean", str(package)]) == 0
        said.append(capsys.readouterr().err)
        (package / "out.yaml").unlink()
    assert said[0] == said[1]
    assert "<hidden>" in said[0]


def test_clean_lists_places_in_texts_and_what_a_step_removed(package, capsys):
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: t}\ndata:\n  b: 1\n  a.yaml: |\n    k: 1\n    kept: 1\n"
    config = "layers: [{values: {k: 2, gone: null}}]\n  targets: [{kind: ConfigMap, name: t, fields: {}}]\n"
    fields = "fields: {'data[\"a.yaml\"].k': k, data.b: gone}"
    head = PACKAGE["fn.yaml"].partition("layers:")[0]
    for name in PACKAGE:
        (package / name).unlink()
    files = {"Kptfile": PACKAGE["Kptfile"], "fn.yaml": head + config.replace("fields: {}", fields), "t.yaml": text}
    for name, content in files.items():
        (package / name).write_text(content)
    assert main(["render", str(package)]) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert main(["clean", str(package)]) == 0
    said = capsys.readouterr().err
    assert 'ConfigMap t `data["a.yaml"] » k`: 2\n' in said
    assert "ConfigMap t `data.b`: absent\n" in said
    assert "kept" not in said


def test_a_directory_that_is_not_a_package_is_cleaned_too(package):
    assert main(["render", str(package)]) == 0
    (package / "Kptfile").unlink()
    (package / "chart").mkdir()
    (package / "chart/broken.yaml").write_text("{{ template }}\n")
    assert main(["clean", str(package)]) == 0
    assert b"undo." not in b"".join(files(package).values())
    assert (package / "chart/broken.yaml").read_text() == "{{ template }}\n"


def test_what_is_printed_is_cleaned_too(package, capsys):
    assert main(["render", str(package), "-o", "unwrap", "--release"]) == 0
    assert "undo." not in capsys.readouterr().out
    assert main(["render", str(package), "-o", "stdout", "--release"]) == 0
    assert "generated-by" not in capsys.readouterr().out


@pytest.mark.parametrize("options", [["--release"], ["--diff", "--release"]])
def test_release_needs_somewhere_else_to_write(package, capsys, options):
    before = files(package)
    assert main(["render", str(package), *options]) == 2
    assert "`--release` has no effect here" in capsys.readouterr().err
    assert files(package) == before


def test_a_link_that_leads_out_is_refused(package, tmp_path, capsys):
    assert main(["render", str(package)]) == 0
    outside = tmp_path / "outside.yaml"
    shutil.move(package / "thing.yaml", outside)
    (package / "thing.yaml").symlink_to(outside)
    before = outside.read_bytes()
    assert main(["clean", str(package)]) == 1
    assert "thing.yaml" in capsys.readouterr().err
    assert outside.read_bytes() == before


def test_all_files_change_or_none(package):
    assert main(["render", str(package)]) == 0
    before = files(package)
    (package / "broken.yaml").write_text("a: 'krm-values.dev/undo.x\n")
    assert main(["clean", str(package)]) == 1
    assert {name: content for name, content in files(package).items() if name != "broken.yaml"} == before


def test_no_directory_is_an_input_error(tmp_path, capsys):
    assert main(["clean", str(tmp_path / "absent")]) == 1
    assert os.fspath(tmp_path / "absent") in capsys.readouterr().err


def test_a_link_that_leads_out_may_be_followed(package, tmp_path):
    outside = tmp_path / "outside.yaml"
    shutil.move(package / "thing.yaml", outside)
    (package / "thing.yaml").symlink_to(outside)
    assert main(["clean", str(package)]) == 1
    assert main(["clean", str(package), "--follow-links"]) == 0


def test_how_long_to_wait_for_another_writer_is_checked(package):
    assert main(["clean", str(package), "--lock-timeout", "-1"]) == 2
    assert main(["clean", str(package), "--lock-timeout", "1"]) == 0


def test_a_record_that_an_alias_shares_is_removed_at_its_own_place(tmp_path):
    text = "kind: ConfigMap\nmetadata: &m {name: a, annotations: &an {krm-values.dev/undo.x: y}}\ndata: *an\n"
    (tmp_path / "a.yaml").write_text(f"apiVersion: v1\n{text}")
    assert main(["clean", str(tmp_path)]) == 0
    released = text.replace("undo.x: y", "released: x").replace("*an", "{krm-values.dev/undo.x: y}")
    assert (tmp_path / "a.yaml").read_text() == f"apiVersion: v1\n{released}"


def test_the_error_after_clean_names_the_annotation_to_remove(package, capsys):
    """Without it the next render takes the resource as it is for the original."""
    thing, layer = package / "thing.yaml", package / "secret.yaml"
    (package / "fn.yaml").write_text(PACKAGE["fn.yaml"].replace("{secret: s}", "{configMap: s}").replace(", {secret: out}", ""))
    layer.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata:\n  values.yaml: 'token: first'\n")
    assert main(["render", str(package)]) == 0
    assert main(["clean", str(package)]) == 0
    layer.write_text(layer.read_text().replace("first", "second"))
    capsys.readouterr()
    assert main(["render", str(package)]) == 1
    (named,) = re.findall(r"or remove the annotation `([^`]*)` if this is the original", capsys.readouterr().err)
    lines = thing.read_text().splitlines(keepends=True)
    thing.write_text("".join(line for line in lines if named not in line))
    assert main(["render", str(package)]) == 0
    assert "token: second" in thing.read_text()
