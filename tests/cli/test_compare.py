"""`compare` and `impact` say what really differs: against plain data that is read from rendered files, on random stacks of layers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.packages import command, kptfile, write
from tests.cli.stacks import EXAMPLES, STACK, layer, release

from krm_values._explain.compare import code


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write(tmp_path / "package", STACK)


def test_findings_and_errors_name_the_package_that_they_are_about(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "base.yaml").write_text(layer("base", {}).replace("{}", "[2"))
    for pair in ((package, other), (other, package)):
        done = command("compare", *(one.name for one in pair), cwd=tmp_path)
        assert done.returncode == 2
        assert "error: other: cannot be rendered" in done.stderr
        assert "error: other/base.yaml:" in done.stderr
        assert "package/" not in done.stderr
    (other / "base.yaml").write_text("a: [")
    assert "error: other/base.yaml:1:" in command("compare", "package", "other", cwd=tmp_path).stderr


def test_compare_in_its_three_forms_and_its_exit_codes(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "base.yaml").write_text(layer("base", {"image": {"tag": "v2"}, "replicas": 2, "port": 80}))
    assert (command("compare", package, package).returncode, command("compare", package, other).returncode) == (0, 1)
    text = command("compare", package, other).stdout
    assert "  image.tag v1 -> v2  because base.yaml:7 changed\n" in text
    assert "  port added: 80  because base.yaml:8 added\n" in text
    found = json.loads(command("compare", "--json", package, other).stdout)
    assert [(one["resource"]["name"], one["inner"], one["change"]) for one in found["differences"]] == [
        *(("base", "image.tag", "changed"), ("base", "port", "added")),
        *(("web-flux-values", "image.tag", "changed"), ("web-flux-values", "port", "added")),
    ]
    assert (
        "- `image.tag`: `v1` → `v2`, because `base.yaml:7` changed\n" in command("compare", "--markdown", package, other).stdout
    )
    (other / "base.yaml").write_text("a: *nope\n")
    assert command("compare", package, other).returncode == 2
    assert command("compare", package, tmp_path).returncode == 2
    assert command("compare", package).returncode == 2


def test_the_cause_of_a_new_winner_is_the_layer_that_was_above_it(package, tmp_path):
    """The layer below sets the value as before; the one above no longer does."""
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "release.yaml").write_text(release(["base"], {"port": 1}))
    assert "  replicas 3 -> 2  because release.yaml:8 (A) removed\n" in command("compare", package, other).stdout


def test_a_string_that_is_quoted_otherwise_is_the_same_value(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "base.yaml").write_text((package / "base.yaml").read_text().replace("tag: v1", "tag: 'v1'"))
    assert command("compare", package, other).returncode == 0
    (other / "base.yaml").write_text((package / "base.yaml").read_text().replace("tag: v1", "tag: 1"))
    assert "image.tag v1 -> 1  " in command("compare", package, other).stdout


def test_a_literal_of_a_template_is_a_difference_where_it_is_written(tmp_path):
    one, other = (
        shutil.copytree(EXAMPLES / "cartographer-params/web-and-worker", tmp_path / name) for name in ("one", "other")
    )
    file = other / "templates/delivery.yaml"
    text = file.read_text()
    line = text[: text.index("interval: 1m")].count("\n") + 1
    file.write_text(text.replace("interval: 1m", "interval: 2m"))
    found = command("compare", one, other)
    assert found.returncode == 1
    assert f"spec.interval 1m -> 2m  because templates/delivery.yaml:{line} changed" in found.stdout
    file.write_text(text.replace("interval: 1m", "interval: 1m\n      timeout: 3m"))
    assert f"spec.timeout added: 3m  because templates/delivery.yaml:{line + 1} added" in command("compare", one, other).stdout
    assert (
        f"spec.timeout removed: 3m  because templates/delivery.yaml:{line + 1} (A) removed"
        in command("compare", other, one).stdout
    )


def test_secrets_are_hidden_in_compare(package, tmp_path):
    files = {"release.yaml": release(["base"], {}).replace("kind: ConfigMap", "kind: Secret")}
    directories = []
    for number, word in enumerate(("hunter1", "hunter2")):
        secret = layer("base", {"password": word, "user": "me"}, "Secret")
        directories.append(write(tmp_path / str(number), {**STACK, **files, "base.yaml": secret}))
    for form in ([], ["--json"], ["--markdown"]):
        done = command("compare", *form, *directories)
        assert done.returncode == 1
        assert "hunter" not in done.stdout + done.stderr
        assert form == ["--json"] or re.search("<hidden>`?, changed", done.stdout)
        assert "hunter2" in command("compare", "--show-secrets", *form, *directories).stdout
    assert "hunter" not in command("impact", directories[0] / "base.yaml").stdout


@pytest.mark.parametrize("empty", [{}, 5, []], ids=str)
def test_a_map_of_a_config_map_is_shown_although_it_is_in_a_secret_and_its_secret_parts_are_not(tmp_path, empty):
    """One state has the map as a whole, the other one its values: each value is a row, and the secret ones are hidden."""
    login = layer("login", {"map": {"password": "hunter2", "deep": [{"pin": "hunter3"}]}, "other": "hunter4"}, "Secret")
    both = release(["base", "login"], {}).replace("kind: ConfigMap\n    name: login", "kind: Secret\n    name: login")
    whole, parts = (
        write(tmp_path / name, {**STACK, "release.yaml": both, "login.yaml": secret, "base.yaml": layer("base", values)})
        for name, secret, values in (
            ("whole", layer("login", {"other": "hunter4"}, "Secret"), {"map": empty, "plain": empty}),
            ("parts", login, {"map": {"user": "me", "on": {"port": 80}}, "plain": {"a": 1, "b": {"c": [2]}}}),
        )
    )
    shown = json.dumps(empty)
    told = command("compare", whole, parts).stdout
    assert f"  plain removed: {shown}  because" in told
    assert "  plain.a added: 1  because" in told
    assert "  plain.b.c added: [2]  because" in told
    assert "  map.on.port added: 80" in told
    assert "  map.password added: <hidden>" in told
    assert f"  plain added: {shown}" in command("compare", parts, whole).stdout
    rows = json.loads(command("compare", "--json", whole, parts).stdout)["differences"]
    found = {one.get("inner"): one for one in rows if one["resource"]["name"] == "web-flux-values"}
    assert [found[f"map.{key}"]["after"].get("hidden") for key in ("user", "password", "deep")] == [None, True, True]
    for form in ([], ["--json"], ["--markdown"], ["--html", tmp_path / "page.html"]):
        done = command("compare", *form, whole, parts)
        assert "hunter" not in done.stdout + done.stderr, form
    assert "hunter" not in (tmp_path / "page.html").read_text()
    assert "hunter3" in command("compare", "--show-secrets", whole, parts).stdout


def git(directory: Path, *words: str) -> None:
    settings = ["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *settings, *words], cwd=directory, check=True, capture_output=True)


@pytest.fixture
def repository(package: Path) -> Path:
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    git(package, "init", "-q")
    git(package, "add", "-A")
    git(package, "commit", "-qm", "one")
    (package / "base.yaml").write_text(layer("base", {"image": {"tag": "v2"}, "replicas": 2}))
    return package


def test_against_a_revision(repository):
    done = command("compare", "--against", "HEAD", cwd=repository)
    assert (done.returncode, done.stderr) == (1, "")
    assert "image.tag v1 -> v2  because base.yaml:7 changed" in done.stdout
    git(repository, "commit", "-qam", "two")
    assert command("compare", repository, "--against", "HEAD").returncode == 0
    assert command("compare", repository, "--against", "HEAD~1").returncode == 1


def test_against_no_revision(repository):
    for revision in ("none", "--output=x", "HEAD:base.yaml"):
        done = command("compare", repository, f"--against={revision}")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("error: ")
    assert not (repository / "x").exists()


def test_nothing_that_a_repository_configures_runs(repository, tmp_path):
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path / 'ran'}\ncat\n")
    program.chmod(0o755)
    for hook in ("post-checkout", "reference-transaction", "post-index-change", "fsmonitor-watchman"):
        (repository / ".git/hooks" / hook).parent.mkdir(exist_ok=True)
        (repository / ".git/hooks" / hook).symlink_to(program)
    (repository / ".git/config").write_text(
        f"""\
[core]
	repositoryformatversion = 1
	fsmonitor = {program}
	hooksPath = {repository}/.git/hooks
	pager = {program}
	editor = {program}
	sshCommand = {program}
	alternateRefsCommand = {program}
	gitProxy = {program}
	askPass = {program}
[pager]
	ls-tree = {program}
	cat-file = {program}
[alias]
	ls-tree = !{program}
	cat-file = !{program}
[diff]
	external = {program}
[filter "f"]
	smudge = {program}
	clean = {program}
	process = {program}
	required = true
[diff "t"]
	textconv = {program}
[credential]
	helper = !{program}
[extensions]
	partialClone = origin
[remote "origin"]
	url = ext::{program}
	promisor = true
	uploadpack = {program}
[protocol]
	allow = always
[protocol "ext"]
	allow = always
"""
    )
    (repository / ".gitattributes").write_text("*.yaml filter=f diff=t\n")
    assert command("compare", repository, "--against", "HEAD").returncode == 1
    for blob in (repository / ".git/objects").glob("??/*"):
        os.chmod(blob, 0o644)
        blob.unlink()
        break
    command("compare", repository, "--against", "HEAD")
    assert not (tmp_path / "ran").exists()


CODE = ["a", "`", "``a`", " a", "a|b", "@team", "</script>", "[x](y)", "a\nb", "", "::set-output name=x::y", "\x1b[0m", "<!--"]


@pytest.mark.parametrize("text", CODE)
def test_a_code_span_holds_a_text_whole(text):
    span = code(text)
    fence = span[: len(span) - len(span.lstrip("`"))]
    assert "\n" not in span
    assert "\x1b" not in span
    assert span.endswith(fence)
    assert fence not in span[len(fence) : -len(fence)].replace(f"{fence}`", "")


def other(package: Path, tmp_path: Path, **files: str | None) -> list[dict[str, Any]]:
    """The differences of the composed values between a package and itself with other files; None removes one."""
    changed = shutil.copytree(package, tmp_path / "other")
    for name, text in files.items():
        (changed / f"{name}.yaml").unlink() if text is None else (changed / f"{name}.yaml").write_text(text)
    done = command("compare", package, changed, "--json")
    found: list[dict[str, Any]] = json.loads(done.stdout)["differences"]
    assert done.returncode == int(any(one["change"] != "winner" for one in found))
    return [one for one in found if one["resource"]["name"] == "web-flux-values"]


def causes(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The places and classes of the causes."""
    return sorted({(f"{one['file']}:{one['line']}", one["class"]) for one in found["causes"]})


def test_a_layer_that_is_no_longer_read_is_not_gone(package, tmp_path):
    found = other(package, tmp_path, release=release(["another"], {"replicas": 3}))
    assert [(one["inner"], one["change"]) for one in found] == [("image.tag", "removed")]
    assert causes(found[0]) == [("release.yaml:10", "entry")]
    back = json.loads(command("compare", tmp_path / "other", package, "--json").stdout)["differences"][-1]
    assert (back["change"], causes(back)) == ("added", [("release.yaml:10", "entry")])


def test_the_entry_of_a_layer_without_the_value_is_no_candidate(package, tmp_path):
    """The layer that comes sets another key: no render is needed to know that the value is not from it."""
    added = {"release": release(["base", "more"], {"replicas": 3}), "more": layer("more", {"port": 80})}
    found = other(package, tmp_path, base=layer("base", {"image": {"tag": "v2"}, "replicas": 2}), **added)
    tag = next(one for one in found if one["inner"] == "image.tag")
    assert (causes(tag), tag["proof"]) == ([("base.yaml:7", "value")], "only")


def test_a_layer_whose_file_is_gone_is_gone(package, tmp_path):
    (found,) = other(package, tmp_path, base=None)
    assert causes(found) == [("base.yaml:1", "value")]


def test_a_layer_before_the_others_that_sets_nothing_is_not_a_difference(package, tmp_path):
    added = {"release": release(["empty", "base"], {"replicas": 3}), "empty": layer("empty", {})}
    assert other(package, tmp_path, **added) == []


def test_the_file_that_a_layer_is_in_is_not_a_difference(package, tmp_path):
    moved = (package / "base.yaml").read_text()
    assert other(package, tmp_path, base=None, renamed=moved) == []


def test_a_value_that_changed_in_a_renamed_file_did_change(package, tmp_path):
    moved = (package / "base.yaml").read_text().replace("v1\n  ", "v2\n  ", 1).replace("tag: v1", "tag: v2")
    (found,) = other(package, tmp_path, base=None, renamed=moved)
    assert causes(found) == [("renamed.yaml:7", "value")]


def test_another_layer_of_the_same_value_is_a_difference(package, tmp_path):
    copy = layer("copy", {"image": {"tag": "v1"}})
    (found,) = other(package, tmp_path, release=release(["base", "copy"], {"replicas": 3}), copy=copy)
    assert (found["change"], found["inner"], found["proof"]) == ("winner", "image.tag", "together")
    assert causes(found) == [("copy.yaml:1", "value"), ("release.yaml:13", "entry")]


@pytest.mark.parametrize("field", ["data", "stringData"])
def test_a_secret_that_is_no_longer_read_is_not_gone(tmp_path, field):
    text = "pw: x\n" if field == "stringData" else "cHc6IHgK"
    secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: login, namespace: team}}\n{field}: {{values.yaml: {json.dumps(text)}}}\n"
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: team}\n"
        "spec:\n  valuesFrom:\n  - {kind: Secret, name: login}\n  values: {a: 1}\n"
    )
    files = {"Kptfile": kptfile("exec: krm-flux-values"), "login.yaml": secret, "release.yaml": release}
    one, other = write(tmp_path / "one", files), write(tmp_path / "other", files)
    (other / "release.yaml").write_text(release.replace("  valuesFrom:\n  - {kind: Secret, name: login}\n", ""))
    removed = command("compare", str(one), str(other)).stdout
    assert "pw" in removed
    assert "is gone" not in removed


def test_layers_that_are_called_the_same_have_their_lines(tmp_path):
    config = "apiVersion: krm-values.dev/v1alpha1\nkind: LayeredValues\nmetadata: {name: c}\nspec:\n  layers:\n  - LAYER\n  targets: [{configMap: out}]\n"
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base}\ndata:\n  values.yaml: |\n    a: 1\n"
    shared = {"Kptfile": kptfile("exec: krm-layered-values, configPath: lv.yaml"), "base.yaml": text}
    for name, given in (("a", "{name: base, values: {a: 1}}"), ("b", "configMap: base")):
        write(tmp_path / name, {**shared, "lv.yaml": config.replace("LAYER", given)})
    said = " ".join(command("compare", "a", "b", cwd=tmp_path).stdout.split())
    assert "a 1, from base (base.yaml:6) and no longer from base (lv.yaml:6)" in said


def test_packages_whose_values_only_come_from_another_place_are_equal(tmp_path):
    """A Full SD keeps no record: after a render, what was merged into it is its own."""
    one = shutil.copytree(EXAMPLES / "envgene-sd/three-environments", tmp_path / "one")
    other = shutil.copytree(one, tmp_path / "other")
    assert command("render", other).returncode == 0
    told = command("compare", one, other)
    assert "'audit:0.2.0', from resource and no longer from suite-extra:2.0.0" in " ".join(told.stdout.split())
    assert told.returncode == 0
    found = json.loads(command("compare", one, other, "--json").stdout)
    assert found["equal"]
    assert {one["change"] for one in found["differences"]} == {"winner"}
    (sd,) = other.glob("environments/west/dev-1/**/sd.yaml")
    sd.write_text(sd.read_text().replace("audit:0.2.0", "audit:0.2.1"))
    assert command("compare", one, other).returncode == 1


LAST_KEYS = [
    (
        "giantswarm-config/stage-and-region",
        "stage/prod.yaml",
        22,
        "    upstream:\n      password: Zt1RwVe0oNx7MyCa\n",
        "    upstream: {}\n",
    ),
    ("pipelines/all-six", "app/layers.yaml", 21, "    replicas: 3\n", "    {}\n"),
]
"""Lines of examples with the only key of a map: what is there, and what is left without the key."""


@pytest.mark.parametrize(("story", "file", "line", "there", "left"), LAST_KEYS)
def test_without_the_last_key_of_a_map_the_next_cell_is_the_value(story, file, line, there, left, tmp_path):
    package, without = (Path(shutil.copytree(EXAMPLES / story, tmp_path / name)) for name in ("package", "without"))
    (without / file).write_text((package / file).read_text().replace(there, left, 1))
    told = json.loads(command("explain", package, "--json", "--show-secrets").stdout)["values"]
    won = [one for one in told if (one.get("winner", {}).get("file"), one.get("winner", {}).get("line")) == (file, line)]
    expected = {(one["resource"]["name"], one["inner"]): one["overridden"][0]["value"] for one in won}
    asked = json.loads(command("impact", f"{package / file}:{line}", "--json", "--show-secrets").stdout)
    real = json.loads(command("compare", package, without, "--json", "--show-secrets").stdout)
    for found in (asked, real):
        rows = [one for one in found["differences"] if one["resource"]["name"] in {name for name, _ in expected}]
        assert {(one["resource"]["name"], one["inner"]): one["after"]["value"] for one in rows} == expected
    assert len(expected) == 2


def test_a_line_that_is_deleted_by_hand_leaves_null(tmp_path):
    """Which is another edit than that of `impact`: the null overrides what is below it."""
    story, file, _, there, left = LAST_KEYS[0]
    package, without = (Path(shutil.copytree(EXAMPLES / story, tmp_path / name)) for name in ("package", "without"))
    (without / file).write_text((package / file).read_text().replace(there, left.replace(" {}", ""), 1))
    assert "upstream added: null" in command("compare", package, without, "--show-secrets").stdout


def test_where_another_place_wins_what_let_it_win_is_a_cause_too(tmp_path):
    one, other = (shutil.copytree(EXAMPLES / "envgene-sd/three-environments", tmp_path / name) for name in ("one", "other"))
    for name, old, new in (
        ("artifacts/suite.yaml", "deployPostfix: shared", "deployPostfix: other"),
        ("environments/east/prod-8/Inventory/solution-descriptor/sd.yml", "search:0.8.1", "search:0.8.2"),
    ):
        file = other / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))
    said = " ".join(command("compare", one, other).stdout.split())
    because = said.partition("version 'search:0.9.0' -> 'search:0.8.2' because ")[2].partition(" together")[0]
    assert because.startswith("artifacts/suite.yaml:16 changed and ")
    assert because.endswith("sd.yml:12 changed")


MAPS = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {{name: lv}}
spec:
  layers: {layers}
  targets:
  - {target}
"""
OF_MAPS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  values.yaml: |\n    {text}\n"


def of_maps(folder, layers, targets, **texts):
    files = {f"{name}.yaml": OF_MAPS.format(name=name, text=text) for name, text in texts.items()}
    config = MAPS.format(layers=layers, target="\n  - ".join(targets))
    steps = kptfile("exec: krm-layered-values, configPath: lv.yaml")
    foo = "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: web}\nspec: {r: 0, m: {a: 1}}\n"
    return write(folder, {"Kptfile": steps, "lv.yaml": config, "foo.yaml": foo, **files})


def causes_of(one, other, field):
    done = command("compare", str(one), str(other), "--json", cwd=one.parent)
    listed = [difference for difference in json.loads(done.stdout)["differences"] if field in json.dumps(difference)]
    assert len(listed) == 1
    return {(cause["file"], cause["line"]) for cause in listed[0]["causes"]}, listed[0]["proof"]


def test_the_edit_of_a_value_that_goes_is_not_why_it_goes(tmp_path):
    both = ["{kind: Foo, fields: {spec.r: m.b}}", "{kind: Foo, fields: {spec.m: m}}"]
    one = of_maps(tmp_path / "one", "[{configMap: a}]", both, a="m: {b: 1}")
    other = of_maps(tmp_path / "other", "[{configMap: a}]", both[:1], a="m: {b: 2}")
    assert causes_of(one, other, "spec.m.b") == ({("lv.yaml", 8)}, "rendered")


def test_a_value_that_comes_by_two_edits_names_both(tmp_path):
    layers, targets = "[{configMap: a}, {configMap: b}, {configMap: c}]", ["{configMap: out}"]
    one = of_maps(tmp_path / "one", layers, targets, a="m: {p: 1}", b="m: 5", c="m: {q: 9}")
    other = of_maps(tmp_path / "other", layers, targets, a="m: {p: 2}", b="z: 1", c="m: {q: 9}")
    assert causes_of(one, other, '"inner": "m.p", "change": "added"') == ({("a.yaml", 6), ("b.yaml", 6)}, "together")


MANIFEST = """\
apiVersion: krm-values.dev/v1alpha1
kind: PackageManifest
metadata: {name: lumen}
spec:
  manifest:
    name: lumen
    scope: Namespaced
    valueDefinitions:
      level:
        type: text
        targets:
        - resource: {apiGroup: x.io/v1, kind: Foo, name: web}
          patch: {op: add, path: %s}
        - resource: {apiGroup: x.io/v1, kind: Foo, name: web}
          patch: {op: add, path: /spec/o}
          valueTemplate: '{{if eq . "low"}}{"p": 1}{{else}}{"q": 2}{{end}}'
"""
PACKAGE = """\
apiVersion: packages.glasskube.dev/v1alpha1
kind: Package
metadata: {name: lumen, namespace: n}
spec:
  packageInfo: {name: lumen, version: v1.0.0}
  values:
    level: {value: %s}
"""


def of_package(folder, path, level):
    files = {
        "Kptfile": kptfile("exec: krm-glasskube-values, configPath: config.yaml"),
        "config.yaml": "apiVersion: krm-values.dev/v1alpha1\nkind: GlasskubeValues\nmetadata: {name: c}\nspec: {createParents: true}\n",
        "foo.yaml": "apiVersion: x.io/v1\nkind: Foo\nmetadata: {name: web, namespace: n}\nspec: {}\n",
        "manifest.yaml": MANIFEST % path,
        "package.yaml": PACKAGE % level,
    }
    return write(folder, files)


def test_the_edit_of_a_package_value_is_not_why_its_target_goes(tmp_path):
    one, other = of_package(tmp_path / "one", "/spec/m/b", "low"), of_package(tmp_path / "other", "/spec/n/b", "high")
    assert causes_of(one, other, "spec.m.b") == ({("manifest.yaml", 13)}, "rendered")
    assert causes_of(one, other, "spec.n.b") == ({("manifest.yaml", 13), ("package.yaml", 7)}, "together")
    assert causes_of(one, other, "spec.o.p") == ({("package.yaml", 7)}, "only")


def test_a_source_that_is_renamed_with_what_names_it_has_its_own_line_as_the_cause(tmp_path):
    """Though the package cannot be rendered with one of the two edits alone."""
    one = of_package(tmp_path / "one", "/spec/m", "low")
    (one / "package.yaml").write_text(PACKAGE.replace("{value: %s}", "{valueFrom: {configMapRef: {name: src, key: k}}}"))
    (one / "src.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: src, namespace: n}\ndata: {k: low}\n")
    other = Path(shutil.copytree(one, tmp_path / "other"))
    for name in ("package.yaml", "src.yaml"):
        (other / name).write_text((one / name).read_text().replace("name: src,", "name: source,"))
    assert causes_of(one, other, '"path": "metadata.name"') == ({("src.yaml", 3)}, "only")
    assert causes_of(one, other, "configMapRef.name") == ({("package.yaml", 7)}, "only")
