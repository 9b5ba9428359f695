"""`python -m tests.guards`: write docs/guards.md; print the rows that tests/guards/table.py lacks, with exit code 1."""

from __future__ import annotations

import sys

from tests.guards.document import PATH, page, stale, unguarded

PATH.parent.mkdir(exist_ok=True)
PATH.write_text(page(), "utf-8")
print(*unguarded(), *(f"no such place: {row}" for row in stale()), sep="\n")
sys.exit(int(bool(unguarded() or stale())))
