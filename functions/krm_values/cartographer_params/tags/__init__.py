"""Tags `$(path)$` of templates."""
