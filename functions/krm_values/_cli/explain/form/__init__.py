"""The answers as text for people."""
