"""Merging an incoming SD into the Full SD."""
