"""The commands that say where values come from; each is imported where it is called."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

EXPLANATION = "explanation"
_MODULES = {
    "explain": "command",
    "values": "composed.command",
    "why": "composed.why",
    "impact": "compare.impact",
    "compare": "compare.command",
}
"""The module of each, imported when it is asked."""
NAMES = tuple(_MODULES)


def run(options: Namespace) -> int:
    """Run one of them. Returns the exit code."""
    module = f"krm_values._cli.explain.{_MODULES[options.command]}"
    return int(__import__(module, fromlist=["run"]).run(options))
