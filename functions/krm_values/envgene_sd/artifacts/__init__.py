"""SDs out of artifact repositories."""
