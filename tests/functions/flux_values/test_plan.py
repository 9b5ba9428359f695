"""What is written, what must not change, what is refused and what is worth a word."""

from __future__ import annotations

import pytest

from krm_values._krm import findings
from krm_values._run import invoke
from tests.functions.flux_values.support import config_map, entry, inlined, made, release, run, secret, told, value

LOGIN = entry("login", "Secret")
ONE = config_map("base", v="ref", w="two")

CHANGES = [
    ("rule 91: one chain, later over earlier", [release(entry(), LOGIN, entry("site")), config_map("base", "a: 1\nb: 1\nc: 1\n"), secret("login", "b: 2\nc: 2\n"), config_map("site", "c: 3\n")],
     {"Secret web-flux-values": {"a": 1, "b": 2, "c": 3}}),
    ("rule 92: nothing at all", [release()], {"ConfigMap web-flux-values": {}}),
    ("rule 92: only inline", [release(values={"a": {"b": None}})], {"ConfigMap web-flux-values": {"a": {"b": None}}}),
    ("rule 93: one object twice, by two keys", [release(entry(), entry(valuesKey="w")), config_map("base", "a: 1\nb: 1\n", w="b: 2\n")], {"ConfigMap web-flux-values": {"a": 1, "b": 2}}),
    ("rule 94: an optional Secret that is absent still makes it a Secret", [release(entry("gone", "Secret", optional=True))], {"Secret web-flux-values": {}}),
    ("rule 95: an optional entry without its key", [release(entry(optional=True), values={"a": 1}), config_map("base", w="b: 1\n")], {"ConfigMap web-flux-values": {"a": 1}}),
    ("rule 96: types change", [release(entry(), entry("site")), config_map("base", "a: {b: 1}\nc: [1]\n"), config_map("site", "a: x\nc: {d: 1}\n")], {"ConfigMap web-flux-values": {"a": "x", "c": {"d": 1}}}),
    ("rule 35: stringData over data", [release(LOGIN), {**secret("login", "b: 2\n"), "data": {"values.yaml": "YjogMQo=", "blob": "//79"}}], {"Secret web-flux-values": {"b": 2}}),
    ("rule 40: inline numbers are floats", [release(values={"a": 9007199254740993, "b": 3.0, "c": 2**64})], {"ConfigMap web-flux-values": {"a": 9007199254740992, "b": 3, "c": 18446744073709552000}}),
    ("rule 103: a comma sets another key", [release(value("v", "a.b")), config_map("base", v="x,b=2")], {"ConfigMap web-flux-values": {"a": {"b": "x"}, "b": 2}}),
    ("rule 104: literal", [release(value("v", "a.b", literal=True)), config_map("base", v="{x,b=2")], {"ConfigMap web-flux-values": {"a": {"b": "{x,b=2"}}}),
    ("rule 104: no literal before v2", [release(value("v", "a.b", literal=True), version="v2beta2"), config_map("base", v="x,b=2")], {"ConfigMap web-flux-values": {"a": {"b": "x"}, "b": 2}}),
    ("rule 106: the first targetPath wins in an inline map", [release(value("v", "a.b"), values={"a": {"b": "inline"}}), ONE], {"ConfigMap web-flux-values": {"a": {"b": "ref"}}}),
    ("rule 107: not at the top", [release(value("v", "a"), values={"a": "inline"}), ONE], {"ConfigMap web-flux-values": {"a": "inline"}}),
    ("rule 107: nor the second", [release(value("v", "a.c"), value("w", "a.b"), values={"a": {"b": "inline"}}), ONE], {"ConfigMap web-flux-values": {"a": {"b": "inline", "c": "ref"}}}),
    ("a path into an element of an inline list", [release(value("v", "l[1].x"), values={"l": [1, {"x": "inline", "y": 2}]}), ONE], {"ConfigMap web-flux-values": {"l": [1, {"x": "ref", "y": 2}]}}),
    ("v2beta1", [release(entry(), version="v2beta1"), config_map("base", "a: 1\n")], {"ConfigMap web-flux-values": {"a": 1}}),
    ("two releases share a text", [release(entry()), release(value("values.yaml", "x"), name="api"), config_map("base", "a: 1\n")],
     {"ConfigMap web-flux-values": {"a": 1}, "ConfigMap api-flux-values": {"x": "a: 1\n"}}),
    ("a big integer keeps its digits", [release(value("v", "n")), config_map("base", v="9007199254740993")], {"ConfigMap web-flux-values": {"n": 9007199254740992}}),
]  # fmt: skip

UNCHANGED = [
    ("nothing at all", [config_map("base", "a: 1\n")], {}),
    ("another group's HelmRelease", [{**release(entry("gone")), "apiVersion": "helm.example.test/v1"}], {}),
    ("inline: no entry", [release(values={"a": 1})], {"output": "inline"}),
    ("inline: only Secrets", [release(LOGIN, values={"a": 1}), secret("login", "b: 2\n")], {"output": "inline"}),
    ("inline: only entries that are not found", [release(entry("gone", optional=True))], {"output": "inline"}),
]

INLINED = [
    ("without inline values", [release(entry()), config_map("base", "a: {b: 1}\nc: []\n")], ([], {"a": {"b": 1}, "c": []})),
    ("inline beats", [release(entry(), values={"a": 2}), config_map("base", "a: 1\n")], ([], {"a": 2})),
    ("a targetPath goes too", [release(value("v", "a.l[0]"), values={"a": {"l": ["x", "y"]}}), ONE], ([], {"a": {"l": ["ref", "y"]}})),
    ("a list grows", [release(value("v", "a.l[2]"), values={"a": {"l": ["x"]}}), ONE], ([], {"a": {"l": ["x", None, "ref"]}})),
    ("a key in an element", [release(value("v", "l[0].n"), values={"l": [{"x": 1}]}), ONE], ([], {"l": [{"x": 1, "n": "ref"}]})),
    ("a list becomes another", [release(value("v", "a.l"), values={"a": {"l": [1, 2, 3]}}), config_map("base", v="{z}")], ([], {"a": {"l": ["z"]}})),
    ("a list becomes text", [release(value("v", "a.l"), values={"a": {"l": [1]}}), ONE], ([], {"a": {"l": "ref"}})),
    ("an optional key that is absent leaves with its object", [release(entry(optional=True), values={"a": 1}), config_map("base", w="x")], ([], {"a": 1})),
    ("values of null", [release(entry(), values=None), config_map("base", "a: 1\n")], ([], {"a": 1})),
    ("nothing comes of it", [release(entry()), config_map("base", "")], ([], None)),
    ("a Secret's empty map is no matter", [release(LOGIN, value("v", "a.b")), secret("login", "a: {}\n"), ONE], ([LOGIN], {"a": {"b": "ref"}})),
    ("a Secret stays behind", [release(entry(), LOGIN), config_map("base", "a: 1\n"), secret("login", "b: 2\n")], ([LOGIN], {"a": 1})),
]  # fmt: skip

REFUSED = [
    ("rule 93: no such key", release(entry(valuesKey="x")), ["spec.valuesFrom[0]", "ConfigMap team/base has no key `x`", "`v`, `w`"]),
    ("rule 94: no such object", release(entry("gone")), ["spec.valuesFrom[0]", "ConfigMap team/gone", "allowMissing"]),
    ("rule 94: a required entry behind an optional one", release(entry("gone", optional=True), entry("gone")), ["spec.valuesFrom[1]"]),
    ("rule 105: through a scalar", release(value("v", "a.b"), values={"a": 1}), ["spec.valuesFrom[0].targetPath", "goes through `a`", "a scalar"]),
    ("rule 105: through null", release(value("v", "a.b"), values={"a": None}), ["goes through `a`", "null"]),
    ("rule 105: through a list", release(value("v", "a.b"), values={"a": []}), ["goes through `a`", "a list"]),
    ("rule 105: an index on a map", release(value("v", "a[0]"), values={"a": {}}), ["index after `a`", "a map"]),
    ("rule 105: an index on null", release(value("v", "a[0]"), values={"a": None}), ["index after `a`", "null"]),
    ("rule 105: an index on an element", release(value("v", "a[0][0]"), values={"a": ["x"]}), ["index after an item", "a scalar"]),
    ("rule 105: an empty segment", release(value("v", "a..b")), ["no key after `a`"]),
    ("rule 105: a dot at the end", release(value("v", "a.")), ["no key after `a`"]),
    ("rule 105: 31 dots", release(value("v", ".".join("a" * 32))), ["more than 30 dots"]),
    ("rule 105: an index above the limit", release(value("v", "a[65537]")), ["65537", "65536"]),
    ("rule 92: values that are no map", release(values=[1]), ["spec.values", "must be a map"]),
    ("rule 35: an encrypted value", release(values={"a": ["ENC[AES256_GCM,data:x]"]}), ["spec.values", "SOPS"]),
    ("rule 35: an encrypted release", {**release(), "sops": {"mac": "x"}}, ["spec.values", "SOPS"]),
    ("rule 42: a number that JSON does not have", release(values={"a": {"b": float("inf")}}), ["spec.values.a.b", "JSON can hold"]),
    ("rule 90: no spec", {**release(), "spec": None}, ["spec", "must be a map"]),
]  # fmt: skip

TEXTS_REFUSED = [
    ("rule 36: a list", config_map("base", "- 1\n"), ["ConfigMap team/base", "must be a map", "stdin:21:7"]),
    ("rules 38 and 41: keys of one text", config_map("base", "x: y\na:\n  1: a\n  '1': b\n"), ["same text", "stdin:23:9"]),
    ("rule 42: infinity", config_map("base", "a: .inf\n"), ["stdin:21:10"]),
    ("rule 96: no YAML", config_map("base", "a: [\n"), ["stdin:21:10"]),
    ("a number for a text", config_map("base", "a: 1\n", other=5), ["data.other", "must be text"]),
    ("SOPS at the top", {**config_map("base", "a: 1\n"), "sops": {"mac": "x"}}, ["SOPS"]),
    ("SOPS in another key", config_map("base", "a: 1\n", other="ENC[AES256_GCM,data:x]"), ["SOPS"]),
    ("SOPS in the text", config_map("base", "a: ENC[x]\nsops: {mac: x}\n"), ["SOPS"]),
]  # fmt: skip

VALUES_REFUSED = [
    ("a comma without a pair", "k1:9092,k2:9092", ["comma in its value", "`\\,`"]),
    ("an open brace", "{a,b", ["must end with `}`"]),
    ("an index that is none, behind a comma", "x,b[z]=1", ["a number between"]),
    ("text after an index, behind a comma", "x,b[0]y=1", ["after an index"]),
    ("an index below zero, behind a comma", "x,b[-1]=1", ["below 0"]),
    ("very deep lists, behind a comma", "x,b" + "[0]" * 150 + "=1", ["more than 100"]),
    ("very deep maps in lists, behind a comma", "x,b" + "[0].b" * 300 + "=1", ["more than 100"]),
]

NOT_INLINED = [
    ("a Secret overrides", [release(entry(), LOGIN), config_map("base", "a: {pw: ''}\n"), secret("login", "a: {pw: x}\n")], ["spec.valuesFrom[1]", "`a.pw`", "Secret team/login", "the inline values"]),
    ("not found, behind", [release(entry(), entry("gone", optional=True)), config_map("base", "a: 1\n")], ["spec.valuesFrom[1]", "ConfigMap team/gone"]),
    ("a Secret not found, behind", [release(entry(), entry("gone", "Secret", optional=True)), config_map("base", "a: 1\n")], ["spec.valuesFrom[1]", "Secret team/gone"]),
    ("a big integer", [release(value("v", "n")), config_map("base", v="9007199254740993")], ["spec.valuesFrom[0]", "`n`", "another value"]),
    ("a path that the ConfigMap makes impossible", [release(entry(), LOGIN, value("v", "a.b")), config_map("base", "a: 1\n", v="x"), secret("login", "a: {}\n")], ["spec.valuesFrom[2]", "goes through `a`"]),
]  # fmt: skip

WARNED = [
    ("rule 37", [release(entry()), config_map("base", "a: 1\n---\nb: 2\n")], ["first YAML document", "line 23"]),
    ("rule 38", [release(entry()), config_map("base", "a: 1\na: 2\n")], ["`a", "line 22", "twice"]),
    ("rule 39", [release(entry()), config_map("base", "a: on\n")], ["`a: on` (line 21)"]),
    ("rule 40", [release(entry()), config_map("base", "a: 1.10\n")], ["`a: 1.10` (line 21)"]),
    ("rule 40 inline", [release(values={"n": 9007199254740993})], ["HelmRelease team/web `spec.values`", "`n: 9007199254740993`", "does not keep its digits"]),
    ("rule 96: a map over a scalar", [release(entry(), entry("site")), config_map("base", "a: 1\n"), config_map("site", "\na: {b: 1}\n")], ["ConfigMap team/site", "`a` (line 32) is a map over the scalar of ConfigMap team/base (line 23)"]),
    ("rule 96: inline over a map", [release(entry(), values={"a": 1}), config_map("base", "a: {b: 1}\n")], ["HelmRelease team/web `spec.values`", "`a` is a scalar over the map of ConfigMap team/base (line 23)"]),
    ("a Secret's scalar over a list", [release(entry(), LOGIN), config_map("base", "a: []\n"), secret("login", "a: x\n")], ["Secret team/login", "a scalar over the list"]),
    ("a targetPath over a map", [release(entry(), value("v", "a")), config_map("base", "a: {b: 1}\n", v="x")], ["a scalar over the map of ConfigMap team/base"]),
    ("rule 106: also inline, and it wins", [release(value("v", "a.b"), values={"a": {"b": 1}}), ONE], ["spec.valuesFrom[0].targetPath", "`a.b` is also set in `spec.values`", "this entry wins"]),
    ("rule 107: also inline, and it loses", [release(value("v", "a"), values={"a": 1}), ONE], ["`a` is also set", "the inline value wins"]),
    ("rule 105: a leading dot", [release(value("v", ".a")), ONE], ["spec.valuesFrom[0].targetPath", "drops the value"]),
    ("rule 105: a leading index", [release(value("v", "[0].a")), ONE], ["drops the value"]),
    ("rule 105: an empty key in a map that is there", [release(value("v", "a..b"), values={"a": {"x": 1}}), ONE], ["drops the value"]),
    ("an unknown field", [release(entry(valueskey="v")), config_map("base", "a: 1\n")], ["spec.valuesFrom[0].valueskey", "`valuesKey`"]),
    ("literal before v2", [release(value("v", "a", literal=True), version="v2beta2"), ONE], ["spec.valuesFrom[0].literal", "v2beta2"]),
    ("a version that is not known", [{**release(), "apiVersion": "helm.toolkit.fluxcd.io/v9"}], ["apiVersion", "v2, v2beta2, v2beta1"]),
]  # fmt: skip

INFORMED = [
    ("rule 42", [release(entry()), config_map("base", "a: 2024-02-29\n")], ["`a: 2024-02-29` (line 21)"]),
    ("rule 55", [release(entry(), entry("site")), config_map("base", "a: {b: 1}\n"), config_map("site", "a: {}\n")], ["ConfigMap team/site", "`a` (line 31) is an empty map", "clears nothing"]),
    ("rule 11.8: a Secret in Git", [release(LOGIN), secret("login", "a: 1\n")], ["web-flux-values", "output: inline"]),
]  # fmt: skip


def ids(table):
    return [pytest.param(*row[1:], id=row[0]) for row in table]


@pytest.mark.parametrize(("items", "expected"), ids(CHANGES))
def test_change(items, expected):
    state = run(*items)
    assert told(state, "error") == []
    assert made(state) == expected


@pytest.mark.parametrize(("items", "config"), ids(UNCHANGED))
def test_unchanged(items, config):
    state = run(*items, **config)
    assert told(state, "error") == []
    assert state.out.rstrip() == state.given.rstrip()


@pytest.mark.parametrize(("items", "expected"), ids(INLINED))
def test_inlined(items, expected):
    state = run(*items, output="inline")
    assert told(state, "error") == []
    assert inlined(state) == expected
    assert made(run(*state.items)) == made(run(*items)), "what was inlined composes to the same"


@pytest.mark.parametrize(("item", "words"), ids(REFUSED))
def test_refused(item, words):
    state = run(item, ONE)
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert [word for word in ["HelmRelease team/web", *words] if word not in text] == []


@pytest.mark.parametrize(("item", "words"), ids(TEXTS_REFUSED))
def test_text_refused(item, words):
    state = run(release(entry()), item)
    assert state.items == state.inputs
    (text,) = told(state, "error")
    assert [word for word in ["ConfigMap team/base", *words] if word not in text] == []


@pytest.mark.parametrize(("text", "words"), ids(VALUES_REFUSED))
@pytest.mark.parametrize("kind", ["ConfigMap", "Secret"])
def test_value_refused_and_not_quoted(kind, text, words):
    held = config_map("base", v=text) if kind == "ConfigMap" else secret("base", v=text)
    state = run(release(value("v", "a", kind=kind)), held)
    (told_text,) = told(state, "error")
    assert [word for word in ["spec.valuesFrom[0].targetPath", *words] if word not in told_text] == []
    assert "k1" not in told_text


@pytest.mark.parametrize(("items", "words"), ids(NOT_INLINED))
def test_not_inlined(items, words):
    state = run(*items, output="inline")
    assert state.items == items
    (text,) = told(state, "error")
    assert [word for word in ["HelmRelease team/web", "output: inline", *words] if word not in text] == []


@pytest.mark.parametrize(("items", "words"), ids(WARNED))
def test_warned_and_under_strict_refused(items, words):
    texts = told(run(*items), "warning")
    assert len(texts) == 1
    assert [word for word in words if word not in texts[0]] == []
    strict = run(*items, strict=True)
    assert strict.items == items
    assert told(strict, "error") == texts


@pytest.mark.parametrize(("items", "words"), ids(INFORMED))
def test_informed_also_under_strict(items, words):
    state = run(*items, strict=True)
    assert told(state, "error") == []
    found = [text for text in told(state, "info") if all(word in text for word in words)]
    assert len(found) == 1


def test_all_errors_come_at_once():
    state = run(release(entry("gone"), value("v", "a b"), entry(kind="Pod"), values={"a": "ENC[x]"}), ONE)
    assert len(told(state, "error")) == 4


def test_two_of_one_name_are_an_error_that_names_both():
    (text,) = told(run(release(entry()), config_map("base", "a: 1\n"), config_map("base", "a: 2\n")), "error")
    assert "ConfigMap team/base is 2 times in the list, in item 1 and item 2: keep one" in text


def test_a_reference_to_own_output_is_an_error_whatever_is_allowed():
    first = run(release(values={"a": 1}))
    other = release(entry("web-flux-values", optional=True), name="api")
    state = run(*first.items, other, allowMissing=[{"kind": "ConfigMap", "name": "*"}])
    (text,) = told(state, "error")
    assert "`spec.valuesFrom[0]`: ConfigMap team/web-flux-values is written by this function itself" in text


def test_what_giantswarm_config_wrote_is_an_ordinary_object():
    held = config_map("base", "a: 1\n")
    held["metadata"]["annotations"] = {
        "krm-values.dev/generated-by": "giantswarm-config",
        "krm-values.dev/generated-from": "App.application.giantswarm.io/team/x/configMap",
    }
    assert made(run(release(entry()), held)) == {"ConfigMap web-flux-values": {"a": 1}}


def test_two_releases_that_would_write_one_object_are_an_error():
    texts = told(run(release(values={"a": 1}), release(values={"b": 1}, version="v2beta1")), "error")
    assert any("rename one" in text for text in texts)


def test_an_inline_word_that_readers_dispute_is_a_warning_with_its_line():
    text = """\
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: web, namespace: team}
  spec:
    values:
      on: fine
      quoted: "y"
      word: y
      list: [0777, 12:30]
      price: 1.10
functionConfig: {apiVersion: krm-values.dev/v1alpha1, kind: FluxValues, metadata: {name: c}}
"""
    _, outcome = invoke.answer(text.encode(), "")
    retyped, digits = (findings.message(finding) for finding in outcome.findings if finding.severity == "warning")
    assert "`word: y` (line 11): the API server reads" in retyped
    assert "quoted" not in retyped
    assert "`price: 1.10` (line 13): the number does not keep its digits" in digits
    added = outcome.added[0].data
    assert added["data"]["values.yaml"] == ('list:\n- 511\n- "12:30"\n"on": fine\nprice: 1.1\nquoted: "y"\nword: "y"\n')


def test_two_releases_of_one_name_are_an_error_also_where_one_has_a_secret_and_the_other_none():
    secret = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "login", "namespace": "team"},
        "stringData": {"values.yaml": "b: 1\n"},
    }
    first = release({"kind": "Secret", "name": "login"}, values={"a": 1})
    texts = told(run(first, release(values={"b": 1}), secret), "error")
    assert any("rename one" in text for text in texts)
