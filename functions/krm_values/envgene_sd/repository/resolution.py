"""The IP addresses of a host name, and which of them are this machine, its link or a cloud's metadata service."""

from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    IP = ipaddress.IPv4Address | ipaddress.IPv6Address

_METADATA = frozenset(map(ipaddress.ip_address, ("100.100.100.200", "fd00:ec2::254")))  # those that are not link-local
_THIS_HOST = ipaddress.ip_network("0.0.0.0/8")
_EMBEDDING = tuple(
    map(ipaddress.ip_network, ("64:ff9b::/96", "::/96"))
)  # NAT64, IPv4-compatible: the last 32 bits are an IPv4 address


def addresses(host: str, port: int) -> tuple[str, ...]:
    """Resolve a host to IP addresses in the order to try them. OSError if there are none, UnicodeError for an impossible name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def is_local(address: str) -> bool:
    """Return whether an IP address is loopback, unspecified, link-local or a metadata service, in whatever IPv6 form."""
    found = _plain(ipaddress.ip_address(address))
    if found.is_loopback or found.is_link_local or found.is_unspecified or found in _METADATA:
        return True
    return found.version == 4 and found in _THIS_HOST


def is_local_name(host: str) -> bool:
    """Return the same for a host that a proxy resolves: an IP address in any notation, or a name of `localhost`."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    found = _literal(name)
    return found is not None and is_local(found)


def _literal(host: str) -> str | None:
    """Return the IP address of a host in any notation: `127.1`, `0x7f000001` and `2130706433` are 127.0.0.1."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def _plain(address: IP) -> IP:
    """Return the IPv4 address that is embedded in an IPv6 address, else the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if any(address in network for network in _EMBEDDING):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or address
