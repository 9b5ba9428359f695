"""Data entry: a Package is written by its manifest, and its values are set."""
