"""The merged document of a chain of layers: strategies, defaults, references."""
