"""Plain files: documents as items, counted as kpt counts them, every untouched byte as it came."""

from __future__ import annotations

import json

import pytest
import yaml as pyyaml

from krm_values._data.errors import EditError, InputError
from krm_values._krm import documents, headers
from krm_values._krm.item import Position
from tests import corpus
from tests.fuzz import streams

NEW = {"kind": "New", "l": [1]}


def read(text, file="f.yaml", **options):
    return documents.read(text.encode(), file, **options)


def write(text, edit=None, removed=(), added=(), **options):
    source = read(text, **options)
    edited = {number: change(source.text(number)) for number, change in (edit or {}).items()}
    return source.write(edited, removed, added).decode()


SPLIT = [
    ("one", "kind: A\n", [("A", 0, 1)]),
    ("nothing", "", []),
    ("comments", "# c\n\n", []),
    ("null", "---\nnull # c\n---\n~\n--- null\n", []),
    ("two", "kind: A\n---\nkind: B\n", [("A", 0, 1), ("B", 1, 3)]),
    ("markers everywhere", "---\nkind: A\n---\n---\n# c\n---\nkind: B\n---\n", [("A", 0, 2), ("B", 1, 7)]),
    ("a comment behind a marker", "--- # c\nkind: A\n--- # d\nkind: B\n", [("A", 0, 2), ("B", 1, 4)]),
    ("content behind a marker", "--- {kind: A}\n--- !!map\nkind: B\n", [("A", 0, 1), ("B", 1, 2)]),
    ("a licence first", "# licence\n---\nkind: A\n", [("A", 0, 3)]),
    ("a comment first", "# c\nkind: A\n", [("A", 0, 1)]),
    ("CRLF", "kind: A\r\n---\r\nkind: B\r\n", [("A", 0, 1), ("B", 1, 3)]),
    ("byte order mark", "\ufeffkind: A\n---\nkind: B\n", [("A", 0, 1), ("B", 1, 3)]),
    ("no final newline", "kind: A\n---\nkind: B", [("A", 0, 1), ("B", 1, 3)]),
    ("end markers", "kind: A\n...\nkind: B\n...\n---\nkind: C\n", [("A", 0, 1), ("B", 1, 3), ("C", 2, 6)]),
    ("directives", "%YAML 1.1\n---\nkind: A\n...\n# c\n%YAML 1.1\n---\nkind: B\n", [("A", 0, 3), ("B", 1, 8)]),
    ("markers in text", "a: |\n  ---\n  x\nkind: A\nb: '\n  ---'\n", [("A", 0, 1)]),
    ("no resources", "- a\n---\ntext\n---\nkind: 1\n", [("", 0, 1), ("", 1, 3), ("1", 2, 5)]),
    ("JSON", '{"kind": "A"}\n', [("A", 0, 1)]),
    ("a list, folded", "kind: List\nitems:\n- kind: A\n", [("List", 0, 1)]),
]


@pytest.mark.parametrize(("text", "items"), [case[1:] for case in SPLIT], ids=[case[0] for case in SPLIT])
def test_documents_and_their_places(text, items):
    source = read(text, package="sub")
    assert [(item.kind, item.index, item.position.line) for item in source.items] == items
    assert all(item.position.path == "sub/f.yaml" for item in source.items)
    assert source.write({}, (), ()).decode() == text
    for item in source.items:
        assert item.reading is not None
        assert item.error is None


UNFOLDED = [
    ("List", "apiVersion: v1\nkind: List\nitems:\n- kind: A\n- kind: B\n", [("A", 4), ("B", 5)]),
    ("a list of one kind", "kind: RoleList\nitems:\n- kind: A\n", [("A", 3)]),
    ("JSON", json.dumps({"kind": "List", "items": [{"kind": "A"}, {"kind": "B"}]}, indent=1), [("A", 4), ("B", 7)]),
    ("empty", "kind: List\nitems: []\n", []),
    (
        "several",
        "kind: A\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n---\nkind: D\n",
        [("A", 1), ("B", 5), ("C", 6), ("D", 8)],
    ),
    ("no items", "kind: AllowList\nspec: {}\n", [("AllowList", 1)]),
    ("other items", "kind: AllowList\nitems: x\n", [("AllowList", 1)]),
    ("broken", "kind: List\nitems: [\n", [("List", 1)]),
]


@pytest.mark.parametrize(("text", "items"), [case[1:] for case in UNFOLDED], ids=[case[0] for case in UNFOLDED])
def test_unfold(text, items):
    source = read(text, unfold=True, first=10)
    assert [(item.kind, item.position.line) for item in source.items] == items
    assert [item.number for item in source.items] == list(range(10, 10 + len(items)))
    assert source.write({}, (), ()).decode() == text


def test_numbers_go_on_over_files():
    source = read("kind: A\n---\nkind: B\n", first=5)
    assert source.text(6) == "kind: B\n"
    assert source.write({6: "kind: C\n"}, {5}, ()) == b"kind: C\n"


THREE = "# one\nkind: A\n--- # two\nkind: B\n---\nkind: C\n"
WRITES = [
    ("edited", THREE, {"edit": {1: lambda old: old.replace("B", "X")}}, THREE.replace("B", "X")),
    ("first removed", THREE, {"removed": {0}}, "kind: B\n---\nkind: C\n"),
    ("middle removed", THREE, {"removed": {1}}, "# one\nkind: A\n---\nkind: C\n"),
    ("last removed", THREE, {"removed": {2}}, "# one\nkind: A\n--- # two\nkind: B\n"),
    ("all removed", THREE, {"removed": {0, 1, 2}}, ""),
    ("all but the last removed", THREE, {"removed": {0, 1}}, "---\nkind: C\n"),
    ("added", THREE, {"added": [NEW, NEW]}, THREE + "---\nkind: New\nl:\n- 1\n" * 2),
    ("all replaced", THREE, {"removed": {0, 1, 2}, "added": [NEW]}, "kind: New\nl:\n- 1\n"),
    ("added to nothing", "", {"added": [NEW, {"b": 1}]}, "kind: New\nl:\n- 1\n---\nb: 1\n"),
    ("added behind an open end", "kind: A", {"added": [NEW]}, "kind: A\n---\nkind: New\nl:\n- 1\n"),
    ("added to CRLF", "kind: A\r\n", {"added": [NEW]}, "kind: A\r\n---\r\nkind: New\r\nl:\r\n- 1\r\n"),
    ("a marked first", "---\nkind: A\n---\nkind: B\n", {"removed": {0}}, "---\nkind: B\n"),
    (
        "a directive goes along",
        "kind: A\n...\n%YAML 1.1\n---\nkind: B\n...\n---\nkind: C\n",
        {"removed": {1}},
        "kind: A\n...\n...\n---\nkind: C\n",
    ),
    (
        "behind a marker",
        "--- {kind: A}\n---\nkind: B\n",
        {"edit": {0: lambda old: old.replace("A", "X")}},
        "--- {kind: X}\n---\nkind: B\n",
    ),
    ("byte order mark", "\ufeffkind: A\n---\nkind: B\n", {"removed": {0}}, "\ufeffkind: B\n"),
    ("open end kept", "kind: A", {"edit": {0: lambda old: "kind: B\n"}}, "kind: B"),
]


@pytest.mark.parametrize(("text", "change", "expected"), [case[1:] for case in WRITES], ids=[case[0] for case in WRITES])
def test_write(text, change, expected):
    assert write(text, **change) == expected


LISTS = "kind: A\n---\nkind: List\nitems:\n# of b\n- kind: B\n# of c\n- kind: C\n---\nkind: D\n"
LIST_WRITES = [
    ("edited", {"edit": {2: lambda old: old.replace("C", "X")}}, LISTS.replace("C", "X")),
    ("removed", {"removed": {1}}, LISTS.replace("# of b\n- kind: B\n", "")),
    ("all of it removed", {"removed": {1, 2}}, "kind: A\n---\nkind: List\nitems: []\n---\nkind: D\n"),
    ("others removed", {"removed": {0, 3}}, "kind: List\nitems:\n# of b\n- kind: B\n# of c\n- kind: C\n"),
    ("added", {"added": [{"b": 1}]}, LISTS + "---\nb: 1\n"),
]


@pytest.mark.parametrize(("change", "expected"), [case[1:] for case in LIST_WRITES], ids=[case[0] for case in LIST_WRITES])
def test_write_unfolded(change, expected):
    assert write(LISTS, unfold=True, **change) == expected


def test_a_json_file_is_one_document():
    text = json.dumps({"kind": "List", "items": [{"kind": "A"}]}, indent=2)
    source = read(text, "f.json", unfold=True)
    assert source.is_json(0)
    assert json.loads(source.write({}, (), [NEW])) == {"kind": "List", "items": [{"kind": "A"}, NEW]}
    with pytest.raises(EditError, match="a new object must have a file of its own"):
        read('{"kind": "A"}', "f.json").write({}, (), [NEW])


def test_json_keeps_its_columns():
    source = read('{\n  "kind": "A"\n}\n', "f.json")
    assert source.text(0) == '{\n  "kind": "A"\n}\n'
    assert source.is_json(0)
    assert not read("kind: A\n").is_json(0)


def test_what_cannot_be_read():
    """Bytes that are no text are an error of the file; YAML that nobody reads passes."""
    with pytest.raises(InputError) as caught:
        documents.read(b"a: 1\nb: \xff\n", "f.yaml", "sub")
    assert str(caught.value) == "sub/f.yaml:2:4: must be UTF-8, found the byte 0xff"
    text = "kind: A\na: b: c\n---\nkind: B\n"
    source = read(text)
    assert [item.kind for item in source.items] == ["A", "B"]
    assert source.items[0].data is None
    assert (source.items[0].error.line, source.items[0].error.column) == (2, 5)
    assert source.write({}, (), ()).decode() == text


def test_crossing():
    assert read("kind: A\na: &x 1\nb: *x\n").crossing(0) == 0
    source = read("kind: List\nitems:\n- a: &x 1\n- b: *x\n- c: 1\n", unfold=True)
    assert [source.crossing(number) for number in range(3)] == [1, 1, 0]
    assert source.items[1].data == {"b": 1}


def test_positions():
    assert read("kind: A\n", package="p").items[0].position == Position("p", "f.yaml", 0, 1)
    assert read("kind: A\n").items[0].placed


def test_headers_need_no_parse_of_the_rest():
    (item,) = read("apiVersion: v1\nkind: A\nmetadata:\n  namespace: n\n  name: &x a\n  labels: {b: *x}\nspec: b: c\n").items
    assert (item.api_version, item.kind, item.namespace, item.name) == ("v1", "A", "n", "a")


def test_mentions():
    assert read("a: needle\n").contains("needle")
    assert not read("a: 1\n").contains("needle")


@corpus.needed
@pytest.mark.parametrize("path", corpus.FILES, ids=lambda path: path.name)
def test_real_manifests(path):
    """Each has the documents that libyaml finds, all readable but what libyaml refuses too, and leaves as it came."""
    data = path.read_bytes()
    source = documents.read(data, path.name)
    assert source.write({}, (), ()) == data
    try:
        found = [node for node in pyyaml.compose_all(data, Loader=pyyaml.CSafeLoader) if not node.tag.endswith(":null")]
    except pyyaml.YAMLError:
        assert any(item.error for item in source.items)
        return
    assert len(source.items) == len(found)
    for item, node in zip(source.items, found, strict=True):
        kinds = (
            [value.value for key, value in node.value if key.value == "kind"] if isinstance(node, pyyaml.MappingNode) else [""]
        )
        assert item.kind == (kinds or [""])[0]
        assert item.reading is not None
        assert item.error is None


def test_mutants():
    """No wrong cut of a stream, and mutants that are streams."""
    counts, wrong = streams.fuzz(1500, 3)
    assert wrong == []
    assert counts["right"] > 100


def test_a_border_behind_a_byte_order_mark():
    assert write("\ufeff---\nkind: A\n---\nkind: B\n", removed={0}) == "\ufeff---\nkind: B\n"


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}")])
def test_a_document_too_deep_for_any_reader_is_told_when_it_is_read(opening, closing):
    text = "apiVersion: v1\nspec: " + opening * 50_000 + closing * 50_000 + "\nkind: Thing\n"
    found = headers.read(text.encode())
    assert (found.api_version, found.kind) == ("v1", "")
