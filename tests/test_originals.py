"""The examples of the original texts, run as packages: the result is the one that the text gives.

Each folder `examples/originals/SYSTEM/NAME` is a package whose `.expected` holds the text's own result, in any of these files; one that ends with
an error has no Kptfile, so that no package around it fails:
- `resources.yaml`: resources as the text prints them, equal except for their metadata
- `fields.yaml`: single fields, by `resource` (KIND/NAME) and `path`: the `value`, the document of a string as `yaml`, or an `absent` resource
- `layers.yaml`: the layers that set a `key`, in the order in which they are merged, with their priorities
- `findings.yaml`: errors and warnings, by `severity` and the `words` of one line; with an error nothing is written
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from krm_values._data import data_edits
from krm_values._krm import documents, packages
from krm_values._run import registry
from krm_values._yaml import decode
from tests.answers import cells, decided
from tests.commands import called
from tests.test_documents import fresh_clone
from tests.test_examples import ENVIRONMENT, changes

ROOT = Path(__file__).parents[1] / "examples/originals"
SYSTEMS = sorted(path.name for path in ROOT.iterdir() if path.is_dir())
FOLDERS = sorted(path.parent for path in ROOT.glob("*/*/.expected"))
SHAPES = {"resources.yaml", "fields.yaml", "layers.yaml", "findings.yaml"}

each = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.relative_to(ROOT).as_posix())


@pytest.fixture
def package(folder, tmp_path):
    """Copy the folder, without the expected result, into a git repository of its own."""
    target = tmp_path / "package"
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(".expected"))
    for command in (["init"], ["add", "--all"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "--message=x"]):
        subprocess.run(["git", *command], cwd=target, env=ENVIRONMENT, capture_output=True, check=True)
    return target


def render(package, *options):
    """Render a package, or a directory without a Kptfile with the function whose functionConfig it has."""
    if not (package / "Kptfile").exists():
        (name,) = (name for name in registry.functions() if (package / f"{name}.yaml").exists())
        options = (*options, "--function", name, "--config", package / f"{name}.yaml")
    return called("krm-values", "render", *options, package)


def expected(folder, name):
    """Return the entries of one file, none if it is missing."""
    file = folder / ".expected" / name
    return (decode.data(file.read_text("utf-8")) or []) if file.exists() else []


def printed(folder):
    file = folder / ".expected/resources.yaml"
    return [item.data for item in documents.read(file.read_bytes(), str(file)).items] if file.exists() else []


def resources(package):
    """Return every resource of a package, by KIND/NAME."""
    files = [path for path in sorted(package.rglob("*.y*ml")) if ".git" not in path.parts]
    found = [item.data for path in files for item in documents.read(path.read_bytes(), str(path)).items]
    return {f"{data['kind']}/{data['metadata']['name']}": data for data in found}


def fails(folder):
    return any(entry["severity"] == "error" for entry in expected(folder, "findings.yaml"))


@each
def test_it_is_a_package_unless_it_fails(folder):
    assert (folder / "Kptfile").exists() != fails(folder)


def test_the_project_is_a_package_that_renders(tmp_path):
    clone = fresh_clone(tmp_path / "clone")
    done = called("krm-values", "render", clone)
    assert (done.code, b"error: " in done.stderr) == (0, False), done.stderr
    read = {clone / package.path / file.path for package in packages.read(clone).walk() for file in package.files}
    for folder in FOLDERS:
        inside = clone / folder.relative_to(ROOT.parents[1])
        assert any(path.is_relative_to(inside) for path in read) != fails(folder)


@each
def test_it_has_a_result_and_says_where_it_is_from(folder):
    assert SHAPES & {path.name for path in (folder / ".expected").iterdir()}
    assert re.match(rf"# {folder.name}\n\nFrom \S.*section\s+\"", (folder / "README.md").read_text("utf-8"), re.DOTALL)


@each
def test_render_gives_what_the_text_gives_and_a_second_run_changes_nothing(folder, package, golden):
    done = render(package)
    assert done.code == (1 if fails(folder) else 0), done.stderr
    stderr = done.stderr.decode()
    for entry in expected(folder, "findings.yaml"):
        assert named(stderr, entry), stderr
    if fails(folder):
        assert changes(package) == ""
        return
    assert "error: " not in stderr
    golden(changes(package), folder / ".expected/diff.patch")
    compare(folder, resources(package))
    assert render(package, "--diff").stdout == b""


def named(stderr, entry):
    lines = [line for line in stderr.splitlines() if line.startswith(f"{entry['severity']}: ")]
    return any(all(word in line for word in entry["words"]) for line in lines)


def compare(folder, found):
    for data in printed(folder):
        ours = found[f"{data['kind']}/{data['metadata']['name']}"]
        assert data_edits.same({**ours, "metadata": 0}, {**data, "metadata": 0}), ours
    for entry in expected(folder, "fields.yaml"):
        if entry.get("absent"):
            assert entry["resource"] not in found
            continue
        value = at(found[entry["resource"]], entry["path"])
        ours, theirs = (decode.data(value), entry["yaml"]) if "yaml" in entry else (value, entry["value"])
        assert data_edits.same(ours, theirs), (entry["resource"], ours)


def at(data, path):
    for key in path:
        data = data[key]
    return data


@pytest.mark.parametrize(
    "folder", [path for path in FOLDERS if (path / ".expected/layers.yaml").exists()], ids=lambda path: path.name
)
def test_layers_are_merged_in_the_order_of_the_text(folder, package):
    done = called("krm-values", "explain", "--json", package)
    assert done.code == 0, done.stderr
    for entry in expected(folder, "layers.yaml"):
        kind, name = entry["resource"].split("/")
        [value] = [
            one
            for one in decided(done.stdout)
            if (one["resource"]["kind"], one["resource"]["name"], one["inner"]) == (kind, name, entry["key"])
        ]
        order = cells(value)[::-1]
        assert [{"name": one["resource"]["name"], "priority": one["facts"]["priority"]} for one in order] == entry["layers"]


@pytest.mark.hosts
@pytest.mark.parametrize(
    "folder", [path for path in FOLDERS if not fails(path)], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_kpt_gives_the_same_resources(folder, package, tmp_path):
    if not shutil.which("kpt"):
        assert ENVIRONMENT.get("KRM_HOSTS") != "required", "kpt must be installed"
        pytest.skip("kpt is not installed")
    other = tmp_path / "other"
    shutil.copytree(package, other)
    subprocess.run(["kpt", "fn", "render", "--allow-exec", package], env=ENVIRONMENT, capture_output=True, check=True)
    render(other)
    theirs, ours = resources(package), resources(other)
    assert theirs.keys() == ours.keys()
    assert all(data_edits.same(theirs[name], ours[name]) for name in ours)


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_example_of_a_text_has_a_folder_or_a_reason(system):
    rows = table((ROOT / system / "README.md").read_text("utf-8"))
    linked = [name for row in rows for name in re.findall(r"\[[^]]+\]\(([^)]+)\)", row[1])]
    assert sorted(linked) == sorted(path.name for path in FOLDERS if path.parent.name == system)
    assert all(linked_or_reason(row[1]) for row in rows), rows


def table(text):
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    assert [len(row) for row in rows] == [2] * len(rows)
    return rows[2:]


def linked_or_reason(cell):
    return cell.startswith("[") or len(cell.removeprefix("not run: ").split()) > 5 < len(cell.split())
