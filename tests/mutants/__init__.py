"""Lines of the project, each with a change that its tests must notice."""
