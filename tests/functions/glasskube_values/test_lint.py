"""Lint: whole manifests with all that is to be said of them, each kind in a table, and the command."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from krm_values.glasskube_values import lint
from krm_values.glasskube_values import manifest as manifests
from krm_values.glasskube_values.lint import Sibling
from tests.cli.packages import command

FOLDER = Path(__file__).parent / "lint"
SIBLINGS = (Sibling("v1", "ConfigMap", "eggs", ""), Sibling("apps/v1", "Deployment", "eggs", "aviary"))


def manifest(definition=None, **members):
    """A manifest with one definition, `level`."""
    made = {
        "name": "lumen",
        "defaultNamespace": "aviary",
        "helm": {"repositoryUrl": "oci://lumen.example", "chartName": "lumen"},
        **members,
    }
    return (
        made if definition is None else {**made, "valueDefinitions": {"level": {"type": "text", "targets": [], **definition}}}
    )


def chart(template=None, **patch):
    """A target in the chart."""
    target = {"chartName": "lumen", "patch": {"op": "add", "path": "/level", **patch}}
    return target if template is None else {**target, "valueTemplate": template}


def resource(template=None, path="/spec/level", **reference):
    """A target in a resource."""
    named = {"apiGroup": "apps/v1", "kind": "Deployment", "name": "eggs", **reference}
    target = {"resource": named, "patch": {"op": "add", "path": path}}
    return target if template is None else {**target, "valueTemplate": template}


def kinds(data, plain=None):
    """All findings as `severity kind`."""
    return [f"{fault.severity} {fault.kind}" for fault in lint.check_all(data, plain)]


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.iterdir()))
def test_a_manifest_has_exactly_these_findings(name):
    answer = command("lint", "glasskube-values", str(FOLDER / name))
    assert answer.stderr == ""
    found = [_told(line) for line in answer.stdout.splitlines()]
    expected = (FOLDER / name / "expected.txt").read_text().splitlines()
    assert sorted(found) == expected
    assert answer.returncode == any(line.startswith("error") for line in expected)


def _told(line):
    """`severity kind definition` of a printed finding."""
    severity, kind = re.fullmatch(r"(\w+): .* \[([\w-]+)\]", line).groups()
    definition = re.search(r"`valueDefinitions\.(\w+)", line)
    return f"{severity} {kind} {definition[1] if definition else '-'}"


WRONG = {
    "no name": (manifest(name=None), "error manifest"),
    "no map": (["lumen"], "error manifest"),
    "nothing": (None, "error manifest"),
    "unknown scope": (manifest(scope="Clustered"), "error manifest"),
    "no type": (manifest({"type": None}), "error manifest"),
    "no targets": (manifest({"targets": None}), "error manifest"),
    "unknown type": (manifest({"type": "string"}), "error manifest"),
    "a fraction as a bound": (manifest({"constraints": {"minLength": 1.5}}), "error manifest"),
    "a text as a bound": (manifest({"constraints": {"maxLength": "3"}}), "error manifest"),
    "resource and chart": (manifest({"targets": [{**resource(), "chartName": "lumen"}]}), "error manifest"),
    "neither": (manifest({"targets": [{"patch": {"op": "add", "path": "/a"}}]}), "error manifest"),
    "no patch": (manifest({"targets": [{"chartName": "lumen"}]}), "error manifest"),
    "a resource without name": (manifest({"targets": [resource(name=None)]}), "error manifest"),
    "look-ahead": (manifest({"constraints": {"pattern": "(?=a)"}}), "error pattern"),
    "a byte": (manifest({"constraints": {"pattern": r"\C"}}), "error pattern"),
    "a pattern of a boolean": (manifest({"type": "boolean", "constraints": {"pattern": "("}}), "info no-effect"),
    "bounds of a text": (manifest({"constraints": {"min": 2}}), "info no-effect"),
    "a length of a number": (manifest({"type": "number", "constraints": {"maxLength": -1}}), "info no-effect"),
    "a bound of options": (manifest({"type": "options", "options": ["a"], "constraints": {"max": 1}}), "info no-effect"),
    "a key of a dependency": (manifest(dependencies=[{"nmae": "a"}]), "warning unknown-key"),
    "a key of a component": (manifest(components=[{"name": "a", "values": {"b": {"vaule": "c"}}}]), "warning unknown-key"),
    "a key of an entrypoint": (manifest(entrypoints=[{"serviceName": "a", "prot": 1}]), "warning unknown-key"),
    "an open action": (manifest({"targets": [chart("{{ .")]}), "error template"),
    "an unknown function": (manifest({"targets": [chart("{{ . | quote }}")]}), "error template"),
    "a function that is refused": (manifest({"targets": [chart("{{ index . 0 }}")]}), "error template"),
    "a template of a transformation": (
        manifest(transformations=[{"source": {"path": "{ $.metadata.name }"}, "targets": [chart("{{ range . }}")]}]),
        "error template",
    ),
    "unquoted text": (manifest({"targets": [chart("{{ . }}")]}), "error template-json"),
    "unquoted text, which a pattern wants longer": (
        manifest({"constraints": {"pattern": "sk-.+"}, "targets": [chart("{{ . }}")]}),
        "error template-json",
    ),
    "an option": (manifest({"type": "options", "options": ["1", ""], "targets": [chart("{{ . }}")]}), "error template-json"),
    "one of both booleans": (
        manifest({"type": "boolean", "targets": [chart('{{ if eq . "true" }}1{{ end }}')]}),
        "error template-json",
    ),
    "the default": (manifest({"type": "number", "defaultValue": "+7", "targets": [chart("{{ . }}")]}), "error template-json"),
    "a field that no text has": (manifest({"targets": [chart('"{{ .host }}"')]}), "error template-json"),
    "an unknown operation": (manifest({"targets": [chart(op="Add")]}), "error op"),
    "move": (manifest({"targets": [chart(op="move")]}), "error op"),
    "a lone tilde": (manifest({"targets": [chart(path="/a~b")]}), "error pointer"),
    "a negative index": (manifest({"targets": [chart(path="/list/-1")]}), "error pointer"),
    "an index with a zero": (manifest({"targets": [chart(path="/list/01")]}), "error pointer"),
    "an index with a sign": (manifest({"targets": [chart(path="/list/+1/a")]}), "error pointer"),
    "min above max": (manifest({"type": "number", "constraints": {"min": 2, "max": 1}}), "error bounds"),
    "minLength above maxLength": (manifest({"constraints": {"minLength": 2, "maxLength": 1}}), "error bounds"),
    "a negative length": (manifest({"constraints": {"maxLength": -1}}), "error bounds"),
    "a default that is too short": (manifest({"constraints": {"minLength": 3}, "defaultValue": "ab"}), "error default"),
    "a default that is no option": (manifest({"type": "options", "options": ["a"], "defaultValue": "A"}), "error default"),
    "a default that is no number": (manifest({"type": "number", "defaultValue": "1.5"}), "error default"),
    "a default that is no boolean": (manifest({"type": "boolean", "defaultValue": "yes"}), "error default"),
    "no options": (manifest({"type": "options", "options": [], "defaultValue": "a"}), "error options"),
    "no leading slash": (manifest({"targets": [chart(path="level")]}), "warning slash"),
    "a fragment": (manifest({"targets": [chart(path="#/level")]}), "warning slash"),
    "two slashes": (manifest({"targets": [chart(path="//level")]}), "warning slash"),
    "a target twice": (manifest({"targets": [chart(), chart(path="/b"), chart()]}), "warning duplicate"),
    "one place, two templates": (manifest({"targets": [chart('"a{{.}}"'), chart('"b{{.}}"')]}), "warning duplicate"),
    "one thing appended twice": (manifest({"targets": [chart(path="/l/-"), chart(path="/l/-")]}), "warning duplicate"),
    "if on a boolean": (manifest({"type": "boolean", "targets": [chart("{{ if . }}1{{ else }}0{{ end }}")]}), "warning if-boolean"),
    "not on a boolean": (
        manifest({"type": "boolean", "targets": [chart("{{ if (. | not) }}1{{ else }}0{{ end }}")]}),
        "warning if-boolean",
    ),
    "with on a boolean": (
        manifest({"type": "boolean", "targets": [chart("{{ with . }}{{ . }}{{ else }}0{{ end }}")]}),
        "warning if-boolean",
    ),
    "a boolean as text": (manifest({"type": "boolean", "targets": [chart()]}), "warning text-boolean"),
    "a number as text": (manifest({"type": "number", "targets": [chart(op="replace")]}), "warning text-boolean"),
    "a bare group": (manifest({"targets": [resource(apiGroup="apps")]}), "warning api-group"),
    "no group": (manifest({"targets": [resource(apiGroup=None)]}), "warning api-group"),
    "two slashes in a group": (manifest({"targets": [resource(apiGroup="a/b/c")]}), "warning api-group"),
    "no version behind the slash": (manifest({"targets": [resource(apiGroup="apps/")]}), "warning api-group"),
    "no group of a source": (
        manifest(transformations=[{"source": {"resource": {"kind": "Service", "name": "a"}, "path": "{ $.a }"}, "targets": []}]),
        "warning api-group",
    ),
    "an unknown chart": (manifest({"targets": [{**chart(), "chartName": "lumem"}]}), "warning dead-target"),
    "a chart without helm": (manifest({"targets": [chart()]}, helm=None), "warning dead-target"),
    "an unknown key": (manifest({"defaultvalu": "1"}), "warning unknown-key"),
    "an unknown key at the top": (manifest(colour="red"), "warning unknown-key"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_each_fault_has_its_kind_and_stands_alone(name):
    data, expected = WRONG[name]
    assert kinds(data) == [expected]


FINE = {
    "a list of patches": manifest({"targets": [{"chartName": "lumen", "patch": [{"op": "add", "path": "/a"}]}]}),
    "nothing but a name": {"name": "lumen"},
    "a boolean that only removes": manifest({"type": "boolean", "targets": [chart(op="remove")]}),
    "a boolean that is only compared": manifest({"type": "boolean", "targets": [chart(op="test")]}),
    "keys of any case": manifest({"DefaultValue": "a", "constraints": {"MINLENGTH": 1}}),
    "numbers and booleans as texts": manifest({"defaultValue": 15, "constraints": {"pattern": 5}}) | {"shortDescription": 5},
    "no default": manifest({"constraints": {"minLength": 3}, "defaultValue": ""}),
    "a digit where the pattern wants digits": manifest({"constraints": {"pattern": "^[0-9]+$"}, "targets": [chart("{{ . }}")]}),
    "a boolean as it is": manifest({"type": "boolean", "targets": [chart("{{ . }}")]}),
    "a boolean compared": manifest({"type": "boolean", "targets": [chart('{{ if eq . "true" }}1{{ else }}0{{ end }}')]}),
    "if on a text": manifest({"targets": [chart("{{ if . }}1{{ else }}0{{ end }}")]}),
    "a boolean into a ConfigMap": manifest({"type": "boolean", "targets": [resource(apiGroup="v1", kind="ConfigMap", path="/data/a")]}),
    "a boolean removed": manifest({"type": "boolean", "targets": [chart(op="remove")]}),
    "a key of a ConfigMap": manifest({"targets": [resource(apiGroup="v1", kind="ConfigMap", path="/data/-1")]}),
    "two things appended": manifest({"targets": [chart('"a{{.}}"', path="/l/-"), chart('"b{{.}}"', path="/l/-")]}),
    "one path in two charts": manifest(
        {"targets": [chart(), {**chart(), "chartName": "other"}]},
        helm={"repositoryUrl": "oci://lumen.example", "releases": [{"chartName": "lumen"}, {"chartName": "other"}]},
    ),
    "test, then replace": manifest({"targets": [chart(op="test"), chart(op="replace")]}),
    "a version of the core group": manifest({"targets": [resource(apiGroup="v1", kind="ConfigMap")]}),
    "null bounds": manifest({"constraints": {"min": None, "max": None}}),
}  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_nothing_is_said_of_what_is_fine(name):
    assert kinds(FINE[name]) == []


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (resource(), []),
        (resource(namespace="aviary"), []),
        (resource(apiGroup="v1", kind="ConfigMap", namespace="anywhere"), []),
        (resource(namespace="elsewhere"), ["warning dead-target"]),
        (resource(name="egg"), ["warning dead-target"]),
        (resource(apiGroup="apps/v1beta1"), ["warning dead-target"]),
        (resource(apiGroup="apps"), ["warning api-group"]),
    ],
)
def test_a_target_that_no_resource_is_is_dead_if_there_are_resources(target, expected):
    data = manifest({"targets": [target]})
    assert kinds(data, SIBLINGS) == expected
    assert [kind for kind in kinds(data) if "dead" in kind] == []


def test_two_faults_of_one_definition_are_both_told():
    found = kinds(manifest({"type": "options", "constraints": {"pattern": "("}, "targets": [chart(op="x", path="a~")]}))
    assert sorted(found) == ["error op", "error options", "error pointer", "info no-effect"]


def test_a_manifest_that_cannot_be_read_is_still_looked_at():
    found = kinds(manifest({"constraints": {"minLength": 1.5, "pattern": "("}, "targets": [chart("{{")]}))
    assert sorted(found) == ["error manifest", "error pattern", "error template"]


def lines(tmp_path, text, *options, name="package.yaml"):
    """Exit code and output of lint for one file."""
    (tmp_path / name).write_text(text)
    answer = command("lint", "glasskube-values", *options, name, cwd=tmp_path)
    return answer.returncode, answer.stdout, answer.stderr


def test_a_warning_is_fatal_only_if_strict(tmp_path):
    text = "name: lumen\ncolour: red\n"
    warning = "warning: package.yaml:2:1: manifest lumen `colour`: is not a field here and is ignored [unknown-key]\n"
    assert lines(tmp_path, text) == (0, warning, "")
    assert lines(tmp_path, text, "--strict") == (1, warning, "")


def test_information_is_never_fatal(tmp_path):
    text = "name: lumen\nvalueDefinitions: {on: {type: boolean, constraints: {minLength: 3}, targets: []}}\n"
    code, out, _ = lines(tmp_path, text, "--strict")
    assert out.startswith("info: ")
    assert out.count("\n") == 1
    assert code == 0


def test_package_yaml_is_read_as_go_reads_it(tmp_path):
    text = """\
name: lumen
valueDefinitions:
  level: {type: options, options: [yes, 1.10, 0x1F, 010], defaultValue: on, targets: []}
"""
    assert lines(tmp_path, text) == (0, "", "")
    code, out, _ = lines(tmp_path, text.replace("on,", "1.10,").replace("1.10, 0x1F", "0x1F"))
    assert (code, out.count("\n")) == (1, 1)
    assert "must be one of: true, 31, 8" in out
    assert 'found string "1.1"' in out


OLD_FORMS = """\
name: lumen
valueDefinitions:
  a: {type: boolean, defaultValue: on, targets: []}
  b: {type: number, defaultValue: 012, targets: [], constraints: {min: 10, max: 10}}
  c: {type: number, defaultValue: 1_000, targets: [], constraints: {min: 1000, max: 1_000}}
  d: {type: number, defaultValue: 0o7, targets: [], constraints: {max: 7}}
  e: {type: number, defaultValue: 2e3, targets: [], constraints: {max: 2000.0}}
  f: {type: text, defaultValue: ~, targets: [], constraints: {minLength: 5}}
  g: {type: text, defaultValue: 1.10, targets: [], constraints: {maxLength: 3}}
  h: {type: text, defaultValue: 2020-01-01, targets: [], constraints: {minLength: 10, maxLength: 0b1010}}
  i: &i {type: number, defaultValue: 1, targets: [], constraints: {max: 1}}
  j: {<<: *i, constraints: {max: 2}}
  k: {type: boolean, type: text, defaultValue: words, targets: []}
  l: {Type: text, TARGETS: [], Constraints: {MinLength: 1}}
"""


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((" on,", " 'on',"), ["error default a"]),
        ((" 012,", " '012',"), ["error default b"]),
        (("{min: 10,", "{min: 11,"), ["error bounds b"]),
        (("1_000, targets", "'1_000', targets"), ["error default c"]),
        (("max: 7", "max: 0o6"), ["error default d"]),
        (("max: 2000.0", "max: 2000.5"), ["error manifest e"]),
        ((" ~,", " null-,"), []),
        (("maxLength: 3", "maxLength: 0b10"), ["error default g"]),
        (("{max: 2}", "{max: 0}"), ["error default j"]),
        (("type: boolean, type: text", "type: text, type: boolean"), ["error default k"]),
        (("Type: text", "Type: Text"), ["error manifest l"]),
        (("  k:", "  off:"), []),
    ],
)
def test_forms_of_yaml_1_1_mean_what_they_mean_to_go(tmp_path, change, expected):
    assert OLD_FORMS.count(change[0]) == 1
    assert lines(tmp_path, OLD_FORMS) == (0, "", "")
    code, out, _ = lines(tmp_path, OLD_FORMS.replace(*change))
    assert (code, [_told(line) for line in out.splitlines()]) == (len(expected), expected)


@pytest.mark.parametrize("text", ["name: [\n", "name: lumen\nname: lumen\n  a: b\n", "\tname: a\n"])
def test_text_that_is_no_yaml_is_a_fault_with_its_line(tmp_path, text):
    code, out, err = lines(tmp_path, text)
    assert (code, err) == (1, "")
    assert re.fullmatch(r"error: package\.yaml:\d+:\d+: manifest.* cannot be read: .* \[manifest\]\n", out)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{kind: PackageInfo, apiVersion: packages.glasskube.dev/v1alpha1, metadata: {name: a}, status: {manifest: DATA}}", "status.manifest"),
        ("{kind: PackageManifest, apiVersion: krm-values.dev/v1alpha1, metadata: {name: a}, spec: {manifest: DATA}}", "spec.manifest"),
        ("{kind: GlasskubeValues, apiVersion: krm-values.dev/v1alpha1, metadata: {name: a}, spec: {manifests: [DATA]}}", "spec.manifests[0]"),
    ],
)  # fmt: skip
def test_manifests_inside_objects_are_checked(tmp_path, text, path):
    code, out, _ = lines(tmp_path, text.replace("DATA", "{name: lumen, colour: red}") + "\n", "--strict", name="any.yaml")
    assert (code, out.count("\n")) == (1, 1)
    assert f"`{path}.colour`" in out


def test_a_directory_is_searched_for_package_yaml_and_objects(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "package.yaml").write_text("name: lumen\ncolour: red\n")
    (tmp_path / "deep" / "versions.yaml").write_text("latest: 1\n")
    answer = command("lint", "glasskube-values", str(tmp_path))
    assert (answer.returncode, answer.stdout.count("\n"), answer.stderr) == (0, 1, "")


def test_no_manifest_at_all_is_said(tmp_path):
    code, out, err = lines(tmp_path, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n", name="a.yaml")
    assert (code, out) == (1, "")
    assert err.startswith("error: found no PackageManifest")


def test_a_file_that_is_not_there_is_said(tmp_path):
    answer = command("lint", "glasskube-values", str(tmp_path / "no.yaml"))
    assert (answer.returncode, answer.stdout) == (1, "")
    assert "no.yaml" in answer.stderr
    assert "report" not in answer.stderr


@pytest.mark.parametrize(
    ("kind", "constraints"),
    [("text", {"max": "q"}), ("boolean", {"min": []}), ("number", {"minLength": {"a": 1}}), ("options", {"pattern": ["a"]})],
)
def test_a_constraint_that_does_not_apply_is_a_hint_whatever_it_holds(kind, constraints):
    options = {"options": ["a"]} if kind == "options" else {}
    data = manifest({"type": kind, "constraints": constraints, **options})
    for faults in (manifests.examine(data)[1], lint.check_all(data)):
        assert [(one.severity, one.kind, one.path[-1]) for one in faults] == [("info", "no-effect", *constraints)]


@pytest.mark.parametrize("name", ["max", "Max", "MIN"])
def test_a_constraint_that_applies_must_be_readable(name):
    _, faults = manifests.examine(manifest({"type": "number", "constraints": {name: "q"}}))
    assert [(one.severity, one.rule) for one in faults] == [("error", "7")]
