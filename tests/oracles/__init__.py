"""Upstream's own code as judge: small Go programs around its modules, asked the same as we are."""
