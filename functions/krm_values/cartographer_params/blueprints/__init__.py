"""Supply chains, deliveries and templates."""
