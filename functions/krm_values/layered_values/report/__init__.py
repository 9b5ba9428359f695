"""Findings about a whole run: unused values and layers, and what Argo CD ignores."""
