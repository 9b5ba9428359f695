"""Real HTTP servers on this machine in the place of a case's Maven servers: Python's own, with given answers and a log."""

from __future__ import annotations

import atexit
import datetime as dt
import ipaddress
import json
import shutil
import ssl
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from krm_values._yaml import emit

NAMES = ("https://maven.test", "http://maven.test", "http://other.test")
MAIN = "http://maven.test"


class Servers:
    """The three servers that cases name; each case gives them its answers."""

    def __init__(self, folder: Path) -> None:
        self.certificate = folder / "certificate.pem"
        key = folder / "key.pem"
        certify(self.certificate, key)
        self._servers = {name: _start(self, name) for name in NAMES}
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(self.certificate, key)
        server = self._servers[NAMES[0]]
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        self.serve({})
        atexit.register(shutil.rmtree, folder, ignore_errors=True)

    def serve(self, answers: dict[str, Any]) -> None:
        """Give these answers from now on, and forget every request."""
        self.answers = {address if "://" in address else MAIN + address: answer for address, answer in answers.items()}
        self.asked: Counter[str] = Counter()
        self.requests: list[dict[str, str]] = []

    def real(self, text: str) -> str:
        """A text with the servers' addresses for their names."""
        for name, server in self._servers.items():
            text = text.replace(name, f"{name.partition(':')[0]}://127.0.0.1:{server.server_port}")
        return text.replace("maven.test", f"127.0.0.1:{self._servers[NAMES[0]].server_port}")

    def named(self, text: str) -> str:
        """The other way round."""
        for name, server in self._servers.items():
            text = text.replace(f"{name.partition(':')[0]}://127.0.0.1:{server.server_port}", name)
        return text

    def answer(self, handler: BaseHTTPRequestHandler, name: str) -> None:
        address = name + unquote(handler.path)
        shown = address.removeprefix(MAIN)
        header = handler.headers.get("Authorization")
        self.requests.append({"get": shown, **({"authorization": header} if header else {})})
        found = self.answers.get(address, {"status": 404})
        if isinstance(found, list):
            found = found[min(self.asked[address], len(found) - 1)]
        self.asked[address] += 1
        self._send(handler, found)

    def _send(self, handler: BaseHTTPRequestHandler, found: dict[str, Any]) -> None:
        body = found.get("text", "").encode()
        if "json" in found:
            body = emit.as_json(found["json"]).encode()
        body += b" " * found.get("pad", 0)
        handler.send_response(302 if "redirect" in found else found.get("status", 200))
        headers = dict(found.get("headers", {}))
        if "redirect" in found:
            headers["Location"] = self.real(found["redirect"])
        for key, value in {"Content-Length": str(len(body)), **headers}.items():
            handler.send_header(key, str(value))
        handler.end_headers()
        handler.wfile.write(body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error of the server."""


def _start(servers: Servers, name: str) -> _Server:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            servers.answer(self, name)

        def log_message(self, *_: Any) -> None:
            """Nothing on stderr."""

    server = _Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return server


def certify(certificate: Path, key: Path) -> None:
    """A certificate of its own for 127.0.0.1."""
    from cryptography import x509  # noqa: PLC0415 - an extra of the project
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    made = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    day = dt.timedelta(days=1)
    found = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(made.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(made, hashes.SHA256())
    )
    certificate.write_bytes(found.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    key.write_bytes(made.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption()))


def as_text(value: Any) -> str:
    """A definition as YAML text."""
    return json.dumps(value) if isinstance(value, str) else "\n".join(emit.block(value)) + "\n"
