"""Packages as bytes: what travels, what stays, and which answers are taken. And the files of the way to a scheduler."""

from __future__ import annotations

import base64
import io
import json
import os
import pickle

import pytest

from krm_values._data.errors import UserError
from krm_values._data.record import replace
from krm_values._fleet import parcel
from krm_values._fleet.task import Settings, plan
from krm_values._krm.write import STAGED
from krm_values._run.planned import Manner
from tests.cli.packages import command, write
from tests.fleet import dasks, made


@pytest.fixture
def package(tmp_path):
    """A package with a file that is executable and one in a folder."""
    found = write(tmp_path / "package", {**made.package(1), "below/note.txt": "x"})
    (found / "run.yaml").chmod(0o755)
    return found


def packed(package, settings=None):
    return parcel.pack([("p", str(package), None)], settings or Settings(), {}, parcel.variables())


def as_it_is(package):
    """Leave it so."""


def linked(package):
    (package / "other.yaml").symlink_to("run.yaml")


def staged(package):
    (package / f"{STAGED}a").write_text("")


@pytest.mark.parametrize("change", [as_it_is, linked, staged])
def test_an_answer_is_that_of_a_plan_here(package, change):
    change(package)
    settings = Settings(Manner(follow_links=True), diff=True, key=b"k" * 64)
    made_of = packed(package, settings)
    (found,) = parcel.opened(made_of, parcel.planned(made_of.content))
    expected = plan("p", str(package), None, settings.as_json())
    assert (expected["staged"], expected["lasts"], "key" in expected) == (
        change is staged,
        change is not linked,
        change is not linked,
    )
    assert found.pop("seconds") > 0
    assert found == expected


def test_the_key_of_the_state_does_not_travel(package):
    key = os.urandom(32)
    content = packed(package, Settings(key=key)).content
    assert key.hex().encode() not in content
    assert key not in content


def test_a_package_that_is_too_large_stays_here(package):
    with (package / "large.bin").open("wb") as file:
        file.truncate(parcel.MOST)
    found = packed(package)
    assert ([one["status"] for one in found.answers], found.content) == ([parcel.HERE], b"")


def outside(package):
    (package / "host.yaml").symlink_to("/etc/hostname")


def piped(package):
    os.mkfifo(package / "pipe.yaml")


def misspelt(package):
    (package / "Kptfile").write_text((package / "Kptfile").read_text().replace("mutators", "mutatorz"))


@pytest.mark.parametrize("change", [outside, piped, misspelt])
def test_a_package_that_cannot_be_read_is_answered_here(package, change):
    change(package)
    found = packed(package)
    (answer,) = found.answers
    expected = plan("p", str(package), None, Settings().as_json())
    assert (found.content, answer.pop("seconds") > 0) == (b"", True)
    assert answer == expected
    assert answer["status"] == "failed"


GOOD = {"status": "same", "findings": [], "changes": [], "lasts": True, "seconds": 0.1}
CHANGE = ["run.yaml", "0" * 64, base64.b64encode(b"x").decode(), False]
WRONG = {
    "not JSON": b"\xff",
    "no list": b"1",
    "deep": b"[" * 100_000,
    "too few": b"[]",
    "too many": json.dumps([GOOD, GOOD]).encode(),
    **{
        name: json.dumps([more if not isinstance(more, dict) else {**GOOD, **more}]).encode()
        for name, more in {
            "no object": 1,
            "no status": {"status": None},
            "skipped": {"status": "skipped"},
            "crashed": {"status": "crashed"},
            "seconds": {"seconds": "1"},
            "lasts": {"lasts": 1},
            "findings": {"findings": [1]},
            "changes of the same": {"changes": [CHANGE]},
            "nothing changed": {"status": "changed"},
            "above": {"status": "changed", "changes": [["../a.yaml", *CHANGE[1:]]]},
            "absolute": {"status": "changed", "changes": [["/a.yaml", *CHANGE[1:]]]},
            "git": {"status": "changed", "changes": [[".git/a.yaml", *CHANGE[1:]]]},
            "program": {"status": "changed", "changes": [["a.sh", *CHANGE[1:]]]},
            "no base64": {"status": "changed", "changes": [["run.yaml", "0" * 64, "?", False]]},
        }.items()
    },
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_render_says_is_not_taken(package, name):
    with pytest.raises(UserError, match=r"^a worker answers "):
        parcel.opened(packed(package), WRONG[name])


@pytest.mark.parametrize(
    ("name", "words"),
    [("krm-values", "krm-values 9.9 (here 9.8)"), ("Python", "Python 9.9 (here 9.8)"), ("ytt", "another program for `--ytt`")],
)
def test_a_worker_that_is_another_refuses_before_it_plans(package, name, words):
    sent = packed(package)
    head, _, rest = sent.content.partition(b"\n")
    data = json.loads(head)
    data["wanted"][name] = "9.9"
    sent = replace(sent, wanted=data["wanted"])
    answer = json.loads(parcel.planned(json.dumps(data).encode() + b"\n" + rest))
    assert answer.keys() == {"refused"}
    answer["refused"][name], sent.wanted[name] = "9.9", "9.8"
    with pytest.raises(UserError) as error:
        parcel.opened(sent, json.dumps(answer).encode())
    assert words in error.value.lines[0]


def test_a_program_is_known_by_its_content(tmp_path):
    program = tmp_path / "ytt"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    first = parcel.identity({"ytt": str(program)})
    program.write_text("#!/bin/sh\nexit 1\n")
    second = parcel.identity({"ytt": str(program)})
    assert first["ytt"] != second["ytt"]
    assert parcel.identity({"ytt": "/no/such/ytt"})["ytt"] == ""


def test_what_is_set_where_a_package_comes_from_is_set_in_the_worker(package, monkeypatch):
    monkeypatch.setenv("KRM_VALUES_YTT", "/there")
    monkeypatch.delenv("KRM_FUNCTION", raising=False)
    sent = packed(package)
    monkeypatch.setenv("KRM_VALUES_YTT", "/here")
    monkeypatch.setenv("KRM_FUNCTION", "none")
    parcel.planned(sent.content)
    assert parcel.variables() == {"KRM_VALUES_YTT": "/there", "KRM_FUNCTION": None}


# The way to a scheduler.


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("made_of", "words"), [(None, "No such file"), ("", "in PEM")])
def test_each_pem_file_must_be_one(package, tmp_path, number, made_of, words):
    files = [*dasks.authority(tmp_path / "pem")]
    files[number].unlink()
    if made_of is not None:
        files[number].write_text(made_of)
    ca, certificate, key = files
    words_given = ("--scheduler", "tls://127.0.0.1:1", "--tls-ca", ca, "--tls-cert", certificate, "--tls-key", key)
    done = command("fleet", "render", package, *words_given)
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert words in done.stderr
    assert f"{files[number].name}" in done.stderr


def test_pickles_find_bytes_only_while_there_is_a_cluster():
    from krm_values._fleet import dask  # noqa: PLC0415 - Dask is imported where it is used

    data = [pickle.dumps(one) for one in (print, pytest.raises, KeyError("x"), type)]
    dask._only_bytes(on=True)
    try:
        assert pickle.loads(pickle.dumps(bytes)) is bytes
        for one in data:
            for load in (pickle.loads, lambda data: pickle._Unpickler(io.BytesIO(data)).load()):
                with pytest.raises(TypeError, match="nothing but bytes"):
                    load(one)
    finally:
        dask._only_bytes(on=False)
    assert pickle.loads(data[0]) is print
