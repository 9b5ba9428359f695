"""One browser for all tests of this folder, and the pages that they look at."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hosts.machine import lacking
from tests.page import large
from tests.page.browser import Browser, program

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.page.browser import Page

FOLDER = f"{Path(__file__).parent}{os.sep}"
EXAMPLES = Path(__file__).parents[2] / "examples"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path).startswith(FOLDER) and {"browser", "page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("hosts")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if program() is None:
        lacking("no Chromium is on PATH")
    with Browser() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    found = browser.page()
    yield found
    found.close()


def write(*words: str | Path, code: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Call `krm-values`."""
    program = "import sys; sys.argv[0] = 'krm-values'; from krm_values._cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert code in (None, done.returncode), done.stderr
    return done


@pytest.fixture(scope="session")
def explained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the example of all functions."""
    file = tmp_path_factory.mktemp("page") / "explained.html"
    write("explain", EXAMPLES / "pipelines/all-six", "--html", file)
    return file


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two states of a package."""
    folder = tmp_path_factory.mktemp("compared")
    write("compare", *changed(folder), "--html", folder / "compared.html", code=1)
    return folder / "compared.html"


def changed(folder: Path) -> tuple[Path, Path]:
    """Two states of a package, with values that were added, removed and changed, and one that comes from another layer."""
    for name in ("before", "after"):
        shutil.copytree(EXAMPLES / "giantswarm-config/stage-and-region", folder / name)
    user, stage = folder / "after/app/user.yaml", folder / "after/stage/prod.yaml"
    user.write_text(user.read_text().replace("256Mi", "512Mi").replace("beam: null", "lens: clear\n    cluster: pier9"))
    stage.write_text(stage.read_text().replace("    replicas: 3\n", ""))
    return folder / "before", folder / "after"


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of 20,000 values."""
    folder = tmp_path_factory.mktemp("many")
    write("explain", large.write(folder / "package"), "--html", folder / "many.html")
    return folder / "many.html"
