"""What the functions share; knows no function by name."""
