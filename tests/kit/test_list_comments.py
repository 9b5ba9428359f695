"""A list that is replaced: an element that stays or moves keeps its comments, one that goes takes its own along."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor

NAMES = "abcdefgh"
Element = dict[str, Any] | str


def scalar(name: str) -> Element:
    return name


def named(name: str) -> Element:
    return {"name": name, "value": 1}


def keyed(name: str) -> Element:
    return {"operator": "Exists", "key": name}


def nested(name: str) -> Element:
    return {"name": name, "list": [f"{name}1", {"k": f"{name}2"}]}


def block(random: Random, elements: dict[str, Element]) -> str:
    """A block list whose elements have comments above, at the end of their first line, and inside."""
    lines = []
    for name, element in elements.items():
        lines += [f"  # {name} above"] * random.randrange(2)
        first, *rest = _lines(element)
        lines.append(f"  - {first}" + f" # {name} beside" * random.randrange(2))
        for line in rest:
            lines += [f"    # {name} inside"] * (random.random() < 0.3)
            lines.append(f"    {line}")
    return "l:\n" + "\n".join(lines) + "\nz: 1 # z\n"


def _lines(element: Element) -> list[str]:
    if isinstance(element, str):
        return [element]
    lines = []
    for key, value in element.items():
        below = (
            [f"- {{k: {one['k']}}}" if isinstance(one, dict) else f"- {one}" for one in value]
            if isinstance(value, list)
            else []
        )
        lines += [f"{key}:", *below] if below else [f"{key}: {value}"]
    return lines


def flow(random: Random, elements: dict[str, Element]) -> str:
    """A flow list over several lines."""
    lines = []
    for name, element in elements.items():
        shown = (
            element if isinstance(element, str) else "{" + ", ".join(f"{key}: {value}" for key, value in element.items()) + "}"
        )
        lines.append(f"  {shown},".replace("'", "") + f" # {name} beside" * random.randrange(2))
    return "l: [\n" + "\n".join(lines) + "\n]\nz: 1 # z\n"


def replaced(random: Random, make: Callable[[str], Element], had: list[str]) -> dict[str, Element]:
    """Some of the elements and some new ones in another order; a map that stays may have another value."""
    names = random.sample(NAMES, random.randrange(1, 6))
    elements = {name: make(name) for name in names}
    for name in set(names) & set(had):
        element = elements[name]
        if isinstance(element, dict) and "value" in element and random.random() < 0.3:
            element["value"] = 2
    return elements


def comments(text: str) -> list[tuple[str, str]]:
    """Each comment with the name of the element that it stands above, beside or inside, by the first line of the element."""
    found: list[tuple[str, str]] = []
    waiting: list[str] = []
    owner = ""
    for line in text.splitlines():
        bare, _, comment = line.partition("# ")
        if bare.strip(" []"):
            begins = bare.startswith("  - ") or (not bare.startswith("   ") and bare.endswith((", ", ",")))
            owner = _name(bare) if begins else "" if not bare.startswith(" ") else owner
            found += [(one, owner) for one in waiting]
            waiting = []
        if comment and (bare.strip(" []") or bare.startswith("    ")):
            found.append((comment, owner))
        elif comment:
            waiting.append(comment)
    return [*found, *((one, "") for one in waiting)]


def _name(line: str) -> str:
    """The name of the element that begins on a line, "" if it says it later."""
    return next((word for word in line.replace(",", " ").replace("{", " ").replace("}", " ").split() if word in NAMES), "?")


@pytest.mark.parametrize("write", [block, flow])
@pytest.mark.parametrize("make", [scalar, named, keyed, nested])
def test_comments_go_with_their_element(make, write):
    """A `key` on the second line is found by the comment's own name, so those lists are judged by what is left of each."""
    for seed in range(300):
        random = Random(f"{make.__name__}{write.__name__}{seed}")
        had = random.sample(NAMES, random.randrange(1, 6))
        text = write(random, {name: make(name) for name in had})
        elements = replaced(random, make, had)
        editor = Editor(text)
        editor.put(("l",), [*elements.values()])
        left = editor.text()
        assert decode.data(left) == {"l": [*elements.values()], "z": 1}
        before = [comment for comment, _ in comments(text) if comment == "z" or comment[0] in elements]
        after = comments(left)
        assert sorted(comment for comment, _ in after) == sorted(before), f"{text}\n{left}"
        for comment, owner in after:
            assert owner in ("?", comment[0] if comment != "z" else ""), f"{comment} at {owner}\n{text}\n{left}"
