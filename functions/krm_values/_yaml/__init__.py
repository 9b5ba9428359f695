"""YAML text to plain data and back, with the place of every value."""
