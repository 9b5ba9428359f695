"""The JSON Schema of a package's values."""
