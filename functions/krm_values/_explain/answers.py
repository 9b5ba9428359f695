"""The commands that answer where values come from; the module of each is imported when the command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

EXPLANATION = "explanation"
_MODULES = {
    "explain": "explain",
    "values": "composed_command",
    "why": "why",
    "impact": "impact_command",
    "compare": "compare",
}
"""The module of each command."""
NAMES = tuple(_MODULES)


def run(options: Namespace) -> int:
    """Run one of these commands and return its exit code."""
    module = f"krm_values._explain.{_MODULES[options.command]}"
    return int(__import__(module, fromlist=["run"]).run(options))
