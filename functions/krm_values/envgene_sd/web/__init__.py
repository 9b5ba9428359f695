"""Addresses, proxies, redirects and programs for fetching, each checked."""
