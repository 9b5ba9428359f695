"""An instance repository of EnvGene: its files, the artifacts that it names, and the commands that work on it."""
