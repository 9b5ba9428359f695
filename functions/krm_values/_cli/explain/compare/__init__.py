"""`compare` and `impact`: two states of a package, compared value by value."""
