"""Applies the decisions of a plan to the items: everything or nothing."""
