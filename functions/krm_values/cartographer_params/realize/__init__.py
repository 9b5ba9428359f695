"""The steps of a chain, one after the other."""
