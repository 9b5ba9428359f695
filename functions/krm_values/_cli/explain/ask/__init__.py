"""What the words and options of `explain` ask for."""
