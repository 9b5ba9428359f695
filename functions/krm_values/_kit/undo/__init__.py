"""Functions that keep an undo record, and places that two functions write."""
