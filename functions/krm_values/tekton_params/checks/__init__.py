"""What is rejected and what is worth a warning."""
