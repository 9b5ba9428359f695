"""The lossless editor: changes the edited lines of a YAML text and nothing else."""
