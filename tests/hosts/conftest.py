"""Every test in this folder runs real hosts: those on PATH, and Docker where an engine holds our image."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.hosts.machine import Machine

FOLDER = f"{Path(__file__).parent}{os.sep}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(FOLDER):
            item.add_marker("hosts")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    home = tmp_path / "home"
    home.mkdir()
    found = Machine(home)
    found.needs("krm-values", "krm-tekton-params")
    return found
