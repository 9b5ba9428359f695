"""`render --diff`, `-o` and `--unwrap`: what would change, resources on stdout and in a new directory."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import jsonpatch
import pytest
from tests.cli.packages import (
    BAD,
    CONFIG_MAP,
    PROPAGATE,
    PROPAGATING,
    SIMPLE,
    STEP,
    command,
    kptfile,
    resolved,
    run,
    snapshot,
    write,
)

from krm_values._krm.packages import read
from krm_values._run.tree import load
from krm_values._yaml import decode

DIFF = """\
--- a/run.yaml
+++ b/run.yaml
@@ -8,9 +8,18 @@
   - name: url # of the clone
     value: https://example.com/a.git
   pipelineSpec:
+    params:
+    - name: url
+      type: string
     tasks:
     - name: fetch
+      params:
+      - name: url
+        value: $(params.url)
       taskSpec:
+        params:
+        - name: url
+          type: string
         steps:
         - name: clone
           image: git
"""


def test_diff_prints_what_would_change_and_writes_nothing(tmp_path):
    package = write(tmp_path, SIMPLE)
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout, found.stderr) == (1, DIFF, "")
    assert snapshot(package) == SIMPLE
    patched = subprocess.run(["git", "apply", "-"], input=found.stdout.encode(), cwd=package, check=False)
    assert (patched.returncode, snapshot(package)["run.yaml"]) == (0, resolved())
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")


def test_diff_shows_no_secret_that_stands_beside_a_change(tmp_path):
    """As context, and only there: the Secret itself is not touched."""
    secret = "data: {password: aHVudGVyMg==}\nkind: Secret\napiVersion: v1\nmetadata: {name: a}\n"
    text = (
        run()
        .replace("        - name: clone\n          image: git\n          script: git clone $(params.url)\n", "")
        .replace("        steps:\n", "        steps: [{image: $(params.url)}]\n")
    )
    package = write(tmp_path, SIMPLE | {"run.yaml": text + "---\n" + secret})
    shown = command("render", package, "--diff").stdout
    assert " data: {password: <hidden>}\n" in shown
    assert "aHVudGVyMg==" not in shown
    assert "aHVudGVyMg==" in command("render", package, "--diff", "--show-secrets").stdout


def items(package: Any) -> list[Any]:
    tree = load(read(package)).tree
    return [decode.to_data(decode.parse(document.text)) for document in tree.documents]


@pytest.mark.parametrize("steps", [(PROPAGATING,), (f"{PROPAGATING}, selectors: [{{name: build}}]", PROPAGATING)])
def test_the_patch_of_a_package_leads_to_the_rendered_resources(tmp_path, steps):
    sub = {"sub/Kptfile": kptfile(STEP, name="sub"), "sub/run.yaml": run("sub"), "b.yaml": run("b")}
    package = write(tmp_path, SIMPLE | sub | {"Kptfile": kptfile(*steps)})
    before = items(package)
    patch = json.loads(command("explain", package, "--patch").stdout)
    assert command("render", package).returncode == 0
    assert len(patch) > 3
    assert jsonpatch.apply_patch({"items": before}, patch) == {"items": items(package)}
    assert json.loads(command("explain", package, "--patch").stdout) == []


def test_the_patch_is_empty_when_a_step_fails(tmp_path):
    package = write(tmp_path, SIMPLE | {"bad.yaml": BAD})
    found = command("explain", package, "--patch")
    assert (found.returncode, found.stdout) == (1, "[]\n")
    assert found.said.startswith("error: bad.yaml:")


@pytest.mark.parametrize(
    "change", [{"bad.yaml": BAD}, {"Kptfile": "kind: X\n"}, {"Kptfile": kptfile("exec: cat")}, {"values.yaml": "a: 1\n"}]
)
def test_any_failure_of_diff_exits_2(tmp_path, change):
    package = write(tmp_path, SIMPLE | change)
    found = command("render", package, "--diff")
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error: ")


def test_diff_of_no_package_exits_2(tmp_path):
    assert command("render", tmp_path, "--diff").returncode == 2
    assert command("render", tmp_path / "no", "--diff").returncode == 2


def test_unwrap_prints_documents(tmp_path):
    package = write(tmp_path, SIMPLE)
    found = command("render", package, "-o", "unwrap")
    assert found.returncode == 0
    assert found.stdout == "---\n".join([SIMPLE["Kptfile"], PROPAGATE, resolved()])
    assert snapshot(package) == SIMPLE


def test_stdout_prints_a_resource_list_that_says_where_each_resource_lies(tmp_path):
    files = SIMPLE | {
        "sub/Kptfile": kptfile(name="sub"),
        "sub/two.yaml": "# c\n" + CONFIG_MAP.format(name="a") + "---\n" + CONFIG_MAP.format(name="b"),
    }
    package = write(tmp_path, files)
    found = command("render", package, "-o", "stdout")
    assert (found.returncode, snapshot(package)) == (0, files)
    listed: Any = decode.to_data(decode.parse(found.stdout))
    places = [
        (
            item["metadata"]["name"],
            *(
                item["metadata"]["annotations"][f"{prefix}config.kubernetes.io/{key}"]
                for prefix in ("", "internal.")
                for key in ("path", "index")
            ),
        )
        for item in listed["items"]
    ]
    assert places == [
        ("sub", "sub/Kptfile", "0", "sub/Kptfile", "0"),
        ("a", "sub/two.yaml", "0", "sub/two.yaml", "0"),
        ("b", "sub/two.yaml", "1", "sub/two.yaml", "1"),
        ("demo", "Kptfile", "0", "Kptfile", "0"),
        ("config", "config.yaml", "0", "config.yaml", "0"),
        ("build", "run.yaml", "0", "run.yaml", "0"),
    ]
    assert "- # c\n  apiVersion: v1\n" in found.stdout
    assert command("run", "tekton-params", stdin=found.stdout).returncode == 0


def test_a_new_directory_gets_the_resources(tmp_path):
    files = SIMPLE | {"README.md": "x", "sub/Kptfile": kptfile(), "sub/a.yaml": CONFIG_MAP.format(name="a")}
    package = write(tmp_path / "package", files)
    found = command("render", package, "-o", tmp_path / "deep/out")
    assert (found.returncode, found.stdout, found.stderr) == (0, "", "")
    expected = files | {"run.yaml": resolved()}
    assert snapshot(tmp_path / "deep/out") == {name: text for name, text in expected.items() if name != "README.md"}
    assert snapshot(package) == files


def test_a_directory_that_exists_is_not_written_to(tmp_path):
    package = write(tmp_path / "package", SIMPLE)
    found = command("render", package, "-o", tmp_path)
    assert (found.returncode, found.stderr) == (
        2,
        f"error: {tmp_path}: must not exist yet; remove it, or name another directory\n",
    )


def test_a_file_and_a_link_to_nowhere_are_not_written_over(tmp_path):
    package = write(tmp_path / "package", SIMPLE)
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for output in (tmp_path / "file", tmp_path / "link"):
        found = command("render", package, "-o", output)
        assert (found.returncode, found.stderr) == (
            2,
            f"error: {output}: must not exist yet; remove it, or name another directory\n",
        )
    assert (tmp_path / "file").read_text() == "mine"
    assert not (tmp_path / "nowhere").exists()


def test_an_output_in_the_package_is_refused(tmp_path):
    package = write(tmp_path / "p", {"Kptfile": kptfile(STEP), "run.yaml": run()})
    (tmp_path / "link").symlink_to(package)
    for output in (package / "out", package / "a/b/out", tmp_path / "link/out"):
        done = command("render", package, "-o", output)
        assert (done.returncode, done.stdout) == (2, "")
        assert "must not be in the package" in done.stderr
        assert not output.exists()
    assert command("render", package, "-o", tmp_path / "pp").returncode == 0


@pytest.mark.parametrize(
    ("output", "near"),
    [
        *(("yaml", "unwrap"), ("json", "unwrap"), ("JSON", "unwrap"), ("jsonpath={.items}", "unwrap"), ("unwraped", "unwrap")),
        *(("-", "stdout"), ("/dev/stdout", "stdout"), ("Stdout", "stdout"), ("stdot", "stdout")),
    ],
)
def test_an_output_format_is_not_taken_for_a_directory(output, near, tmp_path):
    package = write(tmp_path / "package", SIMPLE)
    done = command("render", package, "-o", output, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"did you mean `{near}`?" in done.stderr
    assert not (tmp_path / output).is_dir()


@pytest.mark.parametrize("output", ["out", "build", "./yaml", "yaml/out"])
def test_other_directories_are_written(output, tmp_path):
    package = write(tmp_path / "package", SIMPLE)
    assert command("render", package, "-o", output, cwd=tmp_path).returncode == 0
    assert (tmp_path / output).is_dir()
