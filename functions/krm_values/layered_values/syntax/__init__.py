"""Paths, selectors, parts of strings, and the functionConfig with its cross-field rules."""
