"""Where a value comes from, as findings show it."""

from __future__ import annotations

from krm_values._kit.record import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from krm_values._kit.plan import Origin

_SHOWN = 200


def clipped(origin: Origin, text: str) -> Origin:
    """The origin with a text of its that fits into a message."""
    return replace(origin, value=text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text)} characters)")
