"""The composed values of a release, each with the layer that set it."""
