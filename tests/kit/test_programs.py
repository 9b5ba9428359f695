"""A program is found by name in absolute entries of PATH only."""

from __future__ import annotations

import os

import pytest

from krm_values._run import tools


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A directory to be in that holds a program, as a package that somebody proposes may; another one has it too, on PATH."""
    for folder in ("package", "package/bin", "usual"):
        (tmp_path / folder).mkdir()
        program = tmp_path / folder / "tool"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.chdir(tmp_path / "package")
    return tmp_path


@pytest.mark.parametrize("entry", ["", ".", "bin", "./bin", "../package", "~/bin"])
@pytest.mark.parametrize("form", ["{entry}:{usual}", "{usual}:{entry}", "{entry}"])
def test_entries_that_are_not_absolute_are_passed_over(here, monkeypatch, entry, form):
    usual = here / "usual"
    monkeypatch.setenv("PATH", form.format(entry=entry, usual=usual))
    wanted = (str(usual / "tool"), str(usual)) if "{usual}" in form else (None, "")
    assert (tools.find_program("tool"), tools.search_path()) == wanted


def test_a_path_is_the_callers_own(here, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert tools.find_program("./tool") == tools.find_program(str(here / "package/tool")) == str(here / "package/tool")
    assert tools.find_program("./gone") is None


def test_without_path_the_systems_own_is_searched(monkeypatch):
    monkeypatch.delenv("PATH")
    assert tools.search_path() == os.defpath
    assert tools.find_program("sh") in ("/bin/sh", "/usr/bin/sh")
