"""Names of generated objects, values that are null, and schemas that are `false`."""

from __future__ import annotations

import pytest

from tests.functions.layered_values.support import kinds, run, told


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("configMap: ../x", '"../x" is not a name of a ConfigMap'),
        ("configMap: A B", '"A B" is not a name of a ConfigMap'),
        ("secret: .hid", '".hid" is not a name of a Secret'),
        ("configMap: a, namespace: N S", '"N S" is not a name of a namespace'),
        ("configMap: a, namespace: a.b", '"a.b" is not a name of a namespace'),
    ],
)
def test_a_name_that_no_cluster_takes_is_an_error_of_the_target(target, shown):
    state = run(f"layers: [{{values: {{a: 1}}}}]\ntargets: [{{{target}}}]")
    assert kinds(state) == ["name"]
    assert f"`targets[0]`: {shown}: lower-case letters" in told(state)[0]


def test_a_null_is_named_as_what_it_is():
    state = run("layers: [{values: {n: null}}]\ntargets: [{configMap: o, value: n}]")
    [error] = told(state)
    assert error.endswith("`targets[0]`: no layer sets `n`: it is null, and a data key holds text")


def test_what_a_schema_forbids_is_named_at_its_place():
    schema = "{properties: {s: false, a: {properties: {b: false}}}}"
    state = run(f"schema: {schema}\nlayers: [{{values: {{s: 8, a: {{b: 2}}}}}}]\ntargets: [{{configMap: o}}]")
    assert [error.split(": ", 1)[1].split("; found")[0] for error in told(state)] == [
        "`s` of layer values: must not be set: its schema is `false`",
        "`a.b` of layer values: must not be set: its schema is `false`",
    ]
