"""Where the items of a list are in its bytes, and how they are replaced."""
