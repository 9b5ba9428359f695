"""The input and output of a planner: items, decisions, origins, findings."""
