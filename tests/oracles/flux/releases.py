"""Random HelmReleases within the schema: entries of every sort, values of every syntax, texts that clash and are odd now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from krm_values._run.objects import encode

NAMESPACE = "t"
KEYS = ["a", "b", "c", "d"]
YAML_KEYS = [*KEYS, *KEYS, "on", "y", "1", "x.y", "'quoted key'", '""', "q"]
_WORDS = (
    "1 0 -0 3.0 1.10 1e3 1E400 0x1F 0o17 0644 08 1_000 .5 +.5 9007199254740993 1e21 1e-7 -1.5e300 true false yes No y n null ~ Null text "
    "2024-02-29 12:30:45 = 'y' '08' '' '1e3' 18446744073709551615 99999999999999999999"
)
SCALARS = [*_WORDS.split(), "' outer '", "'# no'", '"two\\nlines\\n"', '"\\U0001F600"', "!!str 5"]
COLLIDING = "1: a\n'1': b\n"
ODD = [
    *(
        "",
        "null\n",
        "# nothing\n",
        "{}\n",
        "a: {}\nb: {}\n",
        "a: null\n",
        "a: 1\na: 2\n",
        '{"a": {"b": [1, 2.50]}}\n',
        "a: !!binary aGk=\n",
    ),
    *(
        "- 1\n",
        "text\n",
        "a: [1\n",
        "a: .nan\n",
        "~: 1\n",
        "? [x]\n: 1\n",
        "%YAML 1.2\n---\na: 1\n",
        'a: "x\\/y"\n',
        COLLIDING,
        "\ta: 1\n",
    ),
    *("a: 1\n---\nb: [\n", "a: &x {b: 1}\nc: {<<: *x, d: 2}\n", "a: |\n  two\n  lines\nb: >-\n  folded\n  text\n"),
]
WORDS = [
    *(
        "true",
        "FALSE",
        "Null",
        "nULL",
        "fal\u017fe",
        "0",
        "00",
        "007",
        "42",
        "-3",
        "+1",
        "-0",
        "+007",
        "1.5",
        "0x10",
        " 5",
        "8080\n",
        "1e3",
    ),
    *("9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
    *(
        "",
        "'",
        '"',
        "''",
        '"42"',
        "'a,b=1'",
        "\"'x'\"",
        "x",
        "text",
        "C:\\dir",
        "a\\,b",
        "x=y",
        "\\{p",
        "p}",
        "two\nlines",
        "\U0001f600",
        "y",
        "~",
    ),
    *("{}", "{a,1,true,null}", "{a,{b}}", "{a\\,b,c\\}d}", '"{p}"', "{a}x", "{a},b=2", "{,}", "{007, 1}"),
    *(
        "x,b=2",
        "x,c.d=true",
        "1,a[0]=5",
        "x,",
        "x,d={1,2}",
        "x,b[1].c=z",
        "x,b[0]",
        "x,b[0",
        "x,q",
        "x\\",
        "x,.b=1",
        "x,a.=1",
        "x,b[0]=",
    ),
]
BROKEN_WORDS = ["k1:9092,k2:9092", "{a,b", "{", "x,b[z]=1", "x,b[0]y=1", "x,,b=1", "x,b[-1]=2", "{a,b\\}"]
STEPS = ["", ".a", ".b", ".c", ".d", ".q", ".c.d", "\\.x", "/y", "[0]", "[1]", "[2]", "[0].a", "[1][0]", "[0][1].b", ".b[0]"]
ODD_PATHS = [
    *(".a", "[0]", "[0].a", "a..b", "a.", "a.b.", "..", "a\\", "a[1].", "a[0]b", "\\[0]", "a\\\\b", "a[00001]", "-", "_/.x"),
    *("a[65536]", "a[65537]", "b[0][70000]", "a[70000].b"),
    *(".".join(key * 31) for key in "ab"),
    *(".".join(key * 32) for key in "abcd"),
]


@dataclass
class Release:
    """One release, the objects that it may name, and its entries as they stand in it."""

    items: list[dict[str, Any]]
    refs: list[dict[str, Any]] = field(default_factory=list)
    inline: dict[str, Any] | None = None

    @property
    def collides(self) -> bool:
        """Whether a text has two keys that become one, of which Go takes either."""
        held = [text for item in self.items[1:] for field in ("data", "stringData") for text in item.get(field, {}).values()]
        return any(text in (COLLIDING, encode(COLLIDING)) for text in held)


def make(dice: random.Random) -> Release:
    """One release in a list of its own."""
    objects: dict[tuple[str, str], dict[str, Any]] = {}
    refs = [_entry(dice, objects) for _ in range(dice.choice((0, 1, 2, 2, 3, 3, 4, 5)))]
    inline = _inline(dice) if dice.random() < 0.75 else None
    spec: dict[str, Any] = {"interval": "10m", "valuesFrom": refs}
    if inline is not None:
        spec["values"] = inline
    release = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "r", "namespace": NAMESPACE},
        "spec": spec,
    }
    return Release([release, *objects.values()], refs, inline)


def _entry(dice: random.Random, objects: dict[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    kind, name = dice.choice(["ConfigMap", "Secret"]), f"o{dice.randint(1, 3)}"
    ref: dict[str, Any] = {"kind": kind, "name": name}
    if dice.random() < 0.2:
        ref["optional"] = dice.random() < 0.8
    if dice.random() < 0.04:
        return {**ref, "name": "gone"}
    held = objects.setdefault((kind, name), _object(kind, name))
    if dice.random() < 0.025:
        return {**ref, "valuesKey": "no.such_key"}
    if dice.random() < 0.5:
        if dice.random() < 0.15:
            ref["literal"] = True
        key = dice.choice(["values.yaml", "other", "k-1"])
        _put(held, key, text(dice), dice)
        return ref if key == "values.yaml" else {**ref, "valuesKey": key}
    key = f"v{dice.randint(1, 4)}"
    _put(held, key, dice.choice(BROKEN_WORDS) if dice.random() < 0.06 else dice.choice(WORDS), dice)
    ref |= {"valuesKey": key, "targetPath": _path(dice)}
    return {**ref, "literal": True} if dice.random() < 0.12 else ref


def text(dice: random.Random) -> str:
    """The YAML text of one entry."""
    if dice.random() < 0.07:
        return dice.choice(ODD)
    keys = dice.sample(YAML_KEYS, dice.randint(1, 4))
    return "".join(f"{key}: {_flow(dice, 0)}\n" for key in dict.fromkeys(keys))


def _flow(dice: random.Random, depth: int) -> str:
    roll = dice.random()
    if depth < 3 and roll < 0.5:
        keys = dict.fromkeys(dice.sample(YAML_KEYS, dice.randint(0, 3)))
        return "{" + ", ".join(f"{key}: {_flow(dice, depth + 1)}" for key in keys) + "}"
    if depth < 3 and roll < 0.65:
        return "[" + ", ".join(_flow(dice, depth + 1) for _ in range(dice.randint(0, 3))) + "]"
    return dice.choice(SCALARS)


def _inline(dice: random.Random) -> dict[str, Any]:
    return {key: _value(dice, 0) for key in dice.sample(KEYS, dice.randint(0, 3))}


def _value(dice: random.Random, depth: int) -> Any:
    roll = dice.random()
    if depth < 3 and roll < 0.55:
        return {key: _value(dice, depth + 1) for key in dice.sample(KEYS, dice.randint(0, 3))}
    if depth < 3 and roll < 0.75:
        return [_value(dice, depth + 1) for _ in range(dice.randint(0, 3))]
    return dice.choice(
        [None, True, False, 0, 1, -7, 1.5, 1e21, 1e-7, 9007199254740993, 2**64, "", "text", "y", "08", "two\nlines\n", " x "]
    )


def _path(dice: random.Random) -> str:
    if dice.random() < 0.06:
        return dice.choice(ODD_PATHS)
    return dice.choice(KEYS) + "".join(dice.choice(STEPS) for _ in range(dice.choice((0, 1, 1, 2))))


def _object(kind: str, name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": NAMESPACE}}


def _put(held: dict[str, Any], key: str, value: str, dice: random.Random) -> None:
    if held["kind"] == "Secret" and dice.random() < 0.5:
        held.setdefault("data", {})[key] = encode(value)
    else:
        held.setdefault("stringData" if held["kind"] == "Secret" else "data", {})[key] = value
