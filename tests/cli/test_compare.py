"""`compare` and `impact` say what really differs: against plain data that is read from rendered files, on random stacks of layers."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.packages import command, kptfile, write

from krm_values._cli.explain.compare import differences, states
from krm_values._cli.explain.compare.texts import code
from krm_values._cli.package import rendering

EXAMPLES = Path(__file__).parents[2] / "examples"
STACKS = 100
KEYS = ("a", "b", "c", "deep")


def layer(name: str, values: dict[str, Any], kind: str = "ConfigMap") -> str:
    field = "stringData" if kind == "Secret" else "data"
    head = f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: team}}\n{field}:\n  values.yaml: |\n"
    return head + textwrap.indent(yaml.safe_dump(values), "    ")


def release(names: list[str], values: dict[str, Any]) -> str:
    spec = {"valuesFrom": [{"kind": "ConfigMap", "name": name, "optional": True} for name in names], "values": values}
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "web", "namespace": "team"}}
    return yaml.safe_dump({**head, "spec": spec})


def some(picked: random.Random) -> dict[str, Any]:
    values: dict[str, Any] = {key: picked.randrange(3) for key in KEYS[:3] if picked.random() < 0.7}
    return {**values, "deep": {key: picked.randrange(3) for key in KEYS[:2] if picked.random() < 0.8} or {"x": 1}}


def stack(directory: Path, picked: random.Random) -> list[str]:
    """A package of a release and some layers; their names."""
    names = [f"layer-{number}" for number in range(picked.randrange(1, 5))]
    files = {f"{name}.yaml": layer(name, some(picked)) for name in names}
    write(directory, {"Kptfile": kptfile("exec: krm-flux-values"), "release.yaml": release(names, some(picked)), **files})
    return names


def leaves(data: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    if not isinstance(data, dict) or not data:
        return {path: data}
    return {where: value for key, below in data.items() for where, value in leaves(below, (*path, key)).items()}


def composed(directory: Path, tmp_path: Path) -> dict[tuple[str, ...], Any]:
    """The leaves of the values that `render` writes."""
    copy = tmp_path / "rendered"
    shutil.rmtree(copy, ignore_errors=True)
    done = rendering.read_only(directory, skip_foreign=False, follow_links=False)
    texts = [one.text for one in done.loaded.tree.documents if "generated-by" in one.text]
    return leaves(yaml.safe_load(yaml.safe_load(texts[0])["data"]["values.yaml"])) if texts else {}


def state(directory: Path) -> states.State:
    return states.State(rendering.read_only(directory, skip_foreign=False, follow_links=False), show_secrets=False)


def told(found: list[differences.Difference]) -> dict[tuple[str, ...], tuple[Any, Any]]:
    return {
        tuple(map(str, one.inner)): tuple(None if side is None else side.value for side in (one.before, one.after))  # type: ignore[misc]
        for one in found
        if one.inner is not None and one.kind != differences.WINNER
    }


def really(before: dict[tuple[str, ...], Any], after: dict[tuple[str, ...], Any]) -> dict[tuple[str, ...], tuple[Any, Any]]:
    both = {**before, **after}
    return {key: (before.get(key), after.get(key)) for key in both if before.get(key) != after.get(key)}


@pytest.mark.parametrize("seed", range(STACKS))
def test_of_a_random_stack_without_a_layer_or_with_another(seed, tmp_path):
    picked = random.Random(seed)
    one, other = tmp_path / "one", tmp_path / "other"
    names = stack(one, picked)
    shutil.copytree(one, other)
    changed = picked.choice(names)
    if picked.random() < 0.5:
        (other / f"{changed}.yaml").unlink()
    else:
        (other / f"{changed}.yaml").write_text(layer(changed, some(picked)))
    found = differences.between(state(one), state(other))
    assert told(found) == really(composed(one, tmp_path), composed(other, tmp_path))
    assert all(entry.at.startswith(f"{changed}.yaml:") for entry in found)


@pytest.mark.parametrize("seed", range(STACKS))
def test_impact_is_what_compare_says_of_the_package_without_the_layer(seed, tmp_path):
    picked = random.Random(seed)
    one, other = tmp_path / "one", tmp_path / "other"
    name = picked.choice(stack(one, picked))
    shutil.copytree(one, other)
    (other / f"{name}.yaml").unlink()
    impact = command("impact", one / f"{name}.yaml", one, "--json")
    compared = command("compare", one, other, "--json")
    assert impact.returncode == compared.returncode == int(bool(json.loads(compared.stdout)["differences"]))
    assert impact.stdout == compared.stdout


STACK = {
    "Kptfile": kptfile("exec: krm-flux-values"),
    "release.yaml": release(["base"], {"replicas": 3}),
    "base.yaml": layer("base", {"image": {"tag": "v1"}, "replicas": 2}),
}


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
    assert command("impact", "base.yaml:replicas", cwd=package).stdout.startswith("--- a/base.yaml")


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
                assert lines[after["line"] - 1].strip() == f"{key}: {after['value']}"
                named += 1
    assert named > 5


def test_of_several_documents_with_a_path_the_one_whose_value_wins(tmp_path):
    directory = together(tmp_path, "low", "high", "release")
    done = command("impact", "all.yaml:a", cwd=directory)
    assert done.stdout.startswith("ConfigMap team/web-flux-values\n  a 1 -> 2  next winner valuesFrom[1] all.yaml:")
    assert command("impact", "all.yaml:1:a", cwd=directory).stdout.startswith("--- a/all.yaml")


def test_several_documents_with_a_path_are_named_with_their_lines(tmp_path):
    files = {
        "all.yaml": "---\n".join((layer("one", {"a": 1}), layer("two", {"a": 2}))),
        "Kptfile": kptfile("exec: krm-flux-values"),
    }
    done = command("impact", "all.yaml:a", cwd=write(tmp_path / "one", files))
    assert (done.returncode, done.stdout) == (1, "")
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


def test_an_anchor_that_is_used_elsewhere_cannot_be_absent_alone(package):
    (package / "base.yaml").write_text(ANCHORED)
    done = command("impact", "base.yaml:6", cwd=package)
    assert (done.returncode, done.stdout) == (1, "")
    assert 'the anchor "pub" is used elsewhere' in done.stderr


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
    assert '"own.yaml" is not a file of this package' in done.stderr


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
    assert done.returncode in (1, 2)
    assert message in done.stderr


def test_compare_in_its_three_forms_and_its_exit_codes(package, tmp_path):
    other = Path(shutil.copytree(package, tmp_path / "other"))
    (other / "base.yaml").write_text(layer("base", {"image": {"tag": "v2"}, "replicas": 2, "port": 80}))
    assert (command("compare", package, package).returncode, command("compare", package, other).returncode) == (0, 1)
    text = command("compare", package, other).stdout
    assert "  image.tag v1 -> v2  because base.yaml:7 changed\n" in text
    assert "  port added: 80  because base.yaml:8 sets it\n" in text
    found = json.loads(command("compare", "--json", package, other).stdout)
    assert [(one["inner"], one["change"]) for one in found["differences"]] == [("image.tag", "changed"), ("port", "added")]
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
    assert "  replicas 3 -> 2  because release.yaml:8 no longer sets it\n" in command("compare", package, other).stdout


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
    assert (
        f"spec.timeout added: 3m  because templates/delivery.yaml:{line + 1} sets it" in command("compare", one, other).stdout
    )
    assert (
        f"spec.timeout removed: 3m  because templates/delivery.yaml:{line + 1} is gone" in command("compare", other, one).stdout
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
        assert "hunter2" in command("compare", "--show-secrets", *form, *directories).stdout
    assert "hunter" not in command("impact", directories[0] / "base.yaml").stdout


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
    """The differences between a package and itself with other files; None removes one."""
    changed = shutil.copytree(package, tmp_path / "other")
    for name, text in files.items():
        (changed / f"{name}.yaml").unlink() if text is None else (changed / f"{name}.yaml").write_text(text)
    done = command("compare", package, changed, "--json")
    found: list[dict[str, Any]] = json.loads(done.stdout)["differences"]
    assert done.returncode == int(bool(found))
    return found


def test_a_layer_that_is_no_longer_read_is_not_gone(package, tmp_path):
    found = other(package, tmp_path, release=release(["another"], {"replicas": 3}))
    assert [(one["inner"], one["change"]) for one in found] == [("image.tag", "removed")]
    assert "because" not in found[0]
    back = json.loads(command("compare", tmp_path / "other", package, "--json").stdout)["differences"]
    assert [(one["change"], one.get("because")) for one in back] == [("added", None)]


def test_a_layer_whose_file_is_gone_is_gone(package, tmp_path):
    (found,) = other(package, tmp_path, base=None)
    assert found["because"] == "base.yaml:7 is gone"


def test_a_layer_before_the_others_that_sets_nothing_is_not_a_difference(package, tmp_path):
    added = {"release": release(["empty", "base"], {"replicas": 3}), "empty": layer("empty", {})}
    assert other(package, tmp_path, **added) == []


def test_the_file_that_a_layer_is_in_is_not_a_difference(package, tmp_path):
    moved = (package / "base.yaml").read_text()
    assert other(package, tmp_path, base=None, renamed=moved) == []


def test_a_value_that_changed_in_a_renamed_file_did_change(package, tmp_path):
    moved = (package / "base.yaml").read_text().replace("v1\n  ", "v2\n  ", 1).replace("tag: v1", "tag: v2")
    (found,) = other(package, tmp_path, base=None, renamed=moved)
    assert found["because"] == "renamed.yaml:7 changed"


def test_another_layer_of_the_same_value_is_a_difference(package, tmp_path):
    copy = layer("copy", {"image": {"tag": "v1"}})
    (found,) = other(package, tmp_path, release=release(["base", "copy"], {"replicas": 3}), copy=copy)
    assert (found["change"], found["inner"], found["because"]) == ("winner", "image.tag", "copy.yaml:7 now sets it")
