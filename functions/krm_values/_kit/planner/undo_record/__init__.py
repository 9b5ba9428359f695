"""The undo record: its text, its digests, and the way back that it describes."""
