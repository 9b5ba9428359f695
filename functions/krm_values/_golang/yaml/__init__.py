"""YAML as sigs.k8s.io/yaml reads it."""
