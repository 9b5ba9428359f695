"""The target of a redirect, and which redirects are refused. No message shows the address, which may have a user or a signature."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from krm_values.envgene_sd.repository import web

STATUSES = (301, 302, 303, 307, 308)
_LONGEST = 8192


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
        _check_user(target)
        secure, scheme = web.split(here).scheme == "https", web.split(target).scheme
    except ValueError:
        raise RedirectError("to no http or https address with a readable host and port") from None
    if secure and scheme == "http":
        raise RedirectError("from https to http")
    return target


def _check_user(target: str) -> None:
    parts = urlsplit(target)
    if parts.scheme in web.PORTS and "@" in parts.netloc:
        raise RedirectError("to an address with a user in it")
