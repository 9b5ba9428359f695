"""The lossless editor: edits the lines of a YAML text that an edit needs and no others."""
