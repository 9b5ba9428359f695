"""The values of a package: their references and their validation."""
