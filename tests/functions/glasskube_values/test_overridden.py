"""What a target overrides is what stood there: a map of which other targets wrote parts is composed of these and of the resource's own."""

from __future__ import annotations

import pytest

from krm_values._data.pointer import to_field
from tests.functions.glasskube_values.packages import manifest, package, target, value
from tests.functions.glasskube_values.runs import run, told

THING = {"apiGroup": "a.b/v1", "kind": "Thing", "name": "t"}


def thing(**spec):
    return {"apiVersion": "a.b/v1", "kind": "Thing", "metadata": {"name": "t", "namespace": "aviary"}, "spec": spec}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["/spec/m/x"], {"spec.m.x": ["1 of spec.m.x"]}),
        (["/spec/m"], {"spec.m": ["{'x': 1, 'y': 2} of spec.m"]}),
        (["/spec/m/x", "/spec/m"], {"spec.m": ["{'x': 'v0', 'y': 2} of spec.m, spec.values.v0.value"]}),
        (["/spec/m", "/spec/m"], {"spec.m": ["v0 of spec.values.v0.value", "{'x': 1, 'y': 2} of spec.m"]}),
    ],
)
def test_what_stood_there(paths, expected):
    definitions = [value(f"v{number}", target(path, "replace", **THING)) for number, path in enumerate(paths)]
    given = {f"v{number}": f"v{number}" for number in range(len(paths))}
    named = {"apiVersion": "krm-values.dev/v1alpha1", "kind": "PackageManifest", "metadata": {"name": "lumen"}}
    state = run({**named, "spec": {"manifest": manifest(*definitions)}}, package(values=given), thing(m={"x": 1, "y": 2}))
    assert not told(state)
    leaves = [one.leaf for one in state.outcome.decisions if one.leaf and one.item.data["kind"] == "Thing"]
    assert {
        to_field(leaf.path): [
            f"{origin.value} of {', '.join(to_field(one.path) for one in origin.via or (origin,))}"
            for origin in leaf.overridden
        ]
        for leaf in leaves
    } == expected
