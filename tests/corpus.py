"""Manifests as people wrote them. They are not part of the repository: the variable KRM_SHARED names the folder that has them in `corpus`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_SHARED = os.environ.get("KRM_SHARED", "")
FOLDER = Path(_SHARED, "corpus")
FILES = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".yaml", ".yml", ".json")) if _SHARED else []
MISSING = (
    f"KRM_SHARED names no folder with a corpus of real manifests; it is {_SHARED!r}" if _SHARED else "KRM_SHARED is not set"
)
needed = pytest.mark.skipif(not FILES, reason=MISSING)
RELEASES = sorted(Path(_SHARED, "releases").rglob("*.yaml")) if _SHARED else []
"""HelmReleases with anchors and aliases."""
