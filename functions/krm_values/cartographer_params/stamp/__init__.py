"""Templates rendered into objects."""
