"""What is believed of the web: addresses that cannot be read in two ways, where a redirect may lead, which hosts are near, checksums.

Nothing here connects to a server. No message shows an address with a user or a signature in it.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import socket
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from krm_values._data.record import record
from krm_values._data.shown import described

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    IP = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = {"http": 80, "https": 443}
REDIRECTS = (301, 302, 303, 307, 308)
_AUTHORITY = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::([0-9]{0,5}))?")
_LONGEST = 8192
_METADATA = tuple(
    map(ipaddress.ip_network, ("100.100.100.200", "192.0.0.192", "fd00:ec2::/32", "fd20:ce::254", "fd00:c1::a9fe:a9fe"))
)
"""Addresses of clouds' metadata services that are not link-local: Alibaba, Oracle, AWS, Google, Oracle."""
_METADATA_NAMES = frozenset(
    (
        *("metadata", "metadata.google.internal", "metadata.goog", "instance-data", "instance-data.ec2.internal"),
        *("metadata.azure.internal", "metadata.azure.com", "metadata.oraclecloud.com", "metadata.tencentyun.com"),
        *("metadata.platformequinix.com", "metadata.packet.net", "metadata.aliyun.com"),
    )
)
"""Names of such services, which only the cloud's own resolver knows."""
_THIS_HOST = ipaddress.ip_network("0.0.0.0/8")
_EMBEDDING = {
    ipaddress.ip_network("64:ff9b::/96"): (0,),
    ipaddress.ip_network("::/96"): (0,),
    ipaddress.ip_network("::ffff:0:0/96"): (0,),
    ipaddress.ip_network("::ffff:0:0:0/96"): (0,),
    ipaddress.ip_network("64:ff9b:1::/48"): (0, 24, 32, 40),
    ipaddress.ip_network("2002::/16"): (72,),
}
"""Networks whose addresses contain an IPv4 address, with its distance from the right in bits, without bits 64 to 71: NAT64, IPv4-compatible,
-mapped and -translated, local NAT64 (RFC 8215), whose prefix may have 96, 64, 56 or 48 bits, and 6to4."""
CHECKSUMS = {"sha256": 64, "sha1": 40}
"""Each with the number of its digits; the better one first."""
_HEX = re.compile(r"[0-9A-Fa-f]+")
_TAGGED = re.compile(r"\{SHA1\{([0-9A-Fa-f]{40})\}\}")  # how Nexus writes an ETag
_SHOWN = 20


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


class RedirectError(Exception):
    """A redirect that must not be followed; its text completes "the server redirects"."""


def follow(here: str, location: str) -> str:
    """Return the address that a `Location` header means at the address `here`. RedirectError if it must not be followed."""
    if not location:
        raise RedirectError("to no http or https address")
    if len(location) > _LONGEST:
        raise RedirectError(f"to an address of more than {_LONGEST} characters")
    if not (location.isascii() and location.isprintable()):
        raise RedirectError("to an address with characters that no address has")
    try:
        target = location if urlsplit(location).scheme else urljoin(here, location)
        parts = urlsplit(target)
        if parts.scheme in PORTS and "@" in parts.netloc:
            raise RedirectError("to an address with a user in it")
        secure, scheme = split(here).scheme == "https", split(target).scheme
    except ValueError:
        raise RedirectError("to no http or https address with a readable host and port") from None
    if secure and scheme == "http":
        raise RedirectError("from https to http")
    return target


def resolved(host: str, port: int) -> tuple[str, ...]:
    """Resolve a host to IP addresses in the order to try them. OSError if there are none, UnicodeError for an impossible name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def is_local(address: str) -> bool:
    """Return whether an IP address is loopback, unspecified, link-local or a metadata service, in whatever IPv6 form."""
    return any(map(_is_local, _forms(ipaddress.ip_address(address))))


def has_local_address(host: str, port: int) -> bool:
    """Return whether a name has such an address here. One that only the proxy can resolve has none."""
    try:
        return any(map(is_local, resolved(host, port)))
    except (OSError, UnicodeError):
        return False


def is_local_name(host: str) -> bool:
    """Return the same for a host that a proxy resolves: an IP address in any notation, or a name of `localhost` or of a metadata service."""
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost") or name in _METADATA_NAMES:
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


def _is_local(address: IP) -> bool:
    is_own = address.is_loopback or address.is_link_local or address.is_unspecified or address in _THIS_HOST
    return is_own or any(address in network for network in _METADATA)


def _forms(address: IP) -> Iterator[IP]:
    """Yield an address, and the IPv4 addresses that it contains if it is an IPv6 address of such a network.

    Bits 64 to 71 are not part of an IPv4 address (RFC 6052). Where the length of the prefix is not known, a reading whose first byte is 0
    is taken for that of another length.
    """
    yield address
    number = int(address)
    number = number >> 64 << 56 | number & (1 << 56) - 1
    for network, places in _EMBEDDING.items() if address.version == 6 else ():
        if address in network:
            found = (number >> place & 0xFFFFFFFF for place in places)
            yield from (
                ipaddress.IPv4Address(each) for each in found if each >> 24 or len(places) == 1 or not number & 0xFFFFFFFF
            )


class ChecksumError(Exception):
    """A wrong or invalid checksum."""


def announced(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the checksums in a reply's headers, by name, in lower case. ChecksumError for an invalid one."""
    given = {name: headers.get(f"X-Checksum-{name.capitalize()}", "").strip() for name in CHECKSUMS}
    tagged = _TAGGED.search(headers.get("ETag", ""))
    if tagged and not given["sha1"]:
        given["sha1"] = tagged[1]
    return {name: _checksum(name, text) for name, text in given.items() if text}


def checksum_in(name: str, body: bytes) -> str:
    """Return the checksum in a file beside an artifact: its first word; a file name may follow. ChecksumError for an invalid one."""
    words = body[: CHECKSUMS[name] * 4].decode("ascii", "replace").split(maxsplit=1)
    return _checksum(name, words[0] if words else "")


def check(name: str, wanted: str, body: bytes) -> None:
    """Raise ChecksumError with both checksums unless the body has this one."""
    found = hashlib.new(name, body, usedforsecurity=False).hexdigest()
    if found != wanted:
        raise ChecksumError(f"has the {name} {found}, expected {wanted}")


def _checksum(name: str, text: str) -> str:
    if len(text) != CHECKSUMS[name] or not _HEX.fullmatch(text):
        shown = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
        raise ChecksumError(f"must be a {name} of {CHECKSUMS[name]} hexadecimal digits, found {described(shown)}")
    return text.lower()
