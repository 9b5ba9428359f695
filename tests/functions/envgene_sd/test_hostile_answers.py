"""What a server may answer to make us break, hang, leak or turn on this machine: each answer, sent by a real server, and what the user sees."""

from __future__ import annotations

import contextlib
import email.utils
import os
import re
import resource
import socket
import threading
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values.envgene_sd.repository import client, web
from krm_values.envgene_sd.repository.files import FaultsError
from tests.conformance.instances import call

MARK = "m4rk"
HEAD = b"HTTP/1.1 200 OK\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
SD = b'{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}'
QUICK = {"connect": 5.0, "read": 5.0, "total": 15.0, "pause": 0.01}
MEMORY = 200 << 10  # KiB that a fetch may add


def redirect(location, status=302):
    return b"HTTP/1.1 %d Found\r\nLocation: " % status + location + b"\r\nContent-Length: 0\r\n\r\n"


def body(text, *headers, length=None):
    lines = b"".join(header + b"\r\n" for header in headers)
    return HEAD + lines + b"Content-Length: %d\r\n\r\n" % (len(text) if length is None else length) + text


NO_ADDRESS = "redirects to no http or https address"
LONG = "redirects to an address of more than 8192 characters"
CHARACTERS = "redirects to an address with characters that no address has"
USER = "redirects to an address with a user in it"
READ = "kind: SolutionDescriptorArtifact"  # nothing is wrong with these
ANSWERS = {
    # where a redirect leads
    "an IPv6 address without its end": (redirect(b"http://[::1:99999/"), NO_ADDRESS),
    "a port beyond 65535": (redirect(b"http://127.0.0.1:99999/"), NO_ADDRESS),
    "a port beyond 65535 of an IPv6 address": (redirect(b"http://[::1]:99999/"), NO_ADDRESS),
    "port 0": (redirect(b"http://127.0.0.1:0/"), NO_ADDRESS),
    "a port of 5,000 digits": (redirect(b"http://127.0.0.1:" + b"9" * 5000 + b"/"), NO_ADDRESS),
    "a port with a sign": (redirect(b"http://127.0.0.1:-1/"), NO_ADDRESS),
    "a port in words": (redirect(b"http://127.0.0.1:http/"), NO_ADDRESS),
    "a port in other digits, percent-encoded": (redirect(b"http://127.0.0.1:%D9%A1/"), NO_ADDRESS),
    "something behind an IPv6 address": (redirect(b"http://[::1]x/"), NO_ADDRESS),
    "brackets around no address": (redirect(b"http://[zz]/"), NO_ADDRESS),
    "brackets around a name": (redirect(b"http://[maven.test]/"), NO_ADDRESS),
    "an IPvFuture address": (redirect(b"http://[v1.a]/"), NO_ADDRESS),
    "a zone in an IPv6 address": (redirect(b"http://[fe80::1%25eth0]/"), NO_ADDRESS),
    "two pairs of brackets": (redirect(b"http://[::1][::1]/"), NO_ADDRESS),
    "a host in percent escapes": (redirect(b"http://%31%32%37.0.0.1/"), NO_ADDRESS),
    "a backslash before another host": (redirect(b"http://maven.test\\.other.test/"), NO_ADDRESS),
    "a backslash and a user": (redirect(b"http://maven.test\\@other.test/"), USER),
    "no host": (redirect(b"http:///x"), NO_ADDRESS),
    "no host, with a port": (redirect(b"http://:80/x"), NO_ADDRESS),
    "a blank as host": (redirect(b"http:// /x"), NO_ADDRESS),
    "nothing": (redirect(b""), NO_ADDRESS),
    "no Location at all": (b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", NO_ADDRESS),
    "a user": (redirect(f"http://sam:{MARK}@127.0.0.1/".encode()), USER),
    "an empty user": (redirect(b"http://@127.0.0.1/"), USER),
    "a user in a relative address": (redirect(f"//sam:{MARK}@127.0.0.1/x".encode()), USER),
    "file": (redirect(b"file:///etc/passwd"), NO_ADDRESS),
    "ftp": (redirect(b"ftp://127.0.0.1/x"), NO_ADDRESS),
    "gopher": (redirect(b"gopher://127.0.0.1:6379/_x"), NO_ADDRESS),
    "data": (redirect(b"data:application/json,{}"), NO_ADDRESS),
    "javascript": (redirect(b"javascript:alert(1)"), NO_ADDRESS),
    "unix": (redirect(b"http+unix://%2Fvar%2Frun%2Fdocker.sock/x"), NO_ADDRESS),
    "8,193 characters": (redirect(b"/" + b"a" * 8192), LONG),
    "60,000 characters": (redirect(b"/" + b"a" * 60_000), LONG),
    "a line longer than any header may be": (redirect(b"/" + b"a" * 100_000), "ends the connection early"),
    "UTF-8": (redirect("http://127.0.0.1/ü".encode()), CHARACTERS),
    "Latin-1": (redirect(b"http://127.0.0.1/\xfc"), CHARACTERS),
    "full-width digits": (redirect("http://１２７.0.0.1/".encode()), CHARACTERS),
    "a NUL": (redirect(b"http://127.0.0.1/\0"), CHARACTERS),
    "an escape sequence for a terminal": (redirect(b"http://127.0.0.1/\x1b[2J"), CHARACTERS),
    "a tab in the host": (redirect(b"http://127.0\t.0.1/"), CHARACTERS),
    "a line that is folded": (redirect(b"http://127.0.0.1:1/a\r\n X-Other: b"), f"{CHARACTERS}|cannot be reached"),
    "itself, for ever": (redirect(b"/rel/org/sample/suite/1.4.0/suite-1.4.0.json"), "redirects more than 5 times"),
    "itself, by 308": (redirect(b"?", 308), "redirects more than 5 times"),
    # statuses
    "300 with a Location": (redirect(b"/x", 300), "answers 300"),
    "304": (b"HTTP/1.1 304 Not Modified\r\n\r\n", "answers 304"),
    "305, use a proxy": (redirect(b"http://127.0.0.1:1/", 305), "answers 305"),
    "206 that was not asked for": (body(SD).replace(b"200", b"206"), "answers 206"),
    "101, another protocol": (b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n", "answers 101"),
    "a status of two digits": (b"HTTP/1.1 20 OK\r\n\r\n", "ends the connection early"),
    "a status of 5,000 digits": (b"HTTP/1.1 " + b"2" * 5000 + b" OK\r\n\r\n", "ends the connection early"),
    "no HTTP": (b"220 mail.test ESMTP\r\n", "ends the connection early"),
    "a status line that never ends": (b"H" * 200_000, "ends the connection early"),
    "nothing at all": (b"", "ends the connection early"),
    "101 headers": (HEAD + b"X: y\r\n" * 101 + b"\r\n", "ends the connection early"),
    "a wish of 5,000 digits": (
        b"HTTP/1.1 503 x\r\nRetry-After: " + b"9" * 5000 + b"\r\nContent-Length: 0\r\n\r\n",
        "answers 503",
    ),
    "a wish for a date that is none": (
        b"HTTP/1.1 503 x\r\nRetry-After: Mon, 99 Foo 99999999999999999999 99:99:99 +99999999999\r\nContent-Length: 0\r\n\r\n",
        "answers 503",
    ),
    # bodies
    "a length of 5,000 digits": (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n" + SD, READ),
    "a negative length": (HEAD + b"Content-Length: -1\r\n\r\n" + SD, READ),
    "two lengths": (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}   ", "cannot be asked"),
    "fewer bytes than said": (body(SD, length=len(SD) + 1), "ends the connection early"),
    "a chunk of negative length": (CHUNKED + b"-1\r\n" + SD, "a chunk of negative length"),
    "a chunk of no length": (
        CHUNKED + b"zz\r\n" + SD,
        "cannot be asked|ends the connection early",
    ),
    "a chunk's length that never ends": (CHUNKED + b"0" * 200_000, "a line of more than 16 KiB between chunks"),
    "an extension of a chunk that never ends": (CHUNKED + b"1;" + b"x" * 200_000, "a line of more than 16 KiB between chunks"),
    "a trailer that never ends": (CHUNKED + b"0\r\nX: " + b"x" * 200_000, "a line of more than 16 KiB between chunks"),
    "100,000 chunks": (CHUNKED + b"2\r\n{}\r\n" * 100_000 + b"0\r\n\r\n", "is not JSON"),
    "gzip": (body(b"\x1f\x8b", b"Content-Encoding: gzip"), "in an encoding that was not asked for"),
    "11 MiB": (body(b" " * (11 << 20)), "longer than 10 MiB"),
    "nesting without end": (body(b"[" * 200_000), "is not JSON"),
    "a number of 100,000 digits": (body(b'{"applications": [], "a": ' + b"9" * 100_000 + b"}"), READ),
    "bytes that are no UTF-8": (body(b'{"a": "\xff"}'), "is not JSON"),
    "half a surrogate": (body(b'{"applications": "\\ud800"}'), "is not JSON"),
    # checksums
    "a wrong checksum": (body(SD, b"X-Checksum-Sha256: " + b"0" * 64), "has the sha256 .*, expected 0000"),
    "a checksum that is none": (body(SD, b"X-Checksum-Sha1: \x1b[2J"), "must be a sha1 of 40 hexadecimal digits"),
    "a checksum of 60,000 characters": (body(SD, b"X-Checksum-Sha1: " + b"a" * 60_000), "must be a sha1 of 40 hexadecimal"),
}


class Server:
    """Sends the same bytes to whoever asks, and closes."""

    def __init__(self, answer, address="127.0.0.1"):
        self.answer, self.asked = answer, []
        self.socket = socket.create_server((address, 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection):
        with contextlib.suppress(OSError), connection:
            connection.settimeout(5)
            self.asked.append(connection.recv(65536))
            connection.sendall(self.answer)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)


@contextlib.contextmanager
def serving(answer, address="127.0.0.1"):
    server = Server(answer, address)
    try:
        yield server
    finally:
        server.socket.close()


def fetch(folder, base, *options):
    """`envgene fetch` of an artifact from the registry at `base`, which wants a credential."""
    files = {
        "appdefs/suite.yml": "name: suite\nregistryName: central\nartifactId: suite\ngroupId: org.sample\n",
        "regdefs/central.yml": "name: central\ncredentialsId: reader\n"
        f"mavenConfig: {{repositoryDomainName: '{base}', targetRelease: rel}}\n",
        "configuration/credentials/credentials.yml": f"reader: {{data: {{username: sam, password: {MARK}}}}}\n",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    environment = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    arguments = ["fetch", "suite:1.4.0", "--repository", str(folder), "--allow-http", *options]
    with mock.patch.object(client, "Limits", return_value=LIMITS):
        return call(arguments, environment)


LIMITS = client.Limits(**QUICK)


@pytest.mark.parametrize("title", ANSWERS)
def test_a_hostile_answer_is_an_error_in_words(tmp_path, title):
    """In time, in little memory, without a trace of the credential or a control character; the request goes to this server alone."""
    answer, words = ANSWERS[title]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serving(answer) as server:
        done = fetch(tmp_path, f"http://127.0.0.1:{server.port}")
    shown = done.out.decode() + done.err
    assert re.search(words, shown), shown
    assert done.code == (0 if words == READ else 1)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY
    assert MARK not in shown
    assert all(character.isprintable() or character == "\n" for character in shown)
    assert all(asked.startswith(b"GET /rel/org/sample/suite/1.4.0/suite-1.4.0.json HTTP/1.1\r\n") for asked in server.asked)
    assert 1 <= len(server.asked) <= 6


LOCAL = ["127.0.0.2", "127.255.255.254", "2130706434", "0x7f000002", "0177.0.0.2", "127.2", "0.0.0.0", "0", "169.254.169.254"]
LOCAL += [
    "100.100.100.200",
    "localhost.test",
    "mixed.test",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.2]",
    "[::127.0.0.2]",
    "[fe80::1]",
]
LOCAL += ["[64:ff9b::7f00:2]", "[2002:7f00:2::]", "[fd00:ec2::254]", "[fd00:ec2::23]", "[fd20:ce::254]", "[fd00:c1::a9fe:a9fe]"]
LOCAL += ["[64:ff9b:1::a9fe:a9fe]", "[64:ff9b:1:a9fe:a9:fe00::]", "[64:ff9b:1:7f:0:2::]", "[64:ff9b:1:0:7f:0:200:0]"]
LOCAL += ["[::ffff:a9fe:a9fe]", "[::ffff:6464:64c8]", "[::ffff:0:a9fe:a9fe]"]
NAMES = {"public.test": ["127.0.0.1"], "localhost.test": ["127.0.0.2"], "mixed.test": ["127.0.0.1", "127.0.0.2"]}


@pytest.fixture
def public():
    """127.0.0.1 counts as a public address, and some names have addresses."""
    resolve, is_local = socket.getaddrinfo, web.is_local

    def resolved(host, port, *arguments, **named):
        addresses = NAMES.get(host, [host])
        return [found for each in addresses for found in resolve(each, port, *arguments, **named)]

    with (
        mock.patch.object(socket, "getaddrinfo", resolved),
        mock.patch.object(web, "is_local", lambda address: address != "127.0.0.1" and is_local(address)),
    ):
        yield


@pytest.mark.parametrize("host", LOCAL)
def test_a_public_server_redirects_to_nobody_on_this_machine_or_its_link(tmp_path, public, host):
    """Nothing connects to it, whatever way its address is written in, not even if another address of the name is public."""
    with serving(body(SD), "127.0.0.2") as inside, serving(redirect(b"")) as outside:
        outside.answer = redirect(f"http://{host}:{inside.port}/x".encode())
        done = fetch(tmp_path, f"http://public.test:{outside.port}")
        assert (done.code, len(outside.asked), inside.asked) == (1, 1, [])
    shown = host.strip("[]")
    assert f"redirects to {host}:{inside.port}: {shown} has an address of this machine or its link" in done.err


def test_a_public_server_that_comes_back_to_itself_is_followed(tmp_path, public):
    with serving(body(SD)) as other, serving(redirect(b"")) as outside:
        outside.answer = redirect(f"http://127.0.0.1:{other.port}/x".encode())
        assert fetch(tmp_path, f"http://public.test:{outside.port}").code == 0
        assert b"Host: public.test:%d\r\n" % outside.port in outside.asked[0]
        assert b"\r\nAuthorization: " in outside.asked[0]
        assert b"\r\nAuthorization: " not in other.asked[0]


def test_a_server_of_this_machine_may_redirect_to_it(tmp_path):
    with serving(body(SD), "127.0.0.2") as other, serving(redirect(f"http://127.0.0.2:{other.port}/x".encode())) as first:
        assert fetch(tmp_path, f"http://127.0.0.1:{first.port}").code == 0


def test_the_way_back_from_a_public_server_is_closed(tmp_path, public):
    """A server of this machine that hands over to a public one trusts it no further."""
    with serving(body(SD), "127.0.0.2") as inside, serving(redirect(f"http://127.0.0.2:{inside.port}/x".encode())) as outside:
        with serving(redirect(f"http://public.test:{outside.port}/x".encode()), "127.0.0.2") as first:
            done = fetch(tmp_path, f"http://127.0.0.2:{first.port}")
        assert (done.code, len(first.asked), len(outside.asked), inside.asked) == (1, 1, 1, [])


def test_the_address_that_was_checked_is_the_one_that_is_connected_to(tmp_path, public):
    """A name that leads elsewhere when it is looked up again, here for the next try: every try checks what it has looked up."""
    looked = []
    resolve = socket.getaddrinfo

    def resolved(host, *arguments, **named):
        if host == "turning.test":
            looked.append(host)
            host = "127.0.0.1" if len(looked) == 1 else "127.0.0.2"
        return resolve(host, *arguments, **named)

    with serving(body(SD), "127.0.0.2") as inside, serving(redirect(b"")) as outside:
        outside.answer = redirect(f"http://turning.test:{inside.port}/x".encode())
        with mock.patch.object(socket, "getaddrinfo", resolved):
            done = fetch(tmp_path, f"http://public.test:{outside.port}")
    assert (done.code, looked, inside.asked) == (1, ["turning.test"] * 2, [])


def test_a_name_with_a_dead_address_and_a_good_one_is_read(tmp_path, public):
    NAMES["two.test"] = ["127.0.0.3", "127.0.0.1"]
    with serving(body(SD)) as server:
        assert fetch(tmp_path, f"http://two.test:{server.port}").code == 0


@pytest.mark.parametrize("host", ["localhost", "a.localhost.", "127.1", "2130706433", "[::1]", "169.254.169.254", "0"])
def test_behind_a_proxy_what_is_written_as_this_machine_is_refused(tmp_path, host):
    refused_behind_a_proxy(host)


@pytest.mark.parametrize(
    "host", ["metadata.google.internal", "Metadata.Google.Internal.", "metadata", "metadata.goog", "instance-data.ec2.internal"]
)
def test_behind_a_proxy_names_of_metadata_services_are_refused(host):
    """Only the resolver of a cloud knows them, which the proxy asks."""
    refused_behind_a_proxy(host)


@pytest.mark.parametrize("host", ["localhost.test", "mixed.test"])
def test_behind_a_proxy_a_name_with_an_address_of_this_machine_is_refused(host, public):
    refused_behind_a_proxy(host)


@pytest.mark.parametrize(
    "content",
    [
        b'{"AccessKeyId": "AKIA-hunter2", "SecretAccessKey": "hunter2", "Token": "hunter2"}',
        b'{"applications": "hunter2"}',
        b'{"applications": {"hunter2": 1}}',
        b'["hunter2"]',
        b'"hunter2"',
    ],
)
def test_what_is_no_descriptor_is_not_shown(tmp_path, content):
    with serving(body(content)) as server:
        done = fetch(tmp_path, f"http://127.0.0.1:{server.port}")
    assert (done.code, done.out) == (1, b"")
    assert "is JSON but not an SD: it must " in done.err
    assert "hunter2" not in done.err
    assert "Access" not in done.err


def refused_behind_a_proxy(host):
    with serving(redirect(f"http://{host}:99/x".encode())) as proxy:
        environment = {**os.environ, "http_proxy": f"http://127.0.0.1:{proxy.port}", "no_proxy": ""}
        with mock.patch.dict(os.environ, environment, clear=True), pytest.raises(FaultsError, match="this machine or its"):
            client.Client(LIMITS).get("http://public.test/a")
        assert len(proxy.asked) == 1


ALPHABET = st.sampled_from(list("http://[]:@.%\\?#;=&0129afx \t\x00\x7fü１\ud800"))
HEADERS = st.text(ALPHABET | st.characters(), max_size=60) | st.text("0123456789", min_size=4000, max_size=5000)


@given(HEADERS | st.tuples(st.sampled_from(["http://", "https://", "//", "/"]), HEADERS).map("".join))
def test_any_location_is_an_address_or_a_refusal(location):
    for here in ("https://maven.test/a", "http://[::1]:8080/a?b"):
        with contextlib.suppress(web.RedirectError):
            target = web.split(web.follow(here, location))
            assert target.scheme == "https" or here.startswith("http:")
            assert target.authority.isascii()


@given(
    HEADERS
    | st.datetimes(allow_imaginary=False)
    .map(email.utils.format_datetime)
    .flatmap(lambda text: st.sampled_from([text, text[:-6]]))
)
def test_any_wish_is_a_number_of_seconds(wish):
    assert client._wished(wish) >= 0


@given(HEADERS | st.binary(max_size=200).map(lambda data: data.decode("latin-1")))
def test_any_checksum_is_taken_or_refused(text):
    with contextlib.suppress(web.ChecksumError):
        found = web.announced({"X-Checksum-Sha1": text, "ETag": text})
        assert all(len(digits) == 40 for digits in found.values())


@given(st.ip_addresses())
def test_any_address_is_judged_the_same_in_both_notations(address):
    assert web.is_local(str(address)) == web.is_local_name(str(address)) == web.is_local(address.exploded)
