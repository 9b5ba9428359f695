"""Texts as Go reads and writes them: YAML, JSON, JSONPath, templates, regular expressions, quoted strings."""
