"""`impact FILE:LINE[:PATH]=VALUE`: what another value would change."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write
from tests.cli.stacks import STACK, layer, release
from tests.cli.test_ways import EXAMPLES
from tests.strict_json import loads

BASE = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team, labels: {a: x, b: y}}
data:
  values.yaml: |
    replicas: 2
    image: {tag: v1,
      pull: always, user: 7}
    list:
    - name: a
      size: 1
    - [1, 2]
    notes: |
      one
      two
    0775: 0640
"""
SECRET = """\
apiVersion: v1
kind: Secret
metadata: {name: base, namespace: team}
stringData:
  values.yaml: |
    password: hidden-one
    port: 70007
"""


def found(package: Path, place: str, *options: str) -> tuple[int, str, str]:
    """Exit code, the values that are listed, and stderr."""
    done = command("impact", place, *options, cwd=package)
    return done.returncode, done.stdout.partition("--- a/")[0], done.stderr


@pytest.fixture
def package(tmp_path: Path) -> Path:
    files = {**STACK, "release.yaml": release(["base"], {}), "base.yaml": BASE}
    return write(tmp_path / "package", files)


HEAD = "ConfigMap team/web-flux-values\n"


@pytest.mark.parametrize(
    ("place", "listed"),
    [
        ("6=7", "  replicas 2 -> 7\n"),
        ('6="2"', "  replicas 2 -> '2'\n"),
        ("6= 7 # seven", "  replicas 2 -> 7\n"),
        ("replicas=7", "  replicas 2 -> 7\n"),
        ("6:replicas=a=b:c", "  replicas 2 -> 'a=b:c'\n"),
        ("8:image.user=8", "  image.user 7 -> 8\n"),
        ("8:image.user=a, b", "  image.user 7 -> 'a, b'\n"),
        ("7={tag: v1, pull: never, user: 7}", "  image.pull always -> never\n"),
        ("10={name: a, size: 2}", "  list[0].size 1 -> 2\n"),
        ("10=name: a", "  list[0].size removed: 1\n"),
        ("12=[1, 3]", "  list[1][1] 2 -> 3\n"),
        ("16=0600", "  509 416 -> 384\n"),
    ],
)
def test_a_value_is_read_as_its_text_would_be(package, place, listed):
    before = {path: path.read_bytes() for path in package.iterdir()}
    code, out, stderr = found(package, f"base.yaml:{place}")
    assert (code, stderr) == (1, "")
    assert out.startswith(HEAD + listed)
    assert {path: path.read_bytes() for path in package.iterdir()} == before


@pytest.mark.parametrize(
    "place", ["6=2", "6= 2 # two", "7={user: 7, tag: v1, pull: always}", '8:image.pull="always"', "16=0640"]
)
def test_the_present_value_is_no_change(package, place):
    assert found(package, f"base.yaml:{place}") == (0, "", "")
    told = loads(command("impact", f"base.yaml:{place}", "--json", cwd=package).stdout)
    assert (told["equal"], told["changed"], told["differences"]) == (True, [], [])


def test_of_a_value_that_loses_the_winner_is_named(package):
    write(package, {"release.yaml": release(["base"], {"replicas": 3})})
    line = (package / "release.yaml").read_text().splitlines().index("    replicas: 3") + 1
    code, out, stderr = found(package, "base.yaml:6=7")
    assert (code, out, stderr) == (0, f"nothing changes: release.yaml:{line} wins\n\n", "")
    assert found(package, f"release.yaml:{line}=2") == (
        1,
        f"{HEAD}  replicas 3 -> 2\n\n",
        "",
    )


def test_of_what_no_value_comes_is_said(package):
    code, out, _ = found(package, "base.yaml:3:metadata.labels.a=z")
    assert code == 0
    assert out.startswith("nothing else changes: no value comes from it: ")


def test_a_file_of_the_whole_name_comes_first(package):
    (package / "base.yaml:6=7").write_text("no YAML")
    (package / "a=b.yaml").write_text(layer("other", {"replicas": 1}))
    assert found(package, "base.yaml:6=7")[0] == 2
    assert found(package, "a=b.yaml:6=7")[1].startswith("nothing else changes: ")


SEVERAL = '2 keys begin on this line: `data["values.yaml"] » image.pull`, `data["values.yaml"] » image.user`; name one, as base.yaml:8:image.pull'


@pytest.mark.parametrize("value", ["", "=4"])
def test_several_keys_of_a_line_are_listed(package, value):
    assert found(package, f"base.yaml:8{value}") == (2, "", f"error: base.yaml:8: {SEVERAL}\n")


def test_several_values_of_a_path_are_listed(package):
    code, out, stderr = found(package, "base.yaml:image.*=4")
    assert (code, out) == (2, "")
    assert 'base.yaml:7: `image.*` is 3 values here: `data["values.yaml"] » image.tag`, ' in stderr
    assert found(package, "base.yaml:7:image.*=v2")[0] == 2  # the map begins on the line, and all of it is below it


def test_a_path_of_two_texts_is_chosen_by_the_line(package):
    text = BASE + "  other.yaml: |\n    replicas: 9\n"
    (package / "base.yaml").write_text(text)
    line = len(text.splitlines())
    assert found(package, f"base.yaml:{line}:replicas=1")[1].startswith("nothing else changes: ")
    assert found(package, "base.yaml:6:replicas=1")[1].startswith(f"{HEAD}  replicas 2 -> 1\n")
    assert found(package, "base.yaml:replicas=1")[1].startswith(f"{HEAD}  replicas 2 -> 1\n")  # the one that wins


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("base.yaml:99=1", "base.yaml: has no line 99: its last one is 16"),
        ("bass.yaml:6=1", "bass.yaml: is not a file of the package; did you mean `base.yaml`?"),
        (
            "base.yaml:0=1",
            'must be FILE[:LINE][:PATH][=VALUE], with a line from 1 on that the file has; found string "base.yaml:0"',
        ),
        ("base.yaml=1", "`=VALUE` needs a line or a path before it, as FILE:6=VALUE or FILE:image.tag=VALUE"),
        ("base.yaml:=1", "`=VALUE` needs a line or a path before it, as FILE:6=VALUE or FILE:image.tag=VALUE"),
        ("base.yaml:6=", 'base.yaml:6:5: `=VALUE` is not YAML of one line: it is empty; write `null`, `""` or `{}`'),
        ("base.yaml:6=1\n2", "base.yaml:6:5: `=VALUE` is not YAML of one line: it has a line break"),
        ("base.yaml:6={a", "base.yaml:6:5: `=VALUE` is not YAML of one line: did not find expected ',' or '}'"),
        (
            "base.yaml:6=a: b",
            "base.yaml:6:5: `=VALUE` is not YAML of one line: a map or list behind a key is written as `{a: b}` or `[a, b]`",
        ),
        ("base.yaml:6=*a", "base.yaml:6:5: `=VALUE` is not YAML of one line: must define the alias's anchor before it"),
        ("base.yaml:14=1", 'base.yaml:14: is a part of `data["values.yaml"] » notes`, which begins on line 13: name that line'),
        ("base.yaml:list.size=1", "base.yaml: no layer in it has the value `list.size`; did you mean `list[0].size`?"),
        ("base.yaml:replicas.x=1", "base.yaml: no layer in it has the value `replicas.x`; did you mean `replicas`?"),
        ("Kptfile=1", "`=VALUE` needs a line or a path before it, as FILE:6=VALUE or FILE:image.tag=VALUE"),
    ],
)
def test_what_cannot_be_asked(package, place, message):
    assert found(package, place) == (2, "", f"error: {message}\n")


def test_a_value_that_a_run_refuses_is_its_error(package):
    code, out, stderr = found(package, "base.yaml:5=7")
    assert (code, out) == (1, "")
    error = 'base.yaml:5:3: ConfigMap team/base `data["values.yaml"]`: must be text, found number 7: '
    assert stderr == f"with base.yaml:5=7, a run fails\nerror: {error}quote it, or write it as a block (`|`)\n"
    code, out, stderr = found(package, "Kptfile:pipeline=7")
    assert (code, out) == (1, "")
    assert stderr.startswith("with Kptfile:pipeline=7, a run fails\nerror: Kptfile:")


def test_what_a_run_wrote_is_named(package):
    command("render", package)
    code, out, stderr = found(package, "web-flux-values.yaml:12=9")
    assert (code, out) == (0, "")
    assert stderr.startswith(
        "web-flux-values.yaml is generated by flux-values (pipeline.mutators[0]) from HelmRelease team/web"
    )
    mark = 'metadata.annotations["krm-values.dev/generated-by"]'
    code, out, stderr = found(package, f"web-flux-values.yaml:{mark}=9")
    assert (code, out) == (2, "")
    assert (
        "`krm-values.dev/generated-by` is the mark by which flux-values finds what it generated: name a line of a layer"
        in stderr
    )
    for place in ("3=9", "metadata={name: x}"):
        code, out, stderr = found(package, f"web-flux-values.yaml:{place}")
        assert (code, out) == (2, "")
        assert "`krm-values.dev/generated-by` is in it, the mark by which" in stderr


ANCHORED = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values.yaml: |
    one: &one 1
    two: *one
    map: &map
      port: 1
    copy:
      <<: *map
      port: 2
    alias: *map
"""


@pytest.mark.parametrize(
    ("place", "listed", "lines"),
    [
        ("6=5", ["one 1 -> 5", "two 1 -> 5"], ["    one: &one 5"]),
        ("7=5", ["two 1 -> 5"], ["    two: 5"]),
        ("9=5", ["map.port 1 -> 5", "alias.port 1 -> 5"], ["      port: 5"]),
        ("12=5", ["copy.port 2 -> 5"], ["      port: 5"]),
        ("13=5", ["alias added: 5", "alias.port removed: 1"], ["    alias: 5"]),
        (
            "8={port: 7, x: 1}",
            [
                f"{one}.{what}"
                for what, known in (("port 1 -> 7", ("map", "alias")), ("x added: 1", ("map", "alias", "copy")))
                for one in known
            ],
            ["    map: &map {port: 7, x: 1}"],
        ),
    ],
)
def test_an_alias_repeats_the_value(package, place, listed, lines):
    (package / "base.yaml").write_text(ANCHORED)
    done = command("impact", f"base.yaml:{place}", cwd=package)
    shown, _, diff = done.stdout.partition("\n--- a/base.yaml\n+++ b/base.yaml\n")
    assert sorted(text.strip() for text in shown.splitlines()[1:]) == sorted(listed)
    assert [text[1:] for text in diff.partition("--- a/")[0].splitlines() if text.startswith("+")] == lines


def test_an_anchor_that_is_used_elsewhere_cannot_be_replaced(package):
    (package / "base.yaml").write_text(ANCHORED)
    code, out, stderr = found(package, "base.yaml:8=5")
    assert (code, out) == (2, "")
    assert (
        "base.yaml:8:5: cannot edit `map`: an anchor in it is used on lines 11 and 13; write out there what the alias repeats"
        in stderr
    )


@pytest.fixture
def secret(package: Path) -> Path:
    text = release(["base"], {}).replace("kind: ConfigMap", "kind: Secret")
    return write(package, {"release.yaml": text, "base.yaml": SECRET})


@pytest.mark.parametrize("form", [(), ("--json",), ("--markdown",)])
@pytest.mark.parametrize(
    "value",
    ["6=plain-word", "7={plain: word", "7=*plain-word", "6={a: plain-word}", "5=plain-word", "4=plain-word", "3=plain-word"],
)
def test_a_hidden_value_is_never_shown(secret, value, form):
    done = command("impact", f"base.yaml:{value}", *form, cwd=secret)
    said = done.stdout + done.stderr
    assert done.returncode in (1, 2)
    assert not [word for word in ("plain", "hidden-one", "70007") if word in said], said


def test_data_of_a_secret_are_base64(secret):
    text = base64.b64encode(b"password: hidden-one\nport: 1\n").decode()
    (secret / "base.yaml").write_text(SECRET.partition("stringData")[0] + f"data: {{values.yaml: {text}}}\n")
    code, out, _ = found(secret, "base.yaml:port=2")
    assert (code, out) == (1, "Secret team/web-flux-values\n  port <hidden>, changed\n\n")
    assert found(secret, "base.yaml:port=2", "--show-secrets")[1] == "Secret team/web-flux-values\n  port 1 -> 2\n\n"
    assert found(secret, "base.yaml:port=1") == (0, "", "")


@pytest.mark.parametrize("line", [1, 2])
def test_a_secret_stays_one(secret, line):
    code, out, stderr = found(secret, f"base.yaml:{line}=ConfigMap")
    assert (code, out) == (2, "")
    assert (
        f"error: base.yaml:{line}: makes it Secret team/base: with another value, what it holds would be no Secret's" in stderr
    )


def test_several_keys_of_a_text_of_a_secret_are_not_named(secret):
    (secret / "base.yaml").write_text(SECRET.replace("    port: 70007\n", "    user: {a: 1,\n      b: 2, c: 3}\n"))
    code, out, stderr = found(secret, "base.yaml:8=4")
    assert (code, out) == (2, "")
    assert (
        stderr == 'error: base.yaml:8: 2 keys begin on this line: `stringData["values.yaml"]`; name one, as base.yaml:8:PATH\n'
    )
    assert found(secret, "base.yaml:8:user.c=4")[1] == "Secret team/web-flux-values\n  user.c <hidden>, changed\n\n"


def test_a_step_of_a_kptfile(tmp_path):
    files = {**STACK, "Kptfile": kptfile("exec: krm-flux-values", "exec: krm-flux-values, configPath: none.yaml")}
    one = write(
        tmp_path / "one", {**files, "none.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: a}\n"}
    )
    code, out, stderr = found(one, "Kptfile:pipeline.mutators[1].configPath=no.yaml")
    assert (code, out) == (1, "")
    assert '"no.yaml" is not a file of this package' in stderr


def test_what_a_step_makes_of_the_edited_value_itself_is_told(tmp_path):
    package = shutil.copytree(EXAMPLES / "layered-values/first", tmp_path / "package")
    line = (package / "deployment.yaml").read_text().split("image: ")[0].count("\n") + 1
    said = command("impact", f"deployment.yaml:{line}=ghcr.io/nginx:latest", cwd=package)
    assert said.returncode == 1
    assert "containers[0].image 'nginx:1.27' -> 'ghcr.io/nginx:1.27'\n" in said.stdout
