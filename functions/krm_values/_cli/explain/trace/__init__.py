"""Follows a value back through every step of a pipeline."""
