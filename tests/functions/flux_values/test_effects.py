"""Entries of which nothing is left, and values that Helm's `--set` syntax changes."""

from __future__ import annotations

import pytest

from krm_values._krm import findings
from tests.functions.flux_values.support import config_map, entry, release, run, secret, told, value

EFFECTS = [
    ("beyond an inline list", release(value("v", "x.y"), value("w", "hosts[5]"), values={"hosts": ["a"]}), [config_map(v="1", w="2")], "warning", "`hosts[5]` of `valuesFrom[1]` has no effect, `spec.values` replaces it"),
    ("beyond an inline list into which another entry wrote", release(value("v", "l[1]"), value("w", "l[0]"), values={"l": ["a"]}), [config_map(v="1", w="2")], "warning", "`l[1]` of `valuesFrom[0]` has no effect, `spec.values` replaces it"),
    ("one path twice", release(value("v", "a.b"), value("w", "a.b")), [config_map(v="1", w="2")], "warning", "`a.b` of `valuesFrom[0]` has no effect, `valuesFrom[1]` replaces it"),
    ("one index twice leaves its gaps", release(value("v", "l[2]"), value("w", "l[2]")), [config_map(v="1", w="2")], "warning", "`l[2]` of `valuesFrom[0]` has no effect, `valuesFrom[1]` replaces it"),
    ("below what is replaced", release(value("v", "a.b"), entry("site")), [config_map(v="1"), config_map("site", "a: x\n")], "warning", "`a.b` of `valuesFrom[0]` has no effect, `valuesFrom[1]` replaces it"),
    ("a Secret's", release(value("v", "a", "login", kind="Secret"), value("w", "a")), [secret("login", v="hush"), config_map(w="2")], "warning", "`a` of `valuesFrom[0]` has no effect, `valuesFrom[1]` replaces it"),
    ("a document under two", release(entry(), entry("site"), values={"a": 1}), [config_map("base", "a: 0\nb: [0]\n"), config_map("site", "b: []\n")], "info", "`valuesFrom[0]` has no effect, `spec.values` and `valuesFrom[1]` replace it"),
    ("set inline too", release(value("v", "a"), value("w", "a"), values={"a": 0}), [config_map(v="1", w="2")], "warning", "`a` is also set in `spec.values`, and the inline value wins"),
]  # fmt: skip


@pytest.mark.parametrize("case", EFFECTS, ids=[case[0] for case in EFFECTS])
def test_an_entry_of_which_nothing_is_left(case):
    _, web, others, severity, text = case
    state = run(web, *others)
    assert [text in message for message in told(state, severity)].count(True) >= 1, told(state, severity)
    assert "hush" not in str(state.outcome.findings)


SILENT = [
    ("an optional entry that is absent", release(entry("gone", optional=True), values={"a": 1}), []),
    ("an optional key that is absent", release(value("gone", "a", optional=True), value("w", "a")), [config_map(w="2")]),
    ("an empty document", release(entry(), values={"a": 1}), [config_map("base", "# nothing\n")]),
    ("an empty text", release(value("v", "a"), value("w", "a")), [config_map(v="", w="2")]),
    ("one value of many is left", release(entry(), values={"a": 1}), [config_map("base", "a: 0\nb: 0\n")]),
    ("a pair behind a comma is left", release(value("v", "a"), value("w", "a")), [config_map(v="1,b=2", w="2")]),
    ("a list with a gap", release(value("v", "l[2]"), value("w", "l[0]")), [config_map(v="1", w="2")]),
]


@pytest.mark.parametrize("case", SILENT, ids=[case[0] for case in SILENT])
def test_nothing_is_told_of(case):
    _, web, others = case
    state = run(web, *others)
    assert not [finding for finding in state.outcome.findings if finding.kind == "no-effect"]


SET = [
    ("x,b=2", ["comma", "literal: true"]),
    ("x,", ["comma"]),
    ("{a,b}", ["brace"]),
    ("'{a}'", ["brace"]),
    ("{a},b=2", ["brace", "comma"]),
    ("{a\\,b}", ["brace", "backslash"]),
    ("C:\\dir", ["backslash"]),
    ("a\\,b", ["backslash"]),
    ("'a,b=1'", ["comma"]),
    *((text, ["number"]) for text in ("0123", "12e03", "1E3", "0x1F", "+1", "-0775", "0b11", "0o17", "1_000", "08", "+.5", "012.5", "1.5e3", "0123\n")),
    *((text, ["number", "without"]) for text in ("8080\n", "8080\n\n", "8080\r\n", " 5", "5 ", "-3\n", "2.5\n", "0\n", "\t7")),
    *((text, ["boolean or null", "without"]) for text in ("true\n", " False", "null\r\n", "\tNULL", "TRUE ")),
    *((text, []) for text in ("8080 x\n", "\n", " ", "'8080'\n", "80\n80")),
    *((text, []) for text in ("x", "a=b", "8080", "-3", "1.5", ".5", "0", "-0", "0.5", "-1.25", "'0123'", "1:30", "0o8", "2024-02-29", "y", "", "9007199254740993", "~", "true", "a}b", "[x]", ".inf", "0x")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), SET)
@pytest.mark.parametrize("kind", ["ConfigMap", "Secret"])
def test_values_that_the_syntax_of_set_changes(kind, text, words):
    source = secret("base", v=text) if kind == "Secret" else config_map("base", v=text)
    state = run(release(value("v", "a.b", kind=kind)), source)
    found = [findings.message(finding) for finding in state.outcome.findings if finding.kind.startswith("set-")]
    assert len(found) == bool(words), found
    for word in words and ["targetPath", f"{kind} team/base", *words]:
        assert word in found[0]
    causes = {"comma", "brace", "backslash", "number"}
    assert not found or {cause for cause in causes if cause in found[0]} == causes & set(words)


@pytest.mark.parametrize("text", [text for text, _ in SET])
def test_a_literal_is_taken_as_it_stands(text):
    state = run(release(value("v", "a.b", literal=True)), config_map("base", v=text))
    assert not [finding for finding in state.outcome.findings if finding.kind.startswith("set-")]


def test_before_v2_the_way_out_is_v2():
    state = run(release(value("v", "a.b"), version="v2beta2"), config_map("base", v="x,b=2"))
    assert any("change the release to v2 and set `literal: true`" in message for message in told(state, "warning"))
