"""KRM: resources, plans, layers, and one way to run a function. Knows no function by name."""
