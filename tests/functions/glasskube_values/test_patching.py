"""Operations on documents: what each does, and that the old document stays."""

from __future__ import annotations

import copy

import pytest

from krm_values._data.limits import DEFAULT
from krm_values._data.record import replace
from krm_values._krm import resourcelist
from krm_values._run import invoke
from krm_values.glasskube_values.json_patch import PatchError, apply
from tests.conformance.cases import resource_list
from tests.functions.glasskube_values.packages import LEVEL, manifest, package, target, value
from tests.functions.glasskube_values.resources import THING, config_map, thing
from tests.functions.glasskube_values.runs import run

DOCUMENT = {"a": {"b": 1, "n": None}, "l": [1, 2], "s": "x", "x/y": {"m~n": 0}, "-": 0, "7": {}}


def result(op, path, value=None, document=DOCUMENT, **options):
    """The document, or the kind of the error; the old document is intact."""
    before = copy.deepcopy(document)
    try:
        found = apply(document, op, path, value, **options).data
    except PatchError as error:
        found = error.kind
    assert document == before
    return found


def changed(**members):
    return {**DOCUMENT, **members}


@pytest.mark.parametrize(
    ("op", "path", "value", "expected"),
    [
        ("add", "/new", 1, changed(new=1)),
        ("add", "/a", {"c": 2}, changed(a={"c": 2})),
        ("add", "/a/b", None, changed(a={"b": None, "n": None})),
        ("add", "/l/0", 0, changed(l=[0, 1, 2])),
        ("add", "/l/2", 3, changed(l=[1, 2, 3])),
        ("add", "/l/-", 3, changed(l=[1, 2, 3])),
        ("add", "/7/8", 1, changed(**{"7": {"8": 1}})),
        ("add", "/-", 1, changed(**{"-": 1})),
        ("add", "/x~1y/m~0n", 1, changed(**{"x/y": {"m~n": 1}})),
        ("add", "/~01", 1, changed(**{"~1": 1})),
        ("add", "/%61", 1, changed(**{"%61": 1})),
        ("add", "", {"k": 1}, {"k": 1}),
        ("add", "", [1], [1]),
        ("replace", "/a/n", 1, changed(a={"b": 1, "n": 1})),
        ("replace", "/l/1", [3], changed(l=[1, [3]])),
        ("replace", "/-", 1, changed(**{"-": 1})),
        ("replace", "", {"k": 1}, {"k": 1}),
        ("remove", "/a/n", None, changed(a={"b": 1})),
        ("remove", "/l/0", "ignored", changed(l=[2])),
        ("test", "/a/b", 1, DOCUMENT),
        ("test", "/a", {"n": None, "b": 1}, DOCUMENT),
        ("add", "/l/3", 1, "missing"),
        ("add", "/l/x", 1, "index"),
        ("add", "/no/thing", 1, "missing"),
        ("add", "/a/n/deep", 1, "missing"),
        ("add", "/s/deep", 1, "missing"),
        ("add", "", 5, "missing"),
        ("replace", "/no", 1, "missing"),
        ("replace", "/l/-", 1, "missing"),
        ("replace", "/l/2", 1, "missing"),
        ("remove", "/no", None, "missing"),
        ("remove", "/l/-", None, "missing"),
        ("remove", "", None, "missing"),
        ("test", "/a/b", "1", "test"),
        ("test", "/l", [2, 1], "test"),
        ("move", "/a", 1, "op"),
        ("copy", "/a", 1, "op"),
        ("Add", "/a", 1, "op"),
        ("", "/a", 1, "op"),
    ],
)
def test_an_operation(op, path, value, expected):
    assert result(op, path, value) == expected


@pytest.mark.parametrize(
    ("op", "path", "value", "expected"),
    [
        ("add", "new", 1, changed(new=1)),
        ("add", "a/new", 1, changed(a={"b": 1, "n": None, "new": 1})),
        ("add", "#/new", 1, "missing"),
        ("add", "//new", 1, "missing"),
        ("add", "/l/-1", 3, "index"),
        ("replace", "/l/-1", 3, "index"),
        ("remove", "/l/-2", None, "index"),
        ("replace", "/l/01", 3, "index"),
        ("replace", "/l/+1", 3, "index"),
        ("add", "/~2", 1, "pointer"),
        ("add", "/s»/a", 1, "pointer"),
        ("test", "/no", None, "missing"),
        ("test", "/a/b", 1.0, DOCUMENT),
    ],
)
def test_an_operation_that_upstream_does_otherwise(op, path, value, expected):
    assert result(op, path, value) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/config/eggs/white", {"config": {"eggs": {"white": 1}}}),
        ("/list/-", {"list": [1]}),
        ("/list/0", {"list": [1]}),
        ("/list/-/name", {"list": [{"name": 1}]}),
        ("/map/1", {"map": {"1": 1}}),
        ("/null/a", {"null": {"a": 1}}),
    ],
)
def test_parents_are_made_where_that_is_asked_for(path, expected):
    document = {"null": None} if path.startswith("/null") else {}
    assert result("add", path, 1, document, create_parents=True) == expected
    assert result("add", path, 1, document) == "missing"


@pytest.mark.parametrize(
    ("op", "path"), [("replace", "/no/a"), ("remove", "/no/a"), ("test", "/no/a"), ("add", "/s/a"), ("add", "/l/5/a")]
)
def test_parents_are_not_made_for_another_operation_or_below_a_scalar(op, path):
    assert result(op, path, 1, create_parents=True) == "missing"


def test_what_an_operation_tells_of_its_place():
    done = apply(DOCUMENT, "add", "/l/-", 3)
    assert (done.path, done.inserted) == (("l", 2), False)
    done = apply(DOCUMENT, "add", "/l/0", 3)
    assert (done.path, done.inserted) == (("l", 0), True)
    done = apply(DOCUMENT, "replace", "/a/b", 3)
    assert (done.path, done.before) == (("a", "b"), 1)
    done = apply(DOCUMENT, "add", "/n/o/p", 3, create_parents=True)
    assert done.path == ("n", "o", "p")
    assert apply(DOCUMENT, "test", "/s", "x").path is None


def test_the_first_segment_that_is_missing_is_named():
    with pytest.raises(PatchError, match="add /a/c/d: /a/c does not exist"):
        apply(DOCUMENT, "add", "/a/c/d", 1)
    with pytest.raises(PatchError, match=r"^/s is a string, not a map or a list$"):
        apply(DOCUMENT, "add", "/s/d", 1, create_parents=True)


def findings_of(items, given, written=str, limits=DEFAULT):
    """The findings of a run; written: changes the text of its list."""
    text = resource_list(items, "glasskube-values", {"manifests": [given]}).decode()
    source = resourcelist.read(written(text).encode(), limits)
    return invoke.run_function("", source.function_config, source, invoke.place_in(source))[1].findings


@pytest.mark.parametrize("written", ["yes", "1:30", "!!str calm", "'calm'"])
def test_a_string_equals_itself_however_it_is_written(written):
    """[67]"""
    text = written.removeprefix("!!str ").strip("'")
    items = [package(values={"level": text}), config_map(MODE="MARK")]
    given = manifest(value("level", target("/data/MODE", op="test")))
    assert findings_of(items, given, lambda text: text.replace("MODE: MARK", f"MODE: {written}")) == ()


@pytest.mark.parametrize(
    ("op", "path", "rule"),
    [
        ("add", "/~2", "58"),
        ("add", "/s»/a", "58"),
        ("add", "/spec" + "/a" * 200, "58"),
        ("add", "/spec/no/thing", "61"),
        ("replace", "/spec/no/thing", "61"),
        ("add", "/spec/s/deep", "61"),
        ("add", "/spec/l/x/deep", "61"),
        ("add", "/spec/l/9/deep", "61"),
        ("add", "/spec/l/x", "62"),
        ("add", "/spec/l/9", "62"),
        ("add", "/spec/l/-1", "63"),
        ("remove", "/spec/l/-1/deep", "63"),
        ("replace", "/spec/l/01", "64"),
        ("test", "/spec/l/+1", "64"),
        ("replace", "/spec/no", "65"),
        ("replace", "/spec/l/-", "65"),
        ("replace", "/spec/l/9", "65"),
        ("remove", "/spec/no", "66"),
        ("remove", "/spec/l/-", "66"),
        ("remove", "/spec/l/x", "66"),
        ("test", "/spec/no", "67"),
        ("test", "/spec/s", "67"),
        ("remove", "", "68"),
        ("replace", "", "68"),
    ],
)
def test_a_patch_that_fails_names_the_rule_of_its_operation(op, path, rule):
    given = manifest(value("level", target(path, op=op, **THING)))
    state = run(package(values={"level": "deep"}), thing({"s": "x", "l": [1]}), manifests=[given])
    assert [finding.rule for finding in state.outcome.findings if finding.severity == "error"] == [rule]


def test_too_many_patches_are_a_fault_of_no_rule():
    (error,) = findings_of(
        [package(values={"level": "deep"}), config_map()], manifest(LEVEL), limits=replace(DEFAULT, patches=0)
    )
    assert (error.kind, error.rule) == ("patch", None)


def test_a_test_is_not_blamed_for_what_an_earlier_patch_wrote():
    """[70]"""
    hidden = target("/metadata/annotations", template='{"krm-values.dev/undo.x": "{{ . }}"}')
    given = manifest(value("level", hidden, target("/metadata/name", op="test", template='"env"')))
    (error,) = findings_of([package(values={"level": "deep"}), config_map()], given)
    assert "which targets must not write" in error.message
    assert error.at.path == ("spec", "manifests", 0, "valueDefinitions", "level", "targets", 0, "patch", "path")
