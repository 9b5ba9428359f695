"""One GET request; the only importer of urllib3. Proxies and certificates are the machine's; a netrc file is never read."""

from __future__ import annotations

import contextlib
import os
import ssl
from types import MappingProxyType
from typing import TYPE_CHECKING

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

from krm_values._data.record import record, replace
from krm_values.envgene_sd.repository import checksums, proxies, resolution, web

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from krm_values.envgene_sd.repository.web import Web

_PIECE, _LINE = 1 << 16, 1 << 14
_OK = 200
_NONE: Mapping[str, str] = MappingProxyType({})


@record
class Reply:
    """The reply of a server: the status, the relevant headers and, for 200 only, the body and the announced checksums.

    is_local: the server is this machine or on its link, so its redirects may lead there too.
    """

    status: int
    location: str = ""
    retry_after: str = ""
    body: bytes = b""
    checksums: Mapping[str, str] = _NONE
    is_local: bool = False


class NoReplyError(Exception):
    """No usable reply came. passing: whether another try may succeed."""

    def __init__(self, reason: str, *, passing: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.passing = reason, passing


class Transport:
    """Keeps connections open between requests."""

    __slots__ = ("_body", "_pools", "_timeout", "_tls")

    def __init__(self, connect: float, read: float, body: int) -> None:
        self._timeout = urllib3.Timeout(connect=connect, read=read)
        self._body = body
        self._pools: dict[str, urllib3.PoolManager] = {}
        self._tls: ssl.SSLContext | None = None

    def get(self, address: str, headers: Mapping[str, str], *, may_be_local: bool = True) -> Reply:
        """Send one request; redirects are not followed. NoReplyError without a reply; no message shows a header or a proxy's user.

        may_be_local: False refuses a host with an address of this machine or its link before anything is sent to it. The connection uses the
        addresses that were checked. Behind a proxy, which resolves names itself, only a host written as such an address or as `localhost` is
        refused.
        """
        try:
            response, is_local = self._asked(web.split(address), address, headers, may_be_local=may_be_local)
            with contextlib.closing(response):
                return self._reply(response, is_local=is_local)
        except checksums.ChecksumError as error:
            raise NoReplyError(f"the checksum that the server announces {error}") from None
        except (HTTPError, OSError, ValueError) as error:
            raise _no_reply(error) from None

    def _asked(
        self, found: Web, address: str, headers: Mapping[str, str], *, may_be_local: bool
    ) -> tuple[urllib3.BaseHTTPResponse, bool]:
        """Return the response, and whether it is from this machine or its link."""
        if proxy := proxies.of(address):
            is_local = resolution.is_local_name(found.host)
            _check(found, is_refused=is_local and not may_be_local)
            return self._request(self._pool(proxy), address, headers), is_local
        known = resolution.addresses(found.host, found.port)
        local = [resolution.is_local(each) for each in known]
        _check(found, is_refused=any(local) and not may_be_local)
        return self._connected(found, known, headers), all(local)

    def _connected(self, found: Web, known: tuple[str, ...], headers: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
        """Return the response of the first of these addresses that accepts a connection."""
        more = {"server_hostname": found.host} if found.scheme == "https" else {}
        for number, address in enumerate(known, 1):
            pool = self._pool("").connection_from_host(address, found.port, found.scheme, pool_kwargs=more)
            try:
                return self._request(pool, found.target, {"Host": found.authority, **headers})
            except (NewConnectionError, ConnectTimeoutError):
                if number == len(known):
                    raise
        raise NoReplyError("the server's name has no address")

    def _request(self, pool: Any, url: str, headers: Mapping[str, str]) -> urllib3.BaseHTTPResponse:
        response: urllib3.BaseHTTPResponse = pool.request(
            "GET",
            url,
            headers={"Accept-Encoding": "identity", "User-Agent": "krm-values", **headers},
            redirect=False,
            retries=False,
            preload_content=False,
            decode_content=False,
            timeout=self._timeout,
        )
        return response

    def _reply(self, response: urllib3.BaseHTTPResponse, *, is_local: bool) -> Reply:
        headers = {name: response.headers.get(name, "") for name in ("Location", "Retry-After")}
        found = Reply(response.status, headers["Location"], headers["Retry-After"], is_local=is_local)
        if response.status != _OK:
            return found
        announced = checksums.announced(response.headers)
        return replace(found, body=self._read(response), checksums=announced)

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        if response.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise NoReplyError("the server answers in an encoding that was not asked for")
        _limit_chunks(response)
        found = bytearray()  # a list of pieces takes many times their size when each is a byte
        for piece in response.stream(_PIECE, decode_content=False):
            found += piece
            if len(found) > self._body:
                raise NoReplyError(f"the body is longer than {self._body >> 20} MiB")
        return bytes(found)

    def _pool(self, proxy: str) -> urllib3.PoolManager:
        """Return the connection pool: direct ("") or through a proxy."""
        if proxy not in self._pools:
            self._pools[proxy] = self._through(proxy) if proxy else urllib3.PoolManager(ssl_context=self._context())
        return self._pools[proxy]

    def _through(self, proxy: str) -> urllib3.ProxyManager:
        try:
            address, user = proxies.split(proxy)
            headers = urllib3.make_headers(proxy_basic_auth=user) if user else None
            return urllib3.ProxyManager(address, proxy_headers=headers, ssl_context=self._context())
        except (HTTPError, ValueError):
            raise NoReplyError("the proxy that the environment names has no http or https address") from None

    def _context(self) -> ssl.SSLContext:
        """Trust the machine's certificates and those of SSL_CERT_FILE."""
        if self._tls is None:
            self._tls = ssl.create_default_context()
            usual = ssl.get_default_verify_paths().openssl_cafile
            if os.environ.get("SSL_CERT_FILE") and os.path.isfile(usual):
                self._tls.load_verify_locations(usual)
        return self._tls


class _Chunks:
    """The file of a chunked body, with limits that not every version of the reader has.

    A chunk of negative length would be read to the end of the connection, and so would a line without an end.
    """

    __slots__ = ("_file",)

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, amount: int = -1) -> bytes:
        if amount < 0:
            raise NoReplyError("the server sends a chunk of negative length")
        found: bytes = self._file.read(amount)
        return found

    def readline(self, _: int = -1) -> bytes:
        found: bytes = self._file.readline(_LINE + 1)
        if len(found) > _LINE:
            raise NoReplyError(f"the server sends a line of more than {_LINE >> 10} KiB between chunks")
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _limit_chunks(response: urllib3.BaseHTTPResponse) -> None:
    inner = getattr(response, "_fp", None)
    if inner is not None and getattr(response, "chunked", False):
        inner.fp = _Chunks(inner.fp)


def _check(found: Web, *, is_refused: bool) -> None:
    if is_refused:
        raise NoReplyError(f"{found.host} has an address of this machine or its link (loopback or link-local)")


def _no_reply(error: Exception) -> NoReplyError:
    """Return the error in words that contain nothing of the environment."""
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
