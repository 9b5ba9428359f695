"""Composes the values of a release and remembers the layer that set each."""
