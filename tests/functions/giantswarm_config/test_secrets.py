"""Nothing that comes out of a Secret is shown anywhere, as text or as base64 at any alignment."""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64encode
from pathlib import Path

import pytest

from krm_values._data import quoting

SOURCE = Path(__file__).parents[3] / "functions"
START = "import sys; sys.argv[0] = sys.argv.pop(1); from krm_values._cli.main import main; sys.exit(main())"
MARKERS = ["Kx4mPz9wQf2vTn7b", "Wd8rYc3hLs6gBj5e", "Gu1tXa0oNi7kVq9p"]
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
---
apiVersion: v1
kind: ConfigMap
metadata: {name: base, namespace: team}
data:
  values: "mode: simple\\ndb: {}\\n"
"""
KPTFILE = """\
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: krm-giantswarm-config
    configPath: config.yaml
"""
CONFIG = """\
apiVersion: krm-values.dev/v1alpha1
kind: GiantswarmConfig
metadata: {name: c, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {outputs: [configMap, secret, combined]}
"""
FINE = f"db: {{password: {MARKERS[0]}, list: [{MARKERS[1]}]}}\nmode: {{a: {MARKERS[2]}}}\n"
ODD = f"db: {{password: {MARKERS[0]}9, password: {MARKERS[0]}, on: {MARKERS[1]}}}\nmode: {MARKERS[2]}\n---\n{MARKERS[1]}: 1\n"
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


def forms(marker: str) -> list[str]:
    """The text, and what of its base64 does not depend on its neighbours, at each of the three alignments."""
    found = [marker]
    for offset in range(3):
        encoded = b64encode(b"\0" * offset + marker.encode()).decode()
        found.append(encoded[(0, 2, 3)[offset] : len(encoded) - 4])
    return found


def package(folder: Path, one: str, two: str, *, encoded: bool = False) -> Path:
    def secret(name: str, text: str) -> str:
        held = (
            f"data: {{values: {b64encode(text.encode()).decode()}}}"
            if encoded
            else f"stringData: {{values: {quoting.quoted(text)}}}"
        )
        return f"---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: team}}\n{held}\n"

    folder.mkdir(exist_ok=True)
    (folder / "Kptfile").write_text(KPTFILE)
    (folder / "config.yaml").write_text(CONFIG)
    (folder / "app.yaml").write_text(APP + secret("one", one) + secret("two", two))
    return folder


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", START, "krm-values", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 2)
    return done


def shown(*arguments: object) -> str:
    """Everything a command prints."""
    done = call(*arguments)
    return done.stdout + done.stderr


def leaks(text: str) -> list[str]:
    return [form for marker in MARKERS for form in forms(marker) if form in text]


def everything(folder: Path) -> str:
    results = folder.parent / "results"
    texts = [shown("explain", *more, folder) for more in ([], ["--json"], ["--patch"])]
    texts += [shown("render", "--diff", folder), shown("render", "--results-dir", results, folder)]
    texts += [shown("explain", *more, folder) for more in ([], ["--json"], ["--patch"])]
    return "\n".join([*texts, *(path.read_text() for path in results.rglob("*") if path.is_file())])


@pytest.mark.parametrize("encoded", [False, True])
def test_values_that_merge_are_written_and_never_shown(tmp_path, encoded):
    folder = package(tmp_path / "p", FINE, ODD, encoded=encoded)
    assert leaks(everything(folder)) == []
    written = (folder / "web-chart-secrets.yaml").read_text()
    assert leaks(written), "the markers are found where they must be"
    package(folder, ODD, FINE.replace(MARKERS[0], "changed"), encoded=encoded)
    assert leaks(everything(folder)) == []
    for path in folder.glob("web-*.yaml"):
        head = path.read_text().split("\ndata:")[0]
        assert leaks(head) == []


@pytest.mark.parametrize("text", BROKEN)
def test_errors_of_a_secrets_text_say_where_and_quote_nothing(tmp_path, text):
    folder = package(tmp_path / "p", text, FINE, encoded=text.startswith("a"))
    found = "".join(shown(*command, folder) for command in (["explain", "--json"], ["explain", "--patch"], ["render"]))
    assert leaks(found) == []
    assert "Secret team/one `" in found
    assert "error: " in found
    assert not (folder / "web-chart-secrets.yaml").exists()


def test_show_secrets_shows_them(tmp_path):
    folder = package(tmp_path / "p", FINE, FINE)
    assert MARKERS[0] in shown("explain", "--json", "--show-secrets", folder)


def test_only_the_chains_that_are_needed_are_opened(tmp_path):
    folder = package(tmp_path / "p", BROKEN[0], BROKEN[1])
    (folder / "config.yaml").write_text(CONFIG.replace("[configMap, secret, combined]", "[configMap]"))
    assert "error" not in shown("render", folder)
    assert (folder / "web-chart-values.yaml").exists()
