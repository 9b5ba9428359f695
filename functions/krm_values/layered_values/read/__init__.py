"""Layers: their sources in the list and the values they hold."""
