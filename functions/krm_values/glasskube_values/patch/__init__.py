"""From values to patches, and from patches to decisions."""
