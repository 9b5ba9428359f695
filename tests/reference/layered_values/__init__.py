"""Layered values after the rules of their specification (numbers in square brackets): plain data in, plain data and kinds of errors out."""
