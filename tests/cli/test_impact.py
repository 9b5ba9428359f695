"""`impact`: what would change without a layer, or without a key of one."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write
from tests.cli.stacks import STACK, layer, release

from krm_values._explain import edit
from krm_values._yaml import decode


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write(tmp_path / "package", STACK)


def test_impact_of_a_key_by_line_and_by_path(package):
    text = (package / "release.yaml").read_text().splitlines()
    line = next(number for number, found in enumerate(text, 1) if "replicas" in found)
    for call in (f"release.yaml:{line}", "release.yaml:replicas", "release.yaml:1:replicas"):
        done = command("impact", call, cwd=package)
        assert done.returncode == 1
        assert done.stdout.startswith("ConfigMap team/web-flux-values\n  replicas 3 -> 2  next winner valuesFrom[0] base.yaml:")
        assert "\n-    replicas: 3\n+    replicas: 2\n" in done.stdout
    loses = command("impact", "base.yaml:replicas", cwd=package).stdout
    assert loses.startswith(f"nothing changes: release.yaml:{line} wins\n\n--- a/base.yaml")


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n---\n"])
def test_a_file_without_a_resource_has_no_layer(package, text):
    (package / "empty.yaml").write_text(text)
    done = command("impact", "empty.yaml", cwd=package)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "error: empty.yaml: holds no resource\n")


def together(tmp_path: Path, *names: str) -> Path:
    """A package of one file, which holds the release and two layers with the same values in several lines."""
    texts = {
        "release": release(["low", "high"], {"a": 1, "deep": {"a": 1, "b": 1}, "z": 1}),
        "low": layer("low", {"a": 3, "deep": {"a": 3, "b": 3}, "z": 3}),
        "high": layer("high", {"a": 2, "deep": {"a": 2, "b": 2}, "z": 2}),
    }
    return write(
        tmp_path / "one", {"Kptfile": kptfile("exec: krm-flux-values"), "all.yaml": "---\n".join(texts[name] for name in names)}
    )


@pytest.mark.parametrize("names", [("release", "high", "low"), ("high", "low", "release"), ("low", "release", "high")])
def test_the_next_winner_is_named_with_its_line_in_the_file_as_it_is(names, tmp_path):
    directory = together(tmp_path, *names)
    lines = (directory / "all.yaml").read_text().splitlines()
    named = 0
    for number, text in enumerate(lines, 1):
        if text.startswith(("apiVersion", "kind", "metadata", "  name", "---")):
            continue
        for one in json.loads(command("impact", f"all.yaml:{number}", "--json", cwd=directory).stdout or '{"differences": []}')[
            "differences"
        ]:
            if one["change"] == "changed":
                key, after = one["inner"].rpartition(".")[2], one["after"]
                assert lines[after["winner"]["line"] - 1].strip() == f"{key}: {after['value']}"
                named += 1
    assert named > 5


def test_of_several_documents_with_a_path_the_one_whose_value_wins(tmp_path):
    directory = together(tmp_path, "low", "high", "release")
    done = command("impact", "all.yaml:a", cwd=directory)
    assert done.stdout.startswith("ConfigMap team/web-flux-values\n  a 1 -> 2  next winner valuesFrom[1] all.yaml:")
    assert command("impact", "all.yaml:1:a", cwd=directory).stdout.startswith(
        "nothing changes: all.yaml:30 wins\n\n--- a/all.yaml"
    )


def test_several_documents_with_a_path_are_named_with_their_lines(tmp_path):
    files = {
        "all.yaml": "---\n".join((layer("one", {"a": 1}), layer("two", {"a": 2}))),
        "Kptfile": kptfile("exec: krm-flux-values"),
    }
    done = command("impact", "all.yaml:a", cwd=write(tmp_path / "one", files))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(
        "error: all.yaml: several documents of it have the value `a`: ConfigMap team/one on line 6, ConfigMap team/two on line 13; "
        "name one with its line, as all.yaml:6:a\n"
    )


ANCHORED = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values.yaml: |
    pub: &pub
      port: 1 # one
      many: |
        text
      last:
      # behind it
    copy:
      <<: *pub
      port: 2
    alias: *pub
"""


@pytest.mark.parametrize(
    ("line", "said", "lines"),
    [
        (7, "  pub.port removed: 1\n  alias.port removed: 1\n", ["      port: 1 # one"]),
        (8, "  copy.many removed: ", ["      many: |", "        text"]),
        (10, "  copy.last removed: null\n", ["      last:"]),
        (14, "  copy.port 2 -> 1\n", ["      port: 2"]),
        (15, "  alias.port removed: 1\n", ["    alias: *pub"]),
    ],
)
def test_a_key_near_an_anchor_is_taken_away_with_its_lines(package, line, said, lines):
    (package / "base.yaml").write_text(ANCHORED)
    done = command("impact", f"base.yaml:{line}", cwd=package)
    assert (done.returncode, done.stderr) == (1, "")
    assert all(part in done.stdout for part in said.split("\n"))
    diff = done.stdout.partition("--- a/base.yaml")[2].partition("--- a/")[0]
    assert [text[1:] for text in diff.splitlines() if text.startswith("-")] == lines


def test_what_repeats_an_anchor_goes_with_it(package):
    (package / "base.yaml").write_text(ANCHORED)
    done = command("impact", "base.yaml:6", cwd=package)
    assert done.returncode == 1
    for text in ("pub.port removed: 1", "copy.many removed: ", "copy.last removed: null", "alias.port removed: 1"):
        assert f"  {text}" in done.stdout
    assert "copy.port" not in done.stdout
    diff = done.stdout.partition("--- a/base.yaml")[2].partition("--- a/")[0]
    assert {text[1:].strip() for text in diff.splitlines() if text.startswith("-")} >= {"<<: *pub", "alias: *pub"}
    assert "base.yaml:6 is repeated on lines 13 and 15, which change with it" in done.stderr


REPEATED = [
    ("a: &a {x: 1}\nb: *a\nc: 1\n", "c: 1\n"),
    ("a: &a\n  x: 1\nb:\n  <<: *a\nc: 1\n", "b:\n  {}\nc: 1\n"),
    ("a: &a\n  x: 1\nb:\n- <<: *a\n  y: 2\n- *a\n", "b:\n- y: 2\n"),
    ("a: &a\n  x: 1\nb:\n- *a\n", "b:\n []\n"),
    ("a: &a {x: &x 1}\nb: {<<: *a, y: *x, z: 2}\nl: [1, *x, *a]\n", "b: {z: 2}\nl: [1]\n"),
    ("a: &a [1]\nb: {y: *a}\nl: [*a]\n", "b: {}\nl: []\n"),
    ("a: &a {x: &x 1, y: *x}\nb: 2\n", "b: 2\n"),
]


@pytest.mark.parametrize(("text", "left"), REPEATED)
def test_of_a_text_without_what_repeats_an_anchor(text, left):
    found = edit._cut_out(text, ("a",))
    assert decode.data(found) == decode.data(left)
    assert found == left


def test_a_resource_has_one_heading(tmp_path):
    """Of two resources each has a value that another layer sets then, and one that no layer sets."""
    layers = {"low.yaml": layer("low", {"replicas": 1}), "base.yaml": layer("base", {"replicas": 2, "zone": 1})}
    releases = {f"{name}.yaml": release(["low", "base"], {}).replace("name: web", f"name: {name}") for name in ("web", "more")}
    directory = write(tmp_path / "one", {"Kptfile": kptfile("exec: krm-flux-values"), **layers, **releases})
    text = command("impact", "base.yaml", cwd=directory).stdout.partition("--- ")[0]
    assert re.findall("^ConfigMap .*", text, re.MULTILINE) == [
        "ConfigMap team/more-flux-values",
        "ConfigMap team/web-flux-values",
    ]
    assert text.count("  replicas 2 -> 1  next winner valuesFrom[0] low.yaml:6\n  zone removed: 1\n") == 2
    marked = command("impact", "base.yaml", "--markdown", cwd=directory).stdout
    assert re.findall("^### .*", marked, re.MULTILINE) == [
        "### `ConfigMap team/more-flux-values`",
        "### `ConfigMap team/web-flux-values`",
    ]


@pytest.mark.parametrize("place", ["", ":2", ":10", ":replicas"])
def test_impact_of_what_is_generated_says_by_whom(package, place):
    command("render", package)
    done = command("impact", f"web-flux-values.yaml{place}", cwd=package)
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == (
        "web-flux-values.yaml is generated by flux-values (pipeline.mutators[0]) from HelmRelease team/web (release.yaml:1), and a run "
        "writes it again: ask for a line of a layer, which `krm-values why` names\n"
    )


def test_an_error_without_the_layer_has_the_line_in_the_file_as_it_is(tmp_path):
    directory = together(tmp_path, "high", "low", "release")
    file = directory / "all.yaml"
    file.write_text(file.read_text().replace("optional: true", "optional: false"))
    lines = file.read_text().splitlines()
    entry = next(number for number, line in enumerate(lines, 1) if line.strip() == "name: high") - 1
    data = next(number for number, line in enumerate(lines, 1) if line == "data:")
    done = command("impact", f"all.yaml:{data}", cwd=directory)
    assert done.stderr.startswith(f"all.yaml:{data} is required: without it, a run fails\nerror: all.yaml:{entry}:")


def test_impact_changes_nothing(package):
    before = {path: path.read_bytes() for path in package.iterdir()}
    command("impact", "base.yaml", cwd=package)
    assert {path: path.read_bytes() for path in package.iterdir()} == before


def test_impact_of_a_layer_that_is_required_says_what_a_run_would_say(package):
    release_file = package / "release.yaml"
    release_file.write_text(release_file.read_text().replace("optional: true", "optional: false"))
    done = command("impact", "base.yaml", cwd=package)
    assert done.returncode == 1
    assert done.stderr.startswith("base.yaml is required: without it, a run fails\nerror: release.yaml:")
    assert "ConfigMap team/base" in done.stderr


def test_impact_of_a_whole_file_is_that_it_is_not_there(package):
    done = command("impact", "base.yaml", cwd=package)
    assert "\n--- a/base.yaml\n+++ /dev/null\n@@ -1,8 +0,0 @@\n-apiVersion: v1\n" in done.stdout
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: own}\n"
    write(package, {"own.yaml": config, "Kptfile": kptfile("exec: krm-flux-values, configPath: own.yaml")})
    done = command("impact", "own.yaml", cwd=package)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("own.yaml is required: without it, a run fails\nerror: Kptfile:")
    assert '"own.yaml" is not a file of this package' in done.stderr


def test_impact_of_a_step_and_of_what_it_cannot_do_without(package):
    lines = (package / "Kptfile").read_text().splitlines()
    line = next(number for number, text in enumerate(lines, 1) if "exec" in text)
    done = command("impact", f"Kptfile:{line}:pipeline.mutators[0]", cwd=package)
    assert done.returncode == 1
    assert done.stdout.startswith("ConfigMap team/web-flux-values\n  removed\n\n--- a/Kptfile\n")
    for place in (f"Kptfile:{line}:pipeline.mutators[0].exec", "Kptfile:1"):
        done = command("impact", place, cwd=package)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"{place} is required: without it, a run fails\nerror: Kptfile" in done.stderr


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("none.yaml", "none.yaml: is not a file of the package"),
        ("base.yaml:imag", "base.yaml: no layer in it has the value `imag`; did you mean `image`?"),
        ("base.yaml:tag", "base.yaml: no layer in it has the value `tag`; did you mean `image.tag`?"),
        ("base.yaml:a..b", "must be a path"),
    ],
)
def test_what_impact_cannot_find_is_an_error(package, call, message):
    done = command("impact", call, cwd=package)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    "words", [("none.yaml",), ("base.yaml", "none"), ("none/none.yaml",), ("base.yaml:0",), ("base.yaml", "--config", "x")]
)
def test_a_failure_differs_from_a_change(package, words):
    """A script that asks whether something would change must not take a missing file for that."""
    done = command("impact", *words, cwd=package)
    assert (done.returncode, done.stdout) == (2, "")
    assert "error: " in done.stderr


def test_a_package_that_cannot_be_rendered_is_a_failure(package):
    (package / "release.yaml").write_text((package / "release.yaml").read_text().replace("name: base", "name: none"))
    (package / "release.yaml").write_text((package / "release.yaml").read_text().replace("optional: true", "optional: false"))
    assert command("impact", "base.yaml", cwd=package).returncode == 2


TWICE = """\
apiVersion: v1
kind: {kind}
metadata:
  name: low
{field}:
  values.yaml: |
    a: MARK-1
    b: 1
    a: MARK-2
"""


@pytest.mark.parametrize("value", ["", "=3"])
@pytest.mark.parametrize("line", [7, 9])
def test_a_key_that_a_text_has_twice_is_not_one_value(tmp_path, line, value):
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "release.yaml": release(["low"], {})}
    directory = write(tmp_path / "shown", files | {"low.yaml": TWICE.format(kind="ConfigMap", field="data")})
    done = command("impact", f"low.yaml:{line}{value}", cwd=directory)
    said = "line 9 has the key again, and the last one counts; remove one of them"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == f'error: low.yaml:7: `data["values.yaml"] » a` is not one value: {said}'
    directory = write(tmp_path / "hidden", files | {"low.yaml": TWICE.format(kind="Secret", field="stringData")})
    (directory / "release.yaml").write_text(release(["low"], {}).replace("ConfigMap", "Secret"))
    done = command("impact", f"low.yaml:7{value}", cwd=directory)
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, done.stdout) == (2, "")
    assert last.startswith("error: low.yaml:7:")
    assert last.endswith(": is in a text that cannot be edited")
    assert "MARK" not in done.stderr
