"""Stamping: templates are rendered and completed to objects."""
