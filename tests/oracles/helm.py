"""What Helm makes of values: a chart of our own that prints them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

CHART = Path(__file__).parent / "giantswarm/chart"


def needed() -> None:
    """Skip where Helm is not installed, unless the hosts are required."""
    if not shutil.which("helm"):
        assert os.environ.get("KRM_HOSTS") != "required", "helm must be installed"
        pytest.skip("helm is not installed")


def rendered(folder: Path, *texts: str, settings: tuple[str, ...] = ()) -> Any:
    """The values that templates see, of one `-f` for each text and one `--set` for each setting."""
    arguments: list[str | Path] = []
    for number, text in enumerate(texts):
        file = folder / f"{number}.yaml"
        file.write_text(text)
        arguments += ["-f", file]
    for setting in settings:
        arguments += ["--set", setting]
    done = subprocess.run(["helm", "template", "release", CHART, *arguments], capture_output=True, text=True, check=True)
    found = re.search(r"^values: (.*)$", done.stdout, re.MULTILINE)
    assert found
    return json.loads(json.loads(found[1]))
