"""Random package.yaml files: plain scalars where texts, whole numbers and booleans are wanted."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from krm_values._data.errors import InputError
from krm_values._go import yaml as goyaml
from krm_values.glasskube_values import manifest
from tests.oracles.glasskube.differences import MISSHAPEN

SCALARS = [
    "true",
    "false",
    "yes",
    "No",
    "off",
    "y",
    "5",
    "0",
    "-3",
    "007",
    "0x1F",
    "1_000",
    "1.10",
    "1.5",
    ".5",
    "1e-7",
    "1.25e-5",
    "0.1",
    "5.0",
    "'5'",
    "'true'",
    '""',
    "text",
    "~",
    "null",
    "2024-01-01",
    "'1.10'",
]
WHOLE = ["0", "1", "5", "-3", "0x10", "1.0", "1.5", "'3'", "true", "~", "9223372036854775808"]


@dataclass
class Text:
    text: str


def make(dice: random.Random) -> Text:
    """One manifest; its definitions are well-shaped but for scalars."""
    lines = ["name: lumen", "defaultNamespace: aviary", "valueDefinitions:"]
    for name in dice.sample(["level", "tone", "on", "5"], dice.randint(1, 2)):
        lines += [f"  '{name}':", f"    type: {dice.choice(['text', 'number', 'options', 'boolean'])}"]
        if dice.random() < 0.7:
            lines.append(
                f"    {dice.choice(['defaultValue', 'defaultValue', 'DefaultValue', 'defaultvalue'])}: {dice.choice(SCALARS)}"
            )
        if dice.random() < 0.4:
            lines.append(f"    options: [{', '.join(dice.choice(SCALARS) for _ in range(dice.randint(0, 3)))}]")
        if dice.random() < 0.5:
            lines.append("    constraints:")
            lines += [
                f"      {limit}: {_limit(dice)}"
                for limit in dice.sample(["min", "max", "minLength", "maxLength"], dice.randint(1, 2))
            ]
            lines += [f"      pattern: {dice.choice(SCALARS)}"] * (dice.random() < 0.3)
        lines += [
            "    targets:",
            "    - chartName: lumen",
            "      patch:",
            "        op: add",
            f"        path: {dice.choice(SCALARS[5:22])}",
        ]
        lines += [f"      valueTemplate: {dice.choice(SCALARS)}"] * (dice.random() < 0.4)
    return Text("\n".join(lines) + "\n")


def _limit(dice: random.Random) -> str:
    return dice.choice(WHOLE) if dice.random() < 0.3 else str(dice.randint(0, 9))


def question(made: Text) -> object:
    """For the oracle."""
    return made.text


def judge(made: Text, answer: dict[str, Any], found: Any) -> None:
    """Count, and tell a difference."""
    theirs = answer.get("value")
    found.taken += theirs is not None
    ours, has_no_effect = _ours(made.text)
    if theirs is None and ours is not None and has_no_effect:
        found.named[MISSHAPEN] += 1
    elif ours != (None if theirs is None else _plain(theirs)):
        found.differences.append(f"{made.text}\nupstream {answer}\nours {ours}")


def _ours(text: str) -> tuple[Any, bool]:
    """What we read, and whether a constraint that does not apply was left out of it."""
    try:
        read, faults = manifest.read(goyaml.read(text, floats=False).data)
    except InputError:
        return None, False
    if read is None:
        return None, False
    found = {
        name: [
            one.type,
            one.default,
            list(one.options),
            {key: value for key, value in one.constraints.items() if value is not None},
            [[target.chart, target.op, target.pointer, target.template] for target in one.targets],
        ]
        for name, one in read.definitions.items()
    }
    return found, any(fault.kind == "no-effect" for fault in faults)


def _plain(theirs: dict[str, Any]) -> Any:
    return {
        name: [
            one["type"],
            one["defaultValue"],
            one["options"] or [],
            {key: value for key, value in one["constraints"].items() if value is not None and value is not False},
            [
                [target["chartName"], target["patch"]["op"], target["patch"]["path"], target["valueTemplate"]]
                for target in one["targets"]
            ],
        ]
        for name, one in theirs["valueDefinitions"].items()
    }
