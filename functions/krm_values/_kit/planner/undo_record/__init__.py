"""The undo record: its text, its digests, and how it is applied."""
