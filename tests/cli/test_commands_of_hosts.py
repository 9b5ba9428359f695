"""No line that answers a question begins with a workflow command of a package, and a terminal gets no direction marks of one."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from tests.cli.packages import command, kptfile, write

from krm_values._data.shown import inert
from krm_values._explain import text

KIND = "::error file=a,line=1::planted"
LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers:
  - {configMap: base}
  - {values: {q: new, "::error::key": "::error::value", nested: {" ::error::key": "a\\u202eb"}, "b\\u202ea": 1}}
  targets:
  - {kind: "KIND", name: n, fields: {spec.zz: {value: q, missing: create}}}
  - {configMap: gen}
""".replace("KIND", KIND)
BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base}
data:
  values.yaml: |
    q: old
    z: 1
    text: |
      one
      ::error::text
      two
"""
PLANTED = f'apiVersion: example.com/v1\nkind: "{KIND}"\nmetadata: {{name: n}}\nspec: {{a: 1}}\n'


@pytest.fixture
def package(tmp_path):
    step = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    return write(tmp_path / "package", {"Kptfile": step, "lv.yaml": LAYERED, "base.yaml": BASE, "all.yaml": PLANTED})


def printed(*words):
    done = command(*words)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout
    return done.stdout


def is_inert(text):
    return not any(line.lstrip().startswith("::") or re.search(r"##\w*\[", line) for line in text.splitlines())


@pytest.mark.parametrize(
    "call", [("explain",), ("values",), ("values", "--comments"), ("explain", "--json"), ("explain", "--patch")]
)
def test_answers_for_a_package(package, call):
    assert is_inert(printed(*call[:1], package, *call[1:]))


@pytest.mark.parametrize("line", [1, 4])
def test_why(package, line):
    text = printed("why", f"{package}/all.yaml:{line}", package)
    assert is_inert(text)
    assert "planted" in text


@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",)])
def test_compare_and_impact(package, tmp_path, form):
    other = write(tmp_path / "other", {path.name: path.read_text() for path in package.iterdir()})
    (other / "lv.yaml").write_text(LAYERED.replace("q: new", "q: newer"))
    assert is_inert(printed("compare", package, other, *form))
    text = printed("impact", f"{package}/base.yaml:7", package, *form)
    assert is_inert(text)
    assert form or "\\x3a:error::text" in text


ANYWHERE = "a ##[set-output name=x]y ##vso[task.setvariable variable=a]b"


@pytest.fixture
def anywhere(tmp_path):
    """A package in whose names, values and mistakes there are commands that count in the middle of a line."""
    config = (
        LAYERED.replace("::error::key", f"{ANYWHERE} key").replace("::error::value", ANYWHERE).replace("new", f'"{ANYWHERE}"')
    )
    step = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    planted = PLANTED.replace(KIND, ANYWHERE)
    return write(
        tmp_path / "any", {"Kptfile": step, "lv.yaml": config.replace(KIND, ANYWHERE), "base.yaml": BASE, "all.yaml": planted}
    )


@pytest.mark.parametrize("call", [("explain",), ("render", "--diff"), ("compare", "--markdown"), ("compare",)])
def test_commands_within_a_line_are_no_commands(anywhere, tmp_path, call):
    other = write(tmp_path / "other", {path.name: path.read_text().replace("z: 1", "z: 2") for path in anywhere.iterdir()})
    (other / "lv.yaml").write_text((other / "lv.yaml").read_text().replace('q: "a', 'q: "b'))
    done = command(*call, anywhere, *([other] if call[0] == "compare" else []))
    assert "x23#" in done.stdout, done.stderr
    assert is_inert(done.stdout + done.stderr)


@pytest.mark.parametrize("form", ["text", "github", "sarif"])
def test_findings_with_commands_within_a_line(anywhere, form):
    (anywhere / "lv.yaml").write_text((anywhere / "lv.yaml").read_text().replace("name: n, fields", "name: none, fields"))
    done = command("render", anywhere, "--format", form)
    assert done.returncode == 1
    assert "set-output" in done.stderr
    assert not re.search(r"##\w*\[", done.stderr)
    if form == "sarif":
        assert "##\\\\[set-output" in json.dumps(json.loads(done.stderr.partition("\n1 step")[0]))


@pytest.mark.parametrize(
    "words",
    [(ANYWHERE,), ("explain", f"./{ANYWHERE}"), ("run", f"./{ANYWHERE}"), ("render", ANYWHERE)],
)
def test_words_of_the_command_line_are_no_commands(words):
    done = command(*words)
    assert "set-output" in done.stderr or "vso" in done.stderr
    assert is_inert(done.stderr)


def test_values_are_yaml_that_has_them_as_they_are(package):
    text = printed("values", package, "ConfigMap/gen")
    found = yaml.safe_load(text)
    assert found["::error::key"] == "::error::value"
    assert found["nested"] == {" ::error::key": "a\u202eb"}
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("::a", "\\x3a:a"),
        (" \t::a::", " \t\\x3a:a::"),
        ("+::a\n ::b\rc\r::d", "+::a\n \\x3a:b\rc\r\\x3a:d"),
        ("a::b", "a::b"),
        (": :", ": :"),
        ("##[set-output name=x]y", "\\x23#[set-output name=x]y"),
        ("a ##vso[task.setvariable]b ##[c]", "a \\x23#vso[task.setvariable]b \\x23#[c]"),
        ("###[a] ##teamcity[b]", "#\\x23#[a] \\x23#teamcity[b]"),
        ("## heading, ### `a[0]`, #[a], ##1[", "## heading, ### `a[0]`, #[a], ##1["),
    ],
)
def test_inert(text, expected):
    assert inert(text) == expected


def test_wide_characters_take_two_columns():
    assert text.columns("a日本") == 5
    assert text.cut("a日本語", 6) == "a日本…"
    assert text.cut_front("日本語a", 6) == "…本語a"
    (row,), (other,) = text.rows([("日", "x"), ("ab", "y")], 40, "")
    assert (row, other) == ("日  x", "ab  y")


def test_a_value_that_fits_on_a_line_of_its_own_is_whole():
    rows = [*text.rows([("a" * 50, "x" * 30), ("b", "y"), ("c", "z" * 90)], 80, "  ")]
    assert rows[0] == ["  " + "a" * 50, "      " + "x" * 30]
    assert rows[1] == ["  " + "b".ljust(52) + "y"]
    assert rows[2] == ["  " + "c".ljust(52) + "z" * 25 + "…"]
