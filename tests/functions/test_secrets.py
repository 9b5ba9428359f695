"""Laws of the functions that merge texts of Secrets: nothing of them is shown, as text or as base64 at any alignment."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

import pytest

from krm_values._data.scalars import quoted
from krm_values._krm.names import kind
from tests.cli.packages import command, kptfile, write

MARKERS = ["Kx4mPz9wQf2vTn7b", "Wd8rYc3hLs6gBj5e", "Gu1tXa0oNi7kVq9p"]
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
"""
APP = """\
apiVersion: application.giantswarm.io/v1alpha1
kind: App
metadata: {name: web, namespace: team}
spec:
  catalog: shelf
  name: web
  namespace: apps
  version: 1.0.0
  kubeConfig: {inCluster: true}
  config:
    configMap: {name: base, namespace: team}
    secret: {name: one, namespace: team}
  extraConfigs:
  - {kind: secret, name: two, namespace: team, priority: 60}
---
apiVersion: application.giantswarm.io/v1alpha1
kind: Catalog
metadata: {name: shelf, namespace: default}
spec: {title: Shelf}
"""
BASE = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: team}\ndata: {%s: %s}\n"
CONFIG = 'apiVersion: krm-values.dev/v1alpha1\nkind: %s\nmetadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}\nspec: %s\n'
FINE = f"db: {{user: {MARKERS[0]}, list: [{MARKERS[1]}]}}\n"
ODD = f"db: {{user: {MARKERS[0]}9, user: {MARKERS[0]}, on: {MARKERS[1]}}}\nmode: {{x: {MARKERS[2]}}}\n---\n{MARKERS[1]}: 1\n"


@dataclass(frozen=True)
class Merging:
    """A function, the resource that it reads with the text of its ConfigMap, the keys of its Secrets, and the file that it writes."""

    name: str
    resource: str
    base: str
    keys: tuple[str, str, str]
    config: str
    written: str


FLUX = Merging(
    "flux-values",
    RELEASE,
    "mode: simple\ndb: {}\nlist: [a]\n",
    ("values.yaml", "values.yaml", "v"),
    "{output: object}",
    "web-flux-values.yaml",
)
GIANTSWARM = Merging(
    "giantswarm-config",
    APP,
    "mode: simple\ndb: {}\n",
    ("values", "values", "values"),
    "{outputs: [configMap, secret, combined]}",
    "web-chart-secrets.yaml",
)
BOTH = pytest.mark.parametrize("function", [FLUX, GIANTSWARM], ids=lambda function: function.name)


def package(folder: Path, function: Merging, one: str, two: str, *, encoded: bool = False, config: str = "") -> Path:
    def secret(name: str, key: str, text: str) -> str:
        field, held = ("data", b64encode(text.encode()).decode()) if encoded else ("stringData", quoted(text))
        return f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: team}}\n{field}: {{{key}: {held}}}\n"

    base, first, second = function.keys
    resources = function.resource + BASE % (base, quoted(function.base))
    files = {
        "Kptfile": kptfile(f"exec: krm-{function.name}, configPath: config.yaml"),
        "config.yaml": CONFIG % (kind(function.name), config or function.config),
        "resources.yaml": resources + secret("one", first, one) + secret("two", second, two),
    }
    return write(folder, files)


def printed(*arguments: str | Path) -> str:
    """Everything a command prints."""
    done = command(*arguments)
    assert done.returncode in (0, 1, 2)
    return done.stdout + done.stderr


def forms(marker: str) -> list[str]:
    """The text, and what of its base64 does not depend on its neighbours, at each of the three alignments."""
    encoded = [b64encode(b"\0" * offset + marker.encode()).decode() for offset in range(3)]
    return [marker, *(text[start : len(text) - 4] for start, text in zip((0, 2, 3), encoded, strict=True))]


def leaks(text: str) -> list[str]:
    return [form for marker in MARKERS for form in forms(marker) if form in text]


def everything(folder: Path) -> str:
    """Whatever commands print before and after a render, and its results."""
    results = folder.parent / "results"
    looks = [["explain", *more] for more in ([], ["--json"], ["--patch"])]
    texts = [printed(*look, folder) for look in [*looks, ["render", "--diff"]]]
    texts += [printed("render", "--results-dir", results, folder), *(printed(*look, folder) for look in looks)]
    return "\n".join([*texts, *(path.read_text() for path in results.rglob("*") if path.is_file())])


VALUES = [
    MARKERS[0],
    f"x,{MARKERS[1]}=1",
    f"x,new.{MARKERS[2]}.deeper=1,db.{MARKERS[0]}[1]={{{MARKERS[1]},y}}",
    f"{{{MARKERS[0]},{MARKERS[1]}}}",
    f'"{MARKERS[2]}"',
]
WRITTEN = [(FLUX, FINE, value, value == VALUES[1]) for value in VALUES]
WRITTEN += [(FLUX, ODD, VALUES[2], False), (GIANTSWARM, FINE, ODD, False), (GIANTSWARM, FINE, ODD, True)]


@pytest.mark.parametrize(("function", "one", "two", "encoded"), WRITTEN)
def test_values_are_written_and_never_shown_before_and_after_a_change(tmp_path, function, one, two, encoded):
    folder = package(tmp_path / "p", function, one, two, encoded=encoded)
    assert leaks(everything(folder)) == []
    if (function, one) != (FLUX, ODD):  # which is an error
        assert leaks((folder / function.written).read_text()), "the markers are found where they must be"
    changed = FINE.replace(MARKERS[0], "changed")
    package(folder, function, *((changed, VALUES[0]) if function is FLUX else (ODD, changed)), encoded=encoded)
    assert leaks(everything(folder)) == []
    heads = [path.read_text().split("\ndata:")[0] for path in folder.glob("web-*.yaml")]
    assert heads
    assert not any(map(leaks, heads))


BROKEN = [
    f"db: [{MARKERS[0]}\n",
    f"- {MARKERS[1]}\n",
    f"{MARKERS[2]}\n",
    f"a: *{MARKERS[0]}\n",
    f'a: "{MARKERS[1]}\\/"\n',
    f"{MARKERS[2]}: .nan\n? [{MARKERS[0]}]\n: 1\n",
    f"a: !!float {MARKERS[0]}\n",
    f"1: {MARKERS[0]}\n'1': {MARKERS[1]}\n",
]


@BOTH
@pytest.mark.parametrize("text", BROKEN)
def test_errors_of_a_secrets_text_say_where_and_quote_nothing(tmp_path, function, text):
    folder = package(tmp_path / "p", function, text, "x: 1", encoded=text.startswith("a"))
    found = "".join(printed(*words, folder) for words in (["explain", "--json"], ["explain", "--patch"], ["render"]))
    assert leaks(found) == []
    assert "Secret team/one `" in found
    assert "error: " in found
    assert not (folder / function.written).exists()


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


@pytest.mark.parametrize("value", BROKEN_VALUES)
def test_errors_of_a_target_path_quote_nothing_of_the_value(tmp_path, value):
    folder = package(tmp_path / "p", FLUX, FINE, value)
    found = "".join(printed(*words, folder) for words in (["explain", "--json"], ["render"]))
    assert leaks(found) == []
    assert "`spec.valuesFrom[2].targetPath`" in found
    assert not (folder / FLUX.written).exists()


INLINED = [
    (f"kept: {MARKERS[0]}\n", MARKERS[1], True),
    (FINE, VALUES[1], True),
    (ODD, VALUES[2], False),
    (f"list: [{MARKERS[0]}]\n", MARKERS[1], False),
]


@pytest.mark.parametrize(("one", "two", "is_written"), INLINED)
def test_inline_nothing_of_a_secret_gets_into_the_release(tmp_path, one, two, is_written):
    folder = package(tmp_path / "p", FLUX, one, two, config="{output: inline}")
    given = (folder / "resources.yaml").read_text()
    assert leaks(everything(folder)) == []
    release, rest = (folder / "resources.yaml").read_text().split("---\n", 1)
    assert leaks(release) == []
    assert rest == given.split("---\n", 1)[1]
    assert ("undo.flux-values" in release) == is_written, "it is refused where a Secret overrides a ConfigMap"


@BOTH
def test_show_secrets_shows_them(tmp_path, function):
    folder = package(tmp_path / "p", function, FINE, "x: 1")
    assert MARKERS[0] in printed("explain", "--json", "--show-secrets", folder)
    assert command("explain", "--show-secrets", folder).returncode == 0


def test_only_the_chains_that_are_needed_are_opened(tmp_path):
    folder = package(tmp_path / "p", GIANTSWARM, BROKEN[0], BROKEN[1], config="{outputs: [configMap]}")
    assert "error" not in printed("render", folder)
    assert (folder / "web-chart-values.yaml").exists()
