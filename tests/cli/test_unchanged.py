"""`render` does not plan a package again that an earlier run left as it is, and says what that run said."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

import pytest

from krm_values._cli import main
from krm_values._cli.package import rendering

EXAMPLE = Path(__file__).parents[2] / "examples/tekton-params/build-and-deploy"
WARNS = """\
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: extra}
spec:
  params:
  - {name: idle, value: x}
  pipelineSpec: {tasks: [{name: a, taskSpec: {steps: [{name: s, image: i}]}}]}
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2-very-secret}\n"


def command(*words):
    """Exit code, None, and what is printed on stderr."""
    seen = io.StringIO()
    with contextlib.redirect_stderr(seen):
        code = main.main([*words])
    return code, None, seen.getvalue()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "krm-values"


@pytest.fixture
def package(tmp_path):
    """A package that warns, as a first run has left it."""
    target = tmp_path / "package"
    shutil.copytree(EXAMPLE, target)
    (target / "extra.yaml").write_text(WARNS)
    (target / "secret.yaml").write_text(SECRET)
    assert command("render", "--no-cache", str(target))[0] == 0
    return target


@pytest.fixture
def planned(monkeypatch):
    """How often a package was planned."""
    seen = []
    whole = rendering.of_root

    def counted(*given, **named):
        seen.append(1)
        return whole(*given, **named)

    monkeypatch.setattr(rendering, "of_root", counted)
    return seen


def records(cache):
    return [path for path in cache.iterdir() if path.name != "key"] if cache.exists() else []


def test_it_is_planned_once_and_says_the_same_each_time(package, cache, planned):
    first = command("render", str(package))
    assert "idle" in first[2]
    assert [command("render", str(package)) for _ in range(2)] == [first, first]
    assert len(planned) == 1


def test_a_run_that_changes_something_is_no_record(package, cache, planned):
    (package / "extra.yaml").write_text(WARNS.replace("image: i}", "image: $(params.idle)}"))
    assert "extra.yaml" in command("render", str(package))[2]
    command("render", str(package))
    assert len(planned) == 2


@pytest.mark.parametrize(
    "change",
    [
        lambda package: (package / "extra.yaml").write_text(WARNS + "# more\n"),
        lambda package: (package / "new.yaml").write_text(WARNS.replace("extra", "other")),
        lambda package: (package / "extra.yaml").unlink(),
        lambda package: (package / "extra.yaml").rename(package / "moved.yaml"),
        lambda package: (package / ".krmignore").write_text("extra.yaml\n"),
        lambda package: (package / "Kptfile").write_text((package / "Kptfile").read_text() + "# more\n"),
    ],
)
def test_any_change_of_the_package_counts(change, package, cache, planned):
    command("render", str(package))
    change(package)
    command("render", str(package))
    assert len(planned) == 2


@pytest.mark.parametrize("words", [("-v",), ("--format", "github"), ("--skip-foreign",), ("--follow-links",), ("--no-cache",)])
def test_other_options_are_another_run(words, package, cache, planned):
    command("render", str(package))
    command("render", *words, str(package))
    assert len(planned) == 2


def test_the_environment_of_functions_counts(package, cache, planned, monkeypatch):
    command("render", str(package))
    monkeypatch.setenv("KRM_FUNCTION", "tekton-params")
    command("render", str(package))
    assert len(planned) == 2


def test_an_error_is_never_skipped(package, cache, planned):
    (package / "extra.yaml").write_text(WARNS.replace("image: i", "image: $(params.nowhere)"))
    assert [command("render", str(package))[0] for _ in range(2)] == [1, 1]
    assert len(planned) == 2
    assert not records(cache)


def test_a_results_file_is_always_written(package, cache, tmp_path, planned):
    command("render", str(package))
    assert command("render", "--results-dir", str(tmp_path / "results"), str(package))[0] == 0
    assert (tmp_path / "results/results.yaml").exists()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text, _: b"",
        lambda text, _: text[:-1],
        lambda text, _: text.replace(b"idle", b"evil"),
        lambda text, other: other,
        lambda text, _: b"0" * 64 + text[64:],
    ],
)
def test_a_record_that_does_not_verify_is_ignored(spoil, package, cache, planned, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(package, other)
    (other / "extra.yaml").unlink()
    for folder in (package, other):
        command("render", str(folder))
    mine, theirs = sorted(records(cache), key=lambda path: b"idle" not in path.read_bytes())
    mine.write_bytes(spoil(mine.read_bytes(), theirs.read_bytes()))
    assert "idle" in command("render", str(package))[2]
    assert len(planned) == 3


def test_records_are_the_users_alone_outside_of_the_package_and_no_secret(package, cache):
    before = {path.relative_to(package) for path in package.rglob("*")}
    command("render", str(package))
    assert {path.relative_to(package) for path in package.rglob("*")} == before
    assert cache.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in cache.iterdir()} == {0o600}
    assert not any(b"hunter2" in path.read_bytes() for path in cache.iterdir())


def test_a_directory_that_others_may_use_is_not_used(package, cache, planned):
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    assert [command("render", str(package))[0] for _ in range(2)] == [0, 0]
    assert len(planned) == 2
    assert not list(cache.iterdir())


def test_a_cache_in_the_package_is_not_used(package, monkeypatch, planned):
    monkeypatch.setenv("XDG_CACHE_HOME", str(package / "cache"))
    command("render", str(package))
    assert not (package / "cache").exists()


def test_several_packages_are_rendered_and_the_highest_exit_code_counts(package, tmp_path, cache):
    broken = tmp_path / "broken"
    shutil.copytree(package, broken)
    (broken / "extra.yaml").write_text("a: [\n")
    code, _, err = command("render", str(broken), str(package), str(package))
    assert code == 1
    assert err.count(f"{package}:\n") == 1
    assert "1 step run" in err.partition(f"{package}:\n")[2]


def test_recursive_renders_each_outermost_package(package, tmp_path, cache):
    inner = package / "inner"
    inner.mkdir()
    (inner / "Kptfile").write_text("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: inner}\n")
    (tmp_path / "more/deep").mkdir(parents=True)
    shutil.copytree(EXAMPLE, tmp_path / "more/deep/second")
    code, _, err = command("render", "--recursive", str(tmp_path))
    assert code == 0
    assert [line for line in err.splitlines() if line.endswith(":")] == [f"{tmp_path}/more/deep/second:", f"{package}:"]
    code, _, err = command("render", "--recursive", str(cache))
    assert (code, "holds no package" in err) == (1, True)


@pytest.mark.parametrize("words", [("-o", "stdout"), ("--results-dir", "r"), ("--format", "sarif")])
def test_what_is_one_document_takes_one_package(words, package, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(package, other)
    code, _, err = command("render", *words, str(package), str(other))
    assert (code, "takes one package, found 2" in err) == (2, True)


def test_no_cache_has_no_effect_where_nothing_is_written(package):
    assert command("render", "--diff", "--no-cache", str(package))[0] == 2
