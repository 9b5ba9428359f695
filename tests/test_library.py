"""docs/library.md: a Python program renders a package as the command does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import krm_values
from tests.cli.packages import command

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
PACKAGES = sorted(path.parent for path in EXAMPLES.glob("*/*/Kptfile"))


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copied(package: Path, folder: Path) -> Path:
    return Path(shutil.copytree(package, folder, ignore=shutil.ignore_patterns(".expected")))


def test_the_program_of_the_page(tmp_path, monkeypatch, capsys):
    """It is run as it stands, beside a copy of the examples, and writes what the command writes."""
    (program,) = re.findall(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text("utf-8"), re.DOTALL)
    name = "examples/layered-values/first"
    for side in ("program", "command"):
        copied(ROOT / name, tmp_path / side / name)
    monkeypatch.chdir(tmp_path / "program")
    exec(compile(program, "docs/library.md", "exec"), {})
    assert command("render", str(tmp_path / "command" / name)).returncode == 0
    assert files(tmp_path / "program") == files(tmp_path / "command") != files(ROOT / name)
    assert "deployment.yaml" in capsys.readouterr().out


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: f"{path.parent.name}.{path.name}")
def test_files_and_messages_are_those_of_the_command(package, tmp_path):
    mine, theirs = (copied(package, tmp_path / side) for side in ("mine", "theirs"))
    before = files(mine)
    rendered = krm_values.render(mine)
    assert files(mine) == before
    done = command("render", "-v", theirs)
    assert done.returncode == 0
    after = files(theirs)
    assert {path: content for path, content in rendered.files.items() if content != after[path]} == {}
    assert {path for path in after if before.get(path) != after[path]} == rendered.changes.keys()
    said = [line for line in done.said.splitlines() if line.startswith(("error: ", "warning: ", "info: "))]
    assert sorted(rendered.messages) == sorted(said)
    rendered.write()
    assert files(mine) == after


def test_a_failed_package_is_not_written(tmp_path):
    package = copied(EXAMPLES / "layered-values/first", tmp_path / "package")
    layers = package / "layers.yaml"
    layers.write_text(layers.read_text().replace("kind: LayeredValues", "kind: LayeredValues\nsurplus: 1", 1))
    before = files(package)
    rendered = krm_values.render(package)
    assert rendered.failed
    assert any("surplus" in line for line in rendered.messages)
    with pytest.raises(ValueError, match="nothing to write"):
        rendered.write()
    assert files(package) == before


def test_a_file_that_changed_meanwhile_is_kept(tmp_path):
    package = copied(EXAMPLES / "layered-values/first", tmp_path / "package")
    rendered = krm_values.render(package)
    changed = package / next(iter(rendered.changes))
    changed.write_bytes(changed.read_bytes() + b"# by hand\n")
    before = files(package)
    with pytest.raises(krm_values.UserError, match="changed"):
        rendered.write()
    assert files(package) == before


def test_what_is_no_package_says_what_to_do(tmp_path):
    with pytest.raises(krm_values.UserError, match="holds no Kptfile"):
        krm_values.render(tmp_path)
