"""Answers that a tester found wrong where a later step reads what an earlier one wrote, each with its shortest package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.packages import command, kptfile, write
from tests.cli.test_seams import LAYERED, values

WIDGET = "apiVersion: x.dev/v1\nkind: Widget\nmetadata: {{name: w}}\nspec:\n  {spec}\n"
LAYER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata:\n  values.yaml: |\n{values}"


def layer(name: str, values: str) -> str:
    """A ConfigMap with a text of values, which begins on line 6."""
    return LAYER.format(name=name, values="".join(f"    {line}\n" for line in values.splitlines()))


def steps(folder: Path, *specs: str, **files: str) -> Path:
    """A package of steps of layered-values, step `l1` first."""
    configs = {f"l{number}.yaml": LAYERED.format(name=f"l{number}", spec=spec) for number, spec in enumerate(specs, 1)}
    pipeline = kptfile(*(f"exec: krm-layered-values, configPath: {name}" for name in configs))
    return write(folder, {"Kptfile": pipeline, **configs, **{f"{name}.yaml": text for name, text in files.items()}})


def losers(value: dict[str, Any]) -> list[tuple[Any, ...]]:
    """What a value overrides: the file, the line, the value, and above which place it stood."""
    return [(one["file"], one["line"], one["value"], one.get("at")) for one in value["overridden"]]


def test_a_line_that_a_step_wrote_over_wins_in_no_later_step(tmp_path):
    made = steps(
        tmp_path,
        "{layers: [{name: own, values: {v: 2}}], targets: [{kind: Widget, fields: {spec.a: v}}]}",
        "{layers: [{from: {kind: Widget}, path: spec}], targets: [{configMap: out}]}",
        w=WIDGET.format(spec="a: 1"),
    )
    for line in (5, 4):  # the value, and the map that it is in
        told = command("why", f"w.yaml:{line}", made).stdout
        assert told.count(": loses to l1.yaml:4\n") == 2
        assert "wins" not in told
    assert "ConfigMap out  (Widget w)\n  a = 2: wins\n" in command("why", "l1.yaml:4", made).stdout
    assert command("render", made).returncode == 0
    assert "ConfigMap out  (Widget w)\n  a = 2: loses to l1.yaml:4\n" in command("why", "w.yaml:5", made).stdout


def test_a_line_that_only_a_step_wrote_has_what_later_steps_read_there(tmp_path):
    made = steps(
        tmp_path,
        "{layers: [{name: own, values: {v: 2}}], targets: [{kind: Widget, fields: {spec.a: v}, missing: create}]}",
        "{layers: [{from: {kind: Widget}, path: spec}], targets: [{configMap: out}]}",
        w=WIDGET.format(spec="b: 1"),
    )
    assert "a = 2" not in command("why", "w.yaml:5", made).stdout
    assert command("render", made).returncode == 0
    line = 1 + (tmp_path / "w.yaml").read_text().splitlines().index("  a: 2")
    assert "ConfigMap out  (Widget w)\n  a = 2: wins\n" in command("why", f"w.yaml:{line}", made).stdout
