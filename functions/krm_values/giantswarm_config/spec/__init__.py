"""What an App and its Catalog refer to, and what the API server refuses of it."""
