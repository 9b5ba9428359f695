"""Layers of values: their sources, their merge, and their conflicts."""
