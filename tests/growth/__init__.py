"""How the work of a run grows with its input: calls at n, 2n and 4n, for each dimension of what a package may hold."""
