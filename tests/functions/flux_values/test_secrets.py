"""Nothing that comes out of a Secret is shown anywhere, as text or as base64 at any alignment; nor is it written into a release."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from krm_values._data import quoting
from tests.functions.giantswarm_config.test_secrets import BROKEN, MARKERS, call, leaks, shown

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom:
  - {kind: ConfigMap, name: base}
  - {kind: Secret, name: one}
  - {kind: Secret, name: two, valuesKey: v, targetPath: db.pass}
  values:
    own: 1
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values.yaml: "mode: simple\\ndb: {}\\nlist: [a]\\n"
"""
KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: krm-flux-values
    configPath: config.yaml
"""
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: FluxValues
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {output: OUTPUT}
"""
FINE = f"db: {{user: {MARKERS[0]}, list: [{MARKERS[1]}]}}\n"
ODD = f"db: {{user: {MARKERS[0]}9, user: {MARKERS[0]}, on: {MARKERS[1]}}}\nmode: {{x: {MARKERS[2]}}}\n---\n{MARKERS[1]}: 1\n"
VALUES = [
    MARKERS[0],
    f"x,{MARKERS[1]}=1",
    f"x,new.{MARKERS[2]}.deeper=1,db.{MARKERS[0]}[1]={{{MARKERS[1]},y}}",
    f"{{{MARKERS[0]},{MARKERS[1]}}}",
    f'"{MARKERS[2]}"',
]
BROKEN_VALUES = [
    f"x,{MARKERS[0]}",
    f"x,{MARKERS[0]},y=1",
    f"{{{MARKERS[1]}",
    f"x,own.{MARKERS[2]}=1",
    f"x,{MARKERS[0]}[{MARKERS[1]}]=1",
    f"x,list[0]{MARKERS[0]}=1",
    f"x,list[0].{MARKERS[0]}..{MARKERS[1]}=1",
    f"x,{MARKERS[0]}[70000]={MARKERS[1]}",
    "x," + f"{MARKERS[0]}." * 40 + "=1",
]


def package(folder: Path, one: str, two: str, output: str = "object", *, encoded: bool = False) -> Path:
    def secret(name: str, key: str, text: str) -> str:
        held = (
            f"data: {{{key}: {b64encode(text.encode()).decode()}}}"
            if encoded
            else f"stringData: {{{key}: {quoting.quoted(text)}}}"
        )
        return f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: team}}\n{held}\n"

    folder.mkdir(exist_ok=True)
    (folder / "Kptfile").write_text(KPTFILE)
    (folder / "config.yaml").write_text(CONFIG.replace("OUTPUT", output))
    (folder / "release.yaml").write_text(RELEASE + secret("one", "values.yaml", one) + secret("two", "v", two))
    return folder


def everything(folder: Path) -> str:
    results = folder.parent / "results"
    texts = [shown("explain", *more, folder) for more in ([], ["--json"], ["--patch"])]
    texts += [shown("render", "--diff", folder), shown("render", "--results-dir", results, folder)]
    texts += [shown("explain", *more, folder) for more in ([], ["--json"])]
    return "\n".join([*texts, *(path.read_text() for path in results.rglob("*") if path.is_file())])


@pytest.mark.parametrize("value", VALUES)
def test_values_that_are_composed_are_written_and_never_shown(tmp_path, value):
    folder = package(tmp_path / "p", FINE, value, encoded=value == VALUES[1])
    assert leaks(everything(folder)) == []
    written = (folder / "web-flux-values.yaml").read_text()
    assert leaks(written), "the markers are found where they must be"
    assert leaks(written.split("\ndata:")[0]) == []


def test_odd_texts_and_a_second_run_after_a_change(tmp_path):
    folder = package(tmp_path / "p", ODD, VALUES[2])
    assert leaks(everything(folder)) == []
    package(folder, FINE.replace(MARKERS[0], "changed"), VALUES[0])
    assert leaks(everything(folder)) == []


@pytest.mark.parametrize("text", BROKEN)
def test_errors_of_a_secrets_text_say_where_and_quote_nothing(tmp_path, text):
    folder = package(tmp_path / "p", text, "x", encoded=text.startswith("a"))
    found = "".join(shown(*command, folder) for command in (["explain", "--json"], ["render"]))
    assert leaks(found) == []
    assert "Secret team/one `" in found
    assert "error: " in found
    assert not (folder / "web-flux-values.yaml").exists()


@pytest.mark.parametrize("value", BROKEN_VALUES)
def test_errors_of_a_target_path_quote_nothing_of_the_value(tmp_path, value):
    folder = package(tmp_path / "p", FINE, value)
    found = "".join(shown(*command, folder) for command in (["explain", "--json"], ["render"]))
    assert leaks(found) == []
    assert "`spec.valuesFrom[2].targetPath`" in found
    assert not (folder / "web-flux-values.yaml").exists()


INLINED = [
    (f"kept: {MARKERS[0]}\n", MARKERS[1], True),
    (FINE, VALUES[1], True),
    (ODD, VALUES[2], False),
    (f"list: [{MARKERS[0]}]\n", MARKERS[1], False),
]


@pytest.mark.parametrize(("one", "two", "is_written"), INLINED)
def test_inline_nothing_of_a_secret_gets_into_the_release(tmp_path, one, two, is_written):
    folder = package(tmp_path / "p", one, two, "inline")
    given = (folder / "release.yaml").read_text()
    assert leaks(everything(folder)) == []
    release, rest = (folder / "release.yaml").read_text().split("---\n", 1)
    assert leaks(release) == []
    assert rest == given.split("---\n", 1)[1]
    assert ("undo.flux-values" in release) == is_written, "it is refused where a Secret overrides a ConfigMap"


def test_show_secrets_shows_them(tmp_path):
    folder = package(tmp_path / "p", FINE, "x")
    assert MARKERS[0] in shown("explain", "--json", "--show-secrets", folder)
    assert call("explain", "--show-secrets", folder).returncode == 0
