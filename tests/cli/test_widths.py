"""What `explain` prints for people: fits 80 and 120 columns, breaks no word, and a pipe gets what a terminal of 80 columns gets."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from tests.cli.packages import command, kptfile, write

from krm_values._explain import steps, text
from krm_values._explain.ledger import Ledger
from krm_values._run import pipeline

EXAMPLES = Path(__file__).parents[2] / "examples"
STORIES = sorted(path.parent.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.glob("*/*/Kptfile"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(directory: Path, monkeypatch: pytest.MonkeyPatch, columns: int) -> str:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    explanation = steps.of_package(pipeline.rendered(directory, skip_foreign=False, follow_links=False))
    out = Terminal() if columns else io.StringIO()
    ledger = Ledger(explanation)
    text.show(ledger, ledger.listed(ledger.resources(), complete=False, authored=False), out, show_secrets=False, whole=True)
    return out.getvalue()


@pytest.mark.parametrize("story", STORIES)
def test_every_line_fits_and_a_pipe_gets_what_80_columns_get(story, monkeypatch):
    texts = {columns: printed(EXAMPLES / story, monkeypatch, columns) for columns in (0, 40, 80, 120, 200)}
    assert texts[0] == texts[80]
    assert texts[200] == texts[120]
    for columns in (40, 80, 120):
        assert max(map(len, texts[columns].splitlines())) <= columns


@pytest.mark.parametrize("story", STORIES)
def test_no_word_is_broken(story, monkeypatch):
    words = {
        word for columns in (80, 120) for word in printed(EXAMPLES / story, monkeypatch, columns).split() if "…" not in word
    }
    whole = printed(EXAMPLES / story, monkeypatch, 120)
    monkeypatch.setattr(text, "WIDEST", 100_000)
    everything = set(printed(EXAMPLES / story, monkeypatch, 100_000).split())
    assert whole
    assert words <= everything


def test_a_block_at_80_and_at_120_columns(tmp_path, monkeypatch):
    base = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: team}\ndata:\n  values.yaml: |\n    a:\n      b: one two three\n"
    release = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: team}
spec:
  valuesFrom:
  - {kind: ConfigMap, name: base}
  values:
    a:
      b: a value of some words that is longer than a line of a terminal can be, and then some more
"""
    name = "layers/of-the-whole-company/and-of-one-of-its-many-parts/defaults.yaml"
    write(tmp_path, {"Kptfile": kptfile("exec: krm-flux-values"), name: base, "release.yaml": release})
    assert printed(tmp_path, monkeypatch, 80).partition("\n\n")[0] == (
        "ConfigMap team/web-flux-values  (HelmRelease team/web)\n"
        "a.b = 'a value of some words that is longer than a line of a terminal can be, a…\n"
        "  + values  release.yaml:9\n"
        "      'a value of some words that is longer than a line of a terminal can be, a…\n"
        "  - valuesFrom[0]\n"
        "      layers/of-the-whole-company/and-of-one-of-its-many-parts/defaults.yaml:7\n"
        "      one two three\n"
        "    rule: values overrides valuesFrom[0]: spec.values is merged last"
    )
    assert printed(tmp_path, monkeypatch, 120).partition("\n\n")[0] == (
        "ConfigMap team/web-flux-values  (HelmRelease team/web)\n"
        "a.b = 'a value of some words that is longer than a line of a terminal can be, and then some more'\n"
        "  + values         release.yaml:9                                                            'a value of some words tha…\n"
        "  - valuesFrom[0]  layers/of-the-whole-company/and-of-one-of-its-many-parts/defaults.yaml:7  one two three\n"
        "    rule: values overrides valuesFrom[0]: spec.values is merged last"
    )


def test_names_that_are_longer_than_a_line_are_cut(tmp_path):
    long = "x" * 200
    data = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: base, namespace: team}}\ndata:\n  values.yaml: |\n    {long}: {long}\n"
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: team}\nspec:\n  valuesFrom:\n  - {kind: ConfigMap, name: base}\n"
    write(tmp_path, {"Kptfile": kptfile("exec: krm-flux-values"), f"{'d' * 150}/a.yaml": data, "r.yaml": release})
    done = command("explain", tmp_path)
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "d/a.yaml:6" in done.stdout
