"""The JSON Schema of `spec.values` and the function's own check agree on random literals."""

from __future__ import annotations

import json
import random
import re

import pytest
from jsonschema import Draft202012Validator, ValidationError, validators

from krm_values._go import regexp as patterns
from krm_values.glasskube_values import manifest as manifests
from krm_values.glasskube_values.schema import of_values, range_pattern
from tests.cli.packages import command

LITERALS = 500
KEYWORDS = {"type", "enum", "pattern", "minLength", "maxLength", "allOf", "not", "if", "then", "$comment"}
PATTERNS = [
    None, None, "^a", "a$", r"^\d+$", r"^[\w.-]+$", r"^$|^q", "^.{1,3}$", "(a|b)c?", r"[^\s]", r"\A1\z", "é+", r"^[^a-f]*$", r"\.", "a{,2}", r"[]a]",
    "(?P<n>a)b*", r"\x41|\x{e9}", "(?i)a", r"\pL", "[[:alpha:]]", r"\bq", "(?s)a.b", "(", r"^[+-]?[0-9]{1,3}$", r"\Qa.b\E", r"[\-&~|]", r"^\S+$",
]  # fmt: skip
TEXTS = [
    "", "a", "b", "ab", "abc", "q", "qq", "é", "éé", "日本", "😀", "a\n", "\n", "a\nb", "A", "1", "1\n", "12", "007", "+7", "-0", "-1", "-12", "99", "100", "101",
    "1.0", " 1", "1e3", "٣", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "true", "True", "TRUE", "t", "0", "f", "yes", "a.b", "a-b", "-",
    "&", "]", "x" * 20, "\u2028", "a{,2}", "s3", "S3",
]  # fmt: skip
NUMBERS = [text for text in TEXTS if re.fullmatch("[+-]?[0-9]+", text)]
BOOLEANS = ["1", "t", "T", "TRUE", "true", "True", "0", "f", "F", "FALSE", "false", "False", "tRUE"]
LIMITS = [None, None, 0, 1, 2, 3, 9, 10, 12, 99, 100, -1, -12]


def definition_of(dice):
    """A random definition, in words of the manifest."""
    limits = {
        "min": dice.choice([*LIMITS, -(1 << 63)]),
        "max": dice.choice([*LIMITS, (1 << 63) - 1]),
        "minLength": dice.choice(LIMITS),
        "maxLength": dice.choice(LIMITS),
        "pattern": dice.choice(PATTERNS),
    }
    return {
        "type": dice.choice(["text", "number", "options", "boolean", "text", "number"]),
        "options": dice.sample(TEXTS, dice.choice([0, 3, 9])),
        "constraints": {name: limit for name, limit in limits.items() if limit is not None and dice.random() < 0.5},
        "targets": [],
    }


def fits(text, form):
    """Whether a literal fits, by the keywords that the schema uses; another keyword is an error of this test."""
    inner = [form[keyword] for keyword in ("not", "if", "then") if keyword in form]
    assert all(one.keys() <= KEYWORDS for one in (form, *inner, *form.get("allOf", ())))
    return ECMASCRIPT(form).is_valid(text)


def pattern_of(_validator, pattern, text, _form):
    """`pattern` as ECMAScript reads it: `$` is the very end."""
    if not re.search(re.sub(r"(?<!\\)\$", r"\\Z", pattern), text, re.ASCII):
        yield ValidationError("does not match")


ECMASCRIPT = validators.extend(Draft202012Validator, {"pattern": pattern_of})


def test_schema_and_function_agree_on_500_random_literals():
    dice = random.Random(500)
    compared = taken = looser = 0
    while compared < LITERALS:
        given = definition_of(dice)
        read, _ = manifests.read({"name": "lumen", "valueDefinitions": {"level": given}})
        assert read
        form = of_values(read)["properties"]["level"]["properties"]["value"]
        near = {"number": NUMBERS, "boolean": BOOLEANS, "options": read.definitions["level"].options}.get(given["type"], ())
        for text in (dice.choice(near or TEXTS), *dice.sample(TEXTS, 2)):
            accepted = not read.definitions["level"].violations(text)
            if accepted:
                assert fits(text, form), (given, text, form)
            elif fits(text, form):
                assert form.get("$comment", "").startswith("looser: "), (given, text, form)
                looser += 1
            compared += 1
            taken += accepted
    assert taken > LITERALS / 5
    assert looser < LITERALS / 8


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"type": "text", "constraints": {"maxLength": 3}}, "éé"),
        ({"type": "text", "constraints": {"minLength": 4}}, "é"),
        ({"type": "number", "constraints": {"min": 0}}, "9223372036854775808"),
        ({"type": "text", "constraints": {"pattern": "(?i)a"}}, "b"),
    ],
)
def test_where_the_schema_is_looser_its_comment_says_so(given, text):
    read, _ = manifests.read({"name": "lumen", "valueDefinitions": {"level": {**given, "targets": []}}})
    form = of_values(read)["properties"]["level"]["properties"]["value"]
    assert read.definitions["level"].violations(text)
    assert fits(text, form)
    assert form["$comment"].startswith("looser: ")


@pytest.mark.parametrize("seed", range(40))
def test_a_range_is_exactly_its_pattern(seed):
    dice = random.Random(seed)
    bounds = [None, 0, 1, -1, 9, 10, 99, 100, dice.randint(-2000, 2000), dice.randint(-40, 40), dice.randint(0, 10**6)]
    least, most = dice.choice(bounds), dice.choice(bounds)
    form = range_pattern(least, most)
    near = [number + step for number in (least, most, 0, 10, 100, 1000) if number is not None for step in (-11, -1, 0, 1, 11)]
    for number in [*near, *(dice.randint(-3000, 3000) for _ in range(200)), 10**9, -(10**9)]:
        is_inside = (least is None or least <= number) and (most is None or number <= most)
        for text in {str(number), f"{number:+}", f"{number:+06}", f"{number:06}", f"-{number}" if number == 0 else str(number)}:
            assert (form is not None and re.search(form, text) is not None) is is_inside, (least, most, text)
    for text in ("", "+", "-", " 1", "1 ", "1\n", "1.0", "--1", "1_0", "٣"):
        assert form is None or not re.search(form, text)


COMMON = [
    "^a", "a$", r"^\d+$", r"^[\w.-]+$", r"^$|^q", "(a|b)c?", "^[^a-f]*$", r"\.", r"^[+-]?[0-9]{1,3}$", "(?:ab)+?", "a{0}b", "a{2,}", r"[\d-]",
]  # fmt: skip
NOT_COMMON = [
    "^.{1,3}$", r"[^\s]", r"\A1\z", "é+", "a{,2}", r"[]a]", "(?P<n>a)b*", r"\x41|\x{e9}", "(?i)a", r"\pL", "[[:alpha:]]", r"\bq", "(?s)a.b", r"\Qa.b\E",
    r"[\-&~|]", r"^\S+$", "a{01}", "a{1,02}", r"[\w-z]", "^*a", r"\-", "]", "}", "[--/]", "[a-c-e]",
]  # fmt: skip


@pytest.mark.parametrize("pattern", [*COMMON, *NOT_COMMON])
def test_the_form_has_only_patterns_that_ecmascript_reads_as_go_does(pattern):
    data = {"name": "n", "valueDefinitions": {"host": {"type": "text", "targets": [], "constraints": {"pattern": pattern}}}}
    read, _ = manifests.read(data)
    form = of_values(read)["properties"]["host"]["properties"]["value"]
    left_out = {"type": "string", "$comment": f"looser: the pattern {pattern} is not common to RE2 and ECMAScript"}
    assert form == ({"type": "string", "pattern": pattern} if pattern in COMMON else left_out)
    for text in [*TEXTS, "z", "d", "e", " "] if pattern in COMMON else ():
        assert fits(text, form) is patterns.matches(pattern, text), text


MANIFEST = """\
name: lumen
valueDefinitions:
  level:
    type: number
    metadata: {label: Level, description: How high}
    defaultValue: 5
    constraints: {required: true, min: 1, max: 64}
    targets: []
"""


def test_the_command_prints_the_schema_of_spec_values(tmp_path):
    (tmp_path / "package.yaml").write_text(MANIFEST)
    answer = command("schema", "glasskube-values", "--manifest", "package.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")
    found = json.loads(answer.stdout)
    assert (found["type"], found["required"], found["additionalProperties"]) == ("object", ["level"], False)
    level = found["properties"]["level"]
    assert (level["title"], level["description"], level["default"]) == ("Level", "How high", {"value": "5"})
    assert [text for text in ("0", "1", "+064", "65", "x") if fits(text, level["properties"]["value"])] == ["1", "+064"]


def test_without_a_manifest_the_schema_is_the_config_s():
    assert json.loads(command("schema", "glasskube-values").stdout)["title"] == "GlasskubeValues"


@pytest.mark.parametrize(
    "text",
    [
        "valueDefinitions: {}\n",
        "name: lumen\nvalueDefinitions: {level: {type: words, targets: []}}\n",
        "words\n",
        "a: [\n",
        "",
        "{apiVersion: v1, kind: ConfigMap}\n",
    ],
)
def test_what_is_no_manifest_is_said(tmp_path, text):
    (tmp_path / "package.yaml").write_text(text)
    answer = command("schema", "glasskube-values", "--manifest", "package.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert re.fullmatch(r"error: package\.yaml:[^\n{}]+\n", answer.stderr)


def test_a_directory_is_no_manifest(tmp_path):
    answer = command("schema", "glasskube-values", "--manifest", ".", cwd=tmp_path)
    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr == "error: .: is a directory: name the file of one PackageManifest\n"


def test_a_package_manifest_with_an_unknown_field_has_a_schema(tmp_path):
    text = "{apiVersion: krm-values.dev/v1alpha1, kind: PackageManifest, metadata: {name: a}, spec: {colour: red, manifest: {name: lumen}}}\n"
    (tmp_path / "a.yaml").write_text(text)
    answer = command("schema", "glasskube-values", "--manifest", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_reference_needs_the_texts_that_the_function_needs():
    read, _ = manifests.read({"name": "lumen"})
    assert read
    form = of_values(read)["$defs"]["valueFrom"]
    wanted = {"configMapRef": ["name", "key"], "secretRef": ["name", "key"], "packageRef": ["name", "value"]}
    assert {kind: one["required"] for kind, one in form["properties"].items()} == wanted
    for kind, keys in wanted.items():
        texts = form["properties"][kind]["properties"]
        assert all(fits("a", texts[key]) and not fits("", texts[key]) for key in keys)
    assert form["$comment"].startswith("looser: ")


def test_an_option_that_is_listed_twice_is_one_choice():
    given = {"type": "options", "options": ["a", "b", "a"], "targets": []}
    read, _ = manifests.read({"name": "lumen", "valueDefinitions": {"level": given}})
    assert read
    assert of_values(read)["properties"]["level"]["properties"]["value"]["enum"] == ["a", "b"]


@pytest.mark.parametrize("hints", [["use a name", "not an address"], "use a name"])
def test_label_description_and_hints_are_kept(hints):
    listed = hints if isinstance(hints, list) else [hints]
    about = {"label": "Host", "description": "where it is", "hints": hints}
    read, _ = manifests.read({"name": "n", "valueDefinitions": {"host": {"type": "text", "targets": [], "metadata": about}}})
    entry = of_values(read)["properties"]["host"]
    assert (entry["title"], entry["description"], entry["x-hints"]) == ("Host", "where it is", listed)
