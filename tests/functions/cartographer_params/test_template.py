"""Stamping by hand: types, text forms, what waits and what is wrong; and the numbers and quantities that it prints."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data.scalars import Float
from krm_values._go import encoding_json
from krm_values._go.jsonpath import UNKNOWN
from krm_values._go.strconv import LiteralError, unquote
from krm_values._yaml import decode, emit
from krm_values.cartographer_params.owner import canonical_quantity, in_utc
from krm_values.cartographer_params.tags import Fault, context_of, expressions, stamp

CONTEXT = context_of(
    {
        "params": {
            "s": "a&b",
            "n": 5.0,
            "big": 2**53 + 1,
            "o": {"z": 1, "a": "<"},
            "null": None,
            "b": True,
            "tag": "$(params.s)$",
        },
        "sources": {"api": UNKNOWN, "lib": {"url": "u", "revision": None}},
        "source": UNKNOWN,
        "config": {"list": [], "map": {}},
    }
)
WHOLE = [
    ("$(params.s)$", "a&b"),
    ("$(params.n)$", 5),
    ("$(params.big)$", 2**53),
    ("$(params.o)$", {"z": 1, "a": "<"}),
    ("$(params.null)$", None),
    ("$(params.b)$", True),
    ("$(params.tag)$", "$(params.s)$"),
    ("$(config)$", {"list": [], "map": {}}),
    ("$(config.list)$", []),
    ("$(sources.lib.revision)$", None),
]
TEXTS = [
    ("x$(params.s)$", "xa&b"),
    ("$(params.s)$$(params.n)$", "a&b5"),
    ("$(params.o)$ ", '{"a":"\\u003c","z":1} '),
    ("is $(params.b)$", "is true"),
    ("$(params.tag)$!", "$(params.s)$!"),
    ("$(config.list)$:$(config.map)$", "[]:{}"),
    ("$(params.s)$ $(open", "a&b $(open"),
    (")$ $(params.s)$", ")$ a&b"),
    ("plain", "plain"),
    ("$(x)", "$(x)"),
    ("${x} )$ $x", "${x} )$ $x"),
    ("$(", "$("),
    ("", ""),
]
FAULTS = [
    ("$()$", "", "has an empty tag: `$()$`"),
    ("a $()$", "", "has an empty tag: `$()$`"),
    ("$(params.ghost)$", "params.ghost", "cannot be resolved: `params` has no field `ghost`"),
    ("a $(params.null)$", "params.null", "is null, which cannot be inserted into a longer string"),
    ("$(params.s)$ and )$", "params.s)$ and ", 'has the bare word "and"; a name follows a dot'),
    ("$(a$(b)$", "a$(b", 'has "(" where a `.` or `[` must be'),
    ("$(params.o.z)$", "params.o.z", "leads below `params.o`, but a param's value is given whole only"),
    ("$(config.list[0])$", "config.list[0]", "has the index 0, but the list has 0 entries"),
]


@pytest.mark.parametrize(("written", "value"), [*WHOLE, *TEXTS])
def test_a_string_becomes(written, value):
    stamped = stamp({"a": [written]}, CONTEXT)
    assert (stamped.value, stamped.waiting, stamped.faults) == ({"a": [value]}, (), ())
    assert type(stamped.value["a"][0]) is type(value)


@pytest.mark.parametrize(("written", "expression", "fact"), FAULTS)
def test_a_fault_has_place_expression_and_fact(written, expression, fact):
    (fault,) = stamp({"a": {"b": [1, written]}}, CONTEXT).faults
    assert (fault.path, fault.expression) == (("a", "b", 1), expression)
    assert fault.fact.startswith(fact)


def test_every_fault_is_found_at_once_in_the_order_of_the_template():
    found = stamp({"z": "$(params.x1)$", "a": ["$(params.x2)$-$(params.x3)$", {"b": "$()$"}]}, CONTEXT)
    assert [(fault.path, fault.expression) for fault in found.faults] == [
        (("z",), "params.x1"),
        (("a", 0), "params.x2"),
        (("a", 0), "params.x3"),
        (("a", 1, "b"), ""),
    ]


def test_waiting_expressions_are_given_as_written_once_each_and_sorted():
    body = [
        "$(sources.api.url)$",
        "$(source.url)$ $(.source.url)$",
        {"a": "$(source.url)$", "b": "$(sources)$", "c": "$(sources.lib)$"},
    ]
    stamped = stamp(body, CONTEXT)
    assert stamped.waiting == (".source.url", "source.url", "sources", "sources.api.url")
    assert stamped.faults == ()


def test_faults_are_found_beside_what_waits():
    stamped = stamp(["$(source.url)$", "$(params.ghost)$"], CONTEXT)
    assert stamped.waiting == ("source.url",)
    assert stamped.faults == (Fault((1,), "params.ghost", "cannot be resolved: `params` has no field `ghost`", missing=True),)


def test_keys_are_left_alone_and_numbers_pass_through_floats():
    body: dict[str, Any] = {
        "$(params.s)$": 1,
        "n": 5.0,
        "big": 2**53 + 1,
        "small": 1e-7,
        "flag": True,
        "null": None,
        "list": [],
        "map": {},
    }
    stamped = stamp(body, CONTEXT).value
    assert json.dumps(stamped, default=str) == json.dumps({**body, "n": 5, "big": 2**53})
    assert stamped["small"].text == "1e-7"


@pytest.mark.parametrize(
    ("written", "becomes"),
    [
        ("0775", "0775"),
        ("1.50", "1.50"),
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551615", "18446744073709552000"),
    ],
)
def test_a_literal_is_copied_as_it_is_written_if_a_float_holds_it(written, becomes):
    item = (
        f"apiVersion: carto.run/v1alpha1\nkind: ClusterTemplate\nmetadata: {{name: t}}\nspec:\n  template: {{v: {written}}}\n"
    )
    read: Any = decode.data(item)
    assert emit.flow(stamp(read["spec"]["template"], {}).value) == f"{{v: {becomes}}}"


def test_what_was_given_is_intact():
    body = {"a": ["$(params.o)$"]}
    context = context_of({"params": {"o": {"deep": [1]}}})
    stamp(body, context).value["a"][0]["deep"].append(2)
    assert stamp(body, context).value == {"a": [{"deep": [1]}]}
    assert body == {"a": ["$(params.o)$"]}


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan")])
def test_a_number_that_json_cannot_hold_is_a_fault(value):
    (fault,) = stamp({"a": value}, CONTEXT).faults
    assert (fault.path, fault.expression) == (("a",), "")
    assert fault.fact.endswith("is not a number that JSON can hold")


def test_expressions_come_in_the_order_of_the_template():
    assert expressions({"a": ["$(b)$ $(c)$", "none"], "d": "$(e$(f)$", "g": "$(h)$"}) == ["b", "c", "e$(f", "h"]


@given(st.text(alphabet="$() .ab", max_size=20))
def test_a_string_without_a_tag_is_itself(written):
    stamped = stamp(written, CONTEXT)
    if not expressions(written):
        assert (stamped.value, stamped.faults, stamped.waiting) == (written, (), ())


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (-0.0, "-0"),
        (0, "0"),
        (0.1, "0.1"),
        (2**53 + 1, "9007199254740992"),
        (1e20, "100000000000000000000"),
        (10**20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-1.5e300, "-1.5e+300"),
        (1e-6, "0.000001"),
        (0.00001234, "0.00001234"),
        (1e-7, "1e-7"),
        (1.25e-10, "1.25e-10"),
        (5e-324, "5e-324"),
        (123456789.125, "123456789.125"),
        (Float("2.10"), "2.1"),
    ],
)
def test_numbers_are_written_as_go_writes_them(value, text):
    assert encoding_json.text(value) == text
    assert encoding_json.text(encoding_json.number(value)) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_is_written_means_the_same(value):
    assert float(encoding_json.text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, None, True], "a": {}}, '{"a":{},"b":[1,null,true]}'),
        ("<&>", '"\\u003c\\u0026\\u003e"'),
        ('"\\\b\f\n\r\t\x01\x7f', '"\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f"'),
        ("é\u2028\u2029\U0001f600", '"é\\u2028\\u2029\U0001f600"'),
        ("\ud800", '"\ufffd"'),
    ],
)
def test_json_is_written_as_go_writes_it(value, text):
    assert encoding_json.text(value) == text


@pytest.mark.parametrize(
    ("written", "found"),
    [
        (None, "0"),
        (2, "2"),
        (0.5, "500m"),
        ("1024Mi", "1Gi"),
        ("1025Mi", "1025Mi"),
        ("1.5Gi", "1536Mi"),
        ("1000m", "1"),
        ("100m", "100m"),
        ("1.500", "1.500"),
        ("2000", "2k"),
        ("2e3", "2e3"),
        ("1000e0", "1e3"),
        ("0.1n", "1n"),
        ("-1000m", "-1"),
        ("+5", "+5"),
        ("1000Ki", "1000Ki"),
        ("8192", "8192"),
        ("0.5Ki", "512"),
        ("9Ei", str((1 << 63) - 1)),
        ("1Zi", None),
        ("x", None),
        ("0.9765625Ki", "1k"),
        ("", None),
        (True, None),
        ([], None),
    ],
)
def test_quantities_are_printed_as_a_typed_copy_prints_them(written, found):
    assert canonical_quantity(written) == found


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("2024-05-17T09:30:00Z", "2024-05-17T09:30:00Z"),
        ("2024-05-17T09:30:00.75+02:00", "2024-05-17T07:30:00Z"),
        ("0001-01-01T00:00:00Z", ""),
        ("2024-05-17", None),
        ("2024-13-17T09:30:00Z", None),
    ],
)
def test_times_are_printed_in_utc_and_whole_seconds(written, found):
    assert in_utc(written) == found


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("'a'", "a"),
        ("'it\\'s'", "it's"),
        ("'\\\"'", None),
        ('"\\""', '"'),
        ('"\\x41\\101\\u00e9\\U0001F600"', "AAé\U0001f600"),
        ('"\\400"', None),
        ('"\\ud800"', None),
        ('"\\u12"', None),
        ('"\\q"', None),
        ("'a\"", None),
        ("'", None),
    ],
)
def test_string_literals_are_read_as_go_reads_them(written, found):
    if found is None:
        with pytest.raises(LiteralError):
            unquote(written)
    else:
        assert unquote(written) == found
