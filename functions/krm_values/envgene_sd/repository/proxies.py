"""The proxy that the environment names for an address, and its user."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass


def of(address: str) -> str:
    """Return the proxy for an address, "" for none."""
    parts = urlsplit(address)
    found = getproxies()
    proxy = found.get(parts.scheme) or found.get("all") or ""
    return "" if proxy and proxy_bypass(parts.netloc) else proxy


def split(proxy: str) -> tuple[str, str]:
    """Return a proxy's address without its user, and `user:password` or "". ValueError if it has no host."""
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if not parts.hostname:
        raise ValueError("no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    user = "" if parts.username is None else f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"{parts.scheme}://{host}{port}", user
