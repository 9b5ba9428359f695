"""Random edits of random documents against edits of plain data: `python -m tests.fuzz.edits --count N --seed S`.

Exit code 1 and the offending text on the first document that reads otherwise than meant, under YAML 1.2 or 1.1, or otherwise than an
editor that reads the whole result again would have written it.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Any

import yaml as pyyaml

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.edit.tree import Branch
from tests.fuzz.documents import document, json_document
from tests.fuzz.lines import stray
from tests.kit.manifests import MANIFESTS
from tests.kit.reference import applied, read_11, typed

STRINGS = [
    "x", "", "yes", "on", "n", "1", "1.5", "0x1F", "1e3", "null", "~", "- a", "a: b", "# c", "a #b", "it's", 'q"q', "multi\nline\n",
    "multi\nline", "multi\n\n\nx\n\n", " lead", "trail ", "\ttab", "é✓😀", "nel\x85", "ls\u2028", "[", "{a}", "a,b", "*x", "&x", "!t", "%d",
    "@a", "`", "|", ">", "? a", "-", "--- x", "=", "<<", "2001-01-01", "12:30:45", "long " * 40, "a\\nb", "\\", "\x07", "a:", ":a", "::",
    "x\n y\n", " x\ny\n", "\n", "end\n\n", "\u00a0", "0777", "1_000", "$(params.x)",
]  # fmt: skip
KNOWN = ("the line break U+", "it has no colon; write it as", "must not nest deeper", "readers of YAML take about")
"""Of what the editor refuses in texts without an anchor."""
NEW_KEYS = ["newkey", "a.b/c", "yes", "k k", "1", "it's", "<<", "a: b", "# x"]


class Whole(Editor):
    """An editor that trusts no proof: it always reads the whole result again."""

    __slots__ = ()

    def _proved(self, _root: Branch) -> str:
        return ""


def value(random: Random, depth: int = 0) -> Any:
    """A random value to write."""
    kind = random.random()
    if kind < 0.6 or depth > 2:
        return random.choice(STRINGS)
    if kind < 0.75:
        return random.choice([1, -3, True, False, None, 1.5, 0, 1e20])
    if kind < 0.88:
        return {
            key: value(random, depth + 1) for key in random.sample(["k", "a/b.c", "on", "x y", "1", "q'"], random.randint(0, 2))
        }
    return [value(random, depth + 1) for _ in range(random.randint(0, 2))]


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every path of the data, the root's included."""
    parts: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(below for part, item in parts for below in paths(item, (*path, part)))]


def at(data: Any, path: tuple[Any, ...]) -> Any:
    """The value at a path that exists."""
    for part in path:
        data = data[part]
    return data


def edit_of(random: Random, data: Any) -> tuple[Any, ...]:
    """A random edit that the data allows."""
    path = random.choice(paths(data))
    here = at(data, path)
    if isinstance(here, list) and random.random() < 0.7:
        return list_edit(random, here, path)
    if isinstance(here, dict) and (not path or random.random() < 0.5):
        key = random.choice(NEW_KEYS)
        return ("put", (*path, key), value(random), random.choice([None, None, "", *here]))
    if random.random() < 0.3:
        return ("remove", path)
    return ("put", path, value(random), None)


def list_edit(random: Random, here: list[Any], path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A random edit of a list as such."""
    verb = random.choice(["append", "insert", "move"])
    if verb == "move" and len(here) > 1:
        return ("move", (*path, random.randrange(len(here))), random.randrange(len(here)))
    if verb == "insert":
        return ("insert", (*path, random.randint(0, len(here))), value(random))
    return ("put", (*path, len(here)), value(random), None)


def make(editor: Editor, edit: tuple[Any, ...], *, flow: bool = False) -> bool:
    """Let the editor make an edit."""
    match edit:
        case ("remove", path):
            return editor.remove(path)
        case ("move", path, to):
            return editor.move(path, to)
        case ("insert", path, new):
            return editor.put(path, new, insert=True, flow=flow)
        case (_, path, new, after):
            return editor.put(path, new, after=after, flow=flow)
    raise AssertionError(edit)


def puts_back(before: Any, edit: tuple[Any, ...]) -> bool:
    """Whether an edit writes what the text says there anyway: then the text stands, whatever a YAML 1.1 reader makes of it."""
    try:
        old = at(before, edit[1])
    except (LookupError, TypeError):
        return False
    return edit[0] == "put" and bool(leaves(old) & leaves(edit[2]))


def leaves(data: Any) -> set[str]:
    """Every scalar of the data, as text."""
    return {repr(typed(here)) for here in (at(data, path) for path in paths(data)) if not isinstance(here, dict | list)}


def source(random: Random) -> tuple[str, bool]:
    """A well-formed text, and whether it is JSON."""
    while True:
        is_json = random.random() < 0.15
        text = (
            json_document(random) if is_json else random.choice(MANIFESTS).text if random.random() < 0.2 else document(random)
        )
        if readable(text, is_json=is_json):
            return text, is_json


def readable(text: str, *, is_json: bool) -> bool:
    """Whether we and a YAML 1.1 reader, or a JSON reader, can read a text."""
    try:
        data, data_11 = decode.to_data(decode.parse(text)), read_11(text, is_json=is_json)
    except (InputError, ValueError, TypeError, pyyaml.YAMLError, RecursionError):
        return False
    return shape(data) == shape(data_11)


def shape(data: Any) -> Any:
    """Keys and lengths. Those of the two readers differ where a collection has a tag, which PyYAML does not know, and in keys like `1.`."""
    if isinstance(data, dict):
        return {key: shape(item) for key, item in data.items()}
    return [shape(item) for item in data] if isinstance(data, list) else None


def check(random: Random) -> str:
    """Edit one random document a few times. "" or what is wrong; "refused" where the editor would have to guess."""
    return judged(random, *source(random))


def judged(random: Random, text: str, is_json: bool) -> str:
    """The same for a text that can be read."""
    editor, whole = Editor(text, is_json=is_json), Whole(text, is_json=is_json)
    meant, meant_11 = data_edits.copy(editor.data), read_11(text, is_json=is_json)
    before, edits = meant, []
    for _ in range(random.choice([1, 1, 1, 2, 5])):
        edit = edit_of(random, meant)
        if edit[1] and not puts_back(before, edit):
            edits.append(edit)
            flow = random.random() < 0.1
            try:
                changed = make(editor, edit, flow=flow)
                make(whole, edit, flow=flow)
            except EditError as error:
                return refusal(text, edits, error)
            meant = applied(meant, edit)
            meant_11 = applied(meant_11, edit) if changed else meant_11
    try:
        result = editor.text()
    except EditError as error:
        return refusal(text, edits, error)
    if result != whole.text():
        return f"{text}\n{edits}\n{result}\nnot as where the whole is read again:\n{whole.text()}"
    fits = typed(decode.to_data(decode.parse(result))) == typed(meant) and typed(read_11(result, is_json=is_json)) == typed(
        meant_11
    )
    if not fits:
        return f"{text}\n{edits}\n{result}"
    problem = stray(text, edits[0], result) if len(edits) == 1 else ""
    return problem and f"{text}\n{edits}\n{result}\n{problem}"


def refusal(text: str, edits: list[tuple[Any, ...]], error: EditError) -> str:
    """ "refused" where the editor says what it does not know; else what was edited and what it says."""
    is_known = "&" in text or any(part in str(error) for part in KNOWN)
    return "refused" if is_known and "report" not in str(error) else f"{text}\n{edits}\n{error}"


def main() -> int:
    """Run the bounded fuzz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    refused = 0
    for number in range(options.count):
        problem = check(Random(f"{options.seed}/{number}"))
        if problem == "refused":
            refused += 1
        elif problem:
            print(f"document {number} of seed {options.seed}:\n{problem}", file=sys.stderr)
            return 1
    print(f"{options.count} documents edited, {refused} refused because of an anchor, 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
