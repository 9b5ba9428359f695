"""Undo records during a run, and places that two functions write."""
