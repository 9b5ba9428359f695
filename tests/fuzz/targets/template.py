"""Value templates of glasskube: a template and a value as a resource holds it, with `.value` for the value and without."""

from __future__ import annotations

import re
from pathlib import Path

from krm_values._data.errors import InputError
from krm_values._go.template_parser import TemplateError, parse
from krm_values._yaml import decode
from krm_values.glasskube_values.patches import render
from tests.fuzz.target import Target, parts, require

CASES = Path(__file__).parents[2] / "conformance"
_TEMPLATE = re.compile(r"valueTemplate: *(\S.*)")
VALUES = [
    b'"x"',
    b'""',
    b"null",
    b"true",
    b"1",
    b"1.5",
    b"1e30",
    b"[1, 2]",
    b'{"value": "x"}',
    '"é\\u2028<&>"'.encode(),
    b'"\\ud83d"',
]
TOKENS = [
    *(b"{{", b"}}", b"{{-", b"-}}", b"{{ . }}", b"{{/* c */}}", b"{{ if . }}", b"{{ else }}", b"{{ else if . }}", b"{{ end }}"),
    *(
        b"{{ with . }}",
        b"| ",
        b"(",
        b")",
        b'"x"',
        b"`y`",
        b"true",
        b"eq ",
        b"ne ",
        b"not ",
        b"and ",
        b"or ",
        b"len ",
        b"base64 ",
    ),
    *(
        b'printf "%q" ',
        b".value",
        b"$x",
        b"range ",
        b"1",
        b"'a'",
        b"\\",
        b"\n",
        b'"',
        b"\0",
        b'\0"z"',
        b"\xc3\xa9",
        b" ",
        b"index ",
    ),
]


def seeds() -> list[bytes]:
    texts = {
        found[1].strip("'").encode()
        for path in CASES.glob("glasskube*.yaml")
        for found in _TEMPLATE.finditer(path.read_text("utf-8"))
    }
    shapes = [b"{{" + token + b" . }}" for token in TOKENS] + [b"{{ if eq . `x` }}a{{ else }}{{ . | base64 }}{{ end }}"]
    return [text + b"\0" + value for text in {*texts, *shapes} for value in VALUES]


def check(data: bytes) -> str:
    """A value or a TemplateError; text without an action is printed as it is; what can be parsed is told without a value."""
    text, value = (part.decode(errors="replace") for part in parts(data, 2))
    try:
        dot = decode.data(value)
    except InputError:
        dot = value
    try:
        parse(text)
        is_sound = True
    except TemplateError as error:
        require(error.stage == "parse", f"parsing fails at stage {error.stage}")
        is_sound = False
    for alias in (False, True):
        try:
            rendered = render(text, dot, alias=alias)
        except TemplateError as error:
            require((error.stage != "parse") == is_sound, "check and render differ on whether it parses")
            outcome = error.stage
        else:
            require(is_sound, "what does not parse was rendered")
            require("{{" in text or rendered.text == text, "text without an action was changed")
            outcome = "rendered"
    return outcome


TARGET = Target("template", seeds, check, TOKENS)
