"""What undo records of version 2 hold, and what becomes of it: rendered examples as patches, and packages with numbers."""
