"""Which params each layer knows and hands down."""
