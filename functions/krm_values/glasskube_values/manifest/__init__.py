"""Package manifests: definitions, targets, transformations."""
