"""Scalars of JSON and YAML, as Go reads, tags and writes them."""
