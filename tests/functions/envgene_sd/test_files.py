"""`envgene source` and `sink`: what stands in files, below `spec:`, and in files again."""

from __future__ import annotations

import hashlib
import json

import pytest

from krm_values._data import data_edits
from krm_values._yaml import decode
from krm_values.envgene_sd.repository import files, sd_files
from tests.conformance.instances import call

EAST = "environments/east/prod-7/Inventory/solution-descriptor"
WEST = "environments/west/dev-1/Inventory/solution-descriptor"
APPS = "applications:\n- version: ledger:3.1.0\n  deployPostfix: finance\n"

LIST = f"""\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: krm-values.dev/v1alpha1
  kind: SolutionDescriptor
  metadata:
    name: east.prod-7.sd
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/local-config: 'true'
      config.kubernetes.io/path: {EAST}/sd.yaml
      krm-values.dev/environment: east/prod-7
      krm-values.dev/source-digest: sha256:DIGEST
  spec:
    # the books
    applications:
    - version: ledger:3.1.0
      deployPostfix: finance
      # x
- apiVersion: krm-values.dev/v1alpha1
  kind: EnvironmentNamespace
  metadata:
    name: east.prod-7.f
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/local-config: 'true'
      config.kubernetes.io/path: environments/east/prod-7/Namespaces/f/namespace.yml
      krm-values.dev/environment: east/prod-7
  spec:
    name: bank
    folder: f
"""


def lay(root, **files):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def held(root):
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def listed(root, *options):
    done = call(["source", str(root), *options], {})
    assert done.code == 0, done.err
    return done.out


def sunk(root, data, *options):
    return call(["sink", str(root), *options], {}, data)


def changed(root, old=b"ledger:3.1.0", new=b"ledger:3.2.0"):
    """The list with another version in it."""
    data = listed(root)
    assert old in data
    return data.replace(old, new)


TEXTS = {
    "plain": APPS,
    "commented": f"# the books\n\n# and more\n{APPS}# last words\n",
    "marked": f"---\n# head\n{APPS}",
    "marked with a comment": f"# first\n--- # here\n{APPS}",
    "with a directive": f"%YAML 1.1\n---\n{APPS}",
    "ended": f"{APPS}...\n# behind\n",
    "BOM": b"\xef\xbb\xbf" + APPS.encode(),
    "CRLF": APPS.replace("\n", "\r\n"),
    "BOM, CRLF, marker": b"\xef\xbb\xbf---\r\n# head\r\n" + APPS.replace("\n", "\r\n").encode(),
    "mixed line breaks": APPS.replace("finance\n", "finance\r\n"),
    "no line break at the end": APPS.rstrip("\n"),
    "CRLF, none at the end": APPS.replace("\n", "\r\n").rstrip("\r\n"),
    "blank lines": f"\n\n{APPS}\n\nversion: 2.10\n\n",
    "indented": "applications:\n    - version: ledger:3.1.0\n      deployPostfix:   finance # x\n",
    "all indented": "  applications:\n  - version: ledger:3.1.0\n    deployPostfix: finance\n",
    "flow": '{"applications": [{"version": "ledger:3.1.0", "deployPostfix": "finance"}]}\n',
    "flow over lines": "{\n  applications: [\n    {version: 'ledger:3.1.0',\n  deployPostfix: finance}\n  ]\n}\n",
    "flow behind the marker": "--- {applications: [{version: 'ledger:3.1.0', deployPostfix: finance}]}\n",
    "literals": f"{APPS}note: |\n  one\n\n    two\n   \n  three\nkept: |+\n  x\n\n",
    "folded": f'{APPS}note: >-\n  one\n  two\nlong: one\n  two\nquoted: "a\n  b"\n',
    "an indentation of its own": f"{APPS}note: |2\n   x\n",
    "anchors": "base: &b {deployPostfix: finance}\napplications:\n- version: ledger:3.1.0\n  <<: *b\n",
    "odd words": f"{APPS}on: yes\nyear: 0777\nnone: ~\nlast: 2.10\nwhen: 2020-01-01\n",
    "unicode": f"# Bücher\n{APPS}owner: Jürgen ✓\n",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_list_that_nobody_changed_writes_nothing(tmp_path, text):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": text, f"{EAST}/delta_sd.yaml": text})
    before = held(root)
    done = sunk(root, listed(root))
    assert (done.code, done.err) == (0, "changed: nothing\n")
    assert held(root) == before


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_only_the_changed_line_of_a_file_changes(tmp_path, text):
    """Marker, comments, line breaks and everything else stay as they are in the file."""
    root = lay(tmp_path, **{f"{EAST}/sd.yml": text})
    before = (root / EAST / "sd.yml").read_bytes()
    assert sunk(root, changed(root)).code == 0
    assert (root / EAST / "sd.yml").read_bytes() == before.replace(b"3.1.0", b"3.2.0")
    assert len(held(root)) == 1


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_items_data_are_the_files(tmp_path, text):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": text})
    items = decode.to_data(decode.parse(listed(root).decode()))["items"]
    data = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    assert data_edits.same(items[0]["spec"], decode.to_data(decode.parse(data)))


def test_the_files_own_lines_stand_below_spec(tmp_path):
    text = f"---\n# the books\n{APPS}  # x\n"
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": text, f"{EAST}/../../Namespaces/f/namespace.yml": "name: bank\n"})
    assert listed(root).decode() == LIST.replace("DIGEST", hashlib.sha256(text.encode()).hexdigest())


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"sd.yaml": APPS, "sd.yml": APPS}, "exists beside sd.yml"),
        ({"delta_sd.yaml": APPS, "delta_sd.yml": APPS}, "exists beside delta_sd.yml"),
        ({"sd.yaml": "a: [\n"}, "sd.yaml:1:4: "),
        ({"sd.yaml": f"{APPS}---\n{APPS}"}, "one document"),
        ({"sd.yaml": "a: 1\na: 2\n"}, "repeat the key `a`"),
        ({"sd.yaml": b"a: \xff\n"}, "UTF-8"),
        ({"sd.yaml": "a: *b\n"}, "anchor"),
    ],
)
def test_files_that_are_no_sd_are_errors_with_their_place(tmp_path, files, words):
    root = lay(tmp_path, **{f"{EAST}/{name}": text for name, text in files.items()}, **{f"{WEST}/sd.yaml": "x: [\n"})
    done = call(["source", str(root)], {})
    assert (done.code, done.out) == (1, b"")
    assert [finding["tags"]["rule"] for finding in done.findings] == ["70", "70"]
    assert done.err.count("\n") == 2
    assert f"error: {EAST}/" in done.err
    assert words in done.err
    assert f"error: {WEST}/sd.yaml" in done.err


@pytest.mark.parametrize(
    "text", ["", "\n", "null\n", "~", "# nothing\n", "---\n", "---\n# nothing yet\n", b"\xef\xbb\xbf# x\r\n"]
)
def test_an_empty_file_counts_as_an_sd_without_applications(tmp_path, text):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": text})
    before = held(root)
    data = listed(root)
    assert decode.to_data(decode.parse(data.decode()))["items"][0]["spec"] == {"applications": []}
    assert sunk(root, data).code == 0
    assert held(root) == before
    assert sunk(root, data.replace(b"applications: []", b"applications: [{version: 'a:1'}]")).code == 0
    found = (root / EAST / "sd.yaml").read_bytes()
    assert decode.to_data(decode.parse(found.decode("utf-8-sig"))) == {"applications": [{"version": "a:1"}]}
    if b"#" in before[f"{EAST}/sd.yaml"]:
        assert found.startswith(before[f"{EAST}/sd.yaml"])


def item(name, spec="{applications: []}", **annotations):
    marks = json.dumps({f"krm-values.dev/{key}": value for key, value in annotations.items()})
    head = f"apiVersion: krm-values.dev/v1alpha1\nkind: SolutionDescriptor\nmetadata: {{name: {name}, annotations: {marks}}}\n"
    return f"{head}spec: {spec}\n".encode()


def test_new_sds_lie_where_envgene_keeps_them(tmp_path):
    data = item("sd", environment="east/prod-7") + b"---\n" + item("x.delta-sd", environment="east/prod-7")
    assert sunk(tmp_path, data).code == 0
    assert held(tmp_path) == {f"{EAST}/sd.yaml": b"{applications: []}\n", f"{EAST}/delta_sd.yaml": b"{applications: []}\n"}


def test_a_delta_sd_takes_the_full_sds_ending_and_an_old_one_goes(tmp_path):
    root = lay(tmp_path, **{f"{EAST}/sd.yml": APPS, f"{EAST}/delta_sd.yaml": f"# old\n{APPS}"})
    data = listed(root).split(b"- apiVersion")
    data[2] = data[2].replace(b"3.1.0", b"3.2.0")
    assert sunk(root, b"- apiVersion".join(data)).code == 0
    assert held(root) == {
        f"{EAST}/sd.yml": APPS.encode(),
        f"{EAST}/delta_sd.yml": f"# old\n{APPS}".replace("3.1.0", "3.2.0").encode(),
    }


@pytest.mark.parametrize("ending", [".yaml", ".yml"])
def test_a_delta_sd_that_is_no_longer_in_the_list_goes_in_either_ending(tmp_path, ending):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS, f"{EAST}/delta_sd{ending}": APPS, f"{WEST}/delta_sd.yml": APPS})
    data = b"- apiVersion".join(listed(root).split(b"- apiVersion")[:2])
    assert sunk(root, data).code == 0
    assert sorted(held(root)) == [f"{EAST}/sd.yaml", f"{WEST}/delta_sd.yml"]


@pytest.mark.parametrize("name", ["sd.yaml", "delta_sd.yaml"])
@pytest.mark.parametrize("after", [APPS + "more: 1\n", APPS + "# more\n", None], ids=["data", "a comment", "gone"])
def test_a_file_that_changed_after_it_was_read_is_refused(tmp_path, name, after):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS, f"{EAST}/delta_sd.yaml": APPS, f"{WEST}/sd.yaml": APPS})
    data = changed(root)
    path = root / EAST / name
    path.unlink() if after is None else path.write_text(after)
    before = held(root)
    done = sunk(root, data)
    assert done.code == 1
    assert f"{EAST}/{name}: was {'removed' if after is None else 'changed'} after `envgene source` had read it" in done.err
    assert held(root) == before


def test_a_file_that_appeared_after_the_list_was_made_is_refused(tmp_path):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS})
    done = sunk(root, item("sd", environment="east/prod-7"))
    assert done.code == 1
    assert "exists, but the list was made without it" in done.err


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (item("other", environment="east/prod-7"), "70"),
        (item("sd", environment="../x"), "16"),
        (item("sd", environment="a/b/c"), "16"),
        (item("sd"), "16"),
        (item("sd", environment="a/b") + b"---\n" + item("x.sd", environment="a/b"), "70"),
        (item("sd", "[", environment="a/b"), "70"),
    ],
    ids=["name", "dots", "three", "none", "two", "no YAML"],
)
def test_items_that_have_no_file(tmp_path, data, rule):
    done = sunk(tmp_path, data)
    assert (done.code, [finding["tags"]["rule"] for finding in done.findings]) == (1, [rule])
    assert held(tmp_path) == {}


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"apiVersion: v1\nitems: [\n", b"\xff", b"applications:\n- version: a:1\n"],
    ids=["nothing", "blank", "cut off", "no UTF-8", "an SD itself"],
)
def test_what_is_no_list_is_refused(tmp_path, data):
    """As it comes out of a pipe whose other end failed."""
    done = sunk(tmp_path, data)
    assert done.code == 1
    assert "stdin" in done.err


def test_only_sds_are_written(tmp_path):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS, f"{EAST}/../../Namespaces/f/namespace.yml": "name: bank\n"})
    data = changed(root, b"name: bank\n    folder", b"name: purse\n    folder")
    assert sunk(root, data).err == "changed: nothing\n"


def test_delta_sds_may_lie_elsewhere(tmp_path):
    root = lay(tmp_path / "instance", **{f"{EAST}/sd.yaml": APPS, f"{EAST}/delta_sd.yaml": APPS, f"{WEST}/sd.yml": APPS})
    deltas = lay(tmp_path / "deltas", **{f"{WEST}/delta_sd.yaml": APPS})
    assert sunk(root, listed(root), "--delta-dir", str(deltas)).code == 0
    assert held(root) == {f"{EAST}/sd.yaml": APPS.encode(), f"{WEST}/sd.yml": APPS.encode()}
    assert held(deltas) == {f"{EAST}/delta_sd.yaml": APPS.encode()}


def test_a_list_in_json_is_written_in_block_style(tmp_path):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": f"# books\n{APPS}"})
    data = decode.to_data(decode.parse(changed(root).decode()))
    assert sunk(root, json.dumps(data).encode()).code == 0
    assert held(root) == {f"{EAST}/sd.yaml": f"# books\n{APPS}".replace("3.1.0", "3.2.0").encode()}


@pytest.mark.parametrize("words", [["--environment", "east/prod-7"], ["--environment", "east/prod-7", "west/none"]])
def test_some_environments_only(tmp_path, words):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS, f"{WEST}/sd.yaml": APPS})
    assert listed(root, *words).count(b"kind: SolutionDescriptor") == 1
    assert call(["source", *words, str(root)], {}).out == listed(root, *words)


@pytest.mark.parametrize("name", ["east", "east/prod-7/x", "../prod-7", "east/..", "/prod-7", "east/", "a\nb/c"])
def test_an_environment_is_two_path_segments(tmp_path, name):
    done = call(["source", str(tmp_path), "--environment", name], {})
    assert (done.code, [finding["tags"]["rule"] for finding in done.findings]) == (1, ["16"])


def test_no_items_are_a_list():
    assert sd_files.listed([]) == b"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"


@pytest.mark.parametrize("name", ["sd.yaml", "delta_sd.yaml"])
@pytest.mark.parametrize("deltas", [[], ["--delta-dir", "{}/deltas"]])
def test_a_file_behind_a_link_that_leads_out_is_neither_read_nor_written(tmp_path, name, deltas):
    """Not even for its digest."""
    root = lay(tmp_path / "repository", **{f"{EAST}/sd.yaml": APPS, f"{EAST}/delta_sd.yaml": APPS})
    listed = call(["source", str(root)], {}).out
    assert b"delta-sd" in listed
    outside = lay(tmp_path / "outside", **{name: APPS.replace("ledger", "other")})
    (root / EAST / name).unlink()
    (root / EAST / name).symlink_to(outside / name)
    data = listed.replace(b"3.1.0", b"3.2.0")
    done = call(["sink", str(root), *(word.format(tmp_path) for word in deltas)], {}, data)
    assert done.code == 1
    assert "is a symbolic link that leads out of the directory" in done.err
    assert (outside / name).read_text() == APPS.replace("ledger", "other")


@pytest.mark.parametrize("most", [10])
def test_a_file_beyond_the_limit_is_not_read_for_its_digest(tmp_path, monkeypatch, most):
    root = lay(tmp_path, **{f"{EAST}/sd.yaml": APPS})
    listed = call(["source", str(root)], {}).out
    monkeypatch.setattr(files, "MOST", most)
    done = call(["sink", str(root)], {}, listed.replace(b"3.1.0", b"3.2.0"))
    assert (done.code, "must not have more than 10 bytes" in done.err) == (1, True)
