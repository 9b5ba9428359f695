"""Each line that `explain` names as the winner of a value, or as a part of one, is told by `why` of that line."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest

from krm_values._data.limits import DEFAULT
from krm_values._explain import steps, why
from krm_values._explain.ledger import Ledger
from krm_values._krm.item import Item
from krm_values._run import planned

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKAGES = sorted(path.parent for path in EXAMPLES.rglob("Kptfile") if ".expected" not in path.parts)
OPTIONS = Namespace(
    allow_exec=False,
    allow_images=False,
    blame=False,
    follow_links=False,
    limits=DEFAULT,
    network=False,
    pull=False,
    show_secrets=False,
    skip_foreign=True,
    verbose=False,
    ytt=None,
)


def _nobody(_: object) -> None:
    """No commits of lines."""


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_why_tells_what_explain_names(package, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "1000")
    done = planned.rendered(package, OPTIONS)
    ledger = Ledger(steps.of_package(done))
    named: dict[tuple[str, int], set[tuple[str, str]]] = {}
    for one in ledger.listed(ledger.resources(), complete=True, authored=False):
        for value in one.values():
            for cell in (part for winner in value.cells[:1] for part in winner.all() if not part.parts):
                line = ledger.line(cell)[0]
                if line and isinstance(cell.item, Item):
                    named.setdefault((cell.item.position.source, line), set()).add(
                        (one.title, str((value.inner or value.path)[-1]))
                    )
    for (file, line), values in named.items():
        why.lines_of(ledger, done, (package, file, line), OPTIONS).show(_nobody)
        told = capsys.readouterr().out
        for title, key in values:
            assert title in told, (file, line, told)
            assert key in told, (file, line, told)


def test_a_param_of_a_run(capsys):
    package = EXAMPLES / "tekton-params/build-and-deploy"
    done = planned.rendered(package, OPTIONS)
    why.lines_of(Ledger(steps.of_package(done)), done, (package, "pipelinerun.yaml", 10), OPTIONS).show(_nobody)
    assert "  spec.pipelineSpec.tasks[0].params[0].value = $(params.repo-url): wins\n" in capsys.readouterr().out


def test_there_are_examples():
    assert len(PACKAGES) > 22


@pytest.mark.parametrize(
    ("line", "path", "kind"),
    [
        (14, "spec.url", "HelmRepository"),
        (15, "spec.chart.spec.chart", "HelmRelease"),
        (16, "spec.chart.spec.version", "HelmRelease"),
    ],
)
def test_a_chart_is_that_of_the_manifest(line, path, kind, capsys):
    package = EXAMPLES / "glasskube-values/chart-value"
    done = planned.rendered(package, OPTIONS)
    why.lines_of(Ledger(steps.of_package(done)), done, (package, "manifest.yaml", line), OPTIONS).show(_nobody)
    told = capsys.readouterr().out
    assert f"{kind} team/foo-foo" in told
    assert f"  {path} = " in told
