"""The functionConfig: its place, and its fields by the function's model."""
