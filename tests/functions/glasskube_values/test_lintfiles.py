"""Lint of files: where manifests are found, what is a plain resource, and each finding's address."""

from __future__ import annotations

import pytest

from tests.cli.packages import command

CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: GlasskubeValues
metadata: {name: values}
spec:
  manifests:
"""
WRAPPER = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {name: lumen}
"""
LISTED = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
functionConfig:
  kind: GlasskubeValues
  spec:
    manifests:
    - name: lumen
      colour: red
"""
DEAD = """\
name: lumen
valueDefinitions:
  level:
    type: text
    targets:
    - resource: {apiGroup: v1, kind: ConfigMap, name: eggs}
      patch: {op: add, path: /data/a}
"""


def lint(tmp_path, *options, **files):
    """Exit code and lines of lint, in a directory with these files; `a_yaml` is a.yaml."""
    for name, text in files.items():
        (tmp_path / name.replace("_", ".")).write_text(text)
    answer = command("lint", "glasskube-values", *options, cwd=tmp_path)
    assert answer.stderr == ""
    return answer.returncode, answer.stdout.splitlines()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (CONFIG + "    name: lumen\n", "5:3: GlasskubeValues values `spec.manifests`: must be a list; found object"),
        (CONFIG + "  - ~\n", "6:5: GlasskubeValues values `spec.manifests[0]`: must be a map; found nothing"),
        (CONFIG + "  - lumen\n", '6:5: GlasskubeValues values `spec.manifests[0]`: must be a map; found string "lumen"'),
        (CONFIG + "  - [lumen]\n", "6:5: GlasskubeValues values `spec.manifests[0]`: must be a map; found array"),
        (CONFIG + "  - name: lumen\n  - {}\n", "7:5: GlasskubeValues values `spec.manifests[1].name`: must be given"),
        (WRAPPER + "spec: {version: v1}\n", "4:1: PackageManifest lumen `spec.manifest`: must be a map; found nothing"),
        (WRAPPER, "1:1: PackageManifest lumen `spec.manifest`: must be a map; found nothing"),
        ("text\n", "1:1: manifest: must be a map; found string"),
        ("name: lumen\nvalueDefinitions:\n  level: a\n", '3:3: manifest lumen `valueDefinitions.level`: "level": must be a map; found string "a"'),
        (
            'name: lumen\nvalueDefinitions:\n  "a\\nb\\u2028\\"":\n    type: text\n',
            '3:3: manifest lumen `valueDefinitions["a\\nb\\u2028\\""].targets`: "a b\\u2028"": must be given; an empty list is enough',
        ),
        ("name: on\nvalueDefinitions: []\n", "2:1: manifest true `valueDefinitions`: must be a map; found array"),
    ],
)  # fmt: skip
def test_what_is_no_manifest_is_one_error_with_its_line(tmp_path, text, expected):
    assert lint(tmp_path, "a.yaml", a_yaml=text) == (1, [f"error: a.yaml:{expected} [manifest]"])


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name: lumen\nvalueDefinitions: {}\nhelm: [\n", "a.yaml:3:7: manifest: "),
        ("---\nname: lumen\n---\nname: other\nhelm: {a\n", "a.yaml:5:7: manifest: "),
        (WRAPPER + "spec:\n  manifest: {name: lumen}\n---\n" + WRAPPER + "spec:\n  manifest: [\n", "a.yaml:11:13: PackageManifest lumen: "),
    ],
)  # fmt: skip
def test_what_is_no_yaml_is_one_error_with_its_line(tmp_path, text, place):
    code, found = lint(tmp_path, "a.yaml", a_yaml=text)
    assert code == 1
    assert [line.startswith(f"error: {place}cannot be read: ") for line in found if "[manifest]" in line] == [True]


def test_an_unknown_field_of_a_package_manifest_is_a_warning(tmp_path):
    text = WRAPPER + "spec:\n  verison: v1\n  manifest: {name: lumen}\n"
    warning = "a.yaml:5:3: PackageManifest lumen `spec.verison`: is not a field here and is ignored; did you mean `version`?"
    assert lint(tmp_path, "a.yaml", a_yaml=text) == (0, [f"warning: {warning} [unknown-key]"])


def test_a_resource_list_has_manifests_in_its_function_config(tmp_path):
    warning = "a.yaml:9:7: ResourceList `functionConfig.spec.manifests[0].colour`: is not a field here and is ignored"
    assert lint(tmp_path, "a.yaml", a_yaml=LISTED) == (0, [f"warning: {warning} [unknown-key]"])
    (tmp_path / "a.yaml").write_text(LISTED.replace("GlasskubeValues", "ConfigMap"))
    answer = command("lint", "glasskube-values", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")


def test_a_manifest_on_stdin_has_lines(tmp_path):
    answer = command("lint", "glasskube-values", "-", cwd=tmp_path, stdin="name: lumen\ncolour: red\n")
    assert answer.stdout == "warning: -:2:1: manifest lumen `colour`: is not a field here and is ignored [unknown-key]\n"


NO_RESOURCES = {
    "a kustomization": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: []\n",
    "a Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: lumen}\n",
    "a package": "apiVersion: packages.glasskube.dev/v1alpha1\nkind: Package\nmetadata: {name: lumen}\n",
    "a config": "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: lumen}\n",
    "what this function made": "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
    "metadata: {name: lumen, annotations: {krm-values.dev/generated-by: glasskube-values}}\n",
}


@pytest.mark.parametrize("name", NO_RESOURCES)
def test_no_target_is_dead_for_what_is_no_resource_of_a_package(tmp_path, name):
    assert lint(tmp_path, "package.yaml", "b.yaml", package_yaml=DEAD, b_yaml=NO_RESOURCES[name]) == (0, [])
    other = NO_RESOURCES["what this function made"].replace("glasskube-values", "flux-values")
    code, found = lint(tmp_path, "package.yaml", "b.yaml", package_yaml=DEAD, b_yaml=other)
    assert (code, [line.rpartition(" ")[2] for line in found]) == (0, ["[dead-target]"])


TWO = {
    "a/package.yaml": DEAD,
    "a/b.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n",
    "b/package.yaml": DEAD,
    "b/sub/own.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n",
    "c/package.yaml": DEAD,
}


def test_a_target_is_dead_by_the_resources_of_its_own_package(tmp_path):
    """`a` and `b` have resources, each others; `c` has none, so nothing is known of it."""
    for name, text in TWO.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    answer = command("lint", "glasskube-values", ".", cwd=tmp_path)
    assert [line.split(":")[1].strip() for line in answer.stdout.splitlines()] == ["a/package.yaml", "b/package.yaml"]
    (tmp_path / "shared.yaml").write_text(TWO["a/b.yaml"].replace("other", "eggs"))
    assert command("lint", "glasskube-values", ".", cwd=tmp_path).stdout == ""
    (tmp_path / "shared.yaml").rename(tmp_path / "a/b.yaml")
    answer = command("lint", "glasskube-values", ".", cwd=tmp_path)
    assert [line.split(":")[1].strip() for line in answer.stdout.splitlines()] == ["b/package.yaml"]


MISSHAPEN = """\
name: lumen
valueDefinitions:
  a: {type: [text], targets: x}
  b: {type: text, targets: [x, {resource: x, patch: {op: add, path: /a}}, {chartName: c, patch: x}, {chartName: c, patch: {op: [a], path: /a}}]}
transformations:
- {source: x, targets: []}
helm: {repositoryUrl: 'https://lumen.example', chartName: c}
"""


def test_what_cannot_be_read_has_no_other_faults(tmp_path):
    code, found = lint(tmp_path, "package.yaml", package_yaml=MISSHAPEN)
    assert code == 1
    assert [line.split("`")[1] for line in found] == [
        "valueDefinitions.a.type",
        "valueDefinitions.a.targets",
        "valueDefinitions.b.targets[0]",
        "valueDefinitions.b.targets[1].resource",
        "valueDefinitions.b.targets[2].patch",
        "valueDefinitions.b.targets[3].patch.op",
        "transformations[0].source",
    ]
