"""Targets that lead into YAML and JSON documents within strings [S33]."""

from __future__ import annotations

import random

import pytest
import yaml

from krm_values.glasskube_values.jsonpatch.apply import apply
from tests.functions.glasskube_values.packages import FROM_VAULT, helm, manifest, package, target, value
from tests.functions.glasskube_values.resources import config_map, secret
from tests.functions.glasskube_values.runs import found, run, told

TEXT = "# head\ningress:\n  host: a.test # old\n  port: 80\nhosts:\n- a.test\n"


def into(path, op="add", **more):
    return target(f"/data/v»{path}", op, **more)


def written(*values, text=TEXT, config=None, given="x.test", kinds="text"):
    """The run, and the string afterwards."""
    definitions = [value(f"v{number}", one, kind=kinds) for number, one in enumerate(values)]
    settings = {f"v{number}": given for number in range(len(values))}
    state = run(package(values=settings), config_map(v=text), manifests=[manifest(*definitions)], **(config or {}))
    return state, found(state)["data"]["v"]


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (into("/ingress/host", "replace"), TEXT.replace("a.test # old", "x.test # old")),
        (into("/hosts/-"), TEXT + "- x.test\n"),
        (into("/hosts/0"), TEXT.replace("- a.test", "- x.test\n- a.test")),
        (into("/ingress/port", "remove"), TEXT.replace("  port: 80\n", "")),
        (into("/ingress/port", "replace", template="{{ len . }}"), TEXT.replace("80", "6")),
        (into("/ingress/port", "test", template="80"), TEXT),
        (into("/ingress/host", "test", template='"a.test"'), TEXT),
        (into("", "replace", template='{"a": [1]}'), "a:\n- 1\n"),
        (into("", "replace", template='["b"]'), "- b\n"),
    ],
)
def test_only_what_the_operation_changes_is_edited(one, expected):
    state, text = written(one)
    assert (told(state), text) == ([], expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"hosts": ["a"], "n": 1}', '{"hosts": ["a", "x.test"], "n": 1}'),
        ("hosts: [a]\n", "hosts: [a, x.test]\n"),
        ("---\nhosts:\n- a\n", "---\nhosts:\n- a\n- x.test\n"),
        ("hosts:\n- a", "hosts:\n- a\n- x.test"),
    ],
)
def test_json_stays_json_and_styles_stay(text, expected):
    state, after = written(into("/hosts/-"), text=text)
    assert (told(state), after) == ([], expected)


def test_a_further_separator_leads_into_a_string_within():
    state, text = written(into("/in»/a", "replace"), text="in: |\n  # deep\n  a: 1\n")
    assert (told(state), text) == ([], "in: |\n  # deep\n  a: x.test\n")


@pytest.mark.parametrize(
    ("given", "kind", "config", "expected"),
    [
        ("9", "number", {}, "size: '9'\n"),
        ("9", "number", {"typed": True}, "size: 9\n"),
        ("T", "boolean", {"typed": True}, "size: true\n"),
        ("no", "text", {}, "size: 'no'\n"),
    ],
)
def test_values_are_strings_unless_they_are_typed(given, kind, config, expected):
    state, text = written(into("/size"), text="a: 1\n", given=given, kinds=kind, config=config)
    assert (told(state), text) == ([], "a: 1\n" + expected)


@pytest.mark.parametrize(
    ("path", "text", "words"),
    [
        ("/data/none»/a", TEXT, "/data/none does not exist"),
        ("/data»/a", TEXT, "/data is a map, not a string"),
        ("/data/v»/a", "just words\n", "must hold a YAML or JSON map or list, it holds a string"),
        ("/data/v»/a", "", "must be one YAML or JSON document"),
        ("/data/v»/a", "a: [\n", "must be one YAML or JSON document"),
        ("/data/v»/a", "a: 1\n---\nb: 1\n", "must be one YAML or JSON document: line 2"),
        ("/data/v»/none/a", TEXT, "/none does not exist; set `createParents: true` to create it, within /data/v"),
        ("/data/v»/hosts/01", TEXT, '"01" is not an index of the list, within /data/v'),
        ("/data/v" + "»/a" * 11, TEXT, "more than 10 `»`"),
        ("/data/v»/ingress»/a", TEXT, "/ingress is a map, not a string"),
    ],
)
def test_what_cannot_be_patched_is_an_error(path, text, words):
    state, after = written(target(path), text=text)
    assert [words in message for message in told(state)] == [True]
    assert {finding.kind for finding in state.outcome.findings if finding.severity == "error"} == {"patch"}
    assert after == text


@pytest.mark.parametrize("field", ["data", "stringData"])
def test_a_string_of_a_secret_is_not_edited(field):
    held = {**secret(v="YTogMQo=" if field == "data" else "a: 1\n")}
    held = {**{key: entry for key, entry in held.items() if key != "stringData"}, field: held["stringData"]}
    one = target(f"/{field}/v»/a", kind="Secret", name="vault")
    state = run(package(values={"level": "x"}), held, manifests=[manifest(value("level", one))])
    (finding,) = [finding for finding in state.outcome.findings if finding.severity == "error"]
    assert (finding.kind, finding.rule) == ("target", "S33")


def test_without_records_a_string_in_string_data_is_edited():
    one = target("/stringData/v»/a", "replace", kind="Secret", name="vault")
    state = run(package(values={"level": "x"}), secret(v="a: 1\n"), manifests=[manifest(value("level", one))], record=False)
    assert (told(state), found(state, "vault", "Secret")["stringData"]["v"]) == ([], "a: x\n")


@pytest.mark.parametrize("held", ["kelp: [", "- kelp\n--- \n- moss\n", "kelp-moss", "kelp: |\n  moss: [\n"])
def test_no_message_quotes_the_string_of_a_secret(held):
    one = target("/stringData/v»/kelp»/a", kind="Secret", name="vault")
    state = run(package(values={"level": "x"}), secret(v=held), manifests=[manifest(value("level", one))], record=False)
    (error,) = told(state)
    assert "the string at /stringData/v must be one YAML or JSON map or list" in error
    assert "moss" not in error


def test_the_string_has_the_origins_of_all_its_patches():
    values = manifest(value("a", into("/ingress/host", "replace")), value("b", into("/ingress/class")))
    given = package(values={"a": FROM_VAULT, "b": "nginx"})
    state = run(given, config_map(v=TEXT), secret(), manifests=[values])
    assert (told(state), "kelp-moss" in found(state)["data"]["v"]) == ([], True)
    record = found(state)["metadata"]["annotations"]["krm-values.dev/undo.glasskube-values"]
    assert '"secret":true' in record.replace(" ", "")


def test_a_chart_value_that_is_a_string_is_edited_with_its_parents():
    given = manifest(value("level", target("/raw»/deep/x", chart="nest")), helm=helm("nest", values={"raw": "a: 1 # one\n"}))
    state = run(package(values={"level": "x"}), manifests=[given])
    values = found(state, "lumen-lumen", "HelmRelease")["spec"]["values"]
    assert (told(state), values) == ([], {"raw": "a: 1 # one\ndeep:\n  x: x\n"})


def random_document(dice, depth=0):
    """A map or list of a few levels, with strings that need quotes."""
    scalars = ["a", "no", "1", 1, True, None, "x: y", "# c", "", "two\nlines\n"]
    if depth and dice.random() < 0.6:
        return dice.choice(scalars)
    if dice.random() < 0.4:
        return [random_document(dice, depth + 1) for _ in range(dice.randint(1, 3))]
    return {key: random_document(dice, depth + 1) for key in dice.sample("abcd", dice.randint(1, 3))}


def pointers_of(data, at=""):
    yield at
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, below in entries:
        yield from pointers_of(below, f"{at}/{key}")


@pytest.mark.parametrize("seed", range(40))
def test_an_operation_is_applied_once_and_undone(seed):
    dice = random.Random(seed)
    data = random_document(dice)
    text = yaml.safe_dump(data, sort_keys=False, default_flow_style=seed % 3 == 0)
    op = dice.choice(["add", "replace", "remove"])
    pointer = dice.choice([one for one in pointers_of(data) if one])
    given = manifest(value("v0", into(pointer, op)))
    original = config_map(v=text)
    state = run(package(values={"v0": "no"}), original, manifests=[given])
    assert told(state) == []
    assert yaml.safe_load(found(state)["data"]["v"]) == apply(data, op, pointer, "no").data
    assert run(*state.items, manifests=[given]).items == state.items
    items = [{**item, "spec": {**item["spec"], "values": {}}} if item["kind"] == "Package" else item for item in state.items]
    assert found(run(*items, manifests=[given])) == original


def rows(*values, **more):
    """(inner path, value, its layers and those that it overrides) of each row of the string."""
    state, _ = written(*values, **more)
    leaves = [one.leaf for one in state.outcome.decisions if one.path == ("data", "v")]
    return [(one.inner, one.value, [origin.layer for origin in (one.origin, *one.overridden)]) for one in leaves]


def test_each_place_in_a_string_is_explained_by_itself():
    found = rows(into("/ingress/host", "replace"), into("/hosts/-"), into("/new"), into("/ingress/host"))
    assert found == [
        (("hosts", 1), "x.test", ["value v1"]),
        (("new",), "x.test", ["value v2"]),
        (("ingress", "host"), "x.test", ["value v3", "value v0", "resource"]),
    ]


def test_a_map_in_a_string_overrides_what_was_written_into_it():
    found = rows(into("/ingress/host"), into("/ingress", template='{"a": 1}'))
    assert found == [(("ingress",), {"a": 1}, ["value v1", "value v0", "resource"])]


def test_a_place_in_a_string_overrides_what_was_written_as_a_whole():
    whole = target("/data/v", "replace", template='"a: {b: 1}"')
    assert rows(whole, into("/a/b")) == [(("a", "b"), "x.test", ["value v1", "value v0"])]
    assert rows(into("/ingress/host"), whole) == [(None, "a: {b: 1}", ["value v1", "value v0", "resource"])]


def test_a_string_within_is_one_row():
    found = rows(into("/in»/a"), into("/in»/b"), text="in: |\n  a: 1\n")
    assert found == [(("in",), "a: x.test\nb: x.test\n", ["value v1", "value v0", "resource"])]


@pytest.mark.parametrize("other", [into("/ingress/port", "remove"), into("/hosts/0")], ids=["removed", "moved"])
def test_a_string_in_which_places_are_gone_is_one_row(other):
    ((inner, value, layers),) = rows(into("/ingress/host"), other)
    assert (inner, value[:6], layers) == (None, "# head", ["value v1", "value v0", "resource"])


def test_a_string_with_a_value_out_of_a_secret_is_one_row():
    text = "a: 1\n"
    definitions = [value("v0", into("/a")), value("v1", into("/b"))]
    given = {"v0": "x", "v1": FROM_VAULT}
    items = package(values=given), config_map(v=text), secret("vault", token="hunter2")
    state = run(*items, manifests=[manifest(*definitions)])
    (leaf,) = [one.leaf for one in state.outcome.decisions if one.path == ("data", "v")]
    assert (leaf.inner, leaf.origin.secret) == (None, True)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/data/v»/a", None),
        ("/data/v»", None),
        ("/data/v»a", 'must have a slash behind each `»`: write "/data/v»/a"'),
        ("/data/v»/a»b/c", 'must have a slash behind each `»`: write "/data/v»/a»/b/c"'),
        ("data/v»a", 'must begin with a slash, or the operator drops the first segment: write "/data/v»/a"'),
        ("»/a", 'has no pointer to a string before a `»`: name the string, as in "/data/values.yaml»/a"'),
        ("/data/v»»/a", 'has no pointer to a string before a `»`: name the string, as in "/data/values.yaml»/a"'),
    ],
)
def test_a_part_of_a_path_without_its_slash_or_its_string_is_a_warning(path, words):
    made = manifest(value("v0", target(path, "replace", template='{"b": {"c": 1}}')))
    state = run(package(values={"v0": "x"}), config_map(v='a: "c: 1"\n'), manifests=[made])
    found = [one.message for one in state.outcome.findings if one.severity == "warning"]
    assert [one.partition("; found")[0].partition(": ")[2] for one in found] == [words] * (words is not None)
