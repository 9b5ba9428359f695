"""Whatever scalar is anywhere in the input of a function, a run ends with a result or with an error of the user, never with a defect of krm-values."""

from __future__ import annotations

import copy
import json
import random
from functools import cache
from pathlib import Path

import pytest
import yaml as pyyaml

from krm_values._data.errors import UserError
from krm_values._run import invoke, registry

CASES = Path(__file__).parents[1] / "functions"
EXAMPLES = Path(__file__).parents[2] / "examples"
DIGITS = "9" * 5001
TEXTS = {
    **{
        f"{start}10^5000{end}": f"{start}{DIGITS}{end}"
        for start, end in (("", ""), ("-", ""), ("1e", ""), ("1e-", ""), ("1.", ""), ("", "m"), ("1E", "Ki"))
    },
    **{
        f"quoted {start}10^5000{end}": f'"{start}{DIGITS}{end}"'
        for start, end in (
            ("", ""),
            ("1e", ""),
            ("a[", "]"),
            ("[", "]"),
            (".a[", "]"),
            (".a[?(@.b==", ")]"),
            ("$(params.a[", "])"),
            ("$(", ")$"),
            ("/a/", ""),
            ("{{ ", " }}"),
            ("{{ 1e", " }}"),
            ("a:", ""),
        )
    },
    **{f"3,000 {text}": f'"{text * 3000}"' for text in ("(", "[", "{", "{{", "$(", "a/", "a.", "..")},
    **{f"tagged {tag}": f'{tag} "{DIGITS}"' for tag in ("!!int", "!!float", "!!binary", "!!timestamp", "!!python/object:x")},
    "hexadecimal": "0x" + "f" * 5001,
    "binary": "0b" + "1" * 5001,
    "octal": "0" + "7" * 5001,
    "sixties": "1:" * 3000 + "1",
    "underscores": "1_" * 3000 + "1",
    "not a number": ".nan",
    "infinite": "-.inf",
    "too large": "1e400",
    "minus zero": "-0",
    "other digits": "²",
    "other digits, quoted": '"٣"',
    "year 99999": "99999-99-99T99:99:99Z",
    "30 February": "2024-02-30",
    "NUL": '"\\0"',
    "escapes": '"\\e]0;x\\a\\r\\u202e\\u2028"',
    "a line break": '"a\\nerror: b"',
    "no base64": '"%"',
    "base64 of no UTF-8": '"//79"',
    "a way out": '"../../x"',
    "YAML that holds itself": '"a: &a [*a]"',
    "YAML that is broken": '"- a: *x"',
    "a merge key": '{"<<": [{a: b}, 1]}',
    "a list of lists": "[[[]]]",
    "a map": "{a: {a: 1}}",
    "null": "null",
    "nothing": '""',
    "a boolean": "true",
}
PLACES = 4


@cache
def lists(function: str) -> list[dict]:
    """Yield the inputs of a function's own cases and examples."""
    found = [
        pyyaml.safe_load(path.read_text()) for path in sorted(CASES.glob(f"{function.replace('-', '_')}/cases/*/input.yaml"))
    ]
    for folder in sorted(EXAMPLES.glob(f"{function}/*")):
        texts = (path.read_text() for path in sorted(folder.rglob("*.yaml")) if path.name != "kustomization.yaml")
        items = [item for text in texts for item in pyyaml.safe_load_all(text) if isinstance(item, dict)]
        found.append({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": items})
    return [one for one in found if isinstance(one, dict) and one.get("items")]


def places(value, path=()):
    if isinstance(value, dict | list) and value:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))
    elif len(path) > 2:
        yield path


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("function", registry.functions())
def test_no_scalar_is_a_fault_of_ours(function, text):
    dice = random.Random(f"{function} {text}")
    for _ in range(PLACES):
        whole = copy.deepcopy(dice.choice(lists(function)))
        *above, last = dice.choice([path for path in places(whole) if path[0] in ("items", "functionConfig")])
        holder = whole
        for key in above:
            holder = holder[key]
        holder[last] = "HERE"
        data = json.dumps(whole, default=str).replace('"HERE"', TEXTS[text]).encode()
        try:
            source, outcome = invoke.answer(data, function)
            b"".join(
                source.write(
                    outcome.edited, outcome.removed, [added.data for added in outcome.added], invoke.entries(outcome, source)
                )
            )
        except UserError:
            continue
