"""A client for artifact servers with retries, redirects and limits; the only importer of urllib3. Each address is requested once.

Proxies and certificates are the machine's; a netrc file is never read.
"""

from __future__ import annotations

import contextlib
import os
import queue
import ssl
import threading
import time
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import TYPE_CHECKING
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

from krm_values._data.record import record, replace
from krm_values.envgene_sd.repository import web
from krm_values.envgene_sd.repository.files import fault
from krm_values.envgene_sd.repository.web import origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from krm_values.envgene_sd.repository.web import Web

_RULE = "94"
_FOUND, _ABSENT, _DENIED, _BUSY = 200, 404, (401, 403), 429
_PIECE, _LINE = 1 << 16, 1 << 14
_NONE: Mapping[str, str] = MappingProxyType({})


@record
class Limits:
    """Limits of a request in seconds, tries and bytes. `total` runs from the first try to the last byte, redirects and pauses included."""

    connect: float = 5.0
    read: float = 30.0
    total: float = 60.0
    tries: int = 3
    pause: float = 0.5
    retry_after: float = 10.0
    redirects: int = 5
    body: int = 10 << 20


@record
class Answer:
    """The answer of an address: 200 with its body and the checksums that the server announces for it, 404, 401 or 403."""

    status: int
    body: bytes
    checksums: Mapping[str, str]


class Client:
    """Requests addresses. An answer is kept for later requests with the same credentials."""

    __slots__ = ("_answers", "_limits", "_transport")

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._transport = Transport(self._limits.connect, self._limits.read, self._limits.body)
        self._answers: dict[tuple[str, str], Answer] = {}

    def get(self, address: str, authorization: str = "") -> Answer:
        """Return the answer of an address. FaultsError of rule 94 for any status but 200, 404, 401 and 403.

        authorization: the value of the header; it is sent to the scheme, host and port of `address` only.
        """
        key = (address, authorization)
        if key not in self._answers:
            reply = self._asked(address, authorization)
            self._answers[key] = Answer(reply.status, reply.body, reply.checksums)
        return self._answers[key]

    def _asked(self, address: str, authorization: str) -> Reply:
        until = time.monotonic() + self._limits.total
        here, left, may_be_local = address, self._limits.redirects, True
        while True:
            headers = {"Authorization": authorization} if authorization and origin(here) == origin(address) else {}
            reply = self._tried(address, here, headers, until, may_be_local=may_be_local)
            if reply.status in (_FOUND, _ABSENT, *_DENIED):
                return reply
            if reply.status not in web.REDIRECTS:
                raise _refused(address, f"the server answers {reply.status}")
            left -= 1
            if left < 0:
                raise _refused(address, f"the server redirects more than {self._limits.redirects} times")
            may_be_local = may_be_local and reply.is_local
            try:
                here = web.follow(here, reply.location)
            except web.RedirectError as error:
                raise _refused(address, f"the server redirects {error}") from None

    def _tried(self, address: str, here: str, headers: Mapping[str, str], until: float, *, may_be_local: bool) -> Reply:
        """Return the reply of `here` once the server is not busy. FaultsError when the tries or the time are used up."""
        for number in range(1, self._limits.tries + 1):
            pause = self._limits.pause * 2 ** (number - 1)
            try:
                reply = within(until, lambda: self._transport.get(here, headers, may_be_local=may_be_local))
                reason = f"the server answers {reply.status}"
                if reply.status != _BUSY and reply.status < 500:
                    return reply
                pause = max(pause, _wished(reply.retry_after)) if reply.retry_after.strip() != "0" else 0.0
                final = _wished(reply.retry_after) > self._limits.retry_after
            except NoReplyError as error:
                reason, final = error.reason, not error.passing
            if final or number == self._limits.tries or time.monotonic() + pause >= until:
                break
            time.sleep(pause)
        raise _refused(address, reason if here == address else f"the server redirects to {web.split(here).authority}: {reason}")


def within(until: float, call: Callable[[], Reply]) -> Reply:
    """Return the result of a call, or raise NoReplyError at the time `until`.

    A socket's own timeout restarts with each byte, and resolving a name has none: a slow server could block the run forever.
    """
    results: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()

    def work() -> None:
        try:
            results.put(call())
        except Exception as error:  # noqa: BLE001 - handed to the thread that waits
            results.put(error)

    threading.Thread(target=work, daemon=True).start()
    try:
        found = results.get(timeout=max(0.0, until - time.monotonic()))
    except queue.Empty:
        raise NoReplyError("the server does not answer in time") from None
    if isinstance(found, Exception):
        raise found
    return found


def _wished(retry_after: str) -> float:
    """Return the seconds of a `Retry-After` header, which is a number or a date; 0 if it cannot be read."""
    text = retry_after.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError, OSError, IndexError):
        return 0.0


def _refused(address: str, reason: str) -> Exception:
    return fault(_RULE, f"{address}: {reason}; try again when that is fixed", "fetch")


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
    """Sends single requests, and keeps connections open between them."""

    __slots__ = ("_body", "_pools", "_timeout", "_tls")

    def __init__(self, connect: float, read: float, body: int) -> None:
        self._timeout = urllib3.Timeout(connect=connect, read=read)
        self._body = body
        self._pools: dict[str, urllib3.PoolManager] = {}
        self._tls: ssl.SSLContext | None = None

    def get(self, address: str, headers: Mapping[str, str], *, may_be_local: bool = True) -> Reply:
        """Send one request; redirects are not followed. NoReplyError without a reply; no message shows a header or a proxy's user.

        may_be_local: False refuses a host with an address of this machine or its link before anything is sent to it. The connection uses the
        addresses that were checked. Behind a proxy, which resolves names itself, a host is refused that is written as such an address, is
        `localhost` or the name of a metadata service, or has such an address here.
        """
        try:
            response, is_local = self._asked(web.split(address), address, headers, may_be_local=may_be_local)
            with contextlib.closing(response):
                return self._reply(response, is_local=is_local)
        except web.ChecksumError as error:
            raise NoReplyError(f"the checksum that the server announces {error}") from None
        except (HTTPError, OSError, ValueError) as error:
            raise _no_reply(error) from None

    def _asked(
        self, found: Web, address: str, headers: Mapping[str, str], *, may_be_local: bool
    ) -> tuple[urllib3.BaseHTTPResponse, bool]:
        """Return the response, and whether it is from this machine or its link."""
        if proxy := _proxy_of(address):
            is_local = web.is_local_name(found.host) or (not may_be_local and web.has_local_address(found.host, found.port))
            _check(found, is_refused=is_local and not may_be_local)
            return self._request(self._pool(proxy), address, headers), is_local
        known = web.resolved(found.host, found.port)
        local = [web.is_local(each) for each in known]
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
        if response.status != _FOUND:
            return found
        announced = web.announced(response.headers)
        return replace(found, body=self._read(response), checksums=announced)

    def _read(self, response: urllib3.BaseHTTPResponse) -> bytes:
        if response.headers.get("Content-Encoding", "identity") not in ("identity", ""):
            raise NoReplyError("the server answers in an encoding that was not asked for")
        inner = getattr(response, "_fp", None)
        if inner is not None and getattr(response, "chunked", False):
            inner.fp = _Chunks(inner.fp)
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
            address, user = _split_proxy(proxy)
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


def _proxy_of(address: str) -> str:
    """Return the proxy that the environment names for an address, "" for none."""
    parts = urlsplit(address)
    found = getproxies()
    proxy = found.get(parts.scheme) or found.get("all") or ""
    return "" if proxy and proxy_bypass(parts.netloc) else proxy


def _split_proxy(proxy: str) -> tuple[str, str]:
    """Return a proxy's address without its user, and `user:password` or "". ValueError if it has no host."""
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if not parts.hostname:
        raise ValueError("no host")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port else ""
    user = "" if parts.username is None else f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return f"{parts.scheme}://{host}{port}", user


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


def _check(found: Web, *, is_refused: bool) -> None:
    if is_refused:
        raise NoReplyError(f"{found.host} has an address of this machine or its link (loopback or link-local)")


def _no_reply(error: Exception) -> NoReplyError:
    """Return the error in words that contain nothing of the environment."""
    where = " through the proxy" if isinstance(error, ProxyError) else ""
    cause = error.original_error if isinstance(error, ProxyError) else error
    if isinstance(cause, (SSLError, ssl.SSLError)):
        found = cause.args[0] if cause.args else None
        inner = found if isinstance(found, ssl.SSLError) else cause
        return NoReplyError(f"TLS{where}: {getattr(inner, 'verify_message', '') or getattr(inner, 'reason', '') or 'fault'}")
    if isinstance(cause, (ConnectTimeoutError, ReadTimeoutError, TimeoutError)) and not isinstance(cause, NewConnectionError):
        return NoReplyError(f"the server{where} does not answer in time", passing=True)
    if isinstance(cause, (NewConnectionError, OSError)):
        return NoReplyError(f"the server{where} cannot be reached", passing=True)
    if isinstance(cause, ProtocolError):
        return NoReplyError(f"the server{where} ends the connection early", passing=True)
    return NoReplyError(f"the address cannot be asked{where} ({type(cause).__name__})")
