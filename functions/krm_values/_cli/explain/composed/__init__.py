"""`values` and `why`: the composed values, and the value on a line."""
