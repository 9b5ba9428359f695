"""`--update-golden` rewrites the files that tests compare with."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from krm_values._data import suggest
from krm_values._run import registry
from tests.hosts import table

pytest_plugins = ["tests.daily", "pytester"]


def pytest_configure() -> None:
    """Remove the caller's variables that name programs; look for cycles seldom; random input has no deadline."""
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")
    gc.set_threshold(20_000, 20, 20)
    for name in [name for name in os.environ if name.startswith("KRM_VALUES_")]:
        del os.environ[name]


def pytest_collection_finish() -> None:
    """Spare the collector of cycles the collected tests, tens of thousands, which stay to the end."""
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected files with what was found")


@pytest.fixture
def golden(request: pytest.FixtureRequest):
    """Compare a text with a file."""

    def compare(found: str, file: Path) -> None:
        if request.config.getoption("--update-golden"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(found, encoding="utf-8")
        assert found == file.read_text(encoding="utf-8")

    return compare


@pytest.fixture(autouse=True)
def begun() -> None:
    """As a run begins; many tests call what stands within one."""
    suggest.begin()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the functions by host. Say so where tests fail and a config.json is not what its config.py makes."""
    for line in table.lines(terminalreporter.stats):
        terminalreporter.write_line(line)
    if terminalreporter.stats.get("failed"):
        from krm_values._krm.model import schema as of_model  # noqa: PLC0415 - it imports pydantic

        functions = [registry.load(name) for name in registry.functions()]
        for function in functions:
            if function.form().schema != of_model(function.load_model()):
                terminalreporter.write_line(f"{function.name}: config.json is not that of config.py: run `make schemas`")
