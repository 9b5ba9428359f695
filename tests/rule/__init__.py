"""Where a rule of a function is: in its manual, its code, the conformance cases and the tests."""
