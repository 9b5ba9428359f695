"""Workloads, Deliverables and Runnables."""
