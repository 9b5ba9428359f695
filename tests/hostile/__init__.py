"""Attacks by the author of a package, each run as a real process among canaries. `python -m tests.hostile` writes docs/hostile.md."""
