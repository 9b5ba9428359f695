"""Which chain, option and param value an owner gets."""
