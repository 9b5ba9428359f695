"""Servers that answer with what breaks a client, and credentials that break a request."""

from __future__ import annotations

import contextlib
import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from tests.hostile.attack import Attack
from tests.hostile.families.envgene import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ARTIFACT = b"HTTP/1.1 200 OK\r\n"
DEFINITIONS = {
    "package/appdefs/suite.yml": "name: suite\nregistryName: central\nartifactId: suite\ngroupId: org.example\n",
    "package/regdefs/central.yml": "name: central\ncredentialsId: ''\nmavenConfig:\n  repositoryDomainName: http://127.0.0.1:PORT\n  targetRelease: rel\n",
}
FETCH = ("krm-values", "envgene", "fetch", "suite:1.4.0", "--repository", "package")
CREDENTIALS = "package/configuration/credentials/credentials.yml"


def answering(answer: bytes | Callable[[Any], None]) -> Callable[[Path], contextlib.AbstractContextManager[dict[str, str]]]:
    """A server that gives this answer to everything; its port goes into the repository."""

    @contextlib.contextmanager
    def around(root: Path) -> Iterator[dict[str, str]]:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                with contextlib.suppress(OSError):
                    if callable(answer):
                        answer(self)
                    else:
                        self.wfile.write(answer.replace(b"PORT", str(server.server_port).encode()))
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                """Nobody reads it."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        definition = root / "package/regdefs/central.yml"
        definition.write_text(definition.read_text().replace("PORT", str(server.server_port)))
        try:
            yield {"port": str(server.server_port)}
        finally:
            server.shutdown()
            server.server_close()

    return around


def redirect(location: bytes) -> bytes:
    return b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"


def body(text: bytes, *headers: bytes) -> bytes:
    return ARTIFACT + b"".join(line + b"\r\n" for line in headers) + b"Content-Length: %d\r\n\r\n" % len(text) + text


def _endless(handler: Any) -> None:
    handler.wfile.write(ARTIFACT + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        handler.wfile.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")


def _fetched(name: str, tries: str, answer: Any, says: str, code: int = 1, **more: Any) -> Attack:
    writes = ("package/regdefs", "package")
    return Attack(
        name, tries, FETCH, says, code, {**REPOSITORY, **DEFINITIONS}, around=answering(answer), writes=writes, **more
    )


def _credentials(name: str, tries: str, text: str | bytes, says: str) -> Attack:
    files = {**REPOSITORY, **DEFINITIONS, CREDENTIALS: text}
    files["package/regdefs/central.yml"] = (
        DEFINITIONS["package/regdefs/central.yml"].replace("''", "reader").replace("PORT", "1")
    )
    return Attack(name, tries, (*FETCH, "--allow-http"), says, 1, files, hides=("Hs6dPq9w",))


def _bomb(handler: Any) -> None:
    """200 MB of spaces, which are packed when they are asked for."""
    handler.wfile.write(body(gzip.compress(b" " * (200 << 20), 9), b"Content-Encoding: gzip"))


ATTACKS = [
    _fetched("Location: http://[::1:99999/", "break urlsplit", redirect(b"http://[::1:99999/"), "redirects"),
    _fetched(
        "Location with a port of 5,000 digits",
        "use Python's limit of digits",
        redirect(b"http://127.0.0.1:" + b"9" * 5000 + b"/"),
        "redirects",
    ),
    _fetched("Location: file:///etc/passwd", "read a file", redirect(b"file:///etc/passwd"), "redirects", hides=("root:",)),
    _fetched("Location to itself", "never end", redirect(b"/again"), "redirect"),
    _fetched("Location with escapes", "write to the terminal", redirect(b"http://x/\x1b]0;x\x07"), "redirects"),
    _fetched("a gzip bomb", "take memory", _bomb, "127.0.0.1"),
    _fetched("an endless body", "take memory", _endless, "127.0.0.1"),
    _fetched(
        "100,000 headers", "take memory", ARTIFACT + b"".join(b"X-%d: y\r\n" % n for n in range(100_000)) + b"\r\n", "127.0.0.1"
    ),
    _fetched("a status line of 1 MB", "take memory", b"HTTP/1.1 " + b"9" * (1 << 20), "127.0.0.1"),
    _fetched(
        "a status of 5,000 digits", "use Python's limit of digits", b"HTTP/1.1 " + b"9" * 5000 + b" OK\r\n\r\n", "127.0.0.1"
    ),
    _fetched(
        "a Content-Length of 5,000 digits",
        "use Python's limit of digits",
        ARTIFACT + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n{}",
        "is JSON but not an SD",
    ),
    _fetched(
        "a chunk of 5,000 digits",
        "use Python's limit of digits",
        ARTIFACT + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n",
        "127.0.0.1",
    ),
    _fetched("an artifact of 100,000 brackets", "overflow the stack", body(b"[" * 100_000), "suite:1.4.0"),
    _fetched(
        "an artifact of 10^5000",
        "use Python's limit of digits",
        body(b'{"applications": ' + b"9" * 5001 + b"}"),
        "is JSON but not an SD",
    ),
    _fetched("an artifact that is no UTF-8", "break decoding", body(b"\xff\xfe\0"), "suite:1.4.0"),
    _fetched("an artifact with escapes", "write to the terminal", body(b'{"applications": "\x1b]0;x\x07"'), "suite:1.4.0"),
    _credentials(
        "a password with a line break",
        "add a header to the request",
        'reader:\n  type: usernamePassword\n  data:\n    username: sam\n    password: "Hs6dPq9w\\nX-Evil: y"\n',
        "line breaks",
    ),
    _credentials(
        "a password that is a list",
        "be printed",
        "reader:\n  type: usernamePassword\n  data:\n    username: sam\n    password: [Hs6dPq9w]\n",
        "password",
    ),
    _credentials(
        "credentials in broken YAML",
        "be printed",
        "reader:\n  type: usernamePassword\n  data:\n    username: sam\n    password: *Hs6dPq9w\n",
        "credentials.yml",
    ),
    _credentials("credentials that are no UTF-8", "be printed", b"reader: Hs6dPq9w\xff\n", "credentials.yml"),
]
