"""`krm-values envgene`: the commands of this function."""

from krm_values._kit.api.hooks import Commands
from krm_values.envgene_sd.commands.command import grammar, run

commands = Commands(grammar=grammar, run=run)
