"""Plain values, the edits between them, and what all floors share. Parses no document."""
