"""The fields and types of Cartographer's objects, and the owners among them."""
