"""Applies the decisions of a plan to the items: all of them or none."""
