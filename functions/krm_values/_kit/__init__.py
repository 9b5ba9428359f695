"""What the functions share; knows no function by name."""

from krm_values._kit.function import Function
from krm_values._kit.plan import Finding, Origin, drop, mark, move, new, note, put

__all__ = ["Finding", "Function", "Origin", "drop", "mark", "move", "new", "note", "put"]
