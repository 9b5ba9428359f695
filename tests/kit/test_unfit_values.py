"""A scalar that does not fit its tag, or that JSON cannot hold: the message has its field and value, but not where it may be a Secret's."""

from __future__ import annotations

import pytest

from krm_values._data.errors import InputError
from krm_values._krm import reader

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"


def message(text: str) -> str:
    with pytest.raises(InputError) as raised:
        reader.read(text)
    return str(raised.value)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("m: !!int abc", 'line 4, column 4: `m`: must be a value that fits its tag `!!int`, found string "abc"'),
        ("m: [1, !!int 1.5]", 'line 4, column 8: `m[1]`: must be a value that fits its tag `!!int`, found string "1.5"'),
        ("m: {a: {!!int b: 1}}", 'line 4, column 9: `m.a.b`: must be a value that fits its tag `!!int`, found string "b"'),
        ("m: !!binary '@'", 'line 4, column 4: `m`: must be a value that fits its tag `!!binary`, found string "@"'),
        ('m: !!int "a\\e[2J"', 'line 4, column 4: `m`: must be a value that fits its tag `!!int`, found string "a\\x1b[2J"'),
        ("m: .inf", 'line 4, column 4: `m`: must be a number that JSON can hold, found string ".inf"'),
        ("m: &a -.inf\nn: *a", 'line 4, column 4: `m`: must be a number that JSON can hold, found string "-.inf"'),
    ],
)
def test_the_field_and_the_value_are_named(written, wanted):
    assert message(f"{HEAD}{written}\n") == wanted


def test_a_long_value_is_cut():
    assert len(message(f"{HEAD}m: !!int {'a' * 100_000}\n")) < 2_000


@pytest.mark.parametrize("written", ["!!int hunter2", "!!float hunter2", "!!bool hunter2"])
@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Secret\nmetadata: {name: c}\nstringData: {a: VALUE}\n",
        "kind: Secret\nkind: ConfigMap\nstringData: {a: VALUE}\n",
        "stringData: {a: VALUE}\n",
        "kind: !x Secret\nstringData: {a: VALUE}\n",
        "apiVersion: v1\nkind: Secert\nstringData: {a: VALUE}\n",
        "apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nspec: {a: VALUE}\n",
        "apiVersion: v1\nkind: List\nitems:\n- {kind: Secret, stringData: {a: VALUE}}\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {annotations: {krm-values.dev/undo: x}}\ndata: {a: VALUE}\n",
        "kind: !!int hunter2\ndata: {a: VALUE}\n",
        "- VALUE\n",
    ],
)
def test_what_may_be_a_secrets_is_not_shown(text, written):
    found = message(text.replace("VALUE", written))
    assert "hunter2" not in found
    assert "fits its tag" in found or "repeat" in found


def test_a_number_of_a_secret_is_not_shown():
    assert (
        message("apiVersion: v1\nkind: Secret\nstringData: {a: -.inf}\n")
        == "line 3, column 17: must be a number that JSON can hold"
    )
