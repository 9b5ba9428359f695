"""Annotations that a template renders are a map of strings, or an error at their place."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fuzz.targets.functions import served
from tests.growth import cartographer
from tests.growth.lists import listed


def rendered(annotations: Any) -> tuple[int, str]:
    template = cartographer._template("t", [], {"k": "x"})
    template["spec"]["template"]["metadata"]["annotations"] = annotations
    items = [template, cartographer._chain([cartographer._step("s", "t")]), cartographer._workload()]
    code, _, err = served("cartographer-params", listed(items, "cartographer-params").encode())
    return code, err


@pytest.mark.parametrize(
    ("annotations", "found"),
    [
        *((1.5, "number"), (0, "number"), ("x", "string"), ([1], "array"), (True, "boolean"), ({"a": 1}, "number at `a`")),
        *(
            ({"b": "x", "a": None}, "null at `a`"),
            ({"a": {"b": "c"}}, "object at `a`"),
            ("$(workload.metadata.name)$", "string"),
        ),
    ],
)
def test_what_is_no_map_of_strings_is_an_error_at_its_place(annotations: Any, found: str):
    code, err = rendered(annotations)
    assert code == 1
    assert "ClusterTemplate t `spec.template.metadata.annotations`: the step `s` renders annotations that are not" in err
    assert f"found {found}: quote them (Workload team/w)" in err


@pytest.mark.parametrize("annotations", [None, {}, {"a": "1"}, "$(workload.metadata.labels)$"])
def test_a_map_of_strings_is_rendered(annotations: Any):
    assert rendered(annotations) == (0, "")
