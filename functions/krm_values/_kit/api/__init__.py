"""What a function is made of, and how it runs."""
