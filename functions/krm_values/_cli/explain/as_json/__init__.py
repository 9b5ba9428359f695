"""What `explain --json` prints."""
