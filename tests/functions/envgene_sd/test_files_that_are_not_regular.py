"""An SD or Namespace of an instance repository that is a pipe, a device, a directory or a link to nowhere: named, never taken as absent."""

from __future__ import annotations

import os

import pytest

from tests.conformance.instances import call
from tests.functions.envgene_sd.test_files import APPS, EAST, WEST, held, item, lay

DATA = '{"applications": [{"version": "ledger:3.2.0", "deployPostfix": "finance"}]}'
JSON = ["--sd-source-type", "json", "--sd-data", DATA]
FILES = [f"{EAST}/{name}" for name in ("sd.yaml", "sd.yml", "delta_sd.yaml", "delta_sd.yml")]
NAMESPACES = [f"environments/east/prod-7/Namespaces/f/namespace.{ending}" for ending in ("yaml", "yml")]
FOLDERS = [
    "environments/east/prod-7",
    "environments/east/prod-7/Inventory",
    EAST,
    "environments/east/prod-7/Namespaces",
    "environments/east/prod-7/Namespaces/f",
]


def fifo(path):
    os.mkfifo(path)


def dangling(path):
    path.symlink_to("nowhere.yaml")


def loop(path):
    path.symlink_to(path.name)


def device(path):
    path.symlink_to("/dev/zero")


def to_a_pipe(path):
    os.mkfifo(path.parent / "pipe")
    path.symlink_to("pipe")


def directory(path):
    path.mkdir()


def planted(root, path, make):
    """A repository with one healthy environment and one with such a thing in it."""
    lay(root, **{f"{WEST}/sd.yaml": APPS})
    (root / path).parent.mkdir(parents=True)
    make(root / path)
    return root


def unchanged(root, words, data=b""):
    """What a command says that fails and changes nothing."""
    before, names = held(root), sorted(root.rglob("*"))
    done = call([words[0], str(root), *words[1:]], {}, data)
    assert (done.code, held(root), sorted(root.rglob("*"))) == (2 if "--diff" in words else 1, before, names), done.err
    return done.err


@pytest.mark.parametrize("make", [fifo, dangling, loop, device, to_a_pipe, directory])
@pytest.mark.parametrize("path", FILES + NAMESPACES)
def test_it_is_an_error_of_its_environment(tmp_path, path, make):
    said = unchanged(planted(tmp_path, path, make), ["source"])
    assert said.startswith(f"error: {path}: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize("make", [fifo, dangling])
@pytest.mark.parametrize("path", [FILES[0], FILES[3], NAMESPACES[1]])
@pytest.mark.parametrize("options", [[], ["--diff"], ["--create"]])
def test_process_writes_no_environment(tmp_path, path, make, options):
    assert f"error: {path}: " in unchanged(planted(tmp_path, path, make), ["process", "--all", *options, *JSON])


@pytest.mark.parametrize("make", [fifo, dangling, directory])
@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_sink_writes_nothing_beside_it(tmp_path, path, make, elsewhere):
    options = ["--delta-dir", str(tmp_path / "deltas")] if elsewhere else []
    data = item("sd", environment="east/prod-7") + b"---\n" + item("delta-sd", environment="east/prod-7")
    said = unchanged(planted(tmp_path / "repository", path, make), ["sink", *options], data)
    assert f"error: {path}: " in said


@pytest.mark.parametrize(
    ("path", "make"),
    [*((path, make) for path in FOLDERS for make in (dangling, loop)), *((path, fifo) for path in FOLDERS[1:4])],
)
@pytest.mark.parametrize(
    "words",
    [
        ["source"],
        ["source", "--environment", "east/prod-7"],
        ["process", "--all", *JSON],
        ["process", "--all", "--create", *JSON],
    ],
)
def test_a_folder_on_the_way_that_is_a_link_to_nowhere(tmp_path, path, make, words):
    """Or a pipe where only a folder can be."""
    assert f"error: {path}: " in unchanged(planted(tmp_path, path, make), words)


@pytest.mark.parametrize("make", [dangling, loop])
@pytest.mark.parametrize("path", ["environments", "environments/east"])
@pytest.mark.parametrize("words", [["source"], ["process", "--all", *JSON]])
def test_a_folder_of_environments_that_is_a_link_to_nowhere(tmp_path, path, make, words):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / path)
    done = call([words[0], str(tmp_path), *words[1:]], {})
    assert done.code == 1
    assert f"error: {path}: " in done.err


@pytest.mark.parametrize("path", [FILES[0], FILES[3], NAMESPACES[0]])
def test_a_link_to_a_file_of_the_repository_is_read(tmp_path, path):
    root = planted(tmp_path, path, lambda link: link.symlink_to("other"))
    (root / path).with_name("other").write_text("name: n\napplications: []\n")
    done = call(["source", str(root)], {})
    assert (done.code, done.err, path.encode() in done.out) == (0, "", True)


@pytest.mark.parametrize("make", [fifo, dangling, directory])
@pytest.mark.parametrize("path", ["appdefs/ledger.yml", "regdefs/stub.yml", "environments/east/prod-7/AppDefs/ledger.yaml"])
def test_a_definition_that_is_such_a_thing(tmp_path, path, make):
    text = "name: ledger\nregistryName: stub\ngroupId: g\nartifactId: a\n"
    lay(tmp_path, **{"appdefs/ledger.yml": text} if "reg" in path else {"other": ""})
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / path)
    done = call(["fetch", "ledger:1", "--repository", str(tmp_path), "--environment", "east/prod-7"], {})
    assert done.code == 1
    assert f"error: {path}: " in done.err
