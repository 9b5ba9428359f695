"""Layers: their sources in the list, and their values."""
