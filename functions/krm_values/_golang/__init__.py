"""Strings as Go's standard library and well-known modules read and write them."""
