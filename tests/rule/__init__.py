"""Where a rule is documented, coded and tested: `python -m tests.rule FUNCTION RULE`."""
