"""The fields and types of Cartographer's objects."""
