"""`values` and `why`: composed values, and the value on a line."""
