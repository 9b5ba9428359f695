"""The page of `fleet render --html`: the packages of a fleet as a matrix, in one self-contained file."""
