"""Writes values into fields of resources and into generated objects, in the form that each needs."""
