"""The process around a function: the registry, limits, transactions on files, reports."""
