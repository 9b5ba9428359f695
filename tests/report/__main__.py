"""`python -m tests.report`: words, duplicates and sizes, which fail nothing, and floors and circles, which do."""

from __future__ import annotations

import sys

from tests import floors
from tests.report import duplicates, sizes, words


def main() -> int:
    """Print each part under its title. Exit code 1 if an import leaves its floor or a circle is there."""
    for title, part in (("words", words), ("lines in two places", duplicates), ("sizes", sizes)):
        _print(title, list(part.rows()))
    offenders = [f"{name}: {line}" for name, check in floors.CHECKS.items() for line in check()]
    _print("floors and circles", offenders)
    return int(bool(offenders))


def _print(title: str, rows: list[str]) -> None:
    print(f"== {title}: {len(rows)}")
    for row in rows:
        print(f"  {row}")


if __name__ == "__main__":
    sys.exit(main())
