"""JSON Schema of the merged document."""
