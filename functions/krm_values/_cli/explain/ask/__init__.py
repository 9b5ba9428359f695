"""The arguments and options of `explain` as a query."""
