"""Undo records as text: their form, their versions, and what is refused."""

from __future__ import annotations

import pytest

from krm_values._data.errors import EditError, InputError
from krm_values._data.record import replace
from krm_values._krm import undo_record as undo
from krm_values._krm.revert import undo as undone
from krm_values._krm.undo_record import Record, UndoEntry, sha
from krm_values._yaml import decode, emit
from tests.kit.undoing import back, kept, record


def test_the_form():
    text = undo.to_text(record({"data": {"b": 2}, "l": [1, {"k": 1}]}, {"data": {"LEVEL": "x", "b": 3}, "l": [1, {"k": 2}]}))
    assert text == (
        '{"by":["Package//p"],"n":1,"undo":['
        f'{{"op":"remove","path":"/data/LEVEL","sha":"{sha("x", 12)}"}},'
        f'{{"op":"replace","path":"/data/b","sha":"{sha(3, 12)}","value":2}},'
        f'{{"op":"replace","path":"/l/1/k","sha":"{sha(2, 12)}","value":1,"within":{{"/l/1":"{sha({"k": 2}, 12)}"}}}}],"v":3}}'
    )


def test_more_than_64_kib_is_refused():
    with pytest.raises(EditError, match="more than 64 KiB"):
        undo.to_text(record({"a": "x" * 65536}, {"a": ""}))


def wide(keys):
    return {"l": [{f"k{number}": "v" for number in range(keys)}]}


def test_a_record_that_hashes_too_much_is_refused_and_can_be_undone():
    """Each entry below a list's element hashes the whole element."""
    pristine = wide(2_000)
    result = {"l": [{**pristine["l"][0], **{f"k{number}": "w" for number in range(200)}}]}
    found = record(pristine, result)
    assert back(found, result) == pristine
    result["l"][0] |= {f"k{number}": "w" for number in range(300)}
    with pytest.raises(EditError, match="would need an undo record that takes more than 500,000 steps to undo"):
        record(pristine, result)


@pytest.mark.parametrize("index", [0, 7])
def test_a_record_that_hashes_too_much_is_refused(index):
    """Also one that looks for its element in a list."""
    within = ((f"/l/{index}", "0" * 12),)
    entries = tuple(UndoEntry("remove", f"/l/{index}/k{number}", "0" * 12, within=within) for number in range(600))
    data = {"l": [*wide(5_000)["l"], *[{}] * 10]}
    with pytest.raises(EditError, match="takes more than 2,000,000 steps to undo: restore the resource"):
        undone(Record((), entries), data)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "null",
            "[]",
            "{",
            "x",
            '{"by":[],"undo":{},"v":2}x',
            '{"undo":[],"v":2}',
            '{"by":[1],"undo":[],"v":2}',
            '{"by":[],"undo":[1],"v":2}',
        ),
        *('{"by":[],"undo":[{"op":"copy","path":"/a"}],"v":2}', '{"by":[],"undo":[{"op":"add","path":"a","value":1}],"v":2}'),
        *(
            '{"by":[],"undo":[{"op":"remove","path":"/a"}],"v":2}',
            '{"by":[],"undo":[{"op":"remove","path":"/a","sha":1}],"v":2}',
        ),
        *(
            '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","secret":true}],"v":2}',
            '{"by":[],"undo":[{"op":"add","path":"/a","secret":true}],"v":2}',
        ),
        '{"by":[],"undo":[{"op":"remove","path":"/a","secret":"yes"}],"v":2}',
        '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","blank":[1]}],"v":2}',
        '{"what":"else"}',
        *('{"by":[],"undo":[],"more":1,"v":2}', '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","more":1}],"v":2}'),
    ],
)
def test_what_is_no_record_is_refused(text):
    with pytest.raises(InputError, match="is not an undo record"):
        undo.from_text(text)


@pytest.mark.parametrize("version", ["0", "-1", "1.5", '"2"', "true", "null", "[2]"])
def test_a_version_that_there_cannot_be_is_refused(version):
    with pytest.raises(InputError, match="is not an undo record"):
        undo.from_text(f'{{"by":[],"undo":[],"v":{version}}}')


def test_a_record_of_a_newer_version_says_so_whatever_else_it_holds():
    for text in ('{"by":[],"undo":[],"v":4}', '{"what":"else","v":12}'):
        with pytest.raises(
            InputError, match=r"is an undo record of version (4|12), .* reads versions 2 and 3: upgrade krm-values"
        ):
            undo.from_text(text)


def test_a_record_of_the_first_version_says_what_to_do():
    for text in (
        '{"by":[],"undo":[]}',
        '{"by":[],"undo":[],"v":1}',
        '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"0123"}]}',
    ):
        with pytest.raises(InputError, match=r"is an undo record of version 1, .* versions 2 and 3: restore the file"):
            undo.from_text(text)


def test_a_record_knows_how_the_numbers_that_it_puts_back_were_written():
    pristine = decode.data('a: 0775\nm: {b: !!int "0b11", c: 2.10, d: !!binary aGk=, e/f: [1_000, 7, x]}\n')
    text = undo.to_text(record(pristine, {"a": 1}))
    assert '{"as":{"":"0775"},"op":"replace","path":"/a"' in text
    assert '"as":{"/b":"!!int \\"0b11\\"","/d":"!!binary aGk=","/e~1f/0":"1_000"}' in text
    assert emit.block(back(undo.from_text(text), {"a": 1})) == emit.block(pristine)
    changed = text.replace('"value":509', '"value":510')
    assert emit.block(back(undo.from_text(changed), {"a": 1}))[0] == "a: 510"


def test_a_number_that_is_written_otherwise_by_hand_is_not_edited():
    found = kept({}, {"a": 8, "l": [{"n": 1000}]})
    now = decode.data("a: 8.0\nl:\n- n: 1_000\n")
    assert undone(found, now) == undone(found, {"a": 8, "l": [{"n": 1000}]})


def test_a_record_of_more_than_64_kib_is_none():
    entries = ",".join(f'{{"op":"add","path":"/data/k{number}","value":"x"}}' for number in range(2_000))
    with pytest.raises(InputError, match="is not an undo record"):
        undo.from_text('{"by":["Package/foo/foo"],"undo":[' + entries + "]}")


@pytest.mark.parametrize("number", ["", '"n":0,', '"n":-1,', '"n":"1",'])
def test_a_record_of_this_version_has_a_number_from_1(number):
    text = undo.to_text(record({"a": 1}, {"a": 2}))
    assert undo.from_text(text).number == 1
    with pytest.raises(InputError, match="is not an undo record"):
        undo.from_text(text.replace('"n":1,', number))


def test_one_without_a_number_is_written_as_the_version_before_wrote_it():
    found = replace(record({"a": 1}, {"a": 2}), number=0)
    assert undo.to_text(found).endswith('"v":2}')
    assert undo.from_text(undo.to_text(found)) == found
