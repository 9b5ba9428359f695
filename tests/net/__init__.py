"""A net for changes of form: what two checkouts answer to the same inputs, byte for byte. `python -m tests.net BEFORE` runs it."""
