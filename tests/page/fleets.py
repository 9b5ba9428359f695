"""Pages of fleets, made without rendering one: CLUSTERS by APPS, in which few packages end otherwise than the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from krm_values._fleet.page import data
from krm_values._fleet.results import Results
from krm_values._fleet.roots import Fleet, Member

if TYPE_CHECKING:
    from pathlib import Path

ENDS = {7: "changed", 131: "failed", 977: "crashed", 1013: "timeout", 89: "skipped", 1999: "stale", 2003: "error"}
"""How every so many packages end."""
MESSAGE = "layers.yaml:7:5: `image.tag`: must be text, found 7"


def write(file: Path, clusters: int, apps: int) -> None:
    """Write the page."""
    names = [f"cluster-{row:04}/app-{column}" for row in range(clusters) for column in range(apps)]
    fleet = Fleet(tuple(Member(name, name) for name in names))
    with Results(fleet.members) as found:
        for number in range(len(names)):
            status = next((end for every, end in ENDS.items() if number % every == every - 1), "same")
            is_bad = status in ("failed", "crashed", "timeout", "stale", "error")
            findings = [{"severity": "error", "message": f"{MESSAGE} <b>{number}"}] if is_bad else []
            changes = [["deployment.yaml"]] if status == "changed" else []
            found.add(number, {"status": status, "findings": findings, "changes": changes})
        data.write(found, fleet, "fleet", str(file))
