"""`krm-values envgene`: the commands of this function."""

from krm_values.envgene_sd.commands.command import grammar, run

__all__ = ["grammar", "run"]
