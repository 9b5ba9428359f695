"""A string over a number or boolean: written as what YAML 1.2 reads (rule 71), if it reads one."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import item, kinds, run, told

CONFIG = """
layers: [{{values: {{v: "{value}"}}}}]
targets:
- {{kind: Thing, fields: {{spec.n: v}}}}
"""
THING = """
apiVersion: x.test/v1
kind: Thing
metadata: {name: t}
spec: {n: 1}
"""


@pytest.mark.parametrize(
    ("value", "number"),
    [("0775", 775), ("-010", -10), ("0o17", 15), ("0x1F", 31), ("+5", 5), ("1e3", 1000), ("1.10", 1.1), (".5", 0.5), ("7.", 7)],
)
def test_a_number_is_written_as_one(value, number):
    state = run(CONFIG.format(value=value), THING)
    assert told(state) == []
    assert item(state, "t")["spec"]["n"] == number


@pytest.mark.parametrize("value", ["1_000", "0b11", "0x1_0", "-0o17", "1e", "yes", "1:30", ""])
def test_what_only_go_reads_as_a_number_is_not_one(value):
    state = run(CONFIG.format(value=value), THING)
    assert kinds(state) == ["type"]
    assert item(state, "t")["spec"]["n"] == 1
