"""The commands that say where values come from; each is imported where it is called."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

EXPLANATION = "explanation"
NAMES = ("explain", "values", "why", "impact", "compare")


def run(options: Namespace) -> int:
    """Run one of them. Returns the exit code."""
    match options.command:
        case "explain":
            from krm_values._cli.explain.command import run as answer  # noqa: PLC0415
        case "values":
            from krm_values._cli.explain.composed.command import run as answer  # noqa: PLC0415
        case "why":
            from krm_values._cli.explain.composed.why import run as answer  # noqa: PLC0415
        case "impact":
            from krm_values._cli.explain.compare.impact import run as answer  # noqa: PLC0415
        case _:
            from krm_values._cli.explain.compare.command import run as answer  # noqa: PLC0415
    return answer(options)
