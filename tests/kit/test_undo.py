"""Undo records: what leads back, what an edit by hand leaves alone, and that nothing is ever lost."""

from __future__ import annotations

import hashlib
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import ABSENT, get
from krm_values._kit.planner.undo_record import entries as undo
from krm_values._kit.planner.undo_record.digest import sha
from krm_values._kit.planner.undo_record.entries import UNKEPT, Entry, Record
from krm_values._kit.planner.undo_record.revert import undo as undone
from krm_values._yaml import decode, emit

KEYS = st.sampled_from(["a", "b", "c", "x/y", "t~", "0", "1", ""])
LEAVES = st.sampled_from([None, True, 0, 1, "", "x", "y", 1.5])
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)), max_leaves=10
)
MAPS = st.dictionaries(KEYS, VALUES, max_size=5)


def record(pristine, result, **options):
    return Record(("Package//p",), undo.compute(pristine, result, **options))


def kept(pristine, result, **options):
    """A record as it comes back out of its annotation."""
    return undo.from_text(undo.to_text(record(pristine, result, **options)))


def back(found, data):
    return undone(found, data).data


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS)
def test_what_was_done_is_undone(pristine, result):
    found = kept(pristine, result)
    done = undone(found, result)
    assert data_edits.same(done.data, pristine)
    assert (done.edited, done.lists) == ((), ())


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS)
def test_undoing_what_is_pristine_already_adds_nothing_to_maps(pristine, result):
    found = kept(pristine, result)
    if not any(isinstance(value, list) for value in everything(pristine)):
        assert data_edits.same(back(found, pristine), pristine)


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, MAPS)
def test_any_other_state_is_undone_without_a_crash(pristine, result, other):
    undone(kept(pristine, result), other)


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, KEYS, st.text("pqr", min_size=3, max_size=5))
def test_a_key_written_by_hand_stays(pristine, result, key, value):
    edited = {**result, key: value}
    assert back(kept(pristine, result), edited)[key] == value


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, st.data())
def test_a_leaf_edited_by_hand_anywhere_stays(pristine, result, data):
    leaves = [path for path in paths(result) if not isinstance(get(result, path), dict | list)]
    if not leaves:
        return
    edited = data_edits.copy(result)
    data_edits.put(edited, data.draw(st.sampled_from(leaves)), "by hand")
    done = undone(kept(pristine, result), edited)
    assert "by hand" in everything(done.data)


def everything(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(found for item in inner for found in everything(item))]


def paths(value, path=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, item in inner for found in paths(item, (*path, key)))] if path else [
        found for key, item in inner for found in paths(item, (key,))
    ]  # fmt: skip


def test_the_order_of_keys_does_not_matter():
    pristine, result = {"a": 1, "m": {"x": 1, "y": {"p": 1, "q": 2}}}, {"m": {"z": 2, "w": 1}, "b": 2}
    turned = {"m": {"y": {"q": 2, "p": 1}, "x": 1}, "a": 1}, {"b": 2, "m": {"w": 1, "z": 2}}
    assert undo.to_text(record(pristine, result)) == undo.to_text(record(*turned))


def test_the_form():
    text = undo.to_text(record({"data": {"b": 2}, "l": [1, {"k": 1}]}, {"data": {"LEVEL": "x", "b": 3}, "l": [1, {"k": 2}]}))
    assert text == (
        '{"by":["Package//p"],"undo":['
        f'{{"op":"remove","path":"/data/LEVEL","sha":"{sha("x", 12)}"}},'
        f'{{"op":"replace","path":"/data/b","sha":"{sha(3, 12)}","value":2}},'
        f'{{"op":"replace","path":"/l/1/k","sha":"{sha(2, 12)}","value":1,"within":{{"/l/1":"{sha({"k": 2}, 12)}"}}}}],"v":2}}'
    )


@pytest.mark.parametrize(
    ("pristine", "result", "now", "expected", "edited"),
    [
        # (a) as it was left
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x", "ours"]}, {"l": ["x"]}, ()),
        # (b) elsewhere in its list; the last of several
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["ours", "x", "hand"]}, {"l": ["x", "hand"]}, ()),
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["ours", "new", "ours"]}, {"l": ["ours", "new"]}, ()),
        ({"l": [{"n": 1, "v": 1}]}, {"l": [{"n": 1, "v": 2}]}, {"l": [{"n": 0}, {"n": 1, "v": 2}]}, {"l": [{"n": 0}, {"n": 1, "v": 1}]}, ()),
        # (c) pristine already
        ({"a": 1}, {"a": 2}, {"a": 1}, {"a": 1}, ()),
        ({}, {"a": 2}, {}, {}, ()),
        ({"a": 1}, {}, {"a": 1}, {"a": 1}, ()),
        # (d) by hand
        ({"a": 1}, {"a": 2}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"a": 1}, {"a": 2}, {}, {}, (("a",),)),
        ({}, {"a": 2}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"a": 1}, {}, {"a": 3}, {"a": 3}, (("a",),)),
        ({"m": {"a": 1}}, {"m": {"a": 2}}, {"m": 7}, {"m": 7}, (("m", "a"),)),
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x", "changed"]}, {"l": ["x", "changed"]}, (("l", 1),)),
        # an element that was deleted by hand is gone
        ({"l": ["x"]}, {"l": ["x", "ours"]}, {"l": ["x"]}, {"l": ["x"]}, ()),
        # put back at its index or at the end
        ({"l": ["x", "y", "z"]}, {"l": ["x", "z"]}, {"l": []}, {"l": ["y"]}, ()),
    ],
)  # fmt: skip
def test_cases_a_to_d(pristine, result, now, expected, edited):
    done = undone(kept(pristine, result), now)
    assert done.data == expected
    assert done.edited == edited


def out_of_secret(*values):
    return lambda _, value: value in values


def test_a_short_hash_finds_an_element_elsewhere_only_if_it_is_unique():
    found = Record((), (Entry("remove", "/l/0", sha("ours", 4)),))
    assert back(found, {"l": ["x", "ours"]}) == {"l": ["x"]}
    assert undone(found, {"l": ["x", "ours", "ours"]}).lists == (("l",),)


def test_a_scalar_out_of_a_secret_has_no_hash_and_is_undone_unchecked():
    found = kept({"a": 1}, {"a": "s3cret", "b": "s3cret"}, secret=out_of_secret("s3cret"))
    assert undo.to_text(found) == (
        '{"by":["Package//p"],"undo":[{"op":"remove","path":"/b","secret":true},{"op":"replace","path":"/a","secret":true,"value":1}],"v":2}'
    )
    assert undone(found, {"a": "by hand", "b": "by hand"}) == undone(found, {"a": "s3cret", "b": "s3cret"})
    assert back(found, {"a": "s3cret", "b": "s3cret"}) == {"a": 1}


def test_secret_scalars_are_blanked_before_their_parent_is_hashed():
    first, second = (
        undo.to_text(record({}, {"m": {"pw": secret, "host": "h"}}, secret=out_of_secret(secret)))
        for secret in ("one", "other")
    )
    assert first == second
    assert '"blank":["/m/pw"]' in first
    found = undo.from_text(first)
    assert back(found, {"m": {"pw": "a third", "host": "h"}}) == {}
    assert undone(found, {"m": {"pw": "one", "host": "by hand"}}).edited == (("m",),)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (["x", "s3cret"], ["x"]),
        (["x", "another"], ["x"]),
        (["x"], ["x"]),
        (["hand", "x", "s3cret"], None),  # which of them is ours cannot be told: nothing is taken away
        (["x", "s3cret", "hand"], None),
        (["y", "s3cret"], None),
    ],
)
def test_a_secret_element_is_removed_only_from_an_untouched_list(now, expected):
    found = kept({"l": ["x"]}, {"l": ["x", "s3cret"]}, secret=out_of_secret("s3cret"))
    done = undone(found, {"l": now})
    assert done.data == {"l": now if expected is None else expected}
    assert bool(done.lists) is (expected is None)


ENV: Any = {"name": "PW", "value": "s3cret"}


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        ([{"name": "A", "value": "1"}, ENV], [{"name": "A", "value": "1"}]),
        (
            [{"name": "B"}, {"name": "A", "value": "1"}, {"name": "PW", "value": "new"}],
            [{"name": "B"}, {"name": "A", "value": "1"}],
        ),
    ],
)
def test_an_element_with_a_secret_scalar_is_known_by_the_rest_of_it(now, expected):
    before = [{"name": "A", "value": "1"}]
    found = kept({"l": before}, {"l": [*before, ENV]}, secret=out_of_secret("s3cret"))
    assert back(found, {"l": now}) == {"l": expected}


def test_an_element_that_is_all_out_of_a_secret_is_not_taken_for_another():
    before: Any = {"name": "A", "value": "1"}
    other: Any = {"name": "B", "value": "2"}
    found = kept({"l": [before]}, {"l": [before, ENV]}, secret=out_of_secret("s3cret", "PW"))
    assert back(found, {"l": [before, ENV]}) == {"l": [before]}
    done = undone(found, {"l": [before, other, ENV]})
    assert (done.data, done.lists) == ({"l": [before, other, ENV]}, (("l",),))


@settings(max_examples=150, deadline=None)
@given(MAPS, MAPS, LEAVES)
def test_with_secrets_all_is_undone_and_no_value_is_in_the_record(pristine, result, secret):
    found = kept(pristine, result, secret=out_of_secret(secret))
    assert data_edits.same(back(found, result), pristine)


def test_a_secrets_values_are_not_kept():
    pristine, result = {"data": {"a": "QQ==", "b": "", "c": "Qw=="}}, {"data": {"a": "eA==", "b": "eQ==", "d": "eg=="}}
    found = kept(pristine, result, in_secret=True)
    assert {entry.path: entry.value for entry in found.entries} == {
        "/data/a": ABSENT,
        "/data/b": "",
        "/data/c": ABSENT,
        "/data/d": ABSENT,
    }
    assert {(entry.sha, entry.secret) for entry in found.entries} == {("", True), ("", False)}
    assert back(found, result) == {"data": {"a": UNKEPT, "b": "", "c": UNKEPT}}
    whole = kept({"data": {"a": "QQ=="}}, {"kind": "Secret"}, in_secret=True)
    assert "QQ==" not in undo.to_text(whole)
    assert back(whole, {}) == {"data": {"a": UNKEPT}}


@pytest.mark.parametrize("held", ["text", ["x"], {"a": {"b": "x"}}, {"a": ["x"]}])
def test_a_secret_that_holds_no_map_of_texts_cannot_be_written_to(held):
    """What it holds is not kept, and only the values of a map can be left as they stand."""
    with pytest.raises(EditError, match="has `data` that is not a map of strings"):
        kept({"data": held}, {"data": {"c": "x"}}, in_secret=True)
    assert kept({"data": held}, {"data": held, "kind": "Secret"}, in_secret=True).entries


def test_a_map_in_a_secret_is_refused_whatever_the_value_equals():
    """A later run could not tell the same value from its earlier one, so the first one must not go on."""
    held = {"data": {"K": {"k": "red"}}}
    with pytest.raises(EditError, match="has `data` that is not a map of strings"):
        undo.compute(held, held, in_secret=True, secret=lambda path, _: path[:2] == ("data", "K"))


def test_an_element_edited_by_hand_between_ours_keeps_its_place():
    pristine, result = {"l": [{"a": 1}, {"b": 1}]}, {"l": ["x", {"a": 1}, {"b": 1}, "y"]}
    assert back(kept(pristine, result), {"l": ["x", {"a": 2}, {"b": 1}, "y"]}) == {"l": [{"a": 2}, {"b": 1}]}


def test_numbers_are_hashed_by_value_and_kept_as_written():
    from krm_values._data.scalars.text import Float  # noqa: PLC0415

    assert sha(Float("2.10"), 12) == sha(2.1, 12)
    assert '"value":2.10' in undo.to_text(record({"a": Float("2.10")}, {"a": "x"}))


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
    entries = tuple(Entry("remove", f"/l/{index}/k{number}", "0" * 12, within=within) for number in range(600))
    data = {"l": [*wide(5_000)["l"], *[{}] * 10]}
    began = time.process_time()
    with pytest.raises(EditError, match="takes more than 2,000,000 steps to undo: restore the resource"):
        undone(Record((), entries), data)
    assert time.process_time() - began < 20


@pytest.mark.parametrize(
    "text",
    [
        *("", "null", "[]", "{", "x", '{"by":[],"undo":{}}x', '{"undo":[]}', '{"by":[1],"undo":[]}', '{"by":[],"undo":[1]}'),
        *('{"by":[],"undo":[{"op":"copy","path":"/a"}]}', '{"by":[],"undo":[{"op":"add","path":"a","value":1}]}'),
        *('{"by":[],"undo":[{"op":"remove","path":"/a"}]}', '{"by":[],"undo":[{"op":"remove","path":"/a","sha":1}]}'),
        *(
            '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","secret":true}]}',
            '{"by":[],"undo":[{"op":"add","path":"/a","secret":true}]}',
        ),
        '{"by":[],"undo":[{"op":"remove","path":"/a","secret":"yes"}]}',
        '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","blank":[1]}]}',
        *('{"by":[],"undo":[],"more":1}', '{"by":[],"undo":[{"op":"remove","path":"/a","sha":"1","more":1}]}'),
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
    for text in ('{"by":[],"undo":[],"v":3}', '{"what":"else","v":12}'):
        with pytest.raises(InputError, match=r"is an undo record of version (3|12), .* up to version 2: upgrade krm-values"):
            undo.from_text(text)


def test_a_record_knows_how_the_numbers_that_it_puts_back_were_written():
    pristine = decode.data('a: 0775\nm: {b: !!int "0b11", c: 2.10, d: !!binary aGk=, e/f: [1_000, 7, x]}\n')
    text = undo.to_text(record(pristine, {"a": 1}))
    assert '{"as":{"":"0775"},"op":"replace","path":"/a"' in text
    assert '"as":{"/b":"!!int \\"0b11\\"","/d":"!!binary aGk=","/e~1f/0":"1_000"}' in text
    assert emit.block(back(undo.from_text(text), {"a": 1})) == emit.block(pristine)
    changed = text.replace('"value":509', '"value":510')
    assert emit.block(back(undo.from_text(changed), {"a": 1}))[0] == "a: 510"


FIRST = [
    *(
        ("0775", 775),
        ("-0775", -775),
        ("+0775", 775),
        ("08", 8),
        ("00", 0),
        ("1_000", "1_000"),
        ("0_7", "0_7"),
        ("0b11", "0b11"),
    ),
    *(("0o17", 15), ("-0o17", "-0o17"), ("0O17", "0O17"), ("0x1F", 31), ("0X1F", "0X1F"), ("-0x1F", "-0x1F"), ("5.0", 5.0)),
    *(
        (".5", 0.5),
        ("1e3", 1000.0),
        ("012.5", 12.5),
        ("1_0.5", "1_0.5"),
        ("+1", 1),
        ("-0", 0),
        ("18446744073709551616", 1 << 64),
    ),
    *(('!!int "0775"', 775), ("!!int 0b11", "0b11"), ("!!float 1", 1.0), ("!!str 0775", "0775"), ("!!binary aGk=", "aGk=")),
    *(("x", "x"), ("7", 7), ("true", True), ("~", None)),
]


@pytest.mark.parametrize(("written", "value"), FIRST)
def test_a_record_without_a_version_has_hashes_of_what_0_1_0_read(written, value):
    element = decode.data(f"n: {written}\nours: 1\n")
    hashed = hashlib.sha256(emit.as_json(old_canonical({"n": value, "ours": 1})).encode()).hexdigest()[:12]
    entries = (Entry("remove", "/l/0/ours", sha(1, 12), within=(("/l/0", hashed),)),)
    done = undone(Record((), entries, 1), {"l": [{"n": 0}, element]})
    assert (done.data, done.edited) == ({"l": [{"n": 0}, {"n": element["n"]}]}, ())
    again = undo.from_text(undo.to_text(Record((), entries, 1)).replace(',"v":1', ""))
    assert again.version == 1


def old_canonical(value):
    """The form that 0.1.0 hashed."""
    if isinstance(value, dict):
        return {key: old_canonical(value[key]) for key in sorted(value)}
    return repr(value) if isinstance(value, float) and value - value != 0 else value


def test_a_number_that_is_written_otherwise_by_hand_is_not_edited():
    found = kept({}, {"a": 8, "l": [{"n": 1000}]})
    now = decode.data("a: 8.0\nl:\n- n: 1_000\n")
    assert undone(found, now) == undone(found, {"a": 8, "l": [{"n": 1000}]})


def test_an_entry_of_a_list_whose_pointer_is_no_index_is_by_hand():
    assert undone(Record((), (Entry("replace", "/l/x", "1234", 1),)), {"l": [1]}).edited == (("l", "x"),)


def test_a_record_of_more_than_64_kib_is_none():
    entries = ",".join(f'{{"op":"add","path":"/data/k{number}","value":"x"}}' for number in range(2_000))
    with pytest.raises(InputError, match="is not an undo record"):
        undo.from_text('{"by":["Package/foo/foo"],"undo":[' + entries + "]}")
