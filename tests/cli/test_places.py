"""Every message about a place in a text begins with `file:line:column` of the file, whatever the place is in."""

from __future__ import annotations

import pytest
from tests.answers import cells, decided
from tests.cli.packages import command, kptfile, write

MARK = "¦"  # stands in a text where the message must point
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: team}
spec:
  interval: 1m
  chart: {spec: {chart: app, sourceRef: {kind: HelmRepository, name: charts}}}
  valuesFrom:
  - {kind: ConfigMap, name: base, valuesKey: values}
"""
OBJECT = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: team}\n"
OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other, namespace: team}\ndata: {a: b}\n"
TEKTON = "apiVersion: krm-values.dev/v1alpha1\nkind: TektonParams\nmetadata: {name: c}\n"


def marked(text: str) -> tuple[str, int, int]:
    """The text without the mark, and the line and column, from 1, at which it stood; characters, without a byte order mark."""
    before, mark, after = text.partition(MARK)
    assert mark
    assert MARK not in after
    start = before.rfind("\n") + 1
    return before + after, before.count("\n") + 1, len(before[start:].removeprefix("\ufeff")) + 1


@pytest.fixture
def called(tmp_path):
    """A command in a directory with these files: (exit code, stdout, stderr)."""

    def call(files: dict[str, str], *arguments: str, stdin: str = "") -> tuple[int, str, str]:
        done = command(*arguments, stdin=stdin, cwd=write(tmp_path, files))
        return done.returncode, done.stdout, done.stderr

    return call


HOLDERS = {
    "alone": "{0}",
    "third document": OTHER + "---\n# a comment\n---\n" + OTHER + "--- # the third\n{0}",
    "behind a mark": "%YAML 1.1\n---\n{0}",
    "with a byte order mark": "\ufeff{0}",
    "with comments before": "# one\n\n# two\n---\n\n# three\n{0}",
    "indented": "---\n\n{0}",
}
ENDINGS = {"LF": "\n", "CRLF": "\r\n"}
TEXTS = {
    "literal": "data:\n  values: |\n    a: 1\n    b: ¦*nope\n",
    "literal with a comment": "data:\n  values: |- # of the chart\n\n    a: 1\n    b: ¦*nope\n",
    "literal with an indicator": "data:\n  values: |2\n      a: 1\n      b: ¦*nope\n",
    "literal with keep": "data:\n  values: |+\n    a: {x: 1,\n        b: ¦*nope}\n\n\n",
    "literal with tag and anchor": "data:\n  values: &v !!str |\n    a: 1\n    b: ¦*nope\n",
    "folded": "data:\n  values: >\n    {a: 1,\n    c: é,\n\n    b: ¦*nope}\n",
    "folded with deeper lines": "data:\n  values: >-\n    {a: 1,\n      c: 2,\n      d: 3,\n    e: 4,\n    b: ¦*nope}\n",
    "single quoted": "data:\n  values: '{\"it''s\": 1, b: ¦*nope}'\n",
    "single quoted on lines": "data:\n  values: '{a: 1,\n    c: 2,\n\n    b: ¦*nope}'\n",
    "double quoted": 'data:\n  values: "a: \\"x\\"\\nb: ¦*nope\\n"\n',
    "double quoted on lines": 'data:\n  values: "a: \\u00e9\\n\\\n    b: ¦*nope\\n"\n',
    "double quoted pair": 'data:\n  values: "{a: \\U0001F600, b: ¦*nope}"\n',
    "plain": "data:\n  values: a, ¦*nope\n",
    "plain in flow": 'data: {x: "é", values: "{a: 1, b: ¦*nope}"}\n',
    "JSON in a text": "data:\n  values: '{\"a\": [1, ¦*nope]}'\n",
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("text", [name for name in TEXTS if name != "plain"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_of_a_text_inside_a_resource(called, holder, text, ending):
    file, line, column = marked(HOLDERS[holder].replace("{0}", OBJECT + TEXTS[text]))
    files = {"release.yaml": RELEASE, "in/base.yaml": file.replace("\n", ENDINGS[ending])}
    code, _, stderr = called(files, "run", "flux-values", "release.yaml", "in/base.yaml")
    assert code == 1
    assert stderr.startswith(
        f"error: in/base.yaml:{line}:{column}: ConfigMap team/base `data.values`: must define the alias's anchor"
    )
    explained = called({}, "explain", "flux-values", "release.yaml", "in/base.yaml")
    assert explained[2] == stderr


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("command", ["run", "explain"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_of_a_resource(called, holder, command, ending):
    file, line, column = marked(HOLDERS[holder].replace("{0}", RELEASE + 'values: {"é": "\u2028", b: ¦*nope}\n'))
    code, _, stderr = called({"a/b.yaml": file.replace("\n", ENDINGS[ending])}, command, "flux-values", "a/b.yaml")
    assert code == 1
    assert stderr.startswith(f"error: a/b.yaml:{line}:{column}: HelmRelease team/app: must define the alias's anchor")


@pytest.mark.parametrize("separator", ["\u2028", "\x85"])
def test_lines_are_those_that_editors_count(called, separator):
    file, line, column = marked(f'{RELEASE}values:\n  a: "x{separator}y"\n  b: ¦*nope\n')
    _, _, stderr = called({"b.yaml": file}, "run", "flux-values", "b.yaml")
    assert stderr.startswith(f"error: b.yaml:{line}:{column}: ")


def test_of_a_list_and_of_json_on_one_line(called):
    one = '{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "%s"}, "spec": %s}'
    whole = f'{{"kind": "List", "apiVersion": "v1", "items": [{one % ("é", "{}")}, {one % ("b", "¦*nope")}]}}\n'
    file, line, column = marked(whole)
    _, _, stderr = called({"list.json": file}, "run", "flux-values", "list.json")
    assert stderr.startswith(f"error: list.json:{line}:{column}: ")


LISTS = {
    "block": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: tekton.dev/v1\n  kind: TaskRun\n"
    "  metadata:\n    name: a\n  spec:\n    b: ¦*nope\n",
    "JSON": '{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [\n  {"kind": "A", "x": 1},'
    ' {"apiVersion": "tekton.dev/v1", "kind": "TaskRun", "metadata": {"name": "a"}, "spec": {"b": ¦*nope}}]}\n',
    "not a list": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: ¦{}\n",
    "the frame": "apiVersion: config.kubernetes.io/v1\nkind: ¦List\nitems: []\n",
    "two keys": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n¦kind: ResourceList\n",
}


@pytest.mark.parametrize("command", [("run", "tekton-params"), ("explain", "tekton-params")], ids=lambda words: words[0])
@pytest.mark.parametrize("size", [0, 5_000])
@pytest.mark.parametrize("name", LISTS)
def test_of_a_resource_list_is_that_of_stdin(called, name, size, command):
    text, line, column = marked("# a comment of sixty characters in front of all that follows\n" * size + LISTS[name])
    code, _, stderr = called({}, *command, stdin=text)
    assert code == 1
    assert stderr.startswith(f"error: stdin:{line}:{column}: ")


CONFIGS = {
    "a key": "spec:\n  ¦mdoe: implicit\n",
    "a value": "spec:\n  mode: implicit\n  ¦strict: 'yes'\n",
    "in flow": "spec: {mode: implicit, ¦strict: 1}\n",
    "in a list": "spec:\n  allowMissing:\n  - {kind: Task, ¦nmae: x}\n",
    "beside spec": "¦sepc: {}\n",
}
MODELLED = {"a key", "a value", "in flow", "beside spec"}


@pytest.mark.parametrize("name", sorted(MODELLED))
@pytest.mark.parametrize("holder", ["alone", "with a byte order mark", "with comments before"])
def test_of_a_config_file(called, holder, name):
    file, line, column = marked(HOLDERS[holder].replace("{0}", TEKTON + CONFIGS[name]))
    code, _, stderr = called({"c.yaml": file, "o.yaml": OTHER}, "run", "tekton-params", "--config", "c.yaml", "o.yaml")
    assert code == 1
    assert stderr.startswith(f"error: c.yaml:{line}:{column}: functionConfig `")
    code, _, stderr = called({"Kptfile": kptfile("exec: krm-tekton-params, configPath: c.yaml")}, "render", ".")
    assert stderr.startswith(f"error: c.yaml:{line}:{column}: functionConfig `")


@pytest.mark.parametrize("name", sorted(MODELLED))
def test_of_a_resource_lists_config(called, name):
    config = (TEKTON + CONFIGS[name]).replace("\n", "\n  ").rstrip(" ")
    head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
    text, line, column = marked(f"{head}items: []\nfunctionConfig:\n  {config}")
    _, _, stderr = called({}, "run", "tekton-params", stdin=text)
    assert stderr.startswith(f"error: stdin:{line}:{column}: functionConfig `")
    hosted = text.replace("{name: c}", '{name: c, annotations: {internal.config.kubernetes.io/path: "f/c.yaml"}}')
    _, _, stderr = called({}, "run", "tekton-params", stdin=hosted)
    # the host reprinted the file: the line is that of stdin
    assert stderr.startswith(f"error: f/c.yaml (stdin:{line}:{column}): functionConfig `")


def test_of_a_list_by_kustomize_no_line_is_told(called):
    text = f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig:\n  {TEKTON}spec: {{mdoe: x}}\n"
    text = text.replace("\nkind: Tek", "\n  kind: Tek").replace("\nmetadata: {name: c}", "\n  metadata: {name: c, ANNOTATED}")
    text = text.replace("ANNOTATED", 'annotations: {config.kubernetes.io/function: "exec: {path: x}"}').replace(
        "spec", "  spec"
    )
    _, _, stderr = called({}, "run", "tekton-params", stdin=text)
    assert stderr.startswith("error: functionConfig `spec.mdoe`: ")


CONFIG_MAPS = {
    "a text": "data:\n  ¦strict: 'perhaps'\n",
    "an unknown key": "data:\n  ¦mdoe: implicit\n",
    "nested": "data:\n  allowMissing: |\n    - kind: ConfigMap\n      ¦nmae: x\n",
    "nested wrongly": "data:\n  allowMissing: |\n    - kind: ConfigMap\n    - ¦*nope\n",
}


@pytest.mark.parametrize("name", CONFIG_MAPS)
def test_of_a_config_map(called, name):
    file, line, column = marked("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n" + CONFIG_MAPS[name])
    code, _, stderr = called({"c.yaml": file, "o.yaml": OTHER}, "run", "flux-values", "--config", "c.yaml", "o.yaml")
    assert code == 1
    assert f"error: c.yaml:{line}:{column}: functionConfig `data." in stderr


KPTFILES = {
    "an unknown field": "pipeline:\n  mutators:\n  - exec: krm-flux-values\n    ¦confgiMap: {}\n",
    "a wrong type": "pipeline:\n  mutators: ¦{}\n",
    "not YAML": "pipeline: ¦*nope\n",
    "no program": "pipeline:\n  mutators:\n  - ¦name: x\n",
    "a misspelt program": "pipeline:\n  mutators:\n  - name: x\n    ¦exec: krm-flux-value\n",
    "a misspelt image": "pipeline:\n  mutators:\n  - name: x\n    ¦image: ghcr.io/x/flux-value:v1\n",
    "a wrong command": "pipeline:\n  mutators:\n  - name: x\n    ¦exec: krm-values render\n",
    "a path outside": "pipeline:\n  mutators:\n  - exec: krm-flux-values\n    ¦configPath: ../c.yaml\n",
    "a path to nothing": "pipeline:\n  mutators:\n  - exec: krm-flux-values\n    ¦configPath: c.yaml\n",
    "a mistake of the config": "pipeline:\n  mutators:\n  - exec: krm-flux-values\n    configMap:\n      ¦outptu: inline\n",
    "a mistake in a text": "pipeline:\n  mutators:\n  - exec: krm-flux-values\n    configMap:\n      allowMissing: |\n"
    "        - kind: ConfigMap\n          ¦nmae: x\n",
}


@pytest.mark.parametrize("name", KPTFILES)
@pytest.mark.parametrize("command", ["render", "explain"])
def test_of_a_kptfile(called, name, command):
    text, line, column = marked("# A package\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n" + KPTFILES[name])
    code, _, stderr = called({"Kptfile": text, "a.yaml": OTHER}, command, ".")
    assert code == 1
    assert f"error: Kptfile:{line}:{column}: " in stderr
    if "misspelt" in name:
        assert "did you mean" in stderr


def test_of_a_package(called):
    file, line, column = marked(OTHER + "---\n" + RELEASE + "values: ¦*nope\n")
    code, _, stderr = called({"Kptfile": kptfile("exec: krm-flux-values"), "sub/a.yaml": file}, "render", ".")
    assert code == 1
    assert stderr.startswith(f"error: sub/a.yaml:{line}:{column}: HelmRelease team/app: must define the alias's anchor")


def test_of_krmignore(called):
    code, _, stderr = called({"Kptfile": kptfile("exec: krm-flux-values"), ".krmignore": "# x\n!\n"}, "render", ".")
    assert (code, stderr) == (1, 'error: .krmignore:2:1: must be a pattern as in `.gitignore`; found string "!"\n')


def test_of_bytes_that_are_no_text(called, tmp_path):
    for name in ("Kptfile", ".krmignore"):
        called({"Kptfile": kptfile("exec: krm-flux-values")}, "list")
        (tmp_path / name).write_bytes(b"# one\n# \xff\n")
        code, _, stderr = called({}, "render", ".")
        assert (code, stderr) == (1, f"error: {name}:2:3: must be UTF-8, found the byte 0xff\n")


def test_of_a_package_manifest(called):
    text = "name: demo\nvaluDefinitions: {}\n---\n# two\n"
    file, line, column = marked(text + "name: demo\nvalueDefinitions:\n  a: ¦*nope\n")
    code, stdout, _ = called({"package.yaml": file}, "lint", "glasskube-values", "package.yaml")
    assert code == 1
    assert f"error: package.yaml:{line}:{column}: manifest: cannot be read: must define the alias's anchor" in stdout
    assert "warning: package.yaml:2:1: manifest demo `valuDefinitions`: " in stdout


LEAVES = """\
data:
  values: |
    a: 1
    deep:
      b: 2
      list:
      - c: 3
      - d: 4
"""


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (LEAVES, {"a": (3, 5), "deep.b": (5, 7), "deep.list": (6, 7)}),
        ("data:\n  values: >\n    a: 1\n\n    deep: {b: 2}\n", {"a": (3, 5), "deep.b": (5, 12)}),
        ('data:\n  values: "a: 1\\n\\\n    deep:\\n  b: 2\\n"\n', {"a": (2, 12), "deep.b": (3, 14)}),
        ("data: {x: '1',\n  values: '{a: 1,\n  deep: {b: 2}}'}\n", {"a": (2, 13), "deep.b": (3, 10)}),
    ],
    ids=["literal", "folded", "quoted", "JSON"],
)
def test_explain_says_the_places_of_the_file(called, text, expected, ending):
    head = OTHER + "---\n# two\n" + OBJECT
    files = {"release.yaml": RELEASE, "base.yaml": (head + text).replace("\n", ENDINGS[ending])}
    code, stdout, _ = called(files, "explain", "flux-values", "--json", "release.yaml", "base.yaml")
    assert code == 0
    origins = [value["winner"] for value in decided(stdout) if "inner" in value["winner"]]
    found = {origin["inner"]: (origin["line"], origin["column"]) for origin in origins if origin["inner"] in expected}
    assert found == {path: (line + head.count("\n"), column) for path, (line, column) in expected.items()}
    _, blocks, _ = called({}, "explain", "flux-values", "release.yaml", "base.yaml")
    for path, (line, _) in found.items():
        assert f"\n  + valuesFrom[0]  base.yaml:{line}  " in blocks.partition(f"\n{path} = ")[2].partition("rule:")[0]


def test_explain_of_a_reprinted_list_says_no_line(called):
    annotated = "metadata: {name: base, namespace: team, annotations: {internal.config.kubernetes.io/path: base.yaml}}"
    base = (OBJECT.replace("metadata: {name: base, namespace: team}", annotated) + LEAVES).replace("\n", "\n  ").rstrip(" ")
    release = RELEASE.replace("\n", "\n  ").rstrip(" ")
    text = f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {release}- {base}"
    code, stdout, _ = called({}, "explain", "flux-values", "--json", stdin=text)
    assert code == 0
    origins = [cell for value in decided(stdout) for cell in cells(value)]
    assert any(origin.get("inner") == "deep.b" for origin in origins)
    assert not any("line" in origin for origin in origins)
    _, blocks, _ = called({}, "explain", "flux-values", stdin=text)
    assert "base.yaml ConfigMap team/base data.values » deep.b" in blocks


TEXT_IN_A_LIST = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {release}- {base}"


def indented(text: str) -> str:
    return text.replace("\n", "\n  ").rstrip(" ")


@pytest.mark.parametrize("text", [name for name in TEXTS if name != "plain"])
def test_of_a_text_inside_a_resource_of_a_list(called, text):
    whole = TEXT_IN_A_LIST.format(release=indented(RELEASE), base=indented(OBJECT + TEXTS[text]))
    given, line, column = marked(whole)
    code, _, stderr = called({}, "run", "flux-values", stdin=given)
    assert code == 1
    assert stderr.startswith(f"error: stdin:{line}:{column}: ConfigMap team/base `data.values`: must define the alias's anchor")


KUSTOMIZES = "\nfunctionConfig:\n  apiVersion: krm-values.dev/v1alpha1\n  kind: FluxValues\n  metadata: {annotations: {config.kubernetes.io/function: 'exec: {path: x}'}}\n"
KPTS = "annotations: {internal.config.kubernetes.io/seqindent: wide, internal.config.kubernetes.io/id: '1'}"


@pytest.mark.parametrize(("metadata", "config"), [("", KUSTOMIZES), (KPTS, "\nfunctionConfig: {}\n")], ids=["kustomize", "kpt"])
def test_of_a_list_that_a_host_printed_the_line_of_the_text_is_named_as_that(called, metadata, config):
    """Nobody sees what kpt and kustomize write to a function: its lines would be those of nothing."""
    base = indented((OBJECT + TEXTS["literal"].replace(MARK, "")).replace("namespace: team}", f"namespace: team, {metadata}}}"))
    text = TEXT_IN_A_LIST.format(release=indented(RELEASE), base=base).rstrip("\n") + config
    _, stdout, _ = called({}, "run", "flux-values", stdin=text)
    assert "line 2, column 4 of the text: must define the alias" in stdout.replace("''", "'")
    assert "stdin" not in stdout
