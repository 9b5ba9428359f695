"""http and https addresses, taken apart strictly: what two readers could take apart differently is no address."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from krm_values._data.record import record

PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{0,5}))?")


@record
class Web:
    """An address. host: without brackets, in lower case; target: path and query, as a server is asked for them."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port as the Host header has them: the scheme's own port is left out."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def split(address: str) -> Web:
    """Take an address apart. ValueError if it is not http or https, or has a user, an unreadable host or an impossible port."""
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
    """Scheme, host and port. ValueError."""
    return split(address).origin
