"""`why` and `impact` answer, or say why not, on every line of every file of the examples: never a fault of ours."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

from krm_values._data.errors import UserError
from krm_values._explain import edit, impact, on_line
from krm_values._krm import documents

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".yaml", ".yml", ".json") and path.is_file())
CRASHED = [
    ("layered-values/eight-lines", "base.yaml", (11,)),
    ("layered-values/base-and-environments", "values.yaml", (11, 13, 14, 25)),
    ("layered-values/one-config-many-fields", "setters.yaml", (14, 15)),
    ("pipelines/layers-to-flux", "layers.yaml", (11, 23)),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_every_line_of_the_examples_has_a_place(path):
    content = path.read_bytes()
    for line in range(1, len(content.splitlines()) + 1):
        try:
            source, layers = impact.find(content, path.name, line, "")
        except UserError:
            continue
        item = on_line.document_at(source.items, line)
        assert item is not None
        assert on_line.place_at(item, line)
        with contextlib.suppress(UserError):
            documents.read(edit.removed(source, layers, path.name, hides=False), path.name)


@pytest.mark.parametrize(("package", "file", "lines"), CRASHED)
def test_a_line_of_a_list_in_a_text(package, file, lines):
    for line in lines:
        for name in ("why", "impact"):
            done = command(name, f"{file}:{line}", cwd=EXAMPLES / package)
            assert done.returncode in (0, 1)
            assert "please report" not in done.stderr


@pytest.mark.parametrize("name", ["why", "impact"])
@pytest.mark.parametrize(("line", "code"), [("0", 2), ("12", 1), ("99999999999", 1), ("9" * 5000, 2)])
def test_a_line_that_the_file_does_not_have(name, line, code):
    done = command(name, f"prod.yaml:{line}", cwd=EXAMPLES / "layered-values/eight-lines")
    assert (done.returncode, done.stdout) == (2 if name == "impact" else code, "")
    assert "has no line" in done.stderr or "with a line from 1 on" in done.stderr


def test_a_negative_line_is_not_a_path():
    assert command("impact", "prod.yaml:-1", cwd=EXAMPLES / "layered-values/eight-lines").returncode == 2


def test_a_run_needs_the_kptfile():
    for place in ("Kptfile", "Kptfile:3"):
        done = command("impact", place, cwd=EXAMPLES / "layered-values/eight-lines")
        assert (done.returncode, done.stdout) == (1, "")
        assert (
            f"{place} is required: without it, a run fails\nerror: Kptfile:1:1: must hold a document, found nothing"
            in done.stderr
        )


LABELLED = """\
# the layer
apiVersion: v1
kind: ConfigMap
metadata:
  name: base
  namespace: team
  labels:
    tier: low
  annotations:
    team.example/note: why
    krm-values.dev/undo.tekton-params: '{"by": ["Task//x"], "undo": [], "v": 2}'
data:
  # none of the values
  values.yaml: |
    # a comment of the text
    a: 1

    b: |
      # a line of the value
      c
--- # the release
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec: {valuesFrom: [{kind: ConfigMap, name: base}], values: {a: 2}}
"""


@pytest.fixture
def labelled(tmp_path):
    return write(tmp_path / "one", {"Kptfile": kptfile("exec: krm-flux-values"), "all.yaml": LABELLED})


@pytest.mark.parametrize("name", ["why", "impact"])
@pytest.mark.parametrize(
    ("line", "nearest"),
    [
        (1, "apiVersion` on line 2"),
        (13, 'data["values.yaml"]` on line 14'),
        (15, 'data["values.yaml"] » a` on line 16'),
        (17, 'data["values.yaml"] » b` on line 18'),
        (21, "apiVersion` on line 22"),
    ],
)
def test_a_line_without_a_value_names_the_nearest(labelled, name, line, nearest):
    done = command(name, f"all.yaml:{line}", cwd=labelled)
    assert (done.returncode, done.stdout) == (2 if name == "impact" else 1, "")
    assert done.stderr == f"error: all.yaml:{line}: no value is on this line; the nearest is `{nearest}\n"


def test_what_looks_like_a_comment_in_a_text_is_part_of_the_value(labelled):
    assert "» b`" in command("why", "all.yaml:19", cwd=labelled).stdout
    assert "  b removed: " in command("impact", "all.yaml:19", cwd=labelled).stdout


@pytest.mark.parametrize("name", ["why", "impact"])
def test_the_nearest_line_does_not_show_what_looks_like_a_key_in_a_secret(labelled, name):
    head = "apiVersion: v1\nkind: Secret\nmetadata: {name: base, namespace: team}\nstringData:\n"
    (labelled / "secret.yaml").write_text(f"{head}  password: |\n    # a\n    hunter: 2\n")
    done = command(name, "secret.yaml:6", cwd=labelled)
    assert done.stderr == "error: secret.yaml:6: no value is on this line; the nearest is `stringData.password` on line 7\n"


def test_a_mark_is_no_value(labelled):
    name = "`krm-values.dev/undo.tekton-params`"
    done = command("why", "all.yaml:11", cwd=labelled)
    assert done.stdout == (
        f"ConfigMap team/base {name}: the undo record of\n"
        "  tekton-params, which says what was here before its first run; no layer sets it\n"
    )
    done = command("impact", "all.yaml:11", cwd=labelled)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"error: all.yaml:11: {name} is the undo record of tekton-params" in done.stderr


@pytest.mark.parametrize(("line", "text"), [(8, "tier: low"), (10, "team.example/note: why")])
def test_a_label_or_an_annotation_is_absent_alone(labelled, line, text):
    done = command("impact", f"all.yaml:{line}", cwd=labelled)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"-    {text}\n" in done.stdout
    assert "-    a: 1\n" not in done.stdout


@pytest.mark.parametrize("line", [2, 3, 4, 5, 6])
def test_what_makes_a_resource_this_one_takes_it_whole_and_says_so(labelled, line):
    done = command("impact", f"all.yaml:{line}", cwd=labelled)
    whole = f"line {line} is part of what makes it ConfigMap team/base: the whole document is removed\n"
    assert done.stderr.startswith(f"{whole}all.yaml:{line} is required: without it, a run fails\n")
