"""Shell pipes: nobody restores or hides anything there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hosts.machine import Machine
from tests.hosts.package import PACKAGES, Package, read

RELEASE = Package(PACKAGES / "release")


def _large(resource_list: str) -> str:
    """The same list with many more items: more than any pipe holds."""
    filler = "".join(
        f"- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: filler-{number}\n" for number in range(20_000)
    )
    return resource_list.replace("items:\n", f"items:\n{filler}", 1)


def test_a_reader_that_leaves_early_sees_no_traceback(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "list.yaml").write_text(_large(RELEASE.resource_list()), "utf-8")
    done = machine.run("bash", "-c", "krm-values run < list.yaml | head -n 1", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("apiVersion: config.kubernetes.io/v1\n", "")


@pytest.mark.parametrize("command", ["list", "docs tekton-params", "schema tekton-params", "--help"])
def test_no_command_minds_a_reader_that_never_reads(command: str, machine: Machine, tmp_path: Path) -> None:
    done = machine.run("bash", "-c", f"krm-values {command} | true", cwd=tmp_path)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("redirection", "line"),
    [
        ("<list.yaml >/dev/full", "error: stdout: No space left on device"),
        ("<list.yaml >&-", "error: stdout is closed: open it, or send it to a file"),
        (
            "<&-",
            "error: stdin:1:1: must be a ResourceList, found nothing: pipe one in, for example `kpt fn source DIR |`, or name a directory, as `.`",
        ),
    ],
)
def test_streams_that_cannot_be_used_are_one_line_and_no_success(
    redirection: str, line: str, machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "list.yaml").write_text(RELEASE.resource_list(), "utf-8")
    done = machine.run("bash", "-c", f"krm-values run {redirection}", cwd=tmp_path, code=None)
    assert done.returncode in (1, 2)
    assert (done.stdout, done.stderr) == ("", f"{line}\n")


def test_errors_are_on_stderr_once_and_the_list_comes_back_with_results(machine: Machine) -> None:
    sent = Package(PACKAGES / "broken").resource_list()
    failed = machine.run("krm-values", "run", stdin=sent, code=1)
    lines = failed.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["error"] * 5
    back, results = failed.stdout.split("\nresults:\n")
    assert f"{back}\n" == sent
    assert [f"error: {entry['message']}" for entry in read(results)[0]] == lines


def test_a_pipe_between_source_and_sink_keeps_what_a_pipe_of_cat_keeps(machine: Machine, tmp_path: Path) -> None:
    machine.needs("kpt")
    package = Package.copy(PACKAGES / "release", tmp_path / "package")
    machine.run("krm-values", "render", package.path)
    for name, function in (("ours", "krm-values run"), ("theirs", "cat")):
        machine.pipe(f"kpt fn source . --fn-config params.yaml | {function} | kpt fn sink {tmp_path / name}", cwd=package.path)
    assert Package(tmp_path / "ours").snapshot() == Package(tmp_path / "theirs").snapshot()


@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/nonexistent"},
        {"LANG": "C", "LC_ALL": "C", "TZ": "Asia/Kathmandu"},
        {"LC_ALL": "POSIX", "PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2", "KRM_VALUES": "x", "PYTHONIOENCODING": "latin-1"},
    ],
    ids=" ".join,
)
def test_the_environment_changes_no_byte(environment: dict[str, str], machine: Machine) -> None:
    text = RELEASE.resource_list().replace("from the push", "vom Anstoß 🚀")
    assert (
        machine.run("krm-values", "run", stdin=text, cwd=Path("/"), extra=environment).stdout
        == machine.run("krm-values", "run", stdin=text).stdout
    )
