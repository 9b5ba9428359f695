"""Strict parsing of http and https addresses: what two parsers could read differently is refused."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from krm_values._data.record import record

PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{0,5}))?")


@record
class Web:
    """An address. host: without brackets, in lower case; target: path and query, as in a request."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port as in the Host header: the scheme's default port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def split(address: str) -> Web:
    """Parse an address. ValueError if it is not http or https, or has a user, an unreadable host or an impossible port."""
    if not address.isprintable():
        raise ValueError("control characters, some of which urlsplit would leave out")
    parts = urlsplit(address)
    found = _AUTHORITY.fullmatch(parts.netloc)
    if parts.scheme not in PORTS or not found:
        raise ValueError("not an http or https address")
    six, name, digits = found.groups()
    port = int(digits) if digits else PORTS[parts.scheme]
    if not 0 < port < 1 << 16:
        raise ValueError("not a port")
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return Web(parts.scheme, (six or name).lower(), port, target)


def origin(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port. ValueError as in `split`."""
    return split(address).origin
