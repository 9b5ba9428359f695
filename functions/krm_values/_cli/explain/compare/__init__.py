"""What differs between two states of a package, as values: `compare` and `impact`."""
