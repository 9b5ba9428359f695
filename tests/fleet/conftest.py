"""A fleet of 60 packages, and what rendering them one after the other comes to."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.packages import command
from tests.fleet import made

COUNT = 60


class Serial(NamedTuple):
    """The fleet as it was, and as `render --recursive` leaves it."""

    source: Path
    tree: str


@pytest.fixture(scope="session")
def serial(tmp_path_factory) -> Serial:
    folder = tmp_path_factory.mktemp("fleet")
    source = made.make(folder / "source", COUNT)
    rendered = shutil.copytree(source, folder / "rendered")
    assert command("render", "--recursive", rendered).returncode == 1
    return Serial(source, made.digest(rendered))


@pytest.fixture
def fleet(serial, tmp_path) -> Path:
    """A copy of the fleet."""
    return Path(shutil.copytree(serial.source, tmp_path / "fleet"))
