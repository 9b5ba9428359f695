"""Resolve layered Kubernetes values before apply, and say where every value came from."""
