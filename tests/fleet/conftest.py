"""A fleet of 60 packages, and what rendering them one after the other comes to."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.packages import command
from tests.fleet import made

COUNT, FEW = 60, 20


class Serial(NamedTuple):
    """The fleet as it was, and as `render --recursive` leaves it."""

    source: Path
    tree: str


@pytest.fixture(scope="session")
def serial(tmp_path_factory) -> Serial:
    return _made(tmp_path_factory.mktemp("fleet"), COUNT)


@pytest.fixture(scope="session")
def few(tmp_path_factory) -> Serial:
    """The same of fewer packages, for what is done many times."""
    return _made(tmp_path_factory.mktemp("few"), FEW)


def _made(folder: Path, count: int) -> Serial:
    source = made.make(folder / "source", count)
    rendered = shutil.copytree(source, folder / "rendered")
    assert command("render", "--recursive", rendered).returncode == 1
    return Serial(source, made.digest(rendered))


@pytest.fixture
def fleet(serial, tmp_path) -> Path:
    """A copy of the fleet."""
    return Path(shutil.copytree(serial.source, tmp_path / "fleet"))
