"""A ResourceList read and written: what leaves is what came, but for what was asked; bad input is one line with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from krm_values._data.errors import EditError
from krm_values._krm import resourcelist
from tests.kit.lists import FIXTURES, HEAD, read, write

pytestmark = pytest.mark.usefixtures("level")


NEW = {"apiVersion": "v1", "kind": "New", "metadata": {"name": "web"}, "list": [1, "yes"]}
NEW_LINES = "- apiVersion: v1\n  kind: New\n  metadata:\n    name: web\n  list:\n  - 1\n  - 'yes'\n"


@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.in.yaml")), ids=lambda path: path.name)
def test_what_hosts_send_leaves_as_it_came(path):
    data = path.read_bytes()
    source = resourcelist.read(data)
    assert b"".join(source.write({}, (), (), ())) == data
    assert all(item.data for item in source.items)
    assert all(source.text(item.number).strip() in data.decode() for item in source.items)


ITEM = "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n"
BODY = HEAD + "items:\n" + ITEM + "functionConfig:\n  apiVersion: v1\n  kind: X\n"
FLOW = (
    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: A, metadata: {name: a}}], "
    "functionConfig: {apiVersion: v1, kind: X}}\n"
)
FORMS = [
    ("yaml", BODY),
    ("CRLF", BODY.replace("\n", "\r\n")),
    ("byte order mark", "\ufeff" + BODY),
    ("v1beta1", BODY.replace("/v1\n", "/v1beta1\n", 1)),
    ("v1alpha1", BODY.replace("/v1\n", "/v1alpha1\n", 1)),
    ("other fields", "x: [1]\n" + BODY + "y:\n  z: 1\n"),
    ("functionConfig first", "functionConfig: {apiVersion: v1, kind: X}\n" + HEAD + "items:\n" + ITEM),
    ("wide", BODY.replace(ITEM, "".join("  " + line for line in ITEM.splitlines(keepends=True)))),
    ("marker", "---\n" + BODY),
    ("directive and end marker", "%YAML 1.1\n--- # c\n" + BODY + "...\n"),
    ("no final newline", BODY[:-1]),
    ("quoted keys", BODY.replace("items:", '"items":').replace("  kind: A", '  "kind": "A"')),
    ("bare dash", BODY.replace("- apiVersion: v1\n  kind: A", "-\n  apiVersion: v1\n  kind: A")),
    ("comment behind the dash", BODY.replace("- apiVersion: v1\n  kind: A", "- # c\n  apiVersion: v1\n  kind: A")),
    (
        "flow items",
        HEAD + "items: [{apiVersion: v1, kind: A, metadata: {name: a}}]\nfunctionConfig: {kind: X, apiVersion: v1}\n",
    ),
    (
        "flow",
        FLOW,
    ),
]
DATA = {
    "apiVersion": "config.kubernetes.io/v1",
    "kind": "ResourceList",
    "items": [{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}],
    "functionConfig": {"apiVersion": "v1", "kind": "X"},
}


FORMS += [(f"JSON, indent {indent}", json.dumps(DATA, indent=indent)) for indent in (None, 0, 2, "\t")]


@pytest.mark.parametrize("text", [form[1] for form in FORMS], ids=[form[0] for form in FORMS])
def test_every_form_is_read(text):
    source = read(text)
    (item,) = source.items
    assert (item.api_version, item.kind, item.namespace, item.name) == ("v1", "A", "", "a")
    assert item.data == DATA["items"][0]
    assert source.function_config == DATA["functionConfig"]
    assert write(text) == text


def test_without_function_config():
    assert read(HEAD + "items: []\n").function_config is None


def test_json_characters_beyond_the_basic_plane():
    text = json.dumps({**DATA, "items": [{"kind": "A", "metadata": {"name": "a😀"}, "x": "\\ud83d\\ude00 é"}]})
    (item,) = read(text).items
    assert item.name == "a😀"
    assert item.data["x"] == "\\ud83d\\ude00 é"
    assert item.scalar(("x",)).text == "\\ud83d\\ude00 é"


LIST = """\
items:
# of a
- kind: A # on a
  keep: |+
    text

# loose

# of b
# of b too
- kind: B
  # in b

  x: 1

# of the config
functionConfig: {}
"""


WRITES: list[tuple[str, Any, Any, str]] = [
    ("nothing", {}, {}, LIST),
    ("edited", {"edit": {1: lambda old: old.replace("x: 1", "x: 2")}}, {}, LIST.replace("x: 1", "x: 2")),
    ("first removed", {"removed": {0}}, {}, "items:\n" + LIST[LIST.index("# loose") :]),
    (
        "second removed",
        {"removed": {1}},
        {},
        LIST[: LIST.index("# of b\n")] + LIST[LIST.index("# of the config") :],
    ),
    ("all removed", {"removed": {0, 1}}, {}, "items: []\n# loose\n\n# of the config\nfunctionConfig: {}\n"),
    ("added", {"added": [NEW]}, {}, LIST.replace("# of the config", NEW_LINES + "# of the config")),
    (
        "removed and added",
        {"removed": {0, 1}, "added": [NEW]},
        {},
        "items:\n# loose\n\n" + NEW_LINES + "# of the config\nfunctionConfig: {}\n",
    ),
    ("results", {"results": [{"message": "m"}]}, {}, LIST + "results:\n- message: m\n"),
]


@pytest.mark.parametrize(("change", "expected"), [(case[1], case[3]) for case in WRITES], ids=[case[0] for case in WRITES])
def test_write(change, expected):
    assert write(HEAD + LIST, **change) == HEAD + expected


@pytest.mark.parametrize(("change", "expected"), [(case[1], case[3]) for case in WRITES], ids=[case[0] for case in WRITES])
def test_write_with_crlf(change, expected):
    assert write((HEAD + LIST).replace("\n", "\r\n"), **change) == (HEAD + expected).replace("\n", "\r\n")


def test_new_lines_of_an_edit_get_crlf():
    text = (HEAD + "items:\n- a: 1\n").replace("\n", "\r\n")
    assert write(text, {0: lambda old: old + "  b: 2\n"}) == text + "  b: 2\r\n"


FORMS_WRITTEN = [
    ("empty", "items: []\n", {}, "items: []\n"),
    ("empty, with a comment", "items: [] # c\n", {"added": [NEW]}, "items: # c\n" + NEW_LINES),
    ("null", "items:\nfunctionConfig: {}\n", {}, "items: []\nfunctionConfig: {}\n"),
    ("null, written", "items: ~\n", {}, "items: []\n"),
    ("null, added", "items:\n", {"added": [NEW]}, "items:\n" + NEW_LINES),
    ("missing", "", {}, "items: []\n"),
    ("missing, added", "functionConfig: {}\n", {"added": [NEW]}, "functionConfig: {}\nitems:\n" + NEW_LINES),
    ("wide", "items:\n  - a: 1\n", {"added": [{"b": [1]}]}, "items:\n  - a: 1\n  - b:\n      - 1\n"),
    ("no final newline", "items:\n- a: 1", {"added": [{"b": 1}]}, "items:\n- a: 1\n- b: 1\n"),
    ("no final newline, results", "items:\n- a: 1", {"results": [{"m": 1}]}, "items:\n- a: 1\nresults:\n- m: 1\n"),
    (
        "no final newline, both",
        "items:\n- a: 1",
        {"added": [{"b": 1}], "results": [{"m": 1}]},
        "items:\n- a: 1\n- b: 1\nresults:\n- m: 1\n",
    ),
    ("no final newline, edited", "items:\n- a: 1", {"edit": {0: lambda old: old + "\n"}}, "items:\n- a: 1"),
    ("null, no final newline, results", "items:", {"results": [{"m": 1}]}, "items: []\nresults:\n- m: 1\n"),
    ("results replaced", "results:\n- old: 1 # c\nitems: []\n", {"results": [{"m": 1}]}, "results:\n- m: 1\nitems: []\n"),
    ("results dropped", "items: []\nresults:\n- old: |\n    x\n# c\n", {}, "items: []\n# c\n"),
    ("end marker", "items: []\n...\n", {"results": [{"m": 1}]}, "items: []\nresults:\n- m: 1\n...\n"),
    ("anchored list", "items: &x\n- a: 1\n", {"removed": {0}}, "items: &x []\n"),
    ("brackets, first removed", "items: [{a: 1}, {b: 2}, {c: 3}]\n", {"removed": {0}}, "items: [{b: 2}, {c: 3}]\n"),
    ("brackets, ends removed", "items: [{a: 1}, {b: 2}, {c: 3}]\n", {"removed": {0, 2}}, "items: [{b: 2}]\n"),
    ("brackets, all removed", "items: [{a: 1}, {b: 2}]\n", {"removed": {0, 1}}, "items: []\n"),
    ("brackets, added", "items: [{a: 1}, {b: 2}]\n", {"removed": {1}, "added": [{"c": 1}]}, 'items: [{a: 1}, {"c":1}]\n'),
    (
        "brackets, edited",
        "items: [{a: 1}, {b: 2}]\n",
        {"edit": {1: lambda old: old.replace("2", "3")}},
        "items: [{a: 1}, {b: 3}]\n",
    ),
]


@pytest.mark.parametrize(
    ("text", "change", "expected"), [case[1:] for case in FORMS_WRITTEN], ids=[case[0] for case in FORMS_WRITTEN]
)
def test_write_other_forms(text, change, expected):
    assert write(HEAD + text, **change) == HEAD + expected


@pytest.mark.parametrize("indent", [None, 2, 4])
@pytest.mark.parametrize("removed", [set(), {0}, {1}, {0, 1}])
@pytest.mark.parametrize("added", [(), (NEW,), (NEW, {"kind": "Other"})])
@pytest.mark.parametrize("old", [{}, {"results": [{"old": True}]}])
@pytest.mark.parametrize("results", [(), ({"m": "x"},)])
def test_json_stays_json(indent, removed, added, old, results):
    """Whatever is done, the text is what json writes for the result, but for blanks where it was on one line."""
    items = [{"kind": "A", "n": 1}, {"kind": "B", "l": ["x"]}]
    whole = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items, **old}
    text = json.dumps(whole, indent=indent)
    changed = write(text, {0: lambda was: was.replace("1", "2")}, removed, added, results)
    kept = [item for number, item in enumerate([{"kind": "A", "n": 2}, items[1]]) if number not in removed]
    expected = {**whole, "items": [*kept, *added], "results": list(results)}
    if not results:
        del expected["results"]
    assert json.loads(changed) == expected
    if indent and (kept or added):
        assert changed == json.dumps(expected, indent=indent)


def test_an_edit_keeps_its_place():
    with pytest.raises(EditError, match="must begin with the spaces"):
        write(HEAD + "items:\n- a: 1\n", {0: lambda old: "a" + old})
    with pytest.raises(EditError, match="only if it is in braces"):
        write(HEAD + "items: [a: 1]\n", {0: lambda old: old})


def test_a_text_keeps_its_columns():
    assert read(HEAD + "items:\n-   a: 1\n    b: 2\n").text(0) == "    a: 1\n    b: 2\n"
    assert read(HEAD + "items:\n  - # c\n    a: 1\n").text(0) == "    # c\n    a: 1\n"
    assert read(json.dumps(DATA, indent=2)).text(0).startswith('    {\n      "apiVersion"')
    assert read(json.dumps(DATA)).text(0).startswith('{"apiVersion"')


def test_scalars_stay_what_they_are():
    (item,) = resourcelist.read((FIXTURES / "fidelity" / "scalars.in.yaml").read_bytes()).items
    data = item.data["data"]
    assert [data[key] for key in ("nul", "empty", "date", "oct", "hex", "exp", "big", "tstr")] == [
        *(None, None, "2020-01-01", 511, 31, 1000, 12345678901234567890, "123")
    ]
    assert data["win"] == "a\r\nb"
    assert item.scalar(("data", "ver")).text == "1.10"
    assert item.scalar(("data", "ver")).plain
    assert not item.scalar(("data", "dq")).plain
    assert item.scalar(("data", "missing")) is None
    assert item.reading.place(("data", "k2")) == (16, 4)


def test_mentions():
    source = read(HEAD + "items:\n- a: needle\n")
    assert source.contains("needle")
    assert not source.contains("Needle")


@pytest.mark.parametrize("text", [r'"\ud83d"', r'{"kind": "\ude00\ud83d"}', r'["\ud83d", "\ud83d\ude00"]'])
def test_half_a_surrogate_pair_does_not_search_endlessly_for_a_header(text):
    source = resourcelist.read(f"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {text}\n".encode())
    assert [item.kind for item in source.items] == [""]
