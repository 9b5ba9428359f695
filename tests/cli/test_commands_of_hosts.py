"""No line that answers a question begins with a workflow command of a package, and a terminal gets no direction marks of one."""

from __future__ import annotations

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
    return not any(line.lstrip().startswith("::") for line in text.splitlines())


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
