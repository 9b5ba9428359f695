"""The places of a list's items in its bytes, and their replacement."""
