"""Credentials: who gets them, how encrypted ones are opened, and that no output ever shows one."""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest import mock

import pytest
from cryptography.fernet import Fernet

from krm_values.envgene_sd.repository.credentials import Credentials
from krm_values.envgene_sd.repository.files import FaultsError
from tests.conformance.instances import call, servers

PLAIN, OPENED, PROXY, NETRC = "pl41n-m4rk", "0pened-m4rk", "pr0xy-m4rk", "n3trc-m4rk"
KEY = Fernet.generate_key().decode()
ARTIFACT = "/rel/org/sample/suite-descriptor/1.4.0/suite-descriptor-1.4.0.json"
SD = {"json": {"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}}
APPDEF = "name: suite\nregistryName: central\nartifactId: suite-descriptor\ngroupId: org.sample\n"
CREDENTIALS = "configuration/credentials/credentials.yml"
SOPS = Path(__file__).parent / "sops"


def encrypted(text, key=KEY):
    return "[encrypted:AES256_Fernet]" + Fernet(key).encrypt(text.encode()).decode()


def entry(user, password):
    return f"reader:\n  type: usernamePassword\n  data:\n    username: '{user}'\n    password: '{password}'\n"


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def header(root, text, environ=(), file=""):
    if text:
        (root / CREDENTIALS).write_text(text)
    kept = {key: value for key, value in os.environ.items() if key not in ("SECRET_KEY", "ENVGENE_AGE_PRIVATE_KEY")}
    with mock.patch.dict(os.environ, {**kept, **dict(environ)}, clear=True):
        return Credentials(root, file).header("reader", "central")


def refused(*arguments, **named):
    with pytest.raises(FaultsError) as caught:
        header(*arguments, **named)
    assert [finding.rule for finding in caught.value.findings] == ["95"]
    return str(caught.value)


def test_plain_and_encrypted_values_become_a_header(root):
    assert header(root, entry("sam", PLAIN)) == basic("sam", PLAIN)
    mixed = entry("sam", encrypted(OPENED))
    assert header(root, mixed, {"SECRET_KEY": KEY}) == basic("sam", OPENED)
    assert header(root, entry(encrypted("samüel"), encrypted(OPENED)), {"SECRET_KEY": KEY}) == basic("samüel", OPENED)


def test_numbers_are_text(root):
    text = "reader:\n  type: usernamePassword\n  data: {username: 0777, password: 1.10}\n"
    assert header(root, text) == basic("0777", "1.10")


def test_a_file_of_ones_own_comes_in_place_of_the_repositorys(root, tmp_path):
    other = tmp_path / "own.yaml"
    other.write_text(entry("eve", "own"))
    assert header(root, entry("sam", PLAIN), file=str(other)) == basic("eve", "own")


WAY_OUT = "`--credentials FILE`"


@pytest.mark.parametrize(
    ("text", "environ", "words"),
    [
        ("", {}, "there is no such file"),
        ("other: {}\n", {}, "is not defined (registry central)"),
        ("Reader: {}\n", {}, "is not defined"),
        ("- reader\n", {}, "must be a map"),
        ("reader: x\n", {}, "`usernamePassword`"),
        ("reader:\n  type: secret\n  data: {secret: x}\n", {}, "`usernamePassword`"),
        ("reader: [\n", {}, "credentials.yml"),
        (entry("sam", encrypted(OPENED)), {}, "SECRET_KEY is not set"),
        (
            entry("sam", encrypted(OPENED)),
            {"SECRET_KEY": Fernet.generate_key().decode()},
            "cannot be decrypted with SECRET_KEY",
        ),
        (entry("sam", encrypted(OPENED)), {"SECRET_KEY": "short"}, "cannot be decrypted with SECRET_KEY"),
        (entry("sam", "[encrypted:AES256_Fernet]nonsense"), {"SECRET_KEY": KEY}, "cannot be decrypted with SECRET_KEY"),
        (entry("sam", "[encrypted:Other]abc"), {"SECRET_KEY": KEY}, "not known"),
        (entry("sam", "ENC[AES256_GCM,data:abc,type:str]"), {"SECRET_KEY": KEY}, "not known"),
    ],
)
def test_what_cannot_be_had_is_an_error_that_names_file_and_way_out(root, text, environ, words):
    message = refused(root, text, environ)
    assert words in message
    assert "credentials.yml" in message
    if "encrypt" in message or "decrypt" in message or "not defined" in message:
        assert WAY_OUT in message
        assert "`reader`" in message


@pytest.mark.parametrize(
    ("username", "password", "words"),
    [
        ("sam", "[m4rk]", "`data.password` must be a string; found array"),
        ("sam", "{m4rk: m4rk}", "`data.password` must be a string; found object"),
        ("sam", "", "`data.password` must be a string; found null"),
        ("[m4rk]", "x", "`data.username` must be a string; found array"),
        ('"m4rk\\r\\nX-Other: y"', "x", "`data.username` must hold neither line breaks nor other control characters"),
        ("sam", '"m4rk\\n"', "`data.password` must hold neither line breaks"),
        ("sam", '"m4rk\\0"', "`data.password` must hold neither line breaks"),
        ("sam", '"m4rk\\x85"', "`data.password` must hold neither line breaks"),
        ("sam", '"m4rk\\u2028"', "`data.password` must hold neither line breaks"),
        ('"m4rk:m4rk"', "x", "`data.username` must hold no colon"),
    ],
)
def test_what_no_header_can_hold_is_an_error_that_does_not_show_it(root, username, password, words):
    message = refused(root, f"reader:\n  type: usernamePassword\n  data:\n    username: {username}\n    password: {password}\n")
    assert words in message
    assert "m4rk" not in message
    assert "`reader`" in message


def test_a_line_break_that_was_encrypted_is_found_too(root):
    message = refused(root, entry("sam", encrypted(f"{OPENED}\n")), {"SECRET_KEY": KEY})
    assert "must hold neither line breaks" in message
    assert OPENED not in message


def test_a_password_may_hold_colons_and_be_empty(root):
    assert header(root, entry("sam", "a:b:")) == basic("sam", "a:b:")
    assert header(root, entry("sam", "")) == basic("sam", "")


def test_without_the_library_the_way_out_is_said(root):
    with mock.patch.dict(sys.modules, {"cryptography.fernet": None}):
        message = refused(root, entry("sam", encrypted(OPENED)), {"SECRET_KEY": KEY})
    assert "pip install 'krm-values[envgene]'" in message
    assert WAY_OUT in message


def test_what_is_encrypted_by_sops_needs_key_and_program(root):
    """The file is one that sops has written; the key that opens it lies beside it."""
    text = (SOPS / "credentials.yml").read_text()
    assert "ENVGENE_AGE_PRIVATE_KEY is not set" in refused(root, text)
    assert "no `sops` is on PATH" in refused(root, text, {"ENVGENE_AGE_PRIVATE_KEY": "AGE-SECRET-KEY-1X", "PATH": str(root)})


def test_sops_opens_its_file(root):
    if not shutil.which("sops"):
        assert os.environ.get("KRM_HOSTS") != "required", "sops must be installed"
        pytest.skip("sops is not installed")
    text = (SOPS / "credentials.yml").read_text()
    key = (SOPS / "age.key").read_text().strip()
    assert header(root, text, {"ENVGENE_AGE_PRIVATE_KEY": key}) == basic("sam", OPENED)
    message = refused(root, text, {"ENVGENE_AGE_PRIVATE_KEY": "AGE-SECRET-KEY-1" + "Q" * 58})
    assert "cannot be decrypted by sops" in message


def test_a_value_has_no_text_form(root):
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    credentials = Credentials(root)
    credentials.header("reader", "central")
    assert PLAIN not in repr(credentials) + str(credentials)


class Proxy(ThreadingHTTPServer):
    """A proxy that answers for every server, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self, status=200):
        self.seen: list[tuple] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                proxy.seen.append((self.path, self.headers.get("Proxy-Authorization"), self.headers.get("Authorization")))
                body = b'{"applications": []}'
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Nothing on stderr."""

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def address(self):
        return f"http://sam:{PROXY}@127.0.0.1:{self.server_port}"


def variables(root, **more):
    kept = {
        key: value for key, value in os.environ.items() if "proxy" not in key.lower() and not key.startswith(("SD_", "ENV_"))
    }
    return {**kept, "HOME": str(root), "SSL_CERT_FILE": str(servers().certificate), **more}


ANSWERS = {
    "found": {ARTIFACT: SD},
    "absent": {},
    "denied": {ARTIFACT: {"status": 403}},
    "refused": {ARTIFACT: {"status": 400, "text": PLAIN}},
    "no JSON": {ARTIFACT: {"text": f"<{PLAIN}>"}},
    "no SD": {ARTIFACT: {"json": [PLAIN]}},
    "redirect": {ARTIFACT: {"redirect": f"http://sam:{PLAIN}@127.0.0.1/x"}},
}
PROCESS = "process ROOT --all --sd-source-type artifact --sd-version suite:1.4.0 --allow-http"
COMMANDS = {
    "fetch": ["fetch", "suite:1.4.0", "--repository", "ROOT", "--allow-http"],
    "source": ["source", "ROOT", "--allow-http", "--fetch", "suite:1.4.0"],
    "process": PROCESS.split(),
    "json": f"{PROCESS} --json".split(),
    "diff": f"{PROCESS} --diff".split(),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_no_output_shows_a_credential(root, command, answer):
    """Plain or decrypted, whatever the server says; files too stay without."""
    for text in (entry("sam", PLAIN), entry("sam", encrypted(OPENED))):
        (root / CREDENTIALS).write_text(text)
        before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
        servers().serve(ANSWERS[answer])
        arguments = [word.replace("ROOT", str(root)) for word in COMMANDS[command]]
        done = call([*arguments, "--debug"], variables(root, SECRET_KEY=KEY))
        assert servers().requests[0]["authorization"] in (basic("sam", PLAIN), basic("sam", OPENED))
        assert (done.code == 0) == (answer == "found" and command != "diff")
        written = b"".join(path.read_bytes() for path in root.rglob("*") if path.is_file() and path not in before)
        for mark in (PLAIN, OPENED, KEY, basic("sam", PLAIN)[6:], basic("sam", OPENED)[6:]):
            assert mark.encode() not in done.out + written
            assert mark not in done.err


@pytest.mark.parametrize(
    "value",
    [
        *(
            f"*{PLAIN}",
            f"!{PLAIN} x",
            f'"{PLAIN}',
            f"'{PLAIN}",
            f"[{PLAIN}",
            f"{{{PLAIN}",
            f"%{PLAIN}",
            f"@{PLAIN}",
            f"&{PLAIN} *{PLAIN}",
        ),
        *(f"{PLAIN}: {PLAIN}: x", f"|{PLAIN}", f"[{PLAIN}]", f"{{{PLAIN}: x}}", f"\t{PLAIN}", f"{PLAIN}\x07", f'"\\q{PLAIN}"'),
    ],
)
def test_no_fault_of_the_file_shows_what_it_holds(root, value):
    (root / CREDENTIALS).write_text(
        f"reader:\n  type: usernamePassword\n  data:\n    username: {value}\n    password: {value}\n"
    )
    for command in COMMANDS.values():
        done = call([*(word.replace("ROOT", str(root)) for word in command), "--debug"], variables(root))
        assert PLAIN not in done.err + done.out.decode()


BROKEN = """
import sys
from krm_values.envgene_sd.repository import client
client.Transport._reply = lambda self, response, **_: 1 / 0
from krm_values._cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_traceback_shows_no_credential(root):
    """A fault of ours in the middle of a request, with `--debug`."""
    (root / CREDENTIALS).write_text(entry("sam", encrypted(OPENED)))
    servers().serve(ANSWERS["found"])
    arguments = [word.replace("ROOT", str(root)) for word in COMMANDS["fetch"]]
    done = subprocess.run(
        [sys.executable, "-c", BROKEN, "envgene", *arguments, "--debug"],
        env=variables(root, SECRET_KEY=KEY, PYTHONPATH=os.pathsep.join(sys.path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert "ZeroDivisionError" in done.stderr
    for mark in (OPENED, KEY, basic("sam", OPENED)[6:]):
        assert mark not in done.stdout + done.stderr


def proxied(root, proxy, **more):
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    arguments = [word.replace("ROOT", str(root)) for word in COMMANDS["fetch"]]
    done = call([*arguments, "--debug"], variables(root, **{"http_proxy": proxy, **more}))
    assert PROXY.encode() not in done.out
    assert PROXY not in done.err
    return done


def test_a_proxy_gets_its_user_and_nobody_sees_it(root):
    proxy = Proxy()
    assert proxied(root, proxy.address).code == 0
    assert proxy.seen == [(servers().real("http://maven.test") + ARTIFACT, basic("sam", PROXY), basic("sam", PLAIN))]


def test_no_proxy_is_kept(root):
    proxy = Proxy()
    servers().serve(ANSWERS["found"])
    assert proxied(root, proxy.address, no_proxy="127.0.0.1").code == 0
    assert proxy.seen == []
    assert len(servers().requests) == 1


@pytest.mark.parametrize(
    "address", ["socks5://sam:MARK@127.0.0.1:1", "http://sam:MARK@127.0.0.1:x", "http://sam:MARK@:80", "ftp://MARK"]
)
def test_a_proxy_that_cannot_be_used_is_an_error_without_its_address(root, address):
    done = proxied(root, address.replace("MARK", PROXY))
    assert done.code == 1
    assert "proxy" in done.err


def test_a_proxy_that_refuses_or_is_not_there_is_an_error_without_its_user(root):
    assert "answers 407" in proxied(root, Proxy(407).address).err
    assert proxied(root, f"http://sam:{PROXY}@127.0.0.1:1").code == 1


def test_a_netrc_file_is_not_used(root):
    """Neither the one of the home directory nor the one that NETRC names."""
    (root / ".netrc").write_text(f"machine 127.0.0.1 login sam password {NETRC}\ndefault login sam password {NETRC}\n")
    (root / ".netrc").chmod(0o600)
    (root / "regdefs/central.yml").write_text((root / "regdefs/central.yml").read_text().replace("reader", "''"))
    servers().serve(ANSWERS["found"])
    arguments = [word.replace("ROOT", str(root)) for word in COMMANDS["fetch"]]
    done = call(arguments, variables(root, NETRC=str(root / ".netrc")))
    assert done.code == 0
    assert servers().requests == [{"get": ARTIFACT}]


@pytest.mark.parametrize("linked", ["configuration", "configuration/credentials", CREDENTIALS])
@pytest.mark.parametrize("encrypted_by_sops", [True, False])
def test_credentials_of_a_repository_do_not_come_from_outside_of_it(root, tmp_path_factory, linked, encrypted_by_sops):
    """A link in the repository would have us send somebody's credentials to a registry of the repository's choice."""
    outside = tmp_path_factory.mktemp("outside")
    text = "sops: {age: [{}]}\n" if encrypted_by_sops else entry("sam", PLAIN)
    (root / CREDENTIALS).write_text(text)
    (root / linked).rename(outside / "moved")
    (root / linked).symlink_to(outside / "moved")
    assert "is a symbolic link that leads out of the directory" in refused(root, "", {"ENVGENE_AGE_PRIVATE_KEY": "x"})


def test_a_file_of_ones_own_may_be_a_link(root, tmp_path_factory):
    """Who names it vouches for it."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "real.yml").write_text(entry("eve", "own"))
    (outside / "links").mkdir()
    (outside / "links/own.yml").symlink_to("../real.yml")
    assert header(root, "", file=str(outside / "links/own.yml")) == basic("eve", "own")
