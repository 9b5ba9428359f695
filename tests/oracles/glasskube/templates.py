"""Random templates: those of the subset, and others."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from typing import Any

from krm_values._go.template_parser import TemplateError
from krm_values.glasskube_values.patches import render
from tests.oracles.glasskube import values

DOTS = [
    *values.TEXTS,
    "true",
    "false",
    "0",
    "12",
    "+7",
    "007",
    "a b",
    "{{.}}",
    "x" * 300,
    "C:\\new",
    '"}',
    "[1]",
    "1.50",
    "1E400",
]
LITERALS = ['"a"', '"true"', '""', '"12"', '"\\n"', '"\\u00e9"', "`raw`", '`a"b`', '"\\x41"', '"é"', '"%q"']
OUTSIDE = [
    "index . 0", "$x := .", "$", "$.a", "lt . 1", "len 3", "1", "1.5", "'a'", "nil", "print .", 'printf "%s" .', "slice . 1 2", "html .",
    "toJson .", ". | quote", "range .", "end", "else", 'define "x"', 'block "x" .', 'template "x"', ".value", ".a.b", '(eq . "a").x',
    ". |", "| .", ". . ", "eq .", "eq", "not", "not . .", "base64 true", 'base64 "a" "b"', "break", '"a" | .', "..", "if", "else if .", "/* c",
    "- /* c */ -", ".é", "eq . 12", 'printf "%q" true', 'printf "%q"', "and", "or", "len true", '"\\xff"', '"\\q"', ". | (len)", "(",
    ")", "eq. .", "x", "é", "!", "+", "''", ". = 1", "len .value", "if (", "with $y := .", 'ge . "a"', "js .", "call .", "true.x", '"a".x',
]  # fmt: skip


@dataclass
class Templated:
    template: str
    dot: str
    subset: bool


def make(dice: random.Random) -> Templated:
    """A template and its dot, mostly a text."""
    subset = dice.random() < 0.75
    template = _whole(dice) if dice.random() < 0.85 else _nodes(dice, 0)
    if not subset:
        template = _damaged(dice, template)
    dot = json.dumps(dice.choice(DOTS)) if dice.random() < 0.85 else values.text_of(dice)
    return Templated(template, dot, subset)


def question(made: Templated) -> object:
    """For the oracle, whose value comes from an API server: `1.0` is 1 there. A float is sent as it is written, `-0.0` with its sign."""
    dot = values.read(made.dot)
    return {"text": made.template, "dot": made.dot if isinstance(dot, float) else values.written(dot)}


def judge(made: Templated, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    upstream = answer.get("value")
    theirs = (upstream["text"], upstream.get("json")) if upstream else None
    found.taken += bool(theirs and theirs[1])
    ours: Any
    try:
        rendered = render(made.template, values.read(made.dot))
        ours = rendered.text, rendered.value
    except TemplateError as error:
        ours = error
    if isinstance(ours, TemplateError):
        if ours.construct and (not made.subset or ours.construct in ("map", "list")):
            found.refused[ours.construct] += 1
        elif ours.construct or (theirs and theirs != (ours.rendered, None)):
            found.differences.append(f"{made}: upstream {answer}, ours {ours.stage} {ours} {ours.rendered!r}")
    elif not theirs or theirs[0] != ours[0] or theirs[1] is None or not values.same(ours[1], values.held(theirs[1])):
        found.differences.append(f"{made}: upstream {answer}, ours {ours}")


def _whole(dice: random.Random) -> str:
    """A template of the sort that packages have: most give JSON."""
    sort = dice.random()
    if sort < 0.3:
        return '"' + _nodes(dice, 1, plain="xy-/:. ") + '"'
    if sort < 0.5:
        return _if(
            dice,
            0,
            lambda: dice.choice(["true", '"a"', '{"b": "{{.}}"}', "[1.50]", "null", '"{{ . | base64 }}"', "{{ len . }}"]),
        )
    if sort < 0.7:
        return "{{" + _trim(dice, "-", " ") + f'printf "%q" {_argument(dice, 0)}' + _trim(dice, " ", "-") + "}}"
    if sort < 0.8:
        return '{"a": ["{{ . | base64 }}", {{ eq . ' + dice.choice(LITERALS) + " }}, {{len .}}]}"
    return dice.choice(
        ["{{.}}", "{{ . }}", '"{{.}}"', ' {"on": {{.}}}\n', '["{{.}}", 3]', '{{ with . }}"<{{ . }}>"{{ else }}0{{ end }}']
    )


def _nodes(dice: random.Random, depth: int, plain: str = 'x" 1{}[],:\n') -> str:
    return "".join(_node(dice, depth, plain) for _ in range(dice.randint(1, 4)))


def _node(dice: random.Random, depth: int, plain: str) -> str:
    roll = dice.random()
    if roll < 0.4 or depth > 3:
        return re.sub(r"\{+(?=\{|$)", "", "".join(dice.choice(plain) for _ in range(dice.randint(0, 4))))
    if roll < 0.5:
        return dice.choice(["{{/* note */}}", "{{- /* a\n}} b */ -}}", "{{ /**/ }}"[:0], "{{/* - */ -}}"])
    if roll < 0.75:
        return "{{" + _trim(dice, "-", " ") + _pipeline(dice, 0) + _trim(dice, " ", "-") + "}}"
    return _if(dice, depth, lambda: _nodes(dice, depth + 1, plain))


def _if(dice: random.Random, depth: int, body: Any) -> str:
    word = dice.choice(["if", "if", "with"])
    text = "{{" + _trim(dice, "-", " ") + word + " " + _pipeline(dice, depth) + _trim(dice, " ", "-") + "}}" + body()
    for _ in range(dice.choice([0, 0, 1, 2])):
        text += "{{else " + word + " " + _pipeline(dice, depth) + "}}" + body()
    text += ("{{" + _trim(dice, "-", " ") + "else" + _trim(dice, " ", "-") + "}}" + body()) if dice.random() < 0.7 else ""
    return text + "{{" + _trim(dice, "-", " ") + "end" + _trim(dice, " ", "-") + "}}"


def _trim(dice: random.Random, first: str, second: str) -> str:
    return dice.choice(["", "", " ", "\n", first + second])


def _pipeline(dice: random.Random, depth: int) -> str:
    text = _command(dice, depth)
    for _ in range(dice.choice([0, 0, 0, 1, 2])):
        text += dice.choice([" | ", "|"]) + _stage(dice, depth)
    return text


def _stage(dice: random.Random, depth: int) -> str:
    return dice.choice(
        ["base64", "not", "len", 'printf "%q"', f"eq {_argument(dice, depth)}", f"ne {_argument(dice, depth)}",
         f"and {_argument(dice, depth)}", f"or {_argument(dice, depth)}", "or"]
    )  # fmt: skip


def _command(dice: random.Random, depth: int) -> str:
    roll = dice.random()
    if roll < 0.4 or depth > 2:
        return _argument(dice, depth)
    a, b, c = (_argument(dice, depth + 1) for _ in range(3))
    return dice.choice(
        [
            f"eq {a} {b}",
            f"eq {a} {b} {c}",
            f"ne {a} {b}",
            f"not {a}",
            f"and {a} {b}",
            f"or {a} {b} {c}",
            f"len {a}",
            f"base64 {a}",
        ]
    )


def _argument(dice: random.Random, depth: int) -> str:
    roll = dice.random()
    if roll < 0.5:
        return "."
    if roll < 0.75 or depth > 2:
        return dice.choice(LITERALS)
    return (
        dice.choice(["true", "false"])
        if roll < 0.85
        else f"({dice.choice(['', ' '])}{_pipeline(dice, depth + 1)}{dice.choice(['', ' '])})"
    )


def _damaged(dice: random.Random, template: str) -> str:
    """With something in it that is not of the subset, or that has no meaning."""
    at = dice.randint(0, len(template))
    if dice.random() < 0.7:
        return (
            template[:at]
            + "{{"
            + dice.choice(["", " ", "- "])
            + dice.choice(OUTSIDE)
            + dice.choice(["", " ", " -"])
            + "}}"
            + template[at:]
        )
    return (
        template[:at]
        + dice.choice(["{{", "}}", "|", "(", ")", '"', "`", " - ", "-}}", "{{-", ".", "$", ""])
        + template[at + dice.randint(0, 2) :]
    )
