"""Plain values and the edits between them. Parses no document."""
