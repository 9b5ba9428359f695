"""The page of `explain --html` and `compare --html`: one file that needs nothing else."""
