"""The page of `explain --html` and `compare --html`: one self-contained file."""
