"""Independent implementations of the rules of a system, one folder each: plain data in, plain data and errors out, nothing of the function's code.

A folder holds the implementation (`resolve.py`), the generator of random input and `differences.py`, which compares both. Flux and Giant Swarm
have upstream's own code instead: `tests/oracles`.
"""
