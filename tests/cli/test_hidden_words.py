"""Of a hidden value nothing is said but that it is hidden; in a comparison, that it changed."""

from __future__ import annotations

import json

import pytest
from tests.cli.packages import command, kptfile, write

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom: []
  values:
    own: 1
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: login, namespace: team}\nstringData: {values.yaml: 'user: s3cret'}\n"
LAYERED = """\
apiVersion: krm-values.dev/v1alpha1
kind: LayeredValues
metadata: {name: lv}
spec:
  layers: [{secret: login, namespace: team}]
  targets:
  - {kind: HelmRelease, name: web, allowSecrets: true, fields: {spec.values.user: {value: user, missing: create}}}
"""
FLUX = "apiVersion: krm-values.dev/v1alpha1\nkind: FluxValues\nmetadata: {name: fx}\nspec: {output: inline}\n"


@pytest.fixture
def package(tmp_path):
    steps = "exec: krm-layered-values, configPath: lv.yaml", "exec: krm-flux-values, configPath: fx.yaml"
    files = {"Kptfile": kptfile(*steps), "lv.yaml": LAYERED, "fx.yaml": FLUX, "all.yaml": f"{RELEASE}---\n{SECRET}"}
    return write(tmp_path / "package", files)


def answers(package):
    """What is said of the package, in each form."""
    page = package.parent / "page.html"
    more: tuple[list[str], ...] = ([], ["--json"], ["--all"], ["--patch"], ["--html", str(page)])
    words = [*(["explain", ".", *one] for one in more), ["why", "all.yaml:6"], ["values", ".", "HelmRelease/web"]]
    done = [command(*one, cwd=package) for one in words]
    return [(one.returncode, one.stdout, one.stderr.replace(str(page), "")) for one in done], page.read_text()


@pytest.mark.parametrize("is_rendered", [False, True])
def test_no_answer_tells_whether_a_value_is_the_one_that_it_replaces(package, is_rendered):
    """A Secret with the value that stands in its target, and one with another value."""
    all_files = package / "all.yaml"
    if is_rendered:
        assert command("render", package).returncode == 0
    else:
        all_files.write_text(all_files.read_text().replace("    own: 1\n", "    own: 1\n    user: s3cret\n"))
    found = []
    for value in ("s3cret", "another"):
        head, _, tail = all_files.read_text().rpartition("user: ")
        all_files.write_text(f"{head}user: {value}{tail[tail.index(chr(39)) :]}")
        found.append(answers(package))
    assert found[0] == found[1]
    assert "<hidden>" in found[0][0][0][1]
    assert json.loads(found[0][0][3][1]) != []


def test_a_diff_says_of_a_hidden_value_by_its_signs_that_it_changes(package):
    assert command("render", package).returncode == 0
    all_files = package / "all.yaml"
    all_files.write_text(all_files.read_text().replace("user: s3cret'", "user: another'"))
    shown = command("render", "--diff", package).stdout
    assert "-    user: <hidden>\n+    user: <hidden>\n" in shown
    assert "changed" not in shown
