"""How large the code is: files and lines per package, the longest files, and folders that hold many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "functions/krm_values"
LONG = 400
"""Lines of a file that may want to be two."""
FULL = 16
"""Modules of a folder that may want to be two."""


def rows() -> Iterator[str]:
    """Return a line per package, then one per file and folder that is large."""
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sorted(PACKAGE.rglob("*.py"))}
    for package in sorted({path.relative_to(PACKAGE).parts[0] for path in lengths if path.parent != PACKAGE}):
        found = [length for path, length in lengths.items() if path.relative_to(PACKAGE).parts[0] == package]
        yield f"{package}: {len(found)} files, {sum(found):,} lines, median {median(found):.0f}"
    yield f"in all: {len(lengths)} files, {sum(lengths.values()):,} lines, median {median(lengths.values()):.0f}"
    tests = [len(path.read_text("utf-8").splitlines()) for path in (ROOT / "tests").rglob("*.py")]
    yield f"tests: {len(tests)} files, {sum(tests):,} lines"
    yield from (f"{path.relative_to(PACKAGE)}: {length} lines" for path, length in lengths.items() if length > LONG)
    folders = Counter(path.parent.relative_to(PACKAGE) for path in lengths if path.name != "__init__.py")
    yield from (f"{folder}: {count} modules" for folder, count in sorted(folders.items()) if count > FULL)
