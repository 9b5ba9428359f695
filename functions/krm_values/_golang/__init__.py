"""What Go's standard library and its best-known modules make of texts."""
