"""axe-core, which finds what people with a screen reader, or without a mouse, stumble over. Tests alone need it: `.ci/run` brings it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.hosts.machine import lacking

if TYPE_CHECKING:
    from tests.page.browser import Page

VERSION = "4.10.3"
SHA256 = "880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb"
CACHE = Path(os.environ.get("KRM_CI_CACHE") or Path(__file__).parents[2] / ".cache")
FILE = CACHE / f"axe-core-{VERSION}" / "axe.min.js"


def source() -> str:
    """Its script. The test is skipped, or fails, where it is not there."""
    if not FILE.exists():
        lacking(f"axe-core {VERSION} is not in {FILE.parent.name} of the cache (`.ci/run` puts it there, through npm)")
    content = FILE.read_bytes()
    assert hashlib.sha256(content).hexdigest() == SHA256, "another axe-core than the pinned one"
    return content.decode()


def findings(page: Page) -> list[str]:
    """All findings, each with where it is."""
    page.evaluate(source() + "; 1")
    found: list[dict[str, Any]] = page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    return [
        f"{one['id']} ({one['impact']}): {one['help']}: {json.dumps([node['html'][:200] for node in one['nodes'][:5]])}"
        for one in found
    ]
