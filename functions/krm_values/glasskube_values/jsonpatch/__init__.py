"""JSON Patch, one operation at a time, by RFC 6902 or as upstream applies it."""
