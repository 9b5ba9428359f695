"""Resolve layered Kubernetes values before apply, and say where every value came from."""

from krm_values._kit.api.function import Function
from krm_values._kit.planner.plan import Finding, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]
