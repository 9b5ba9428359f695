"""Values that want to break something: each gives the upstream result, or a finding that says what is wrong, and nothing else."""

from __future__ import annotations

import base64
import json

import pytest

from krm_values._go import regexp
from krm_values._go.template_parser import TemplateError, parse
from krm_values.glasskube_values import json_patch as apply
from krm_values.glasskube_values.patches import render
from tests.functions.glasskube_values.packages import manifest, package, target, value
from tests.functions.glasskube_values.resources import THING, config_map, thing
from tests.functions.glasskube_values.runs import found, run, told
from tests.oracles import go

LONG = 1 << 20
VALUES = {
    "a quote": '"',
    "a quote and a member": 'a", "admin": "true',
    "a backslash": "C:\\new\\table",
    "a backslash at the end": "a\\",
    "a line feed": "a\nb",
    "line ends": "a\r\nb\u2028c\u0085d",
    "control characters": "".join(map(chr, range(1, 32))) + "\x7f",
    "nul": "a\0b",
    "template syntax": '{{ . }}{{ range . }}{{ template "x" }}',
    "an action that is not closed": "{{ .",
    "a printf format": "%q %s %!d",
    "JSON": '{"a": [1, 2.50, 1e400]}',
    "YAML": "- a\n- &b [*b]\n",
    "NaN": "NaN",
    "a number beyond a float": "1e400",
    "many digits": "9" * 400,
    "a lone surrogate, escaped": "\\ud800",
    "an astral character": "😀" * 3,
    "one megabyte": "x" * LONG,
    "one megabyte of quotes": '"' * LONG,
    "one megabyte of backslashes": "\\" * LONG,
    "one megabyte of line feeds": "\n" * LONG,
    "one megabyte of astral characters": "😀" * (LONG // 4),
    "a list of 100,000 elements": "[" + "1," * 99_999 + "1]",
    "one megabyte of repeated members": "{" + ",".join(['"a":1'] * (LONG // 6)) + "}",
    "one megabyte of digits": "9" * LONG,
}
TEMPLATES = [
    "{{ . }}",
    '"{{ . }}"',
    '{{ printf "%q" . }}',
    '"{{ . | base64 }}"',
    '{"a": {{ eq . "a" }}, "n": {{ len . }}}',
    '["{{ . }}", 1]',
]


def rendered(template, text):
    """The JSON value; None where there is none."""
    error = None
    try:
        return render(template, text).value
    except TemplateError as caught:
        error = caught
    assert "\n" not in error.message
    assert len(error.message) < 200
    assert not error.construct
    return None


@pytest.mark.hosts
@pytest.mark.parametrize("name", VALUES)
def test_a_hostile_value_gives_what_upstream_gives(name):
    go.needed("glasskube")
    dot = VALUES[name]
    questions = [{"ask": "template", "template": {"text": template, "dot": json.dumps(dot)}} for template in TEMPLATES]
    for template, answer in zip(TEMPLATES, go.ask("glasskube", questions), strict=True):
        theirs = dict(answer["value"]).get("json")  # type: ignore[call-overload]
        assert rendered(template, dot) == (None if theirs is None else json.loads(theirs)), template


@pytest.mark.parametrize("name", [name for name in VALUES if name not in ("control characters", "nul")])
def test_a_hostile_value_reaches_a_field_as_it_is(name):
    text = VALUES[name]
    given = manifest(value("level", target(), target("/data/CODE", template='"{{ . | base64 }}"')))
    state = run(package(values={"level": text}), config_map(), manifests=[given])
    assert told(state) == []
    data = found(state)["data"]
    assert data["LEVEL"] == text
    assert base64.b64decode(data["CODE"]).decode() == text


@pytest.mark.parametrize("name", VALUES)
def test_a_hostile_value_in_a_template_is_written_or_told(name):
    text = VALUES[name]
    given = manifest(value("level", target("/spec/level", **THING, template='"{{.}}"')))
    items = [package(values={"level": text}), thing({"level": "old"})]
    state = run(*items, manifests=[given])
    wanted = rendered('"{{.}}"', text)
    if wanted is None:
        (message,) = told(state)
        assert 'template of "level": the result is not JSON' in message
        assert len(message) < 1500
        assert "\n" not in message
        assert found(state, "thing", "Thing")["spec"] == {"level": "old"}
    else:
        assert told(state) == []
        assert found(state, "thing", "Thing")["spec"] == {"level": wanted}


@pytest.mark.parametrize("depth", [201, 5_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_json_too_deep_is_said(depth, opening, closing):
    text = opening * depth + "1" + closing * depth
    with pytest.raises(TemplateError, match="it has more than 200 levels"):
        render("{{ . }}", text)
    given = manifest(value("level", target("/data", template="{{.}}")))
    (message,) = told(run(package(values={"level": text}), config_map(), manifests=[given]))
    assert "it has more than 200 levels" in message


def test_json_of_too_many_elements_is_said():
    text = "[" + "1," * (LONG // 2) + "1]"
    given = manifest(value("level", target("/data", template="{{.}}")))
    (message,) = told(run(package(values={"level": text}), config_map(), manifests=[given]))
    assert "it has more than 100,000 members and elements" in message


def test_commas_in_a_text_are_no_elements():
    text = "a," * (LONG // 2)
    assert render('"{{ . }}"', text).value == text


def test_json_of_200_levels_is_written():
    text = "[" * 199 + "1" + "]" * 199
    assert rendered("{{ . }}", text) == json.loads(text)


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{" * 40_000, "has no meaning in an action"),
        ("{{" + "(" * 40_000, "nested deeper than 100 levels"),
        ("{{ if . }}" * 5_000 + "{{ end }}" * 5_000, "nested deeper than 100 levels"),
        ("{{ if . }}a{{ else if . }}b" + "{{ else if . }}b" * 5_000 + "{{ end }}", "nested deeper than 100 levels"),
        ("{{/*" * 20_000, "a comment is not closed"),
        ('{{ "' + "\\" * 90_000, "a string literal is not closed"),
        ("{{ . }}" * 20_000, "more than 100,000 characters"),
        ("x" * LONG, "more than 100,000 characters"),
    ],
)
def test_a_hostile_template_is_refused_with_its_reason(template, reason):
    with pytest.raises(TemplateError) as caught:
        parse(template)
    assert reason in caught.value.message
    assert len(caught.value.message) < 200


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ ." + " | base64" * 90 + " }}", "x"),
        ("{{ ." + ' | printf "%q"' * 90 + " }}", '"'),
        ("{{ " + 'printf "%q" (' * 90 + "." + ")" * 90 + " }}", '"'),
        ('"' + "{{ . }}" * 1_000 + '"', "x" * LONG),
        ("{{ len . }}" * 9_000, "é" * LONG),
        ('{{ if eq . "x" }}{{ end }}' * 3_000, "x" * LONG),
    ],
)
def test_a_template_that_grows_without_end_is_said(template, text):
    given = manifest(value("level", target("/data", template=template)))
    (message,) = told(run(package(values={"level": text}), config_map(), manifests=[given]))
    assert "it handles more than 4,000,000 characters" in message


@pytest.mark.parametrize("repeats", [1, 10_000])
def test_a_long_template_of_known_parts_is_executed(repeats):
    assert rendered('"' + "{{ . }}" * repeats + '"', "ab") == "ab" * repeats


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        ("(a|a)*b", "a" * LONG, False),
        ("^(a+)+$", "a" * LONG + "!", False),
        ("(x+x+)+y", "x" * LONG, False),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * (LONG // 2), False),
        ("(.*)*x", "\n" * LONG, False),
        ("(x?){1000}x{1000}", "x" * 1000, True),
        ("(?i)" + "x" * 1000, "X" * 50_000, True),
        ("[a-z]{1000}", "a" * 999, False),
        ("a{1,100}" * 10 + "b", "a" * 40_000, False),
        ("(?:" * 400 + "x" + ")" * 400, "y" * LONG, False),
        ("a[ab]{8}c", "aabab" * (LONG // 5), False),
        (r"\pL{200}", "é" * 200, True),
        (r"\B(.*z)?", "aé" * 500 + "a", False),
    ],
)
def test_a_hostile_pattern_is_answered(expression, text, expected):
    assert regexp.matches(expression, text) is expected


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (r"\w{1000}" * 50, "x" * LONG),
        (".{1000}" * 20, "x" * LONG),
        ("(a|b)*a(a|b){100}c", "aabab" * (LONG // 5)),
        (r"\pL{200}", "x" * LONG),
        (r"\B(.*z)?", "aé" * 350_000),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", "a" * LONG),
    ],
)
def test_a_pattern_that_could_take_long_on_a_long_value_is_said(expression, text):
    given = manifest(value("level", target(), constraints={"pattern": expression}))
    (message,) = told(run(package(values={"level": text}), config_map(), manifests=[given]))
    assert f"it takes too many steps on a text of {len(text.encode()):,} bytes; simplify it, or shorten the value" in message


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("(" * 100_000, "more than 2,000 characters"),
        ("a" * 2_001, "more than 2,000 characters"),
        ("(((x{10}){10}){10}){10}", "invalid repetition size"),
        ("a" * 1_500 + "(", "missing )"),
        ("(?P<n>" * 3, "missing )"),
        (r"\pX" * 100, "invalid character class range"),
        (r"\pL{1000}", "pattern too large"),
        (r"\pL{1000}" * 3, "pattern too large"),
    ],
)
def test_a_pattern_that_asks_too_much_is_said(expression, reason):
    given = manifest(value("level", target(), constraints={"pattern": expression}))
    (message,) = told(run(package(values={"level": "a"}), config_map(), manifests=[given]))
    assert reason in message
    assert "level" in message


def test_a_long_value_that_is_refused_is_not_repeated_in_full():
    given = manifest(value("level", target(), constraints={"maxLength": 3}))
    (message,) = told(run(package(values={"level": "x" * LONG}), config_map(), manifests=[given]))
    assert "violates maxLength 3: it has 1048576 bytes" in message
    assert len(message) < 1500


@pytest.mark.parametrize("path", ["/a" * 100_000, "/" * 100_000, "/0" * 100_000])
def test_a_path_too_deep_is_said(path):
    with pytest.raises(apply.PatchError, match="more than 200 segments"):
        apply.apply({"a": {}}, "add", path, 1, create_parents=True)
