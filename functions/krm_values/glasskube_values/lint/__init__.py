"""What is wrong with a manifest, without a package."""
