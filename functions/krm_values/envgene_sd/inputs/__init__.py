"""The pipeline's parameters, and the SDs that they name."""
