"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from krm_values._kit import Finding, Function, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]
