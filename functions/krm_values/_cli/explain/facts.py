"""What `explain` shows: an outcome, and the places of origins."""

from __future__ import annotations

from krm_values._data.record import record
from krm_values._kit.planner import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.api.function import Outcome
    from krm_values._kit.planner.plan import Origin


@record
class Explained:
    """What one function decided: of a list, or as a step of a package's pipeline (`package` and `step` are empty otherwise)."""

    function: str
    outcome: Outcome
    package: str = ""
    step: str = ""


def place_of(origin: Origin) -> tuple[int, int]:
    """Line and column of the origin in its file, from 1; 0 where the file is not known as it is."""
    return places.of_origin(origin)
