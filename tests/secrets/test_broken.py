"""The law on what cannot be read: whatever is broken in a Secret, a document of unknown kind or a file of credentials, no value is shown."""

from __future__ import annotations

import pytest

from krm_values._run import registry
from krm_values.envgene_sd.repository.credentials import Credentials
from krm_values.envgene_sd.repository.files import FaultsError
from tests.conformance.instances import call, servers
from tests.secrets.broken import CREDENTIALS, DOCUMENTS, SPELLINGS, document
from tests.secrets.commands import krm
from tests.secrets.judge import silent
from tests.secrets.markers import Marker
from tests.secrets.trees import chain, write_files

A = Marker("first")
SEEDS = 24
"""For each kind of document; each runs through every command and one of the functions."""
FUNCTIONS = sorted(registry.functions())
HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- "
PLACES = {
    "in place of a value": "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData:\n  password: @1\n",
    "without a kind": "apiVersion: v1\nmetadata: {name: s}\nstringData:\n  password: @1\n",
    "before the kind": "stringData:\n  password: @1\nkind: Secret\napiVersion: v1\nmetadata: {name: s}\n",
    "in braces": '{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}, "stringData": {"password": @1}}\n',
}


@pytest.fixture
def package(tmp_path):
    return write_files(tmp_path / "package", {name: text.replace("@@", "x") for name, text in chain().items()})


LOOKS = (["explain"], ["render", "--diff"], ["explain", "--json"], ["explain", "--patch"], ["lint", "glasskube-values"])


def silent_on(package, text, function, turn):
    """No command shows a piece of the marker that is in a document. turn: which two of those that only look take theirs."""
    (package / "broken.yaml").write_text(text)
    for number in (turn, turn + 2):
        _silent(text, krm(*LOOKS[number % len(LOOKS)], package), whole=True)
    _silent(text, krm("render", package, "-o", "stdout"), whole=False)
    _silent(text, krm("run", function, package / "broken.yaml"), whole=False)
    _silent(text, krm("explain", function, package / "broken.yaml"), whole=True)
    listed = (HEAD + text.rstrip("\n").replace("\n", "\n  ") + "\n").encode()
    _silent(text, krm("run", function, stdin=listed), whole=False)
    _silent(text, krm("explain", function, stdin=listed), whole=True)


def _silent(text, done, *, whole):
    """whole: the command prints no resources, else its results are looked at."""
    assert done.code in (0, 1, 2), text
    silent([A], text, done.stderr, done.stdout if whole else done.stdout.partition(b"\nresults:")[2])


@pytest.mark.parametrize("title", DOCUMENTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_damaged_documents(package, title, function):
    for seed in range(SEEDS // 6):
        silent_on(package, document(DOCUMENTS[title], A.text, f"{title} {function} {seed}"), function, seed)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_every_spelling(package, place):
    for number, spelling in enumerate(SPELLINGS):
        text = place.replace("@1", spelling.replace("@@", A.text))
        silent_on(package, text, FUNCTIONS[number % len(FUNCTIONS)], number)


def test_a_whole_file_that_is_one(package):
    for number, spelling in enumerate(SPELLINGS):
        silent_on(package, spelling.replace("@@", A.text) + "\n", "flux-values", number)


APPDEF = "name: suite\nregistryName: central\nartifactId: suite-descriptor\ngroupId: org.sample\n"
REGDEF = (
    "name: central\ncredentialsId: nexus\nmavenConfig:\n  repositoryDomainName: 'http://maven.test'\n  targetRelease: rel\n"
)


@pytest.fixture
def repository(tmp_path):
    """An instance repository whose registry wants the credential `nexus`."""
    files = {
        "appdefs/suite.yml": APPDEF,
        "regdefs/central.yml": REGDEF,
        "environments/east/prod/Inventory/solution-descriptor/sd.yaml": "applications: []\n",
    }
    for path, text in {**files, "configuration/credentials/credentials.yml": ""}.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(servers().real(text))
    return tmp_path


def damaged_credentials():
    yield from (document(CREDENTIALS, A.text, f"credentials {seed}") for seed in range(300))
    yield from (CREDENTIALS.replace("@2", spelling.replace("@@", A.text)) for spelling in SPELLINGS)


def test_files_of_credentials(repository):
    refused = 0
    for text in damaged_credentials():
        (repository / "configuration/credentials/credentials.yml").write_text(text)
        try:
            Credentials(repository).header("nexus", "central")
        except FaultsError as error:
            refused += 1
            silent([A], text, str(error).encode())
    assert refused > 100


@pytest.mark.parametrize("form", ["fetch", "process"])
def test_commands_that_read_credentials(repository, form):
    for number, text in enumerate(damaged_credentials()):
        if number % 10:
            continue
        file = repository / "configuration/credentials/credentials.yml"
        file.write_text(text)
        environment = ["--environment", "east/prod", "--sd-source-type", "artifact", "--sd-version", "suite:1.4.0"]
        arguments = {"fetch": ["suite:1.4.0", "--repository", str(repository)], "process": [str(repository), *environment]}
        done = call([form, *arguments[form], "--allow-http", "--credentials", str(file)], {})
        silent([A], text, done.err.encode(), done.out)


ITEMS = [
    "items: |\n  - kind: Secret\n    stringData: {a: @@}\n",
    "items: '[{kind: Secret, data: {a: @@}}]'\n",
    "items: {a: @@, a: @@}\n",
]


@pytest.mark.parametrize(
    "items", [*ITEMS, "data: {a: {@@: 1, @@: 2}}\nitems: []\n", "items: []\ndata: [@@\n", "@@: 1\n@@: 2\nitems: []\n"]
)
def test_lists_whose_items_stand_elsewhere(items):
    listed = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n" + items.replace("@@", A.text)
    for arguments in (["run", "flux-values"], ["explain", "flux-values"]):
        done = krm(*arguments, stdin=listed.encode())
        assert done.code == 1
        silent([A], items, done.said)
