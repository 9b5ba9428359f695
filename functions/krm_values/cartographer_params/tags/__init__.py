"""The tags `$(path)$` of templates."""
