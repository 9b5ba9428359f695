"""`why` and `impact` of the line of a merge key: the keys that the map has from it alone, not the whole map or the key above."""

from __future__ import annotations

import pytest
from tests.cli.packages import command, kptfile, write

TEXT = """\
base: &base {x: 1, w: 2}
merged:
  own: 3
  <<: *base
only:
  <<: *base
"""
CONFIG = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: lv}\nspec:\n"


def indented(text, by):
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


@pytest.fixture(params=["text", "inline"])
def asked(request, tmp_path):
    """A package, the file with the merge keys, and the number of lines above them."""
    step = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml")}
    targets = "  targets: [{configMap: out}]\n"
    if request.param == "text":
        head = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  v: |\n"
        config = f"{CONFIG}  layers: [{{configMap: a}}]\n{targets}"
        return write(tmp_path, {**step, "lv.yaml": config, "a.yaml": head + indented(TEXT, 4)}), "a.yaml", head.count("\n")
    head = f"{CONFIG}  layers:\n  - name: a\n    values:\n"
    return write(tmp_path, {**step, "lv.yaml": head + indented(TEXT, 6) + targets}), "lv.yaml", head.count("\n")


def said(asked, word, line, value=""):
    package, file, above = asked
    return command(word, f"{package}/{file}:{above + line}{value}")


def test_why_names_the_values_that_come_from_it(asked):
    told = said(asked, "why", 4).stdout
    assert "  merged.x = 1: wins\n" in told
    assert "  merged.w = 2: wins\n" in told
    assert "merged.own" not in told


def test_impact_takes_it_out_alone(asked):
    done = said(asked, "impact", 4)
    assert (done.returncode, done.stderr) == (1, "")
    told, _, diff = done.stdout.partition(f"--- a/{asked[1]}")
    assert told == "ConfigMap out\n  merged.w removed: 2\n  merged.x removed: 1\n\n"
    taken = [line.strip("- ") for line in diff.partition("--- a/")[0].splitlines() if line.startswith("-")]
    assert taken == ["<<: *base"]


def test_what_cannot_be_taken_out_says_what_can(asked):
    done = said(asked, "impact", 6)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{asked[1]}:{asked[2] + 5}: cannot edit" in done.stderr
    assert "`<<` is all that it has; name the line of the map" in done.stderr
    assert "which begins on line" in said(asked, "impact", 4, "={}").stderr


def test_an_anchor_goes_with_its_aliases(asked):
    done = said(asked, "impact", 1)
    assert done.returncode == 1
    assert f" is repeated on lines {asked[2] + 4} and {asked[2] + 6}, which change with it" in done.stderr
    assert "  merged.w removed: 2\n" in done.stdout
    assert "merged.own" not in done.stdout
