"""Addresses, proxies, redirects and programs that fetching relies on, each checked."""
