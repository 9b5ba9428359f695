"""A kpt package: found, read, and run through its pipeline in memory."""
