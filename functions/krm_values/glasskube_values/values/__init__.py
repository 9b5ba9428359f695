"""The values of a package: where they come from, and whether they are valid."""
