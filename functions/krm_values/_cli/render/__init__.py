"""`krm-values render`."""
