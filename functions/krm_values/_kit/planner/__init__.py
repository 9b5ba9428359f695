"""What a planner sees and yields: items, decisions, origins, findings."""
