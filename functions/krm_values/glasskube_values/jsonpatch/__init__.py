"""JSON Patch of RFC 6902, one operation at a time."""
