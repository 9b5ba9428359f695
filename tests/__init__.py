"""How much random input a test gets. The commands `python -m tests.reference`, `tests.oracles` and `tests.fuzz` take a number."""

EXAMPLES = 200
