"""Texts with merge keys: Go's reader, which lets `<<` win over keys above it, sees each value that is written."""

from __future__ import annotations

import pytest

from krm_values._data.limits import DEFAULT
from krm_values._go import yaml as goyaml
from krm_values._krm.plan import Origin
from krm_values.layered_values.draft import EditedText

TEXT = "c: &c {cpu: 1, mem: 2}\nd:\n  cpu: 3 # beaten\n  <<: *c\n  x: 1\ne: [*c]\n"


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        (("d", "cpu"), 5, TEXT.replace("  cpu: 3 # beaten\n", "").replace("  x: 1\n", "  x: 1\n  cpu: 5\n")),
        (("d", "cpu"), 3, TEXT.replace("  cpu: 3 # beaten\n", "").replace("  x: 1\n", "  x: 1\n  cpu: 3\n")),
        (("d", "mem"), 5, TEXT.replace("  <<: *c\n", "  <<: *c\n  mem: 5\n")),
        (("d", "x"), 5, TEXT.replace("x: 1", "x: 5")),
        (("e", 0, "cpu"), 5, TEXT.replace("[*c]", "[{cpu: 5, mem: 2}]")),
    ],
)
def test_a_value_that_is_written_has_effect(path, value, text):
    edited = EditedText(TEXT, ("data", "a.yaml"), DEFAULT)
    edited.put(path, value, Origin("source", value))
    assert edited.written() == text
    assert goyaml.read(text).data == edited.data
