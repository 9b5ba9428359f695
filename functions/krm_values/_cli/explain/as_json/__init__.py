"""The output of `explain --json`."""
