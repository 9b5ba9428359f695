"""`krm-values envgene`: what this function adds to the command line."""

from krm_values.envgene_sd.commands.command import grammar, run

__all__ = ["grammar", "run"]
