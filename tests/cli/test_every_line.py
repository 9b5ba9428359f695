"""`why` and `impact` answer, or say why not, on every line of every file of the examples: never a fault of ours."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from tests.cli.packages import command

from krm_values._cli.explain.compare import without
from krm_values._cli.explain.composed import at_line
from krm_values._data.errors import UserError
from krm_values._kit.kio import documents

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(path for path in EXAMPLES.rglob("*") if path.suffix in (".yaml", ".yml", ".json") and path.is_file())
CRASHED = [
    ("layered-values/eight-lines", "base.yaml", (11,)),
    ("layered-values/base-and-environments", "values.yaml", (11, 13, 14, 25)),
    ("layered-values/one-config-many-fields", "setters.yaml", (14, 15)),
    ("pipelines/layers-to-flux", "layers.yaml", (11, 23)),
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(EXAMPLES).as_posix())
def test_every_line_of_the_examples_has_a_place(path):
    content = path.read_bytes()
    for line in range(1, len(content.splitlines()) + 1):
        try:
            source, layers = without.find(content, path.name, line, "")
        except UserError:
            continue
        item = at_line.document(source.items, line)
        assert item is not None
        assert at_line.place(item, line)
        with contextlib.suppress(UserError):
            documents.read(without.removed(source, layers), path.name)


@pytest.mark.parametrize(("package", "file", "lines"), CRASHED)
def test_a_line_of_a_list_in_a_text(package, file, lines):
    for line in lines:
        for name in ("why", "impact"):
            done = command(name, f"{file}:{line}", cwd=EXAMPLES / package)
            assert done.returncode in (0, 1)
            assert "please report" not in done.stderr


@pytest.mark.parametrize("name", ["why", "impact"])
@pytest.mark.parametrize(("line", "code"), [("0", 2), ("12", 1), ("99999999999", 1), ("9" * 5000, 2)])
def test_a_line_that_the_file_does_not_have(name, line, code):
    done = command(name, f"prod.yaml:{line}", cwd=EXAMPLES / "layered-values/eight-lines")
    assert (done.returncode, done.stdout) == (code, "")
    assert "has no line" in done.stderr or "with a line from 1 on" in done.stderr


def test_a_negative_line_is_not_a_path():
    assert command("impact", "prod.yaml:-1", cwd=EXAMPLES / "layered-values/eight-lines").returncode == 2


def test_a_kptfile_is_not_a_layer():
    for place in ("Kptfile", "Kptfile:3"):
        done = command("impact", place, cwd=EXAMPLES / "layered-values/eight-lines")
        assert (done.returncode, done.stdout) == (1, "")
        assert "Kptfile: is a Kptfile, which holds no values" in done.stderr
