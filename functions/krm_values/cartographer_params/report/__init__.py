"""What is said of params beside the stamped objects."""
