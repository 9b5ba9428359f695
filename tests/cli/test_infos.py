"""Informational messages: shown on a terminal and with -v, in the results in any case; and what is said where nothing matched."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import pytest
from tests.cli.packages import CONFIG_MAP, SOURCE, START, command, kptfile, run, write
from tests.cli.test_commands import on_a_terminal
from tests.cli.test_config_choice import BARE, FLUX, listed

from krm_values._krm import names

TWO = [CONFIG_MAP.format(name="a"), CONFIG_MAP.format(name="b")]
NOTHING = {
    "cartographer-params": "no Workload, Deliverable or Runnable among 2 resources",
    "envgene-sd": "no SolutionDescriptor among 2 resources",
    "flux-values": "no HelmRelease among 2 resources",
    "giantswarm-config": "no App among 2 resources",
    "glasskube-values": "no Package or ClusterPackage among 2 resources",
    "tekton-params": "no PipelineRun, TaskRun, Pipeline or TriggerTemplate among 2 resources",
}
KPT = """\
  metadata:
    annotations:
      internal.config.kubernetes.io/seqindent: compact
      internal.config.kubernetes.io/id: '1'
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: web
  namespace: team
spec:
  valuesFrom:
  - {kind: Secret, name: login}
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: login\n  namespace: team\nstringData:\n  values.yaml: 'password: s3cret'\n"
READABLE = "Secret team/web-flux-values: stores Secret values base64-encoded in its file; `output: inline` writes none"


def config(name: str) -> str:
    return BARE.replace("TektonParams", names.kind(name))


@pytest.fixture
def here(tmp_path):
    files = {"a.yaml": TWO[0], "b.yaml": TWO[1]}
    return write(tmp_path, {**files, "Kptfile": kptfile("exec: krm-flux-values, selectors: [{kind: ConfigMap}]")})


@pytest.mark.parametrize("name", NOTHING)
def test_every_function_with_kinds_of_its_own_says_that_nothing_matched(name):
    given = listed(*TWO, config=config(name))
    quiet, verbose = (command(*words, stdin=given) for words in (["run"], ["run", "-v"]))
    assert (quiet.returncode, quiet.stderr) == (0, "")
    assert f"info: {NOTHING[name]}\n" in verbose.stderr
    assert quiet.stdout == verbose.stdout
    if name != "envgene-sd":  # which says that no parameter is given
        assert quiet.stdout == given, "everything leaves byte for byte as it came"


@pytest.mark.parametrize(("count", "said"), [(0, "0 resources"), (1, "1 resource"), (2, "2 resources")])
def test_the_number_of_resources_is_said(count, said):
    given = (
        listed(*TWO[:count], config=FLUX) if count else "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
    )
    assert command("run", "flux-values", "-v", stdin=given).stderr == f"info: no HelmRelease among {said}\n"


def test_nothing_is_said_where_something_matched_or_was_done():
    given = listed(RELEASE.partition("  valuesFrom")[0].replace("spec:", "spec: {}"), config=FLUX)
    first = command("run", "-v", stdin=given)
    assert first.stderr == ""
    assert "no HelmRelease" not in first.stdout
    left = first.stdout[: first.stdout.index("- apiVersion: helm")] + first.stdout[first.stdout.index("- apiVersion: v1") :]
    second = command("run", "-v", stdin=left)
    gone = "web-flux-values.yaml (stdin:4:3): ConfigMap team/web-flux-values: is removed: nothing generates it any more"
    assert second.stderr == f"info: {gone}\n"
    assert "no HelmRelease" not in second.stdout
    broken = listed(TWO[0] + "a: [\n", config=FLUX)
    assert "no HelmRelease" not in command("run", "-v", stdin=broken).stderr


CALLS = {
    "run, files": ["run", "flux-values", "a.yaml", "b.yaml"],
    "explain, files": ["explain", "flux-values", "a.yaml", "b.yaml"],
    "explain, package": ["explain", "."],
    "render": ["render", "."],
    "render --diff": ["render", "--diff", "."],
    "render -o": ["render", "-o", "stdout", "."],
}


@pytest.mark.parametrize("name", CALLS)
def test_infos_are_shown_with_v(here, name):
    quiet = command(*CALLS[name], cwd=here)
    assert "info:" not in quiet.stderr
    for option in ("-v", "--verbose"):
        found = command(*CALLS[name], option, cwd=here)
        assert (found.returncode, found.stdout) == (quiet.returncode, quiet.stdout)
        assert found.stderr == "info: no HelmRelease among 2 resources\n" + quiet.stderr


@pytest.mark.parametrize("name", CALLS)
def test_infos_are_shown_on_a_terminal(here, name):
    words = [str(here / word) if (here / word).exists() else word for word in CALLS[name]]
    assert on_a_terminal(*words, NO_COLOR="1").count("info: no HelmRelease among 2 resources") == 1


def test_of_several_packages_they_are_printed_with_v_alone(here, tmp_path):
    """A package that stays as it is, is not listed for them."""
    other = write(tmp_path / "other", {"Kptfile": kptfile("exec: krm-flux-values"), "a.yaml": TWO[0]})
    total = "2 packages: 2 same"
    assert re.fullmatch(rf"{total}, \d+\.\d s\s+", on_a_terminal("render", str(here), str(other)))
    found = command("render", "-v", here, other)
    assert found.said.count("info: no HelmRelease among") >= 2
    assert found.said.endswith(f"{total}\n")
    assert on_a_terminal("render", "-q", str(here)) == ""


def test_the_own_command_of_a_function_prints_them_too(here):
    write(here, {"flux.yaml": FLUX})
    for words, given in ((["flux.yaml", "a.yaml", "b.yaml"], ""), (["flux.yaml"], "---\n".join(TWO)), ([], listed(*TWO))):
        found = command(*words, "-v", program="krm-flux-values", stdin=given, cwd=here)
        assert (found.returncode, found.stderr) == (0, "info: no HelmRelease among 2 resources\n")


def piped_on_a_terminal(given: str) -> tuple[str, str]:
    """stdout, and what stderr, a terminal, shows."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", START, "krm-values", "run", "flux-values"],
        env={**os.environ, "PYTHONPATH": str(SOURCE), "NO_COLOR": "1"},
        input=given.encode(),
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=True,
    )
    os.write(theirs, b"end")
    shown = os.read(ours, 65536).decode().removesuffix("end")
    os.close(ours)
    os.close(theirs)
    return done.stdout.decode(), shown.replace("\r\n", "\n")


def test_under_kpt_they_are_results_and_nothing_else():
    hosted = "apiVersion: v1\nkind: X\n" + KPT.replace("\n  ", "\n")[2:]
    assert piped_on_a_terminal(listed(*TWO))[1] == "info: no HelmRelease among 2 resources\n"
    assert piped_on_a_terminal(listed(TWO[0], hosted))[1] == ""
    out, shown = piped_on_a_terminal(listed(RELEASE, SECRET, hosted, config=FLUX))
    assert (shown, f"- message: '{READABLE.partition(': ')[2]}'\n  severity: warning\n" in out) == ("", True)
    assert command("run", "flux-values", "-v", stdin=listed(RELEASE, SECRET, hosted, config=FLUX)).said == ""


def test_a_readable_secret_is_an_information_or_a_warning_for_files(tmp_path):
    for strict in ("", "spec: {strict: true}\n"):
        own = FLUX.replace("spec: {}\n", strict)
        found = command("run", "-v", stdin=listed(RELEASE, SECRET, config=own))
        assert (found.returncode, found.said) == (0, f"info: stdin:4:3: {READABLE}\n")
        files = {"Kptfile": kptfile("exec: krm-flux-values, configPath: flux.yaml"), "a.yaml": RELEASE, "b.yaml": SECRET}
        package = write(tmp_path / (strict[:4] or "plain"), {**files, "flux.yaml": own})
        for words in (["--diff"], ["-o", "stdout"], []):
            found = command("render", *words, "--results-dir", tmp_path / "results", package)
            assert found.said.startswith(f"warning: a.yaml:1:1: {READABLE}\n")
            assert "severity: warning" in (tmp_path / "results/results.yaml").read_text()
            assert "s3cret" not in found.said


def test_the_summary_of_render_says_what_was_created_updated_and_deleted(tmp_path):
    files = {
        "Kptfile": kptfile("exec: krm-flux-values", "exec: krm-tekton-params"),
        "release.yaml": RELEASE,
        "secret.yaml": SECRET,
    }
    package = write(tmp_path, {**files, "run.yaml": run()})
    first = command("render", package).said
    assert first.splitlines()[-1] == "2 steps run, created: web-flux-values.yaml; updated: run.yaml"
    assert command("render", package).said.splitlines()[-1] == "2 steps run, changed: nothing"
    (package / "release.yaml").unlink()
    write(package, {"run.yaml": run("other")})
    assert command("render", package).said.splitlines() == [
        "warning: web-flux-values.yaml:1:1: Secret team/web-flux-values: is removed: nothing generates it any more",
        "2 steps run, updated: run.yaml; deleted: web-flux-values.yaml",
    ]
    assert not (package / "web-flux-values.yaml").exists()


def test_the_summary_counts_what_it_does_not_name(tmp_path):
    many = {f"{number:02}.yaml": run(f"r{number}") for number in range(13)}
    package = write(tmp_path, {"Kptfile": kptfile("exec: krm-tekton-params"), **many})
    assert command("render", package).stderr.endswith(", 08.yaml, 09.yaml, and 3 more\n")


LIST = "apiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}}}\nitems:\n{items}"
LISTED = "info: list.yaml:4:1: {kind} all `items`: is one resource here, as to kpt, so no step gets what it lists: make each resource a document of its own, with `---` between them"


@pytest.mark.parametrize("called", ["render", "explain"])
@pytest.mark.parametrize(
    ("kind", "items", "is_told"),
    [
        ("List", "- kind: ConfigMap\n", True),
        ("ConfigMapList", "- kind: ConfigMap\n", True),
        ("AllowList", "- a\n", False),
        ("Listed", "- kind: ConfigMap\n", False),
        ("List", "  kind: ConfigMap\n", False),
    ],
)
def test_a_list_is_one_resource_of_a_package(called, kind, items, is_told, tmp_path):
    files = {"list.yaml": LIST.format(kind=kind, name="all", items=items), "Kptfile": kptfile("exec: krm-tekton-params")}
    found = command(called, "-v", write(tmp_path, files))
    assert found.returncode == 0
    assert (LISTED.format(kind=kind) in found.said) == is_told
    assert LISTED.format(kind=kind) not in command(called, write(tmp_path, files)).said


def test_a_link_to_a_directory_is_named_unless_it_is_ignored(tmp_path):
    package = write(tmp_path / "package", {"Kptfile": kptfile("exec: krm-tekton-params"), "real/run.yaml": run()})
    (package / "linked").symlink_to("real")
    (package / "real/out").symlink_to(tmp_path)
    text = "is a link to a directory, which is not followed, as by kpt: put a copy of the directory there\n"
    asked = (("render", "-v", package), ("run", "tekton-params", "-v", package))
    for called in asked:
        found = command(*called)
        assert found.returncode == 0
        assert f"info: linked: {text}info: real/out: {text}" in found.said
    write(package, {".krmignore": "linked\nout/\n"})
    assert text not in command("render", "-v", package).said
