"""Where the characters of a scalar stand in its source: of what PyYAML's emitter writes in any style, and by hand."""

from __future__ import annotations

import ast
import random
from functools import partial
from pathlib import Path

import pytest
import yaml as pyyaml

from krm_values._data import suggest
from krm_values._data.errors import InputError
from krm_values._krm import documents, findings, plan, reader
from krm_values._krm import places as placing
from krm_values._yaml.encoding import by_lines
from krm_values._yaml.nodes import parse
from krm_values._yaml.scalar_places import places
from tests.growth.measure import calls

ALPHABET = "abc: #{}[]&*!|>'\"%@,\n\n\té\u00a0\U0001f600\\-"


@pytest.mark.parametrize("style", ["", "'", '"', "|", ">"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_character_is_found_or_nothing_is_told(style, ending):
    """A character that is written as itself is found where it is; never is a place told that holds another."""
    rng = random.Random(f"{style}{ending}")
    told = 0
    for _ in range(400):
        value = "".join(rng.choices(ALPHABET, k=rng.randint(1, 60)))
        source = pyyaml.safe_dump({"x": [value]}, default_style=style, allow_unicode=True, width=20, indent=rng.randint(2, 5))
        source = source.replace("\n", ending)
        node = parse(source).items[0].items[0]
        value = node.value  # PyYAML folds some texts into others
        found = places(source, node)
        if found is None:
            continue
        told += 1
        for number, line in enumerate(value.split("\n"), 1):
            for column, character in enumerate(line, 1):
                at = found.at(number, column)
                assert at is not None
                shown = source[at]
                assert shown == character or shown in "\\\r\n \t'", (source, character, shown)
    assert told == 400


@pytest.mark.parametrize(
    ("source", "line", "column", "expected"),
    [
        ("x: |\n  a\n\n  b\n", 3, 1, (3, 2)),
        ("x: |2\n   a\n  b\n", 1, 2, (1, 3)),
        ("x: >-\n  a\n  b\n\n  c\n", 1, 3, (2, 2)),
        ("x: >-\n  a\n  b\n\n  c\n", 2, 1, (4, 2)),
        ("x: 'it''s'\n", 1, 4, (0, 8)),
        ('x: "a\\tb"\n', 1, 3, (0, 7)),
        ('{"x": "\\ud83d\\ude00b"}', 1, 2, (0, 19)),
        ("x: &a !!str |\n  a\n", 1, 1, (1, 2)),
    ],
)
def test_places_by_hand(source, line, column, expected):
    found = reader.read(source)
    assert isinstance(found.data, dict)
    assert found.inside(("x",), str(found.data["x"]), line, column) == expected


def test_of_another_text_nothing_is_told():
    assert reader.read("x: |\n  a\n").inside(("x",), "b\n", 1, 1) is None
    assert reader.read("x: [a]\n").inside(("x",), "a", 1, 1) is None
    assert reader.read("x: |\n  a\n").inside(("x",), "a\n", 7, 1) is None


def test_a_line_that_is_folded_has_no_line_of_its_own():
    text = reader.read("x: >\n  a\n  b\n\n  c\n")
    assert text.inside(("x",), "a b\nc\n", 1, 0) is None
    assert text.inside(("x",), "a b\nc\n", 2, 0) == (4, 2)


def test_nearest_names_take_time_by_the_number_of_words_only():
    """Ten times the known names cost no more once they are many."""
    few, many = ([f"parameter-{number:06}" for number in range(size)] for size in (2_000, 200_000))
    suggest.nearest("parameter-xxxxxx", few)
    first, second = (calls(partial(suggest.nearest, "parameter-x000xx", known)).total() for known in (few, many))
    assert second < 2 * first


TEXT = "# c\na:\n  b: 1\n  list:\n  - x\n  - {c: 2, d: 3}\n"


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (TEXT, ("a", "b"), (3, 3)),
        (TEXT, ("a", "list", 0), (5, 5)),
        (TEXT, ("a", "list", 1, "d"), (6, 12)),
        (TEXT, ("a", "list", 1, "gone"), (6, 5)),
        (TEXT, ("a", "gone", "deeper"), (2, 1)),
        (TEXT, ("gone",), None),
        ('[{"a": 1},\n {"b": 2}]', (1, "b"), (2, 3)),
        ("a: [", ("a",), None),
        ("plain", ("a",), None),
    ],
)
def test_a_field_inside_a_text(text, path, expected):
    found = placing.field_inside(text, path)
    assert (found and (found.line, found.column)) == expected


HOLDER = "# one\n---\nkind: ConfigMap\ndata:\n  plain: x\n  text: |\n    # c\n    a:\n      b: 1\n"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (("data", "plain"), (5, 3)),
        (("data", "text"), (6, 3)),
        (("data", "text", "a", "b"), (9, 7)),
        (("data", "text", "a", "gone"), (8, 5)),
        (("data", "text", "gone"), (6, 3)),
        (("data", "plain", "a"), (5, 3)),
        (("data", "gone"), (4, 1)),
        ((), (3, 1)),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_path_goes_on_below_a_text(path, expected, ending):
    (item,) = documents.read(HOLDER.replace("\n", ending).encode(), "c.yaml").items
    assert placing.of_field(item, path) == expected


def test_of_a_file_that_a_host_reprinted_nothing_is_told():
    (item,) = documents.read(HOLDER.encode(), "c.yaml", reprinted=True).items
    assert placing.of_field(item, ("data", "text", "a", "b")) == placing.UNKNOWN


def test_parts_and_lines_of_a_text_of_several_lines():
    (item,) = documents.read(b"kind: A\nscript: |\n  one\n    two $(x) $(x)\nshort: two $(x)\n", "a.yaml").items
    part = plan.part_of(item, ("script",), "$(x)")
    assert part is not None
    assert placing.of_text(item, ("script",), part) == (4, 9)
    line = plan.line_of(item, ("script",), 2)
    assert line is not None
    assert placing.of_text(item, ("script",), line) == (4, 5)
    assert plan.part_of(item, ("short",), "$(x)") is None
    assert plan.part_of(item, ("script",), "$(y)") is None
    assert plan.line_of(item, ("script",), 9) is None
    assert plan.part_of(item, ("gone",), "$(x)") is None


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: ¦[x\n", "an open bracket"),
        ("a: ¦{x: 1\n\n\n", "an open brace"),
        ("a:\n  b: ¦[x, y\n  c: 1\n", "an open bracket before another key"),
        ("a: {b: 1,\n  e: [x]\n  ¦f: 1}\n", "no comma"),
        ('{\n"a": "x"\n¦"b": 2}', "no comma in JSON"),
        ("a: 1\nb: ¦'x\nc: 2\n", "an open quote"),
        ('a: ¦"x\n', "an open double quote"),
        ("a: 1\n¦bar\n", "a key without a colon at the end"),
        ("a: 1\n¦bar\nc: 2\n", "a key without a colon"),
        ("a: ¦[\n", "a bracket and nothing behind it"),
        ("a: b¦: c\n", "two colons"),
        ('{"a": 1,¦,}\n', "two commas"),
        ("a:\n  - b\n ¦c\n", "a key at a wrong column"),
        ("a: é\nb: ¦[x\n", "behind other letters"),
        ("a: x\rb: ¦[x\n", "behind a bare CR"),
    ],
)
def test_what_is_no_yaml_is_told_where_it_begins(text, place):
    before, _, after = text.partition("¦")
    with pytest.raises(InputError) as caught:
        parse(before + after)
    found = by_lines(before + after, caught.value)
    start = before.rfind("\n") + 1
    assert (found.line, found.column) == (before.count("\n") + 1, len(before) - start + 1), place


def test_a_finding_points_elsewhere_than_at_what_it_is_about():
    about, holder = documents.read(b"kind: A\nmetadata: {name: a}\n---\nkind: B\nspec:\n  x: 1\n", "c.yaml").items
    finding = plan.Finding(
        "error", "k", None, "is wrong", about, ("metadata",), at=plan.Origin("", None, holder, ("spec", "x"))
    )
    assert findings.line(finding) == "error: c.yaml:6:3: A a `metadata`: is wrong"


SOURCES = {
    path.relative_to(root).as_posix(): path.read_text("utf-8")
    for root in [Path(findings.__file__).parents[1]]
    for path in root.rglob("*.py")
}
PLACED = {
    "_krm/documents.py": {"read", "position"},  # of a file
    "_krm/resourcelist.py": {"_position", "config_item"},  # of stdin
    "_krm/item.py": {"on_stdin"},  # of stdin again, beside the file
    "_run/tree.py": {"item_of", "apply", "with_text"},  # as it was read, until a step of a package changes it
    "glasskube_values/files.py": {"_item"},  # a manifest, which is no resource
    "_go/yaml.py": {"_moved"},  # a lint of a text's later document
}
"""The functions that give an item its line; `Lines.item` counts it for all of them."""


def test_few_places_give_an_item_its_line():
    found: dict[str, set[str]] = {}
    for source, text in SOURCES.items():
        for function in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                name = call.func.id if isinstance(call.func, ast.Name) else ""
                is_line = len(call.args) > 3 and name == "Position"
                if is_line or (
                    name in ("Position", "replace") and any(one.arg in ("line", "streamed") for one in call.keywords)
                ):
                    found.setdefault(source, set()).add(function.name)
    assert found == PLACED
    counted = [source for source, text in SOURCES.items() if ".item(" in text and "Lines(" in text]
    assert sorted(counted) == ["_krm/documents.py", "_krm/itemlist.py"]
