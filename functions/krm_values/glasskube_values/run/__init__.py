"""The run of a Package: its stages, the application of patches, and Helm objects."""
