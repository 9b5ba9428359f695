"""The client against real servers: tries, redirects, limits, and who gets to see credentials."""

from __future__ import annotations

import contextlib
import datetime as dt
import email.utils
import os
import socket
import threading
import time
from unittest import mock

import pytest

from krm_values.envgene_sd.repository.client import Client, Limits
from krm_values.envgene_sd.repository.files import FaultsError
from krm_values.envgene_sd.repository.web import origin
from tests.conformance.instances import servers

QUICK = Limits(pause=0.01, total=20.0, connect=5.0, read=10.0)
SECRET = "Basic c2FtOnMzY3JldA=="
HERE = "http://maven.test"
OK = {"text": "body"}


@pytest.fixture(autouse=True)
def machine():
    """Only what a test sets of proxies and certificates."""
    kept = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    with mock.patch.dict(os.environ, {**kept, "SSL_CERT_FILE": str(servers().certificate)}, clear=True):
        yield


def get(path, answers, login="", limits=QUICK):
    servers().serve(answers)
    return Client(limits).get(servers().real(path if "://" in path else HERE + path), login)


def refused(path, answers, limits=QUICK):
    with pytest.raises(FaultsError) as caught:
        get(path, answers, limits=limits)
    assert [finding.rule for finding in caught.value.findings] == ["94"]
    return servers().named(str(caught.value)), len(servers().requests)


@pytest.mark.parametrize("status", [404, 401, 403])
def test_what_is_absent_or_denied_is_an_answer(status):
    answer = get("/a", {"/a": {"status": status, "text": "x"}})
    assert (answer.status, answer.body, len(servers().requests)) == (status, b"", 1)


@pytest.mark.parametrize("status", [204, 206, 304, 400, 407, 410, 418, 451])
def test_any_other_status_is_refused_at_once(status):
    text, asked = refused("/a", {"/a": {"status": status}})
    assert text == f"http://maven.test/a: the server answers {status}; try again when that is fixed"
    assert asked == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_server_gets_three_tries(status):
    assert refused("/a", {"/a": {"status": status}})[1] == 3
    assert get("/a", {"/a": [{"status": status}, {"status": status}, OK]}).body == b"body"


def test_what_a_server_wishes_is_waited_for_up_to_a_limit():
    """A wish in seconds, as a date that is over, or one that cannot be read; a longer one ends the tries."""
    for wish in ("0", "1", email.utils.format_datetime(dt.datetime(2020, 1, 1, tzinfo=dt.UTC)), "soon"):
        assert get("/a", {"/a": [{"status": 503, "headers": {"Retry-After": wish}}, OK]}).body == b"body"
    later = email.utils.format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(minutes=5))
    for wish in ("11", later):
        assert refused("/a", {"/a": {"status": 503, "headers": {"Retry-After": wish}}})[1] == 1


def test_a_wish_is_kept():
    """The second try does not come before the second that the server asked for."""
    waits: list[float] = []
    with mock.patch.object(time, "sleep", waits.append):
        get("/a", {"/a": [{"status": 429, "headers": {"Retry-After": "7"}}, OK]})
    assert waits == [7.0]


def test_the_pause_before_a_try_doubles():
    waits: list[float] = []
    with mock.patch.object(time, "sleep", waits.append):
        refused("/a", {"/a": {"status": 500}}, Limits())
    assert waits == [0.5, 1.0]


def chain(length):
    return {f"/{n}": {"redirect": f"{HERE}/{n + 1}"} for n in range(length)} | {f"/{length}": OK}


def test_five_redirects_are_followed_and_no_more():
    assert get("/0", chain(5)).body == b"body"
    text, asked = refused("/0", chain(6))
    assert "redirects more than 5 times" in text
    assert asked == 6


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("ftp://other.test/x", "no http or https"),
        ("", "no http or https"),
        ("https:///x", "no http or https"),
        ("file:///etc/passwd", "no http or https"),
        ("http://sam:s3cret@127.0.0.1/x", "a user in it"),
    ],
)
def test_a_redirect_that_must_not_be_followed(location, words):
    text, asked = refused("/a", {"/a": {"redirect": location}})
    assert words in text
    assert "s3cret" not in text
    assert asked == 1


def test_a_relative_redirect_and_one_from_http_to_https_are_followed():
    assert get("/a/b", {"/a/b": {"redirect": "../c"}, "/c": OK}).body == b"body"
    assert get("/a", {"/a": {"redirect": "https://maven.test/b"}, "https://maven.test/b": OK}).body == b"body"


@pytest.mark.parametrize("other", ["http://other.test", "https://maven.test"])
def test_only_the_first_server_gets_the_authorization(other):
    answers = {
        "/a": {"redirect": f"{other}/b"},
        f"{other}/b": {"redirect": f"{HERE}/c"} if "https" not in other else OK,
        "/c": OK,
    }
    assert get("/a", answers, SECRET).body == b"body"
    seen = {request["get"]: request.get("authorization") for request in servers().requests}
    assert seen["/a"] == SECRET
    assert seen[f"{other}/b"] is None
    assert seen.get("/c", SECRET) == SECRET


def test_the_origin_is_scheme_host_and_port():
    assert origin("http://a.test/x") == origin("http://A.test:80/y") == ("http", "a.test", 80)
    assert (
        len({origin(f"{scheme}://{host}") for scheme in ("http", "https") for host in ("a.test", "b.test", "a.test:81")}) == 6
    )


def test_an_address_is_asked_once_for_the_same_credentials():
    servers().serve({"/a": OK, "/b": {"status": 401}})
    client = Client(QUICK)
    for _ in range(3):
        client.get(servers().real(f"{HERE}/a"))
        client.get(servers().real(f"{HERE}/b"), SECRET)
    client.get(servers().real(f"{HERE}/a"), SECRET)
    assert [request["get"] for request in servers().requests] == ["/a", "/b", "/a"]


def test_a_body_up_to_the_limit_is_read_and_one_byte_more_is_refused():
    limits = Limits(body=1000)
    assert len(get("/a", {"/a": {"text": "", "pad": 1000}}, limits=limits).body) == 1000
    text, asked = refused("/a", {"/a": {"text": "", "pad": 1001}}, limits)
    assert "the body is longer" in text
    assert asked == 1


def test_an_encoding_that_was_not_asked_for_is_refused():
    """It could grow beyond every limit when it is opened."""
    assert "encoding" in refused("/a", {"/a": {"text": "x", "headers": {"Content-Encoding": "gzip"}}})[0]


def test_a_certificate_that_nobody_vouches_for_is_refused_at_once():
    os.environ.pop("SSL_CERT_FILE")
    text, asked = refused("https://maven.test/a", {"https://maven.test/a": OK})
    assert "TLS" in text
    assert "self-signed" in text
    assert asked == 0


def test_nobody_there():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/a"
        with pytest.raises(FaultsError, match="cannot be reached"):
            Client(QUICK).get(address)


@contextlib.contextmanager
def dripping(first: bytes, drop: bytes):
    """A server that says `first` and then, for ever, a drop at a time; counts its callers."""
    server = socket.create_server(("127.0.0.1", 0))
    callers = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                callers.append(connection)
                threading.Thread(target=drip, args=(connection,), daemon=True).start()

    def drip(connection):
        with contextlib.suppress(OSError):
            connection.recv(1000)
            connection.sendall(first)
            while drop:
                connection.sendall(drop)
                time.sleep(0.02)

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{server.getsockname()[1]}/a", callers
    for connection in callers:
        connection.close()
    server.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "drop"),
    [(HEAD, b" "), (CHUNKED, b"1\r\n \r\n"), (CHUNKED, b"0"), (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"), (b"", b"H"), (HEAD, b"")],
    ids=["body", "chunks", "a chunk's length", "headers", "status line", "silence"],
)
def test_a_server_that_drips_is_left_at_the_time_limit(first, drop):
    """Each byte comes well within the limit of a read; only the limit of all ends it."""
    with dripping(first, drop) as (address, callers):
        with pytest.raises(FaultsError, match=r"does not answer in time|answers \d|cannot be reached|early|asked"):
            Client(Limits(read=5.0, total=0.5, tries=1)).get(address)
        assert len(callers) == 1


def test_a_read_that_takes_too_long_is_tried_again():
    with dripping(HEAD, b"") as (address, callers):
        with pytest.raises(FaultsError, match="does not answer in time"):
            Client(Limits(read=0.1, pause=0.01)).get(address)
        assert len(callers) == 3


def test_a_body_that_ends_early_is_tried_again():
    answer = {"text": "x", "headers": {"Content-Length": "10", "Connection": "close"}}
    servers().serve({"/a": [answer, OK]})
    assert Client(QUICK).get(servers().real(f"{HERE}/a")).body == b"body"


def test_a_chunk_of_negative_length_ends_the_read():
    """It would be read up to the end of the connection, which never comes."""
    with dripping(CHUNKED + b"-1\r\n", b" " * 65536) as (address, callers):
        with pytest.raises(FaultsError, match="a chunk of negative length"):
            Client(QUICK).get(address)
        assert len(callers) == 1
