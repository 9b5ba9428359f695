"""Manifests with comments, blank lines and styles of every kind.

A folder has the text before (`input.yaml`), the edits in order (`edits.yaml`: set, append or delete), and the text that a careful person would
have written (`expected.yaml`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml


class Manifest(NamedTuple):
    """A text, its edits and the text after them."""

    name: str
    text: str
    edits: list[dict[str, Any]]
    expected: str


def _read(folder: Path) -> Manifest:
    text, edits, expected = ((folder / f"{name}.yaml").read_bytes().decode() for name in ("input", "edits", "expected"))
    return Manifest(folder.name, text, yaml.safe_load(edits), expected)


MANIFESTS = [_read(folder) for folder in sorted(Path(__file__).parent.iterdir()) if (folder / "edits.yaml").is_file()]
