"""Paths on plain data and on owners, by hand: what they find, and what is an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from krm_values._go.jsonpath import NIL_LIST, UNKNOWN, Raw
from krm_values.cartographer_params import owner, paths
from krm_values.cartographer_params.paths import PathError, WaitsError

DATA = {
    "a": {"b": 1.0, "c.d": "dot", "e-f": "dash", "g/h": "slash", "i j": "blank", "": "empty"},
    "l": [10.0, 20.0, 30.0, 40.0],
    "m": [{"n": "x", "v": 1.0}, {"n": "y", "v": 2.0, "w": True}, {"v": 3.0}],
    "t": "text",
    "z": None,
    "p": {"db": Raw({"host": "h", "ports": [1]}), "none": Raw(None)},
    "u": UNKNOWN,
}
FOUND = [
    ("a.b", [1]),
    (".a.b", [1]),
    ("{.a.b}", [1]),
    ("a.b}", [1]),
    ("{.a.b", [1]),
    ("a['b']", [1]),
    (r"a.c\.d", ["dot"]),
    (r"a['c\.d']", ["dot"]),
    ("a['c.d']", []),
    ("a.e-f", ["dash"]),
    ("a['g/h']", ["slash"]),
    ("a.g/h", ["slash"]),
    ("a.", ["empty"]),
    ("a.b ", [1]),
    ("a .b", [1]),
    (r"a.\b", [1]),
    ("ghost", []),
    ("a.ghost.more", []),
    ("z.more", []),
    ("z", [None]),
    ("l[0]", [10]),
    ("l[-1]", [40]),
    ("l[]", [10]),
    ("l[1:3]", [20, 30]),
    ("l[:2]", [10, 20]),
    ("l[-2:]", [30, 40]),
    ("l[::2]", [10, 30]),
    ("l[2:2]", []),
    ("l[9:9]", []),
    ("l[*]", [10, 20, 30, 40]),
    ("l[0,-1]", [10, 40]),
    ("l[0, -1]", [10, 40]),
    ("a['b','ghost','e-f']", [1, "dash"]),
    ("m[*].n", ["x", "y"]),
    ("m[?(@.n=='y')].v", [2]),
    ('m[?(@.n=="y")].v', [2]),
    ("m[?(@.n == 'y')].v", [2]),
    ("m[?(.n=='y')].v", [2]),
    ("m[?('y'==@.n)].v", [2]),
    ("m[?(@.v>1.0)].v", [2, 3]),
    ("m[?(@.v>=2.0)].v", [2, 3]),
    ("m[?(@.v<2.0)].v", [1]),
    ("m[?(@.v<=2.0)].v", [1, 2]),
    ("m[?(@.n!='x')].v", [2]),
    ("m[?(@.n>'x')].v", [2]),
    ("m[?(@.w)].v", [2]),
    ("m[?(@.w==true)].v", [2]),
    ("m[?(@.n[0])].v", [1, 2]),
    ("m[?()].v", [1, 2, 3]),
    ("m..n", ["x", "y"]),
    ("t.*", [116, 101, 120, 116]),
    ("t..", ["text"]),
    ("l 5", [5]),
    ("ghost 5", []),
    ("ghost 'said'", ["said"]),
    ("t 'it\\'s'", ["it's"]),
    ('t "\\u00e4\\x41\\101\\n"', ["äAA\n"]),
    ("t true", [True]),
    ("t -2.50", [-2.5]),
    ("a['b}more']", [1]),
    ("p.db", [{"host": "h", "ports": [1]}]),
    ("p.none", [None]),
    ("p.db.host", []),
    ("p.db.ports[0]", []),
]
ERRORS = [
    ("", "is empty"),
    (" a", "bare word"),
    ('a["b"]', "single quotes"),
    ("a[b]", "not an index"),
    ("a[1:2:3:4]", "not an index"),
    ("a['x", "not closed"),
    ("a[", "not closed"),
    ("a.b\n", "ends too early"),
    ("a..*", "where a"),
    ("a....b", "twice"),
    ("a 'x", "not closed"),
    ("a 'x\\q'", "invalid escape"),
    ("a 1.2.3", "not a number"),
    ("a end", "end"),
    ("a range", "not supported"),
    ("{.a}{.b}", "more than one"),
    ("a}text", "more than one"),
    ("l[4]", "the list has 4 entries"),
    ("l[-5]", "index -5"),
    ("l[0:5]", "ends at 5"),
    ("l[2:1]", "before it starts"),
    ("l[0:2:0]", "step 0"),
    ("a[0]", "no list"),
    ("t[0]", "no list"),
    ("a[?(@.b==1.0)]", "no list"),
    ("m[?(@.v==1)]", "write 80.0 for 80"),
    ("m[?(@.n==1.0)]", "a string with a float"),
    ("m[?(@.w<true)]", "no order"),
    ("m[?(@==1.0)]", "no plain value"),
    ("m[?(@.v=1.0)]", 'operator "="'),
    ("m[?(@.v==1.0]", "not closed"),
    ("m[?(@.*==1.0)]", "more than one value"),
    ("p.db.Raw", "taken whole"),
    ("p.db.*", "taken whole"),
    ("p.db..", "taken whole"),
    ("l[99999999999999999999]", "not a number"),
]


@pytest.mark.parametrize(("expression", "found"), FOUND)
def test_a_path_finds(expression, found):
    assert paths.find(expression, DATA) == found


@pytest.mark.parametrize(("expression", "words"), ERRORS)
def test_a_path_is_refused_and_it_is_said_why(expression, words):
    with pytest.raises(PathError, match=words) as caught:
        paths.find(expression, DATA)
    assert not caught.value.missing


@pytest.mark.parametrize("expression", ["u", "u.url", "u[0]", "u.*", "..e-f", ".*", "u[?(@.x)]"])
def test_what_touches_an_unknown_output_waits(expression):
    with pytest.raises(WaitsError):
        paths.find(expression, DATA)


@pytest.mark.parametrize("expression", ["a.b", "ghost", "t 'u'", "p.db"])
def test_what_does_not_touch_it_does_not_wait(expression):
    paths.find(expression, DATA)


@pytest.mark.parametrize(
    ("expression", "fact"),
    [
        ("ghost", "cannot be resolved: no field `ghost`"),
        ("a.e-g", 'cannot be resolved: `a` has no field `e-g`; did you mean "e-f"?'),
        ("a.c.d", r"cannot be resolved: `a` has no field `c`; a dot inside a name takes a backslash: `c\.d`"),
        ("a['c.d'].more", r"cannot be resolved: `a` has no field `c`; a dot inside a name takes a backslash: `c\.d`"),
        ("z.more", "cannot be resolved: `z` is not set"),
        ("p.db.host", "leads below `p.db`, but a param's value is given whole only"),
        ("m[?(@.n=='q')].v", "finds nothing"),
    ],
)
def test_a_path_that_leads_nowhere_says_where_it_ends(expression, fact):
    with pytest.raises(PathError) as caught:
        paths.one(expression, DATA)
    assert (caught.value.fact, caught.value.missing) == (fact, True)


def test_several_values_are_no_value():
    with pytest.raises(PathError, match="finds 2 values"):
        paths.one("m[*].n", DATA)


PORTS = {"p": [{"port": 80.0, "n": "whole"}, {"port": 2.5e9, "n": "large"}]}


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("p[?(@.port==80)].n", "whole"),
        ("p[?(@.port==2500000000)].n", "large"),
        ("p[0].port", 80),
        ("p[?(@.port<100)].n", "whole"),
    ],
)
def test_on_an_object_of_the_api_server_whole_numbers_are_integers(expression, found):
    assert paths.on_object(expression, PORTS) == found


def test_on_an_api_object_a_whole_number_compares_with_no_float():
    with pytest.raises(PathError, match=r"a whole number with a float; write 80 for 80\.0"):
        paths.on_object("p[?(@.port==80.0)].n", PORTS)


WORKLOAD = owner.typed(
    {
        "apiVersion": "carto.run/v1alpha1",
        "kind": "Workload",
        "metadata": {"name": "p", "labels": {"a.b/c": "d"}},
        "spec": {
            "env": [{"name": "A", "value": ""}, {"name": "B", "value": "b"}],
            "params": [{"name": "x", "value": {"deep": 1}}],
            "resources": {"limits": {"memory": "1024Mi", "cpu": 2}},
            "pruned": 1,
        },
    }
)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("kind", "Workload"),
        (r"metadata.labels.a\.b/c", "d"),
        ("metadata.annotations", None),
        ("metadata.generation", 0),
        ("metadata.uid", ""),
        ("metadata.creationTimestamp", None),
        ("spec.build", {}),
        ("spec.build.env", None),
        ("spec.source", None),
        ("spec.image", None),
        ("spec.serviceAccountName", ""),
        ("spec.serviceClaims", None),
        ("spec.env", [{"name": "A"}, {"name": "B", "value": "b"}]),
        ("spec.env[0].value", ""),
        ("spec.env[?(@.name=='B')].value", "b"),
        ("spec.params[?(@.name=='x')].value", {"deep": 1}),
        ("spec.resources", {"limits": {"memory": "1Gi", "cpu": "2"}}),
        ("spec.resources.requests", None),
        ("status", {"supplyChainRef": {}}),
        ("spec.build.*", None),
    ],
)
def test_an_owner_is_read_through_its_type(expression, found):
    assert paths.one(expression, WORKLOAD) == found


@pytest.mark.parametrize(
    "expression",
    ["spec.source.git", "spec.pruned", "spec.build.ghost", "Spec", "spec.Env", "spec.params[?(@.name=='x')].value.deep"],
)
def test_what_an_owner_does_not_have_is_missing(expression):
    with pytest.raises(PathError) as caught:
        paths.one(expression, WORKLOAD)
    assert caught.value.missing


@pytest.mark.parametrize(
    ("spec", "path", "wanted"),
    [
        ({"env": {}}, ("spec", "env"), "a list"),
        ({"env": [{"name": 1}]}, ("spec", "env", 0, "name"), "a string"),
        ({"source": "x"}, ("spec", "source"), "a map"),
        ({"resources": {"limits": {"cpu": "x"}}}, ("spec", "resources", "limits", "cpu"), "a quantity"),
        ([], ("spec",), "a map"),
    ],
)
def test_a_field_of_another_type_is_named(spec, path, wanted):
    with pytest.raises(owner.OwnerTypeError) as caught:
        owner.typed({"kind": "Workload", "metadata": {}, "spec": spec})
    assert caught.value.path == path
    assert caught.value.wanted.startswith(wanted)


def test_a_list_that_is_not_set_is_empty_for_a_path():
    assert paths.find("l[*]", {"l": NIL_LIST}) == []
    with pytest.raises(PathError, match="has 0 entries"):
        paths.find("l[0]", {"l": NIL_LIST})


NAMES = st.text(alphabet=st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=8).filter(
    lambda name: "\\" not in name
)


@given(NAMES, NAMES)
def test_a_name_whose_every_letter_is_escaped_is_found(first, second):
    escaped = [name if name.isalnum() else "".join(f"\\{char}" for char in name) for name in (first, second)]
    assert paths.find("{." + ".".join(escaped) + "}", {first: {second: "here"}}) == ["here"]


@given(st.text(alphabet="ab.[]()'\"\\,:*?@$ {}=<>-0159\n\té", max_size=24))
def test_no_text_makes_it_stumble(expression):
    data = {"a": [{"b": 1.0, "a": ["b", None, {}]}], "b": {"a": "b", "": True}}
    try:
        paths.find(expression, data)
    except PathError as error:
        assert error.fact  # noqa: PT017 - either way is fine, a crash is not
