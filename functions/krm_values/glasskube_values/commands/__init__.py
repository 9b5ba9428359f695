"""`krm-values lint` and `schema` of manifests, and `krm-values glasskube`: the commands of this function."""

from krm_values.glasskube_values.commands.grammar import commands

__all__ = ["commands"]
