"""Where a value comes from, followed through every step of a pipeline."""
