"""The functionConfig: where it is, and its fields as the function's model."""
