"""Layers of values: their sources, their merge, and where they disagree."""
