"""What a caller allows of fetching: plain http for credentials, checksums; and that the rest is refused before anything is asked."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from krm_values.envgene_sd.repository import web
from tests.conformance import instances
from tests.conformance.instances import call, servers
from tests.functions.envgene_sd.test_credentials import (
    APPDEF,
    ARTIFACT,
    CREDENTIALS,
    PLAIN,
    basic,
    entry,
    variables,
)

BODY = json.dumps({"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]})
SHA256, SHA1 = hashlib.sha256(BODY.encode()).hexdigest(), hashlib.sha1(BODY.encode()).hexdigest()
OTHER256, OTHER1 = "0" * 64, "f" * 40
COMMANDS = {
    "fetch": ["fetch", "suite:1.4.0", "--repository", "ROOT"],
    "source": ["source", "ROOT", "--fetch", "suite:1.4.0"],
    "process": ["process", "ROOT", "--all", "--sd-source-type", "artifact", "--sd-version", "suite:1.4.0"],
    "diff": ["process", "ROOT", "--all", "--sd-source-type", "artifact", "--sd-version", "suite:1.4.0", "--diff"],
}


def run(command, folder, answers, *options):
    servers().serve(answers)
    arguments = [word.replace("ROOT", str(folder)) for word in COMMANDS[command]]
    return call([*arguments[:1], *options, *arguments[1:]], variables(folder))


@pytest.fixture
def anonymous(root):
    """The repository, its registry asked without credentials."""
    path = root / "regdefs/central.yml"
    path.write_text(path.read_text().replace("credentialsId: reader", "credentialsId: ''"))
    return root


def fetched(folder, answer, *options, beside=()):
    answers = {ARTIFACT: {"text": BODY, **answer}, **{ARTIFACT + ending: text for ending, text in dict(beside).items()}}
    return run("fetch", folder, answers, *options)


@pytest.mark.parametrize("command", COMMANDS)
def test_credentials_go_over_plain_http_only_when_that_is_allowed(root, command):
    """Else nothing is asked, and file and field are named, but never the password."""
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    answers = {ARTIFACT: {"text": BODY}}
    refused = run(command, root, answers)
    assert refused.code == (2 if command == "diff" else 1)
    assert servers().requests == []
    assert "regdefs/central.yml:4:3: `mavenConfig.repositoryDomainName` is plain http" in refused.err
    assert "`reader`" in refused.err
    assert "`--allow-http`" in refused.err
    assert PLAIN not in refused.err + refused.out.decode()
    assert run(command, root, answers, "--allow-http").code == (1 if command == "diff" else 0)
    assert [request["authorization"] for request in servers().requests] == [basic("sam", PLAIN)]


def test_the_field_that_has_the_address_is_named(root):
    path = root / "regdefs/central.yml"
    path.write_text(path.read_text().replace("repositoryDomainName", "fullRepositoryUrl"))
    assert "`mavenConfig.fullRepositoryUrl` is plain http" in run("fetch", root, {}).err


def test_all_registries_over_plain_http_are_named_at_once(root):
    """Before any is asked, also the one over https."""
    (root / "appdefs/other.yml").write_text(APPDEF.replace("suite", "other").replace("central", "second"))
    text = (root / "regdefs/central.yml").read_text()
    (root / "regdefs/second.yml").write_text(text.replace("name: central", "name: second"))
    servers().serve({})
    done = call(["fetch", "suite:1.4.0", "other:1", "--repository", str(root)], variables(root))
    assert [line for line in ("regdefs/central.yml:4:3: ", "regdefs/second.yml:4:3: ") if line in done.err] == [
        "regdefs/central.yml:4:3: ",
        "regdefs/second.yml:4:3: ",
    ]
    assert servers().requests == []


def test_credentials_over_https_and_none_over_http_need_no_leave(root, anonymous):
    assert run("fetch", anonymous, {ARTIFACT: {"text": BODY}}).code == 0
    assert servers().requests == [{"get": ARTIFACT}]
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    text = (root / "regdefs/central.yml").read_text().replace("credentialsId: ''", "credentialsId: reader")
    address = servers().real("https://maven.test")
    (root / "regdefs/central.yml").write_text(text.replace(servers().real("http://maven.test"), address))
    assert run("fetch", root, {f"https://maven.test{ARTIFACT}": {"text": BODY}}).code == 0
    assert servers().requests[0]["authorization"] == basic("sam", PLAIN)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Checksum-Sha256": SHA256},
        {"X-Checksum-Sha256": SHA256.upper(), "X-Checksum-Sha1": SHA1},
        {"ETag": f'"{{SHA1{{{SHA1}}}}}"'},
        {"ETag": '"33a64df551425fcc55e4d42a148795d9f25f89d4"'},
        {"X-Checksum-Sha256": ""},
        {"X-Checksum-Md5": "0" * 32},
        {},
    ],
)
def test_a_body_that_has_the_announced_checksum_is_read(anonymous, headers):
    """And no other address is asked for."""
    assert fetched(anonymous, {"headers": headers}).code == 0
    assert servers().requests == [{"get": ARTIFACT}]


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"X-Checksum-Sha256": OTHER256}, f"has the sha256 {SHA256}, expected {OTHER256}"),
        ({"X-Checksum-Sha1": OTHER1}, f"has the sha1 {SHA1}, expected {OTHER1}"),
        ({"X-Checksum-Sha256": SHA256, "X-Checksum-Sha1": OTHER1}, f"has the sha1 {SHA1}, expected {OTHER1}"),
        ({"ETag": f'"{{SHA1{{{OTHER1}}}}}"'}, f"has the sha1 {SHA1}, expected {OTHER1}"),
        ({"X-Checksum-Sha256": SHA1}, "must be a sha256 of 64 hexadecimal digits"),
        ({"X-Checksum-Sha256": "²" * 64}, "must be a sha256 of 64 hexadecimal digits"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_body_that_has_not_the_announced_checksum_is_refused(anonymous, headers, words, command):
    headers = {name: text.encode().decode("latin-1") for name, text in headers.items()}
    done = run(command, anonymous, {ARTIFACT: {"text": BODY, "headers": headers}})
    assert done.code == (2 if command == "diff" else 1)
    assert words in done.err
    assert f"http://maven.test{ARTIFACT}" in servers().named(done.err)


@pytest.mark.parametrize("text", [SHA256, f"{SHA256.upper()}\n", f"{SHA256}  suite-descriptor-1.4.0.json\n", f"\n {SHA256} *x"])
def test_a_file_of_checksums_is_asked_for_when_that_is_wanted(anonymous, text):
    beside = {".sha256": {"text": text}, ".sha1": {"text": OTHER1}}
    assert fetched(anonymous, {}, "--verify-checksums", beside=beside).code == 0
    assert [request["get"] for request in servers().requests] == [ARTIFACT, f"{ARTIFACT}.sha256"]
    assert fetched(anonymous, {}, beside={".sha256": {"text": OTHER256}}).code == 0, "nobody asked"


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({".sha256": {"text": OTHER256}}, f"has the sha256 {SHA256}, expected {OTHER256}"),
        ({".sha1": {"text": OTHER1}}, f"has the sha1 {SHA1}, expected {OTHER1}"),
        ({".sha256": {"text": ""}}, f'{ARTIFACT}.sha256 must be a sha256 of 64 hexadecimal digits, found string ""'),
        ({".sha256": {"text": "<html>\x1b[2J", "pad": 9000}}, 'hexadecimal digits, found string "<html>\\x1b[2J"'),
        ({".sha256": {"text": "deny"}}, 'found string "deny"'),
        ({".sha256": {"status": 403}, ".sha1": {"text": SHA1}}, f"{ARTIFACT}.sha256 cannot be read"),
        ({".sha256": {"status": 401}}, "denies access"),
        ({".sha256": {"status": 500, "headers": {"Retry-After": "0"}}}, "the server answers 500"),
        ({".sha256": {"redirect": "ftp://x"}}, "redirects to no http or https"),
    ],
)
def test_what_a_file_of_checksums_does_not_confirm_is_refused(anonymous, beside, words):
    """A failure to read it too: else who can make it fail can change the artifact. Only 404 means that there is none."""
    done = fetched(anonymous, {}, "--verify-checksums", beside=beside)
    assert done.code == 1
    assert words in servers().named(done.err)
    assert "\x1b" not in done.err


def test_an_artifact_without_any_checksum_is_read(anonymous):
    assert fetched(anonymous, {}, "--verify-checksums").code == 0
    assert [request["get"] for request in servers().requests] == [ARTIFACT, f"{ARTIFACT}.sha256", f"{ARTIFACT}.sha1"]


def test_checksums_are_requested_beside_the_artifact_with_credentials(root):
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    answers = {ARTIFACT: {"redirect": "/blob"}, "/blob": {"text": BODY}, f"{ARTIFACT}.sha256": {"text": SHA256}}
    assert run("fetch", root, answers, "--allow-http", "--verify-checksums").code == 0
    assert [request["get"] for request in servers().requests] == [ARTIFACT, "/blob", f"{ARTIFACT}.sha256"]
    assert {request["authorization"] for request in servers().requests} == {basic("sam", PLAIN)}


def test_a_certificate_for_another_name_is_refused(anonymous):
    """The connection goes to an address, the certificate must be for the name: it is for 127.0.0.1 alone."""
    path = anonymous / "regdefs/central.yml"
    port = servers().real("https://maven.test").rpartition(":")[2]
    path.write_text(path.read_text().replace(servers().real("http://maven.test"), f"https://localhost:{port}"))
    done = run("fetch", anonymous, {f"https://maven.test{ARTIFACT}": {"text": BODY}})
    assert done.code == 1
    assert "TLS" in done.err
    assert servers().requests == []


def test_checksums_of_a_file_are_told_from_other_texts():
    with pytest.raises(web.ChecksumError):
        web.checksum_in("sha1", b"\xff" * 40)
    assert web.checksum_in("sha1", SHA1.encode() + b"\r\n") == SHA1


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://A.test", ("http", "a.test", 80, "/", "a.test")),
        ("https://a.test:443/x?y=1#z", ("https", "a.test", 443, "/x?y=1", "a.test")),
        ("https://a.test:80", ("https", "a.test", 80, "/", "a.test:80")),
        ("http://[2001:DB8::1]:8080//x", ("http", "2001:db8::1", 8080, "//x", "[2001:db8::1]:8080")),
        ("http://a_b.test.:/", ("http", "a_b.test.", 80, "/", "a_b.test.")),
    ],
)
def test_an_address_taken_apart(address, found):
    web_ = web.split(address)
    assert (web_.scheme, web_.host, web_.port, web_.target, web_.authority) == found


@pytest.mark.parametrize(
    "address",
    [
        "8.8.8.8",
        "10.0.0.1",
        "192.168.1.1",
        "2001:4860:4860::8888",
        "fd00::1",
        "::ffff:10.0.0.1",
        "64:ff9b:1::a00:1",
        "64:ff9b::808:808",
    ],
)
def test_other_addresses_are_not_of_this_machine(address):
    """Private ones among them: a registry in the open may keep its artifacts in a store that only the network inside can reach."""
    assert not web.is_local(address)
    assert not web.is_local_name(address)


def test_the_credential_is_not_shown_in_base64_either(root):
    (root / CREDENTIALS).write_text(entry("sam", PLAIN))
    done = run("fetch", root, {ARTIFACT: {"status": 400}}, "--allow-http")
    assert base64.b64encode(f"sam:{PLAIN}".encode()).decode() not in done.err


@pytest.mark.parametrize(("digits", "code"), [(SHA256, 0), (OTHER256, 1)])
def test_a_conformance_case_with_files_of_checksums_has_them_read(digits, code, tmp_path):
    """And one without asks for nothing but artifacts, so that each request can be counted."""
    files = {
        "appdefs/suite.yml": {"name": "suite", "registryName": "r", "artifactId": "suite-descriptor", "groupId": "org.sample"},
        "regdefs/r.yml": {"name": "r", "mavenConfig": {"repositoryDomainName": "http://maven.test", "targetRelease": "rel"}},
    }
    served = {ARTIFACT: {"text": BODY}, f"{ARTIFACT}.sha256": {"text": digits}}
    params = {"SD_SOURCE_TYPE": "artifact", "SD_VERSION": "suite:1.4.0"}
    case = {"rule": [96], "params": params, "files": files, "repository": served, "full": None}
    instance = instances.Instance(case, tmp_path, servers())
    servers().serve(instance.answers())
    assert instances.process(instance, {**case, "config": {}}).code == code
    assert [request["get"] for request in servers().requests] == [ARTIFACT, f"{ARTIFACT}.sha256"]
    assert instances.allowed({**case, "repository": {ARTIFACT: {"text": BODY}}}) == []
