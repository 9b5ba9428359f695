"""One GET over the network: urllib3's only importer. Proxies and certificates are the machine's; a netrc file is never read."""

from __future__ import annotations

import os
import ssl
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ProtocolError,
    ProxyError,
    ReadTimeoutError,
    SSLError,
)

from krm_values._kit.record import record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_PIECE = 1 << 16
_OK = 200


@record
class Reply:
    """What a server says: the status, the two headers that matter, and, of a 200 only, the body."""

    status: int
    location: str = ""
    retry_after: str = ""
    body: bytes = b""


class NoReplyError(Exception):
    """There is no usable reply. `passing`: it is worth another try."""

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.passing = reason, passing


class Transport:
    """Keeps connections open from one request to the next."""

    __slots__ = ("_body", "_pools", "_timeout", "_tls")

    def __init__(self, connect: float, read: float, body: int) -> None:
        self._timeout = urllib3.Timeout(connect=connect, read=read)
        self._body = body
        self._pools: dict[str, urllib3.PoolManager] = {}
        self._tls: ssl.SSLContext | None = None

    def get(self, address: str, headers: Mapping[str, str]) -> Reply:
        """Ask once, following nothing. NoReplyError where no reply comes of it; no message shows a header or a proxy's user."""
        try:
            pool = self._pool(address)
            response = pool.request(
                "GET",
                address,
                headers={"Accept-Encoding": "identity", "User-Agent": "krm-values", **headers},
                redirect=False,
                retries=False,
                preload_content=False,
                decode_content=False,
                timeout=self._timeout,
            )
            try:
                return self._reply(response)
            finally:
                response.close()
        except (HTTPError, OSError, ValueError) as error:
            raise _no_reply(error) from None

    def _reply(self, response: urllib3.BaseHTTPResponse) -> Reply:
        body = self._read(response) if response.status == _OK else b""
        return Reply(response.status, response.headers.get("Location", ""), response.headers.get("Retry-After", ""), body)

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        if response.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise NoReplyError("the server answers in an encoding that was not asked for")
        pieces, size = [], 0
        for piece in response.stream(_PIECE, decode_content=False):
            pieces.append(piece)
            size += len(piece)
            if size > self._body:
                raise NoReplyError(f"the body is longer than {self._body >> 20} MiB")
        return b"".join(pieces)

    def _pool(self, address: str) -> urllib3.PoolManager:
        """The connections to use: straight, or through the proxy that the environment names for this address."""
        parts = urlsplit(address)
        found = getproxies()
        proxy = found.get(parts.scheme) or found.get("all") or ""
        if proxy and proxy_bypass(parts.netloc):
            proxy = ""
        if proxy not in self._pools:
            self._pools[proxy] = self._through(proxy) if proxy else urllib3.PoolManager(ssl_context=self._context())
        return self._pools[proxy]

    def _through(self, proxy: str) -> urllib3.ProxyManager:
        try:
            address, user = _proxy(proxy if "://" in proxy else f"http://{proxy}")
            headers = urllib3.make_headers(proxy_basic_auth=user) if user else None
            return urllib3.ProxyManager(address, proxy_headers=headers, ssl_context=self._context())
        except (HTTPError, ValueError):
            raise NoReplyError("the proxy that the environment names has no http or https address") from None

    def _context(self) -> ssl.SSLContext:
        """Trusts the machine's certificates, and those of SSL_CERT_FILE beside them."""
        if self._tls is None:
            self._tls = ssl.create_default_context()
            usual = ssl.get_default_verify_paths().openssl_cafile
            if os.environ.get("SSL_CERT_FILE") and os.path.isfile(usual):
                self._tls.load_verify_locations(usual)
        return self._tls


def _proxy(found: str) -> tuple[str, str]:
    """A proxy's address without its user, and `user:password`, "" if it names none. ValueError if it names no host."""
    parts = urlsplit(found)
    if not parts.hostname:
        raise ValueError
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    user = "" if parts.username is None else f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"{parts.scheme}://{host}{port}", user


def _no_reply(error: Exception) -> NoReplyError:
    """What is wrong, in words that hold nothing of the environment."""
    through = isinstance(error, ProxyError)
    cause = error.original_error if isinstance(error, ProxyError) else error
    return _reason(cause, " through the proxy" if through else "")


def _reason(cause: Exception, where: str) -> NoReplyError:
    if isinstance(cause, SSLError | ssl.SSLError):
        found = cause.args[0] if cause.args else None
        inner = found if isinstance(found, ssl.SSLError) else cause
        return NoReplyError(f"TLS{where}: {getattr(inner, 'verify_message', '') or getattr(inner, 'reason', '') or 'fault'}")
    if isinstance(cause, ConnectTimeoutError | ReadTimeoutError | TimeoutError) and not isinstance(cause, NewConnectionError):
        return NoReplyError(f"the server{where} does not answer in time", passing=True)
    if isinstance(cause, NewConnectionError | OSError):
        return NoReplyError(f"the server{where} cannot be reached", passing=True)
    if isinstance(cause, ProtocolError):
        return NoReplyError(f"the server{where} ends the connection early", passing=True)
    return NoReplyError(f"the address cannot be asked{where} ({type(cause).__name__})")
