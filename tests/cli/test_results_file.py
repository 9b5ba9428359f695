"""`--results-dir` writes the file that kpt writes."""

from __future__ import annotations

from tests.cli.packages import command, kptfile, run
from tests.cli.packages import write as write_files

from krm_values._cli.render import results_text
from krm_values._krm.item import Header, Item, Position, Reading
from krm_values._krm.kptfile import Step
from krm_values._krm.plan import Finding


def step(*, image: str = "", program: str = "") -> Step:
    return Step(("pipeline", "mutators", 0), {"": (6, 5)}, image, program, "", "", None, (), ())


def item(index: int) -> Item:
    reading = Reading({}, {}, lambda _: None, lambda _: None)
    header = Header("apps/v1", "Deployment", "default", "web")
    return Item(0, header, lambda: reading, Position("", "app.yaml", index, 0))


def test_steps_with_and_without_findings():
    """The expected text has the form of a file that kpt 1.0.0-beta.56 wrote."""
    findings = (
        Finding("error", "bad", "R1", "must be {found}", item(0), ("spec", "replicas"), found=3),
        Finding("info", "note", None, "all is said", None),
        Finding("warning", "odd", None, "is odd", item(1), tags={"param": "x"}),
    )
    assert results_text([(step(program="krm-tekton-params"), ()), (step(image="a/tekton-params:v1"), findings)]) == (
        "apiVersion: kpt.dev/v1\n"
        "kind: FunctionResultList\n"
        "metadata:\n"
        "  name: fnresults\n"
        "exitCode: 1\n"
        "items:\n"
        "  - exec: krm-tekton-params\n"
        "    exitCode: 0\n"
        "  - image: a/tekton-params:v1\n"
        "    exitCode: 1\n"
        "    results:\n"
        "      - message: 'app.yaml: must be number 3'\n"
        "        severity: error\n"
        "        resourceRef:\n"
        "          apiVersion: apps/v1\n"
        "          kind: Deployment\n"
        "          name: web\n"
        "          namespace: default\n"
        "        field:\n"
        "          path: spec.replicas\n"
        "          currentValue: 3\n"
        "        file:\n"
        "          path: app.yaml\n"
        "        tags:\n"
        "          kind: bad\n"
        "          rule: R1\n"
        "      - message: all is said\n"
        "        severity: info\n"
        "        tags:\n"
        "          kind: note\n"
        "      - message: 'app.yaml: is odd'\n"
        "        severity: warning\n"
        "        resourceRef:\n"
        "          apiVersion: apps/v1\n"
        "          kind: Deployment\n"
        "          name: web\n"
        "          namespace: default\n"
        "        file:\n"
        "          path: app.yaml\n"
        "          index: 1\n"
        "        tags:\n"
        "          kind: odd\n"
        "          param: x\n"
    )


def test_a_warning_alone_is_no_failure():
    text = results_text([(step(program="krm-tekton-params"), (Finding("warning", "odd", None, "is odd", None),))])
    assert [line.strip() for line in text.splitlines() if "exitCode" in line] == ["exitCode: 0", "exitCode: 0"]


def test_no_step_was_run():
    assert results_text([]) == "apiVersion: kpt.dev/v1\nkind: FunctionResultList\nmetadata:\n  name: fnresults\nexitCode: 0\n"


def test_a_link_called_like_the_results_file_is_not_followed(tmp_path):
    """Who made the package may have put it there."""
    write_files(tmp_path, {"pkg/Kptfile": kptfile("exec: krm-tekton-params"), "pkg/run.yaml": run(), "bashrc": "alias\n"})
    (tmp_path / "pkg/results").mkdir()
    (tmp_path / "pkg/results/results.yaml").symlink_to(tmp_path / "bashrc")
    (tmp_path / "pkg/.krmignore").write_text("results\n")
    assert command("render", "--results-dir", "pkg/results", "pkg", cwd=tmp_path).returncode == 0
    assert (tmp_path / "bashrc").read_text() == "alias\n"
    assert (tmp_path / "pkg/results/results.yaml").read_text().startswith("apiVersion: kpt.dev/v1\nkind: FunctionResultList\n")
