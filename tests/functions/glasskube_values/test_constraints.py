"""What a definition says of a value, type by type, and the patterns."""

from __future__ import annotations

import subprocess
import sys

import pytest

from krm_values._go import regexp
from krm_values.glasskube_values.constraints import violations, whole_number
from tests.cli.packages import SOURCE


def violated(kind, text, *, options=(), **limits):
    return [one.constraint for one in violations(kind, text, options, limits)]


@pytest.mark.parametrize("text", ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False"])
def test_a_boolean_has_twelve_spellings(text):
    assert violated("boolean", text, min=5, minLength=9, pattern="x") == []


@pytest.mark.parametrize("text", ["", "tRUE", "yes", "on", "2", " true", "true\n", "null"])
def test_anything_else_is_no_boolean(text):
    assert violated("boolean", text) == ["boolean"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("+7", 7),
        ("-0", 0),
        ("007", 7),
        ("9223372036854775807", (1 << 63) - 1),
        ("-9223372036854775808", -(1 << 63)),
        ("0" * 5000 + "1", 1),
    ],
)
def test_a_number_is_a_sign_and_digits_within_64_bits(text, expected):
    assert whole_number(text) == expected
    assert violated("number", text) == []


@pytest.mark.parametrize("text", ["", " 1", "1 ", "5\n", "1.0", "1e3", "0x1F", "1_000", "+", "-", "--1", "٣", "１"])
def test_anything_else_is_no_number(text):
    assert violated("number", text) == ["number"]


@pytest.mark.parametrize("text", ["9223372036854775808", "-9223372036854775809", "9" * 100_000])
def test_beyond_64_bits_is_out_of_range(text):
    assert violated("number", text) == ["range"]


@pytest.mark.parametrize(
    ("text", "limits", "expected"),
    [
        ("3", {"min": 3, "max": 3}, []),
        ("2", {"min": 3}, ["min"]),
        ("4", {"max": 3}, ["max"]),
        ("0", {"min": 0, "max": 0}, []),
        ("12", {"minLength": 5, "maxLength": 1}, []),
        ("12", {"pattern": "^[1-9]0$"}, ["pattern"]),
        ("5", {"min": 9, "max": 1, "pattern": "6"}, ["min", "max", "pattern"]),
    ],
)
def test_a_number_has_bounds_and_a_pattern_but_no_length(text, limits, expected):
    assert violated("number", text, **limits) == expected


@pytest.mark.parametrize(
    ("text", "limits", "expected"),
    [
        ("é", {"minLength": 2, "maxLength": 2}, []),
        ("é", {"maxLength": 1}, ["maxLength"]),
        ("a", {"minLength": 2}, ["minLength"]),
        ("", {}, []),
        ("", {"minLength": 1}, ["minLength"]),
        ("", {"pattern": "^$|^q"}, []),
        ("5", {"min": 9, "max": 1}, []),
        ("abc", {"pattern": "b"}, []),
        ("a\n", {"pattern": "a$"}, ["pattern"]),
        ("٣", {"pattern": r"^\d$"}, ["pattern"]),
        ("a", {"pattern": "("}, ["bad-pattern"]),
        ("abcd", {"minLength": 9, "maxLength": 2, "pattern": "^x"}, ["maxLength", "minLength", "pattern"]),
    ],
)
def test_a_text_has_lengths_in_bytes_and_a_pattern_but_no_bounds(text, limits, expected):
    assert violated("text", text, **limits) == expected


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [("a", ["a", "b"], []), ("A", ["a"], ["options"]), ("", ["", "a"], []), ("", ["a"], ["options"]), ("a", [], ["options"])],
)
def test_an_option_is_one_of_the_list_whatever_else_is_said(text, options, expected):
    assert violated("options", text, options=options, minLength=9, pattern="^x") == expected


def test_a_long_list_of_options_is_cut():
    (one,) = violations("options", "a", [f"o{number}" for number in range(40)])
    assert one.message.endswith("o7, o8 and 31 more")


def test_an_unknown_type_refuses_everything():
    assert violated("colour", "red") == ["type"]


def test_no_message_quotes_the_value():
    for kind in ("text", "number", "boolean", "options", "colour"):
        for one in violations(kind, "moss-kelp", ["a"], {"maxLength": 1, "pattern": "^b"}):
            assert "moss" not in one.message


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        (r"\pL", "é", True),
        (r"[[:alpha:]]", "é", False),
        (r"(?i)straße", "STRASSE", False),
        (r"\z", "a", True),
        (r"^.$", "\n", False),
        (r"(?s)^.$", "\n", True),
        (r"\Qa.b\E", "a.b", True),
        (r"\Q\C\E", r"\C", True),
        (r"\\C", r"\C", True),
        (r"\B", "é", True),
        (r"(?P<n>a)|(?<m>b)", "b", True),
    ],
)
def test_a_pattern_is_go_s(expression, text, expected):
    assert regexp.matches(expression, text) is expected


@pytest.mark.parametrize(
    "expression", [r"\C", r"a\Cb", "(?=a)", "(?<!a)", r"(a)\1", "a++", r"\Z", r"\u0041", "x{1001}", "[b-a]", "(?>a)"]
)
def test_what_go_does_not_compile_is_an_error(expression):
    with pytest.raises(regexp.PatternError):
        regexp.check(expression)


def test_nothing_is_logged_and_nothing_imported_before_a_pattern_is_met():
    program = """\
import sys
from krm_values.glasskube_values import plan
from krm_values.glasskube_values import lint as manifest
from krm_values.glasskube_values import constraints
from krm_values.glasskube_values import schema as values
constraints.violations("number", "1", (), {"min": 1})
assert "re2" not in sys.modules
constraints.violations("text", "1", (), {"pattern": "("})
assert "re2" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", program], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
