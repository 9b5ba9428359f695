"""What templates give, and what is refused by name."""

from __future__ import annotations

import pytest

from krm_values._go.template_parser import TemplateError
from krm_values._go.template_parser import parse as check
from krm_values.glasskube_values.patches import render


@pytest.mark.parametrize(
    ("template", "dot", "expected"),
    [
        ("{{.}}", "true", True),
        ("{{ . }}", "1.50", 1.5),
        (" {{- . -}} ", " 7 ", 7),
        ('"{{ . }}"', "a/b", "a/b"),
        ('"k8s.io\\/{{ . }}"', "eggs", "k8s.io/eggs"),
        ('"{{. | base64}}"', "moss", "bW9zcw=="),
        ('{{ printf "%q" . }}', 'a "b"\n', 'a "b"\n'),
        ('{{ if eq . "" }}null{{ else }}"{{ . }}"{{ end }}', "", None),
        ('{{ if eq . "" }}null{{ else }}"{{ . }}"{{ end }}', "a", "a"),
        ('{{ if eq . "a" "b" }}1{{ else if eq . "c" }}2{{ else }}3{{ end }}', "b", 1),
        ('{{ if eq . "a" "b" }}1{{ else if eq . "c" }}2{{ else }}3{{ end }}', "c", 2),
        ('{{ if eq . "a" "b" }}1{{ else if eq . "c" }}2{{ else }}3{{ end }}', "d", 3),
        ('{{ if and . (ne . "false") }}true{{ else }}false{{ end }}', "false", False),
        ('{{ if or (eq . "a") (eq . "b") }}1{{ else }}0{{ end }}', "b", 1),
        ("{{ if not . }}0{{ else }}1{{ end }}", "false", 1),
        ('{{ with . }}["{{ . }}"]{{ else }}[]{{ end }}', "", []),
        ('{{ with . }}["{{ . }}"]{{ else }}[]{{ end }}', "a", ["a"]),
        ("{{ len . }}", "é", 2),
        ("{{/* of eggs */}}[{{ . }}]", "1,2", [1, 2]),
        ("{{ `raw` | len }}", "", 3),
        ("{{ . }}", "1e3", 1000),
        ("{{ . }}", "12345678901234567890", 12345678901234567000),
        ("{{ . }}", "-0", -0.0),
        ('{"a": 1, "a": {{ . }}}', "2", {"a": 2}),
        ("{{ if . }}1{{ else }}0{{ end }}", False, 0),
        ("{{ len . }}", [1, 2, 3], 3),
        ("{{ . }}", 2.5, 2.5),
        ('"{{ . }}"', 1e21, "1e+21"),
    ],
)
def test_a_template_gives(template, dot, expected):
    found = render(template, dot).value
    assert (found, type(found)) == (expected, type(expected))


def test_the_dot_has_an_alias_where_that_is_asked_for():
    assert render('"{{ .value }}"', "a", alias=True).value == "a"
    with pytest.raises(TemplateError, match=r'a string has no field "value"; the value itself is `\.`'):
        render('"{{ .value }}"', "a")
    with pytest.raises(TemplateError, match="fields of a map are not supported"):
        render('"{{ .value }}"', {"value": "a"}, alias=True)


@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("{{ range . }}{{ end }}", "`range`"),
        ('{{ define "x" }}{{ end }}', "`define`"),
        ('{{ template "x" }}', "`template`"),
        ('{{ block "x" . }}{{ end }}', "`block`"),
        ("{{ break }}", "`break`"),
        ("{{ $x := . }}", "variables"),
        ("{{ $ }}", "variables"),
        ("{{ index . 0 }}", "index"),
        ("{{ slice . 1 }}", "slice"),
        ('{{ lt . "a" }}', "lt"),
        ('{{ ge . "a" }}', "ge"),
        ("{{ print . }}", "print"),
        ("{{ println . }}", "println"),
        ("{{ html . }}", "html"),
        ("{{ js . }}", "js"),
        ("{{ urlquery . }}", "urlquery"),
        ("{{ call . }}", "call"),
        ('{{ printf "%s" . }}', "printf"),
        ('{{ . | printf "%d" }}', "printf"),
        ("{{ eq . 1 }}", "number literals"),
        ("{{ 'a' }}", "character literals"),
        ("{{ nil }}", "nil"),
        ('{{ (eq . "a").b }}', "a field of a result"),
        ('{{ "\\xff" }}', "an escape of a single byte"),
    ],
)
def test_what_go_knows_and_we_do_not_is_refused_by_name(template, name):
    with pytest.raises(TemplateError) as caught:
        check(template)
    assert caught.value.construct
    assert name in caught.value.message
    assert "not supported" in caught.value.message


@pytest.mark.parametrize("dot", [{"a": 1}, [1], {}])
def test_a_map_or_list_is_not_printed(dot):
    for template in ("{{ . }}", '{{ printf "%q" . }}'):
        with pytest.raises(TemplateError, match="cannot be printed") as caught:
            render(template, dot)
        assert caught.value.construct in ("map", "list")


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{ toJson . }}", 'function "toJson" is not defined'),
        ("{{ . | quote }}", 'function "quote" is not defined'),
        ("{{ . ", "not closed"),
        ("{{ (. }}", "a parenthesis is not closed"),
        ("{{ .) }}", "a parenthesis is closed that was not opened"),
        ("{{ end }}", "`end` has no `if` or `with` before it"),
        ("{{ if . }}1", "`if` has no `end`"),
        ("{{ with . }}1{{ else }}2", "`with` has no `end`"),
        ("{{ }}", "is empty"),
        ("{{ . | . }}", "a function must follow `|`"),
        ('{{ "a }}', "a string literal is not closed"),
        ("{{ /* a */ }}", "has no meaning in an action"),
        ("{{ ! }}", "has no meaning in an action"),
    ],
)
def test_what_go_does_not_parse_is_an_error_that_says_why(template, reason):
    with pytest.raises(TemplateError) as caught:
        check(template)
    assert (caught.value.stage, caught.value.construct) == ("parse", "")
    assert reason in caught.value.message


@pytest.mark.parametrize(
    ("template", "dot", "reason"),
    [
        ("{{ eq . }}", "a", "at least two"),
        ('{{ ne . "a" "b" }}', "a", "ne takes 2 arguments, found 3"),
        ("{{ base64 . }}", 1, "base64 takes a string, found number"),
        ("{{ base64 true }}", "a", "base64 takes a string, found boolean"),
        ("{{ len . }}", True, "len takes a string, found boolean"),
        ("{{ eq . true }}", "true", "string and boolean cannot be compared"),
        ("{{ . . }}", "a", "only a function takes arguments"),
        ("{{ and }}", "a", "at least one argument"),
    ],
)
def test_what_go_does_not_execute_is_an_error_that_says_why(template, dot, reason):
    with pytest.raises(TemplateError) as caught:
        render(template, dot)
    assert (caught.value.stage, caught.value.construct) == ("execute", "")
    assert reason in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "a",
        "'a'",
        "{a: 1}",
        "1 2",
        "NaN",
        "-Infinity",
        "+7",
        "007",
        "1.",
        ".5",
        "1E400",
        '"a\nb"',
        "[1,]",
        "True",
        "1 // a",
    ],
)
def test_what_is_no_json_is_an_error_that_hides_the_value(text):
    with pytest.raises(TemplateError, match="the result is not JSON") as caught:
        render("{{ . }}", text)
    assert (caught.value.stage, caught.value.rendered) == ("json", text)


def test_no_message_quotes_the_value():
    for template in ("{{ . }}", "{{ .field }}", '{"a": {{ . }}', "{{ eq . true }}"):
        with pytest.raises(TemplateError) as caught:
            render(template, "moss-kelp")
        assert "moss" not in caught.value.message
