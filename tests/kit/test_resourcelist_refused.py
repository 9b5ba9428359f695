"""Lists that are refused, with the place and the message, and items that are not resources."""

from __future__ import annotations

import pytest

from krm_values._data.errors import InputError
from krm_values._krm import resourcelist
from krm_values._krm.findings import line
from krm_values._krm.names import kind
from krm_values._run import invoke, registry
from krm_values._run.plain_files import Files
from krm_values._run.resolve import NO_RESOURCE
from tests.kit.lists import HEAD, read, write

pytestmark = pytest.mark.usefixtures("level")

HINT = "plain resources are read by krm-values run FUNCTION -, and from files by krm-values run FUNCTION FILE"
BAD = [
    (
        "nothing",
        b"",
        "stdin:1:1: must be a ResourceList, found nothing: pipe one in, for example `kpt fn source DIR |`, or name a directory, as `.`",
    ),
    (
        "blanks",
        b" \n\n",
        "stdin:1:1: must be a ResourceList, found nothing: pipe one in, for example `kpt fn source DIR |`, or name a directory, as `.`",
    ),
    ("comments", b"# c\n", "stdin:1:1: must be a ResourceList, found nothing"),
    ("a list", b"- a\n", "stdin:1:1: must be a ResourceList, found array"),
    ("a text", b"\nhello\n", "stdin:2:1: must be a ResourceList, found string"),
    (
        "a resource",
        b"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n",
        'stdin:2:7: `kind` must be `ResourceList`, found string "ConfigMap"; ' + HINT,
    ),
    (
        "another map",
        b"a: 1\n",
        "stdin:1:1: `kind` must be `ResourceList`, found nothing; " + HINT,
    ),
    (
        "another group",
        b"kind: ResourceList\napiVersion: example.com/v1\nitems: []\n",
        'stdin:2:13: `apiVersion` must be `config.kubernetes.io/v1`, found string "example.com/v1"',
    ),
    (
        "no apiVersion",
        b"kind: ResourceList\nitems: []\n",
        "stdin:1:1: `apiVersion` must be `config.kubernetes.io/v1`, found nothing",
    ),
    ("items a map", (HEAD + "items: {}\n").encode(), "stdin:3:8: `items` must be a list, found object"),
    ("items a text", (HEAD + "items: x\n").encode(), 'stdin:3:8: `items` must be a list, found string "x"'),
    (
        "items as a complex key's value",
        (HEAD + "? items\n: - a: 1\n").encode(),
        "stdin:4:3: must be written as `items:` and its list from the next line on",
    ),
    (
        "no UTF-8",
        (HEAD + "items:\n- a: ").encode() + b"\xc3\xa9 \xff\n",
        "stdin:4:8: must be UTF-8, found the byte 0xff",
    ),
    ("no UTF-8, cut off", (HEAD + "items:\n- a: ").encode() + b"\xc3", "stdin:4:6: must be UTF-8, found the byte 0xc3"),
    ("UTF-16", HEAD.encode("utf-16"), "stdin:1:1: must be UTF-8, found the byte 0xff"),
    (
        "two documents",
        (HEAD + "items: []\n---\na: 1\n").encode(),
        f"stdin:4:1: must be one ResourceList, found another document; {HINT}",
    ),
    (
        "repeated key",
        (HEAD + "items: []\nfunctionConfig: {}\nfunctionConfig: {}\n").encode(),
        "stdin:5:1: must not repeat the key `functionConfig`",
    ),
    ("repeated items", (HEAD + "items: []\nitems: []\n").encode(), "stdin:4:1: must not repeat the key `items`"),
    (
        "repeated key in functionConfig",
        (HEAD + "items:\n- a: 1\nfunctionConfig:\n  a: 1\n  b: 2\n  a: 3\n").encode(),
        "stdin:8:3: must not repeat the key `a`",
    ),
    (
        "tab",
        (HEAD + "items:\n- a: 1\nfunctionConfig:\n\ta: 1\n").encode(),
        "stdin:6:1: must be indented by spaces, found a tab",
    ),
    (
        "tab behind a dash",
        (HEAD + "items:\n-\ta: 1\n").encode(),
        "stdin:4:2: must be indented by spaces, found a tab",
    ),
    (
        "invalid YAML",
        (HEAD + "items:\n- a: 1\nfunctionConfig: {a: [\n").encode(),
        "stdin:5:21: is not YAML: did not find expected node content",
    ),
    (
        "an open quote",
        (HEAD + 'items:\n- a: "b\n- c: 1\n').encode(),
        "stdin:4:6: is not YAML: found unexpected end of stream",
    ),
    (
        "control character",
        (HEAD + "functionConfig: {a: \x01}\nitems: []\n").encode(),
        "stdin:3:21: must not hold the control character U+0001",
    ),
    (
        "an alias to nothing",
        (HEAD + "items: []\nfunctionConfig: *a\n").encode(),
        "stdin:4:17: must define the alias's anchor before it",
    ),
    (
        "deep",
        ('{"a":' + "[" * 100_000).encode(),
        "stdin:1:205: must not nest deeper than 200 levels, found a deeper one (limit `depth`)",
    ),
]


@pytest.mark.parametrize(("data", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input_is_one_line_with_its_place(data, message):
    with pytest.raises(InputError) as caught:
        resourcelist.read(data)
    assert str(caught.value) == message
    assert caught.value.line
    assert caught.value.column


UNREADABLE = [
    ("not YAML", "- a: b: c\n", (1, 7), "is not YAML: mapping values are not allowed in this context"),
    ("repeated key", "- a: 1\n  a: 2\n", (2, 3), "must not repeat the key `a`"),
    ("tab", "- a:\n  \tb: 1\n", (2, 3), "must be indented by spaces, found a tab"),
    ("alias to nothing", "- a: *x\n", (1, 6), "must define the alias's anchor before it"),
    ("complex key", "- ? [a]\n  : b\n", (1, 5), "must have scalar keys, found array as a key"),
]


@pytest.mark.parametrize(("item", "place", "message"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE])
def test_what_nobody_reads_passes(item, place, message):
    """A broken item leaves as it came; read, it has an error with the place in the list."""
    text = HEAD + "items:\n- kind: A\n" + item + "- kind: B\n"
    assert write(text, {0: lambda old: old.replace("A", "C")}) == text.replace("A", "C")
    source = read(text)
    broken = source.items[1]
    assert [other.data for other in source.items if other is not broken] == [{"kind": "A"}, {"kind": "B"}]
    assert broken.data is None
    line, column = place
    before = (HEAD + "items:\n- kind: A\n").count("\n")
    assert (broken.error.file, broken.error.line, broken.error.column) == ("stdin", before + line, column)
    assert broken.error.message == message


def test_items_that_are_no_resources():
    """They have empty headers, and data."""
    source = read(HEAD + "items:\n- a\n-\n- [b]\n- kind: 1\n- {metadata: {name: 2, namespace: null}}\n- # c\n")
    assert [item.data for item in source.items] == [
        "a",
        None,
        ["b"],
        {"kind": 1},
        {"metadata": {"name": 2, "namespace": None}},
        None,
    ]
    assert [(item.kind, item.namespace, item.name) for item in source.items][3:5] == [("1", "", ""), ("", "", "2")]


NO_RESOURCES = [
    ("5", "must be a resource, which is a map; found number; remove it"),
    ("hello", "must be a resource, which is a map; found string; remove it"),
    ("[a]", "must be a resource, which is a map; found array; remove it"),
    ("null", "must be a resource, which is a map; found null; remove it"),
    ("{}", "`kind`: must be there and name a kind; found nothing; add it, or leave out what is no resource"),
    (
        "{metadata: {name: x}}",
        "x `kind`: must be there and name a kind; found nothing; add it, or leave out what is no resource",
    ),
    (
        "{kind: '', apiVersion: v1}",
        '`kind`: must be there and name a kind; found string ""; add it, or leave out what is no resource',
    ),
    ("{kind: 5}", "5 `kind`: must be there and name a kind; found number 5; add it, or leave out what is no resource"),
    ("{kind: [a]}", "`kind`: must be there and name a kind; found array; add it, or leave out what is no resource"),
    ("{knid: A}", "`kind`: must be there and name a kind; found `knid`; did you mean `kind`?"),
]


@pytest.mark.parametrize("function", registry.functions())
@pytest.mark.parametrize(("item", "message"), NO_RESOURCES)
def test_items_that_are_no_resources_are_errors(function, item, message):
    """In a list of any function, in a file, and in a List in a file."""
    at = max(item.find("kind"), 0)
    config = f"functionConfig: {{apiVersion: krm-values.dev/v1alpha1, kind: {kind(function)}, spec: {registry.load(function).form().minimal}}}\n"
    source = resourcelist.read(f"{HEAD}items:\n- {item}\n{config}".encode())
    outcome = invoke.run_function("", source.function_config, source)[1]
    assert [line(one) for one in outcome.findings if one.kind == NO_RESOURCE] == [f"error: stdin:4:{3 + at}: {message}"]
    assert b"".join(source.apply(outcome)) == f"{HEAD}items:\n- {item}\n{config}".encode()
    for text, place in ((item, f"f.yaml:1:{1 + at}"), (f"kind: List\nitems:\n- {item}\n", f"f.yaml:3:{3 + at}")):
        files = Files([("f.yaml", f"{text}\n---\nkind: Other\n".encode())])
        found = invoke.run_function(function, source.function_config, files, is_plain=True)[1].findings
        expected = [] if text == "null" else [f"error: {place}: {message}"]  # a document of null is none
        assert [line(one) for one in found if one.kind == NO_RESOURCE] == expected
