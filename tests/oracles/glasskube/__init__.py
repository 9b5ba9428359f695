"""The modules that Glasskube's operator uses, as judge of what we do with one value."""
