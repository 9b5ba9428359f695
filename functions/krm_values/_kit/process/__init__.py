"""The process around a function: the registry, limits, the writer of files, reports."""
