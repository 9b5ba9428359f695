"""Bytes as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._data.errors import EditError, InputError
from krm_values._yaml import encoding


@given(st.binary(max_size=40), st.integers(0, 40))
def test_utf8_is_found_bad_where_python_says(data, padding):
    whole = "é".encode() * (encoding._CHUNK // 2) + b"a" * padding + data
    bad = first_bad(whole)
    if bad < 0:
        encoding.check_utf8(whole)
        return
    with pytest.raises(InputError) as caught:
        encoding.check_utf8(whole)
    assert caught.value.message == f"must be UTF-8, found the byte 0x{whole[bad]:02x}"
    assert (caught.value.line, caught.value.column) == encoding.place(whole, bad)


def first_bad(data: bytes) -> int:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return -1


@given(st.text(max_size=50), st.lists(st.integers(0, 50), max_size=8))
def test_offsets(string, places):
    data = string.encode()
    offsets = encoding.Offsets(data)
    for place in [*sorted(places), *places]:
        at = min(place, len(string))
        if not string.startswith("\ufeff"):
            assert offsets.byte(at) == len(string[:at].encode())


def test_place():
    data = "\ufeffa\né✓: x\r\nb".encode()
    assert encoding.place(data, 3) == (1, 1)
    assert encoding.place(data, data.index(b"x")) == (2, 5)
    assert encoding.place(data, len(data)) == (3, 2)


@pytest.mark.parametrize(
    ("data", "breaks"), [(b"", b"\n"), (b"a", b"\n"), (b"a\nb\r\n", b"\n"), (b"a\r\nb\n", b"\r\n"), (b"\n", b"\n")]
)
def test_line_break(data, breaks):
    assert encoding.line_break(data) == breaks


FITTED = [
    ("  a\n", b"b\n", 2, b"\n", b"a\n"),
    ("  a", b"b\n", 2, b"\n", b"a\n"),
    ("  a\n", b"b", 2, b"\n", b"a"),
    ("a\nb\r\n", b"b\r\n", 0, b"\r\n", b"a\r\nb\r\n"),
    ("a\nb\n", b"c\nb\r\n", 0, b"\r\n", b"a\nb\n"),
    ("a", "b\u2028".encode(), 0, b"\n", b"a\n"),
]


@pytest.mark.parametrize(("new", "old", "pad", "breaks", "expected"), FITTED)
def test_fitted(new, old, pad, breaks, expected):
    assert encoding.fitted(new, old, pad, breaks) == expected


def test_fitted_refuses_another_column():
    with pytest.raises(EditError):
        encoding.fitted(" a", b"b", 2, b"\n")


@pytest.mark.parametrize(
    ("string", "expected"), [("", True), (" \n\n", True), ("# a\n  # b", True), ("a", False), ("# a\nb", False)]
)
def test_is_blank(string, expected):
    assert encoding.is_blank(string) is expected
