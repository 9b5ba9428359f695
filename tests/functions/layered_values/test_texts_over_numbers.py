"""A string over a number or boolean: written as what YAML 1.2 reads (rule 71), if it reads one."""

from __future__ import annotations

import pytest

from krm_values._data.scalars import text_of
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


@pytest.mark.parametrize("field", ["port", "targetPort", "maxSurge", "maxUnavailable", "minAvailable", "nodePort"])
@pytest.mark.parametrize(("value", "written"), [("9090", 9090), ("0x50", 80), ("1.5", 1.5)])
def test_a_number_over_a_number_of_a_field_that_also_takes_names(field, value, written):
    thing = THING.replace("{n: 1}", f"{{list: [{{{field}: 80}}]}}")
    state = run(CONFIG.format(value=value).replace("spec.n", f"'spec.list[0].{field}'"), thing)
    assert told(state) == []
    assert item(state, "t")["spec"]["list"] == [{field: written}]


@pytest.mark.parametrize("value", ["http", "30%", "true", "null", ""])
def test_a_name_over_a_number_of_a_field_that_also_takes_names(value):
    state = run(CONFIG.format(value=value).replace("spec.n", "spec.port"), THING.replace("{n: 1}", "{port: 80}"))
    assert told(state) == []
    assert item(state, "t")["spec"] == {"port": value}


@pytest.mark.parametrize("old", ["http", '"80"', "25%"])
def test_digits_over_a_string_stay_a_string(old):
    state = run(CONFIG.format(value="9090").replace("spec.n", "spec.port"), THING.replace("{n: 1}", f"{{port: {old}}}"))
    assert item(state, "t")["spec"] == {"port": "9090"}


@pytest.mark.parametrize("form", ["v", "{value: v, as: number}"])
@pytest.mark.parametrize(
    ("old", "value", "new"),
    [
        ("0644", "0755", "0755"),
        ("0o644", "0755", "0o755"),
        ("0644", "0o755", "0755"),
        ("0_644", "0755", "0755"),
        ("00", "0755", "0755"),
        ("0644", "493", "493"),
        ("420", "0755", "755"),
        ("0", "0755", "755"),
        ("0x1a4", "0755", "755"),
    ],
)
@pytest.mark.parametrize("in_text", [False, True])
def test_octal_digits_over_a_number_in_octal(form, old, value, new, in_text):
    config = CONFIG.format(value=value).replace("spec.n: v", f"'spec.n{'.mode' if in_text else ''}': {form}")
    thing = THING.replace("{n: 1}", f"\n  n: |\n    mode: {old} # of the file" if in_text else f"{{n: {old}}}")
    state = run(config, thing)
    assert told(state) == []
    found = item(state, "t")["spec"]["n"]
    assert found == (f"mode: {new} # of the file\n" if in_text else int(new, 8 if new[0] == "0" else 10))
    assert in_text or text_of(found) == new
