"""`krm-values render` beside `kpt fn render`: the same files, the same success, for every shape of package."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hosts.machine import Machine
from tests.hosts.package import PACKAGES, Package, read

Change = Callable[[Path], None]
_STEP = "  - exec: krm-tekton-params\n    configPath: params.yaml\n"


def _replace(old: str, new: str, *, file: str = "Kptfile") -> Change:
    def change(package: Path) -> None:
        text = (package / file).read_text("utf-8")
        assert old in text
        (package / file).write_text(text.replace(old, new), "utf-8")

    return change


def _append(text: str, *, file: str = "Kptfile") -> Change:
    def change(package: Path) -> None:
        with (package / file).open("a", encoding="utf-8") as out:
            out.write(text)

    return change


def _all(*changes: Change) -> Change:
    def change(package: Path) -> None:
        for each in changes:
            each(package)

    return change


def _subpackage(*, pipeline: bool, name: str = "sub") -> Change:
    """A second package inside, with files of the same names."""

    def change(package: Path) -> None:
        inner = Package.copy(PACKAGES / "release", package / name)
        if not pipeline:
            text = inner.text("Kptfile")
            (inner.path / "Kptfile").write_text(text[: text.index("pipeline:")], "utf-8")

    return change


_PASSING: dict[str, Change] = {
    "as it is": _append(""),
    "command with arguments": _replace("exec: krm-tekton-params", "exec: krm-values run tekton-params"),
    "selected by kind": _append("    selectors:\n    - kind: PipelineRun\n"),
    "selected by name, not there": _append("    selectors:\n    - name: elsewhere\n"),
    "selected twice": _append("    selectors:\n    - kind: PipelineRun\n    - name: release\n"),
    "excluded": _append("    exclude:\n    - kind: PipelineRun\n"),
    "no config": _replace("    configPath: params.yaml\n", ""),
    "config map": _replace("configPath: params.yaml", "configMap:\n      mode: propagate\n      strict: false"),
    "config map, as text": _replace("configPath: params.yaml", 'configMap:\n      strict: "true"'),
    "twice": _append(_STEP),
    "validator": _replace("  mutators:\n", "  validators:\n"),
    "mutator and validator": _append(f"  validators:\n{_STEP}"),
    "no pipeline": _replace(f"pipeline:\n  mutators:\n{_STEP}", ""),
    "sub-package with a pipeline": _subpackage(pipeline=True),
    "sub-package that only its parent resolves": _subpackage(pipeline=False),
    "sub-package alone": _all(_subpackage(pipeline=True), _replace(f"pipeline:\n  mutators:\n{_STEP}", "")),
    "sub-package in an ignored folder": _all(_subpackage(pipeline=True), _append("sub\n", file=".krmignore")),
    "ignored file that is no resource": _all(
        _append("a: 1\n", file="values.yaml"), _append("values.yaml\n", file=".krmignore")
    ),
    "file of another kind": _append("no YAML: [", file="notes.txt"),
    "empty file": _append("", file="empty.yaml"),
}
_FAILING: dict[str, Change] = {
    "file that is no resource": _append("a: 1\n", file="values.yaml"),
    "YAML that cannot be read": _append("a: [\n", file="values.yaml"),
    "unknown field of the config": _replace("mode: implicit", "mdoe: implicit", file="params.yaml"),
    "value the config does not know": _replace("configPath: params.yaml", "configMap:\n      strict: yes"),
    "config that is not there": _replace("configPath: params.yaml", "configPath: nowhere.yaml"),
    "config path and config map": _append("    configMap:\n      mode: implicit\n"),
    "unknown field of the Kptfile": _append("    tags: v1\n"),
    "sub-package that fails": _all(
        _subpackage(pipeline=True), _replace("$(params.dry-run)", "$(params.dry)", file="sub/release.yaml")
    ),
    "error in the last step": _all(
        _append(f"  validators:\n{_STEP}"), _replace("$(params.dry-run)", "$(params.dry)", file="release.yaml")
    ),
}


@pytest.fixture
def both(machine: Machine, tmp_path: Path) -> Callable[[Change, int], tuple[Package, Package]]:
    """The package after each of the two; both must exit as expected."""
    machine.needs("kpt")

    def run(change: Change, code: int) -> tuple[Package, Package]:
        packages = [Package.copy(PACKAGES / "release", tmp_path / side / "package") for side in ("ours", "theirs")]
        commands = [("krm-values", "render"), ("kpt", "fn", "render", "--allow-exec")]
        for package, command in zip(packages, commands, strict=True):
            change(package.path)
            machine.run(*command, package.path, code=code)
        return packages[0], packages[1]

    return run


@pytest.mark.parametrize("name", _PASSING)
def test_what_kpt_renders_we_render_alike(name: str, both: Callable[[Change, int], tuple[Package, Package]]) -> None:
    ours, theirs = both(_PASSING[name], 0)
    assert ours.snapshot() == theirs.snapshot()


@pytest.mark.parametrize("name", _FAILING)
def test_what_kpt_refuses_we_refuse_and_leave_alone(
    name: str, both: Callable[[Change, int], tuple[Package, Package]], tmp_path: Path
) -> None:
    ours, theirs = both(_FAILING[name], 1)
    authored = Package.copy(PACKAGES / "release", tmp_path / "authored")
    _FAILING[name](authored.path)
    assert ours.snapshot() == theirs.snapshot() == authored.snapshot()


def test_a_package_that_kpt_would_reformat_has_equal_data_and_comments(machine: Machine, tmp_path: Path) -> None:
    """kpt rewrites indentation, blank lines and folded texts, whatever a function does; ours changes the edited lines only."""
    machine.needs("kpt")
    ours, theirs = (Package.copy(PACKAGES / "untidy", tmp_path / side / "package") for side in ("ours", "theirs"))
    authored = ours.text("run.yaml")
    machine.run("krm-values", "render", ours.path)
    machine.run("kpt", "fn", "render", "--allow-exec", theirs.path)
    assert read(ours.text("run.yaml")) == read(theirs.text("run.yaml")) != read(authored)
    assert _comments(ours.text("run.yaml")) == _comments(theirs.text("run.yaml")) == _comments(authored)
    assert _lost(authored, ours.text("run.yaml")) == []
    assert _lost(authored, theirs.text("run.yaml")) != []


def test_a_head_comment_that_kpt_does_not_send_is_kept_by_render(machine: Machine, tmp_path: Path) -> None:
    """kpt puts it back only on items that keep their ids, so an item whose lists or maps grew loses it."""
    machine.needs("kpt")
    ours, theirs = (Package.copy(PACKAGES / "release", tmp_path / side / "package") for side in ("ours", "theirs"))
    header = "# Copyright of somebody\n\n"
    for package in (ours, theirs):
        (package.path / "release.yaml").write_text(header + package.text("release.yaml"), "utf-8")
    assert "Copyright" not in machine.run("kpt", "fn", "source", ours.path).stdout
    machine.run("krm-values", "render", ours.path)
    machine.run("kpt", "fn", "render", "--allow-exec", theirs.path)
    assert ours.text("release.yaml") == header + theirs.text("release.yaml")


def _comments(text: str) -> list[str]:
    return sorted(line[line.index("# ") :].rstrip() for line in text.splitlines() if "# " in line)


def _lost(before: str, after: str) -> list[str]:
    """The lines of a text that its successor no longer has."""
    return [line[2:] for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line.startswith("- ")]
