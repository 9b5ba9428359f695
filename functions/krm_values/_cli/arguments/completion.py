"""Shell completion, made by shtab from the parser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import shtab

from krm_values._cli import manual
from krm_values._cli.arguments import grammar as parser
from krm_values._run import registry, tools

if TYPE_CHECKING:
    from typing import TextIO


def show(shell: str, out: TextIO) -> None:
    """Print the completion script of a shell."""
    grammar = parser.build(
        registry.functions(),
        manual.version(),
        extensions=registry.extensions(),
        tools=tools.known(),
        files=dict(shtab.FILE),
    )
    out.write(shtab.complete(grammar, shell) + "\n")
