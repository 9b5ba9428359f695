"""JSON Patch, one operation at a time, as upstream applies it."""
