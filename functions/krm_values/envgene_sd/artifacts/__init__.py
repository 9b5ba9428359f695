"""Reading SDs from artifact repositories."""
