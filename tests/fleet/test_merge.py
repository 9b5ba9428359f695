"""Shards with bundles: merged in any order they come to the serial bytes; a bundle that does not fit is named, and nothing is written."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._fleet import bundle as bundles
from krm_values._krm.write import REMOVED
from krm_values._yaml import decode
from tests.cli.packages import command, write
from tests.fleet import made
from tests.oracles import go

SHARDS = 5


@pytest.fixture(scope="module")
def done(serial, tmp_path_factory):
    """The fleet with the bundles of all shards, which are made of copies of it, as on machines of their own."""
    folder = tmp_path_factory.mktemp("shards")
    for number in range(1, SHARDS + 1):
        copy = shutil.copytree(serial.source, folder / "copy")
        words = ("--shard", f"{number}/{SHARDS}", "--bundle", folder / f"{number}.bundle", "--jobs", "1")
        assert command("fleet", "render", ".", *words, cwd=copy).returncode == 0, "the merge tells what failed"
        assert made.digest(copy) == made.digest(serial.source)
        shutil.rmtree(copy)
    return folder


@pytest.fixture
def files(done, tmp_path):
    """Copies of the bundles, by shard from 1."""
    return [None, *(Path(shutil.copy(done / f"{number}.bundle", tmp_path)) for number in range(1, SHARDS + 1))]


def test_all_shards_in_any_order_come_to_the_same_tree_results_state_and_exit_code(fleet, serial, files, tmp_path):
    key = write(tmp_path, {"key": "k" * 64}) / "key"

    def reports(name):
        return [tmp_path / f"{name}-{kind}" for kind in ("results", "state")]

    def given_by(name):
        results, state = reports(name)
        return ("--results", results, "--state", state, "--state-key", key)

    other = shutil.copytree(serial.source, tmp_path / "other")
    code = command("fleet", "render", ".", "--jobs", "2", *given_by("serial"), cwd=other).returncode
    random.Random(1).shuffle(shuffled := files[1:])
    assert command("fleet", "merge", ".", *shuffled, *given_by("merged"), cwd=fleet).returncode == code == 1
    assert made.digest(fleet) == made.digest(other) == serial.tree
    for one, two in zip(reports("serial"), reports("merged"), strict=True):
        assert one.read_bytes() == two.read_bytes()
    words = ("--quiet", "--timings", tmp_path / "timings")
    assert command("fleet", "merge", ".", *files[1:], *given_by("again"), *words, cwd=fleet).returncode == 1
    assert len((tmp_path / "timings").read_text().splitlines()) == 60
    assert [file.read_bytes() for file in reports("again")] == [file.read_bytes() for file in reports("merged")]


@given(st.lists(st.floats(0.001, 10), max_size=40), st.integers(1, 12))
def test_shards_are_neighbours_that_weigh_about_the_same(weights, of):
    parts = [bundles.part(weights, number, of) for number in range(1, of + 1)]
    assert [number for part in parts for number in part] == [*range(len(weights))]
    each = sum(weights) / of
    assert all(sum(weights[number] for number in part) <= each + max(weights) + 1e-9 for part in parts if part)


@pytest.mark.parametrize(
    ("text", "index", "found"), [("1/1", "", (1, 1)), ("3/5", "", (3, 5)), ("5", "0", (1, 5)), ("5", "4", (5, 5))]
)
def test_a_shard_counts_from_one_and_an_index_from_zero(text, index, found):
    assert bundles.shard_of(text, index) == found


@pytest.mark.parametrize(
    ("text", "index"), [("0/5", ""), ("6/5", ""), ("5", ""), ("5", "5"), ("x/5", ""), ("1/", ""), ("5", "x")]
)
def test_any_other_shard_is_refused(fleet, text, index):
    done = command("fleet", "render", ".", "--shard", text, cwd=fleet, JOB_COMPLETION_INDEX=index)
    assert (done.returncode, "`--shard`: must be I/N" in done.stderr) == (2, True)


# What a merge refuses. It names the bundle, and nothing has changed.


def refused(fleet, serial, *given):
    found = command("fleet", "merge", ".", *given, cwd=fleet)
    assert (found.returncode, found.stdout) == (1, "")
    assert made.digest(fleet) == made.digest(serial.source)
    return found.stderr


def test_a_missing_bundle(fleet, serial, files):
    assert "there is no bundle of shard 2, 4 of 5: name all of them" in refused(fleet, serial, files[1], files[3], files[5])


def test_a_doubled_bundle(fleet, serial, files, tmp_path):
    twin = shutil.copy(files[2], tmp_path / "twin")
    assert f"error: {twin}: is shard 2 of 5, and so is {files[2]}" in refused(fleet, serial, *files[1:], twin)


def test_a_cut_bundle(fleet, serial, files):
    text = files[2].read_bytes()
    for part in (text[:-1000], text.replace(b'"failed"', b'"same"', 1), b"", b"{}\n"):
        files[2].write_bytes(part)
        assert f"error: {files[2]}: is no whole bundle" in refused(fleet, serial, *files[1:])


def test_a_bundle_of_another_fleet(fleet, serial, files, tmp_path):
    write(tmp_path / "more" / "c999/app0", made.package(1))
    shutil.copytree(serial.source, tmp_path / "more", dirs_exist_ok=True)
    words = ("--shard", "2/5", "--bundle", files[2], "--jobs", "1")
    assert command("fleet", "render", ".", *words, cwd=tmp_path / "more").returncode == 0
    assert f"error: {files[2]}: is of another run than" in refused(fleet, serial, *files[1:])
    shutil.rmtree(fleet / "c005/app9")
    found = command("fleet", "merge", ".", *files[1:2], files[2], *files[3:], cwd=fleet)
    assert found.returncode == 1


def test_a_bundle_with_a_package_that_is_not_there(fleet, files):
    shutil.rmtree(fleet / "c005/app9")
    found = command("fleet", "merge", ".", *files[1:], cwd=fleet)
    assert (found.returncode, f"error: {files[1]}: is of another fleet" in found.stderr) == (1, True)


def test_an_older_bundle(fleet, serial, files):
    """The package has changed since: by an edit of a file that is only read."""
    edited = fleet / "c002/app1/layers.yaml"
    edited.write_text(text := edited.read_text() + "# edit\n")
    before = made.digest(fleet)
    found = command("fleet", "merge", ".", *files[1:], cwd=fleet)
    (line,) = [line for line in found.stderr.splitlines() if "is older than" in line]
    assert line.endswith(": is older than the package c002/app1: render this shard again")
    assert any(line.startswith(f"error: {file}: ") for file in files[1:])
    assert (found.returncode, made.digest(fleet), edited.read_text()) == (1, before, text)


def forged(file, change):
    """Change the rows of a bundle, and make it whole again."""
    head, *rows, _ = map(json.loads, file.read_text().splitlines())
    rows = change(head, rows) or rows
    text = "".join(json.dumps(row, sort_keys=True) + "\n" for row in (head, *rows))
    file.write_text(text + json.dumps({"sha256": hashlib.sha256(text.encode()).hexdigest()}) + "\n")


def changes(path, old=REMOVED, new="YQ==", secret=False):
    """A forger who adds a change to the first package that has some."""

    def change(_, rows):
        row = next(row for row in rows if row["changes"])
        row["changes"] = [[path, old, new, secret]]

    return change


def of_rows(**fields):
    def change(_, rows):
        rows[0] |= fields

    return change


def of_head(**fields):
    def change(head, _):
        head |= fields

    return change


def renamed(_, rows):
    rows[0]["package"] = "c005/app9"


def moved(_, rows):
    return [*rows[1:], rows[0]]


def more(_, rows):
    return [*rows, rows[-1] | {"package": "c009/app1"}]


FORGED = {
    "above": (changes("../x.yaml"), "must be a relative path inside the directory"),
    "absolute": (changes("/tmp/x.yaml"), "must be a relative path inside the directory"),
    "hook": (changes(".git/hooks/post-commit"), "which no package reads"),
    "git": (changes(".git/config.yaml"), "which no package reads"),
    "script": (changes("run.sh"), "which no package reads"),
    "workflow": (changes(".github/workflows/x.yaml"), "must not have a part that begins with a dot"),
    "staged": (changes(".krm-values-" + "0" * 32), "which no package reads"),
    "ignore": (changes(".krmignore"), "which no package reads"),
    "deletes nothing": (changes("x.yaml", new=None), "which is to be removed"),
    "no digest": (changes("run.yaml", old="x"), "without the digest"),
    "no base64": (changes("x.yaml", new="#"), "not base64"),
    "no form": (changes("x.yaml", new=1), "has a change that is none"),
    "status": (of_rows(status="fine"), "has no such status"),
    "same": (of_rows(status="same", changes=[["x.yaml", REMOVED, "YQ==", False]]), "is same, with 1 changes"),
    "findings": (of_rows(findings=[{"message": 1, "severity": "error"}]), "has a finding that is none"),
    "severity": (of_rows(findings=[{"message": "a", "severity": "fatal"}]), "has a finding that is none"),
    "no basis": (of_rows(status="same", changes=[], basis=""), "has no digest of what was planned"),
    "type": (of_rows(lasts=1), "`lasts` must be of type bool"),
    "key": (of_rows(more=1), "must be an object with package"),
    "package": (renamed, "has package c005/app9, where"),
    "order": (moved, "where"),
    "more": (more, "has package c009/app1, where"),
    "shard 7": (of_head(shard=7), "says that it is shard 7 of 5"),
    "shard 0": (of_head(shard=0), "says that it is shard 0 of 5"),
    "shard 3": (of_head(shard=3), "is shard 3 of 5, and so is"),
    "shards": (of_head(of=6), "is of another run"),
    "options": (of_head(facts="{}"), "is of another run"),
    "version": (of_head(version="9.9"), "was made by krm-values 9.9"),
    "fleet": (of_head(fleet="0" * 64), "is of another run"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_bundle(fleet, serial, files, name):
    change, said = FORGED[name]
    forged(files[2], change)
    told = refused(fleet, serial, *files[1:])
    assert said in told
    assert "2.bundle" in told


def test_a_forged_bundle_cannot_overwrite_what_it_does_not_know(fleet, serial, files):
    """The digest of the old content is checked by the writer, as in any write."""
    forged(files[2], changes("run.yaml", old="0" * 64))
    done = command("fleet", "merge", ".", *files[1:], cwd=fleet)
    assert done.returncode == 1
    assert "stale" in done.stdout
    assert [path for path in fleet.rglob("*") if path.is_file() and path.read_bytes() == b"a"] == []


def test_a_link_in_a_package_is_not_followed(fleet, files, tmp_path):
    """A folder of the package leads out: no bundle gets a file there."""
    forged(files[1], changes("inner/x.yaml"))
    (fleet / "c000/app0/inner").symlink_to(tmp_path)
    done = command("fleet", "merge", ".", *files[1:], cwd=fleet)
    assert done.returncode == 1
    assert not (tmp_path / "x.yaml").exists()


# The Job.


def job(*words):
    done = command("fleet", "job", "--shards", "5", "--image", "registry.example.com/krm-values:v1", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return decode.to_data(decode.parse(done.stdout))


@pytest.mark.hosts
def test_the_job_is_what_the_api_server_takes():
    go.needed("kubernetes")
    given = job()
    wrong = json.loads(json.dumps(given).replace('"restartPolicy"', '"restartPolcy"'))
    right, other = go.ask("kubernetes", [{"object": given}, {"object": wrong}])
    assert right == {"known": True, "errors": []}
    assert "restartPolcy" in other["errors"][0]


def test_the_job_run_index_by_index_comes_to_the_serial_bytes(fleet, serial, tmp_path):
    spec = job()["spec"]
    assert (spec["completionMode"], spec["completions"]) == ("Indexed", 5)
    (container,) = spec["template"]["spec"]["containers"]
    for index in range(spec["completions"]):
        places = {"/fleet": str(fleet), "/bundles": str(tmp_path), "$(JOB_COMPLETION_INDEX)": str(index)}
        words = container["args"]
        for name, value in places.items():
            words = [word.replace(name, value) for word in words]
        assert command(*words, "--jobs", "1", JOB_COMPLETION_INDEX=str(index)).returncode == 0
    assert command("fleet", "merge", fleet, *sorted(tmp_path.glob("*.bundle"))).returncode == 1
    assert made.digest(fleet) == serial.tree


def test_a_job_of_no_shards_is_refused():
    done = command("fleet", "job", "--shards", "0", "--image", "a")
    assert (done.returncode, "`--shards` must be" in done.stderr) == (2, True)
