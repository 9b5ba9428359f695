"""`krm-values explain`."""
