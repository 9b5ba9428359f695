"""Closed sets of keys and the kinds that a function reads."""

from __future__ import annotations

import pytest

from krm_values._krm.item import Header, Item, Reading
from krm_values._krm.shapes import Served, Unknown, misshapen, misspelt, objects, resource, shape_errors, unknown_keys, warnings

STEP = {"name": None, "env": None}
STEP["nested"] = STEP  # type: ignore[assignment]
SHAPE = resource(spec={"steps": [STEP], "byName": {"*": {"value": None}}, "free": None})


def item(group="demo.dev", version="v1", kind="Thing"):
    read = Reading({}, {}, lambda _: None, lambda _: None)
    return Item(0, Header(f"{group}/{version}" if group else version, kind, "", "a"), lambda: read)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"apiVersion": "v1", "kind": "X", "metadata": {"anything": 1}, "status": {"any": 2}, "spec": {}}, []),
        ({"sepc": {}}, [((), "sepc")]),
        (
            {"spec": {"steps": [{"nmae": 1}, {"name": 1}, {"nested": {"nested": {"eny": 1}}}]}},
            [(("spec", "steps", 0), "nmae"), (("spec", "steps", 2, "nested", "nested"), "eny")],
        ),
        ({"spec": {"byName": {"any": {"value": 1, "vaule": 2}}}}, [(("spec", "byName", "any"), "vaule")]),
        ({"spec": {"free": {"any": [{"thing": 1}]}}}, []),
        ({"spec": {"x-extension": 1, "$patch": "delete"}, "sops": {"mac": "x"}}, []),
        ({"spec": {"steps": {"not": "a list"}, "byName": ["not a map"]}}, []),
        ("no map", []),
    ],
)
def test_unknown_keys(data, found):
    assert [(one.path, one.key) for one in unknown_keys(data, SHAPE)] == found


def test_a_warning_names_the_key_the_nearest_field_and_the_place():
    near, far = warnings(item(), [Unknown(("spec",), "stesp", ("steps", "free")), Unknown((), "other", ("spec", "kind"))], "S5")
    assert (near.severity, near.kind, near.rule, near.path) == ("warning", "unknown-key", "S5", ("spec", "stesp"))
    assert near.message.endswith("`stesp` is not a field of this object and has no effect; did you mean `steps`?")
    assert far.message.endswith("the fields here are kind, spec")


def test_of_two_equally_near_fields_the_missing_one_is_meant():
    shape = {"healthy": None, "unhealthy": None}
    assert next(unknown_keys({"healthy": 1, "uhealthy": 2}, shape)).known[0] == "unhealthy"
    assert next(unknown_keys({"unhealthy": 1, "uhealthy": 2}, shape)).known[0] == "healthy"


def test_advice_stands_in_for_the_nearest_field():
    (one,) = warnings(item(), [Unknown((), "stesp", ("steps",))], "S5", {"stesp": "; use a ladder"})
    assert one.message.endswith("has no effect; use a ladder")


SERVED = (Served("demo.dev", ("v1", "v1beta1"), ("Thing", "Gadget"), ("ThingSet", "Gidget")),)


@pytest.mark.parametrize(
    ("called", "field", "word"),
    [
        (("demo.dev", "v1", "Thing"), "", ""),
        (("demo.dev", "v1", "Thign"), "kind", "`Thing`"),
        (("demo.dev", "v1", "ThingSet"), "", ""),
        (("demo.dev", "v1", "ThingSte"), "", ""),  # nearest to a kind that is not read
        (("demo.dev", "v1", "Elsewhere"), "", ""),
        (("dmeo.dev", "v1", "Thing"), "apiVersion", "`demo.dev/v1`"),
        (("dmeo.dev", "v1", "Other"), "", ""),
        (("demo.dev", "v1bta1", "Gadget"), "apiVersion", "`demo.dev/v1beta1`"),
        (("demo.dev", "v1bta1", "ThingSet"), "", ""),
        (("", "v1", "Thing"), "", ""),
        (("", "demo.dev", "Thing"), "apiVersion", "`demo.dev/v1`"),
        (("", "demo.dev", "Other"), "", ""),
        (("apps", "v1", "Thing"), "", ""),
    ],
)
def test_misspelt_kinds(called, field, word):
    found = list(misspelt(SERVED, [item(*called)], "S7"))
    assert [(one.path, word in one.message) for one in found] == ([((field,), True)] if field else [])


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"apiVerson": "demo.dev/v1", "kind": "Thing"}, "apiVerson"),
        ({"apiversion": "demo.dev/v1", "kind": "Thing"}, "apiversion"),
        ({"apiVersion": "demo.dev/v1", "knid": "Thing"}, "knid"),
        ({"apiVerson": "demo.dev/v1", "kind": "Other"}, ""),
        ({"apiVersion": "apps/v1", "knid": "Thing"}, ""),
        ({"kind": "Thing", "spec": {}}, ""),
        ({"apiVersion": "demo.dev/v1", "kind": None}, ""),
    ],
)
def test_misspelt_keys_of_a_header(data, field):
    read = Reading(data, {}, lambda _: None, lambda _: None)
    one = Item(0, Header(data.get("apiVersion") or "", data.get("kind") or "", "", "a"), lambda: read)
    assert [finding.path for finding in misspelt(SERVED, [one], "S7")] == ([(field,)] if field else [])


WORDS = {"kind": "a|b", "text": "", "list": [{"x": ""}], "either": ({"x": ""}, [""]), "map": {"*": {"x": ""}}}
WORDS["inner"] = WORDS


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"kind": "a", "text": 5, "list": [{"x": True}], "either": {"x": "y"}, "map": {"k": {"x": 1.5}}}, []),
        ({"kind": None, "text": None, "list": None, "either": ["y"], "map": {"k": None}}, []),
        ({"kind": "", "other": [[1]], "x-note": {"any": []}}, []),
        ({"kind": "aa"}, ['`kind` must be a or b, found string "aa"; did you mean `a`?']),
        ({"kind": 7}, ["`kind` must be a or b, found number 7"]),
        ({"kind": ["a"]}, ["`kind` must be a scalar, found array"]),
        ({"text": {"a": 1}}, ["`text` must be a scalar, found object"]),
        ({"list": {"x": 1}}, ["`list` must be a list, found object"]),
        ({"list": [None, "y"]}, ["this entry must be a map, found null", 'this entry must be a map, found string "y"']),
        ({"either": True}, ["`either` must be a map or a list, found boolean true"]),
        ({"either": [["y"]]}, ["this entry must be a scalar, found array"]),
        ({"map": {"k": []}}, ["`k` must be a map, found array"]),
        ({"inner": {"inner": {"inner": 1}}}, ["`inner` must be a map, found number 1"]),
        (["no map"], ["this entry must be a map, found array"]),
    ],
)
def test_what_is_not_of_its_shape(data, found):
    assert [one.message for one in shape_errors(item(), misshapen(data, WORDS), "S6")] == found


def test_objects_are_the_maps_that_a_shape_is_for_with_their_places():
    data = {"list": [{"x": 1}, "y", {"z": {}}], "either": [{"x": 1}], "map": {"k": {}}, "inner": {"other": {}}}
    found = [(path, shape is WORDS) for path, _, shape in objects(data, WORDS)]
    places = [(), ("list", 0), ("list", 2), ("map",), ("map", "k"), ("inner",)]
    assert found == [(place, place in ((), ("inner",))) for place in places]
