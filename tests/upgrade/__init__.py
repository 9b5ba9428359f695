"""What 0.1.0 rendered, and what becomes of it: examples as patches, and packages with numbers."""
