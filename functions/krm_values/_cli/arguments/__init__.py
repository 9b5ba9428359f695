"""The grammar of the command line, and what the grammar alone cannot check."""
