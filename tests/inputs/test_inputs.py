"""`krm-values inputs`: its laws on all examples and some random packages (`python -m tests.inputs` tries more), and what only one package shows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from krm_values._cli import inputs as printed
from tests.cli.packages import PROPAGATE, command, kptfile, run, write
from tests.inputs import laws
from tests.inputs.laws import EXAMPLES, Count, tried

EXAMPLE = next(path for path in EXAMPLES if path.name == "first")
YTT = next(path for path in EXAMPLES if path.name == "web-and-worker")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_example_depends_on_what_is_listed_and_on_nothing_else(example, tmp_path):
    count = Count()
    tried(example.name, tmp_path, count, example)
    assert count.faults == []
    assert not count.refused
    assert count.unlisted > 0


@pytest.mark.parametrize("number", range(60))
def test_so_does_a_random_package(number, tmp_path):
    count = Count()
    tried(f"random-{number}", tmp_path, count)
    assert count.faults == []
    assert count.listed > 2


def test_the_law_finds_what_is_missing_and_what_is_too_much(tmp_path, monkeypatch):
    """A command that lists no link targets, or a file that is not read, does not pass."""
    listed = laws.listed
    monkeypatch.setattr(laws, "EDITS", 60)
    monkeypatch.setattr(laws, "listed", lambda *given: {path: kind for path, kind in listed(*given).items() if kind != "file"})
    count = Count()
    tried("few", tmp_path / "few", count, EXAMPLE)
    assert {law for law, _, _ in count.faults} == {"a path that is not listed does not count"}
    monkeypatch.setattr(laws, "listed", lambda *given: {**listed(*given), str(given[0] / "README.md"): "file"})
    count = Count()
    tried("many", tmp_path / "many", count, EXAMPLE)
    assert "a file that is listed counts" in {law for law, _, _ in count.faults}


def lines(done):
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()


def test_one_path_on_each_line_from_the_working_directory(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "web")
    names = [".krmignore", "Kptfile", "deployment.yaml", "layers.yaml"]
    inside = ["web/", "web/.expected/", *(f"web/{name}" for name in names)]
    assert lines(command("inputs", "web", cwd=tmp_path)) == inside
    assert lines(command("inputs", cwd=tmp_path / "web")) == ["./", ".expected/", *names]
    assert lines(command("inputs", tmp_path / "web", cwd=tmp_path)) == [
        str(tmp_path / name) + "/" * name.endswith("/") for name in inside
    ]
    found = json.loads(command("inputs", "--format", "json", "web", cwd=tmp_path).stdout)
    assert found["inputs"][0] == {"path": "web", "type": "directory"}
    assert {one["type"] for one in found["inputs"]} == {"directory", "file"}


def test_a_link_and_all_that_it_leads_through(tmp_path):
    write(tmp_path, {"web/Kptfile": kptfile("exec: krm-tekton-params, configPath: config.yaml"), "web/run.yaml": run()})
    write(tmp_path, {"common/config.yaml": PROPAGATE})
    (tmp_path / "via").symlink_to("common")
    (tmp_path / "web/config.yaml").symlink_to("../via/config.yaml")
    done = command("inputs", "web", cwd=tmp_path)
    assert (done.returncode, "leads out of the directory" in done.stderr) == (1, True)
    found = lines(command("inputs", "--follow-links", "web", cwd=tmp_path))
    assert found == ["common/config.yaml", "via", "web/", "web/Kptfile", "web/config.yaml", "web/run.yaml"]
    value = command("inputs", "--follow-links", "--format", "argocd", "web", cwd=tmp_path).stdout
    assert value == ".;../common/config.yaml;../via\n"


def test_of_one_function_its_config_counts(tmp_path):
    write(tmp_path, {"web/run.yaml": run(), "config.yaml": PROPAGATE})
    call = ("inputs", "--function", "tekton-params", "--config", "config.yaml", "web")
    assert lines(command(*call, cwd=tmp_path)) == ["config.yaml", "web/", "web/run.yaml"]
    assert lines(command(*call, "--format", "argocd", cwd=tmp_path)) == [".;../config.yaml"]
    done = command("inputs", "web", cwd=tmp_path)
    assert (done.returncode, "web: holds no Kptfile" in done.stderr) == (1, True)


def test_a_program_that_a_step_may_run(tmp_path):
    shutil.copytree(YTT, tmp_path / "web")
    program = tmp_path / "bin/ytt"
    write(tmp_path, {"bin/ytt": "#!/bin/sh\n"})
    program.chmod(0o755)
    plain = lines(command("inputs", "web", cwd=tmp_path))
    assert lines(command("inputs", "web", "--ytt", program, cwd=tmp_path)) == ["bin/ytt", *plain]
    assert lines(command("inputs", "web", cwd=tmp_path, KRM_VALUES_YTT=str(program))) == ["bin/ytt", *plain]
    shutil.copytree(EXAMPLE, tmp_path / "other")
    assert "bin/ytt" not in lines(command("inputs", "other", cwd=tmp_path, KRM_VALUES_YTT=str(program)))
    assert command("inputs", "other", "--ytt", program, cwd=tmp_path).returncode == 2


def test_argo_cd_cannot_see_what_is_outside_of_the_repository(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "repository/web", symlinks=True)
    subprocess.run(["git", "init", "--quiet", tmp_path / "repository"], check=True)
    shutil.move(tmp_path / "repository/web/layers.yaml", tmp_path / "layers.yaml")
    (tmp_path / "repository/web/layers.yaml").symlink_to("../../layers.yaml")
    done = command("inputs", "--follow-links", "--format", "argocd", tmp_path / "repository/web")
    text = f"warning: {tmp_path}/layers.yaml: lies outside of the git repository, so Argo CD sees no change of it\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, ".\n", text)


def test_of_a_directory_behind_a_link_argo_cd_gets_the_real_one(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "base/web")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    (tmp_path / "web").symlink_to("base/web")
    assert lines(command("inputs", "--format", "argocd", "web", cwd=tmp_path)) == [".;base/web".replace("base", "../base")]


@pytest.mark.parametrize(
    ("name", "pattern", "others"),
    [
        ("a;b.yaml", "a?b.yaml", ["a.yaml", "a/b.yaml"]),
        ("a[1];.yaml", "a\\[1]?.yaml", ["a[1].yaml", "a1;.yaml"]),
        ("a ", "a?", ["a"]),
        ("a*?;\\.yaml", "a\\*\\??\\\\.yaml", ["ax?;\\.yaml"]),
        ("a[1]*.yaml", "a[1]*.yaml", []),
    ],
)
def test_a_name_that_cannot_stand_in_argo_cds_list_is_a_pattern(name, pattern, others):
    assert printed._pattern(name) == pattern
    paths = [f"/apps/{item.strip()}" for item in pattern.split(";")]
    assert laws.argocd_sees(paths, f"/apps/{name}")
    assert not [other for other in others if laws.argocd_sees(paths, f"/apps/{other}")]


def test_a_name_with_a_line_feed_is_one_line(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "web")
    os.rename(tmp_path / "web/deployment.yaml", tmp_path / "web/a\nb.yaml")
    assert "web/a\\nb.yaml" in lines(command("inputs", "web", cwd=tmp_path))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["a", "b"], 2, "unrecognized arguments: b"),
        (["--format", "github"], 2, "must be one of text, json, yaml, argocd"),
        (["--config", "a"], 2, "`--config`"),
        (["none"], 1, "none: is not a directory"),
    ],
)
def test_mistakes(words, code, said, tmp_path):
    done = command("inputs", *words, cwd=tmp_path)
    assert (done.returncode, said in done.stderr, done.stdout) == (code, True, "")
