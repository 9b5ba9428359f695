"""A package is read the way kpt reads it (the file lists were taken from kpt 1.0.0-beta.56)."""

from __future__ import annotations

from pathlib import Path

import pytest

from krm_values._data.errors import InputError
from krm_values._krm import packages

KPTFILE = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: demo}\n"
FILES = (
    ".hid/h.yaml",
    "Z.yaml",
    "app/app.yaml",
    "app-b/app.yaml",
    "app.yaml",
    "d/d.yaml",
    "d/s/i.yaml",
    "e/e.yaml",
    "x.yml",
    "ü.yaml",
)
ROOT = ".hid/h.yaml Kptfile Z.yaml app/app.yaml app-b/app.yaml app.yaml d/d.yaml e/e.yaml x.yml ü.yaml"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for name in FILES:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")
    (tmp_path / "Kptfile").write_text(KPTFILE)
    (tmp_path / "d/s/Kptfile").write_text(KPTFILE)
    return tmp_path


def files(directory: Path) -> dict[str, str]:
    return {found.path: " ".join(file.path for file in found.files) for found in packages.read(directory).walk()}


def test_sub_packages_come_first_and_keep_their_files(directory):
    assert list(files(directory).items()) == [("d/s", "Kptfile i.yaml"), ("", ROOT)]


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        ("", ROOT),
        ("d", ROOT.replace(" d/d.yaml", "")),
        ("d/", ROOT.replace(" d/d.yaml", "")),
        ("/app.yaml", ROOT.replace(" app.yaml", "")),
        ("app", ROOT.replace(" app/app.yaml", "")),
        ("app/", ROOT.replace(" app/app.yaml", "")),
        ("app*", ".hid/h.yaml Kptfile Z.yaml d/d.yaml e/e.yaml x.yml ü.yaml"),
        ("*.yaml\n!app.yaml", "Kptfile app/app.yaml app-b/app.yaml app.yaml x.yml"),
        ("app/*", ROOT.replace(" app/app.yaml", "")),
        ("# comment\n\n e ", ROOT.replace(" e/e.yaml", "")),
        ("app-b/**", ROOT.replace(" app-b/app.yaml", "")),
        ("Kptfile", ROOT.replace(" Kptfile", "")),
        ("[a-e]", ROOT.replace(" d/d.yaml e/e.yaml", "")),
        ("*\n!*/\n!e.yaml", "e/e.yaml"),
        ("d/s", ROOT),
        ("d/s/i.yaml", ROOT),
    ],
)
def test_krmignore_hides_files_and_directories_but_no_sub_package(directory, ignore, left):
    (directory / ".krmignore").write_text(ignore)
    assert files(directory) == {"d/s": "Kptfile i.yaml", "": left}


def test_a_sub_package_has_its_own_rules(directory):
    (directory / "d/s/.krmignore").write_text("i.yaml\n")
    assert files(directory) == {"d/s": "Kptfile", "": ROOT}


def test_other_files_are_not_read(directory):
    for name in ("notes.txt", "UPPER.YAML", "Kptfile.bak", "values.toml"):
        (directory / name).write_text("x")
    assert files(directory)[""] == ROOT


def test_links_to_files_are_read_and_links_to_directories_are_not(directory):
    (directory / "link.yaml").symlink_to("app.yaml")
    (directory / "linked").symlink_to("e")
    assert files(directory)[""] == ROOT.replace("x.yml", "link.yaml x.yml")


def test_the_directory_of_git_is_not_read(directory):
    (directory / ".git/d").mkdir(parents=True)
    (directory / ".git/a.yaml").write_text("x")
    (directory / ".git/d/Kptfile").write_text(KPTFILE)
    found = files(directory)
    assert found[""] == ROOT
    assert ".git/d" not in found


def test_nested_packages_are_found_below_their_parent(directory):
    (directory / "d/s/deep/er").mkdir(parents=True)
    (directory / "d/s/deep/er/Kptfile").write_text(KPTFILE)
    assert list(files(directory)) == ["d/s/deep/er", "d/s", ""]


def test_a_broken_kptfile_of_a_sub_package_is_named_by_its_path(directory):
    (directory / "d/s/Kptfile").write_text("kind: X\n")
    with pytest.raises(InputError, match=r"^d/s/Kptfile:1:1: "):
        packages.read(directory)


def test_a_kptfile_that_is_not_utf_8_is_named(directory):
    (directory / "Kptfile").write_bytes(b"a: \xff\n")
    with pytest.raises(InputError, match=r"^Kptfile:1:4: must be UTF-8, found the byte 0xff$"):
        packages.read(directory)
