"""Attacks on krm-values by whoever wrote a package, each run as a real process among canaries. `python -m tests.hostile` writes docs/hostile.md."""
