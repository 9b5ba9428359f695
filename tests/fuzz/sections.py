"""Texts of which the editor reads only edited sections again, against the whole: `python -m tests.fuzz.sections --count N --seed S`.

Counted are edited texts that the proof of `_yaml.edit.sections` lets through. Each is parsed as a whole and must have the data before
with the edits applied, be written as where no section is cut out, and keep comments and other lines. Exit code 1 and the text on the first that does not.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from concurrent.futures import ProcessPoolExecutor
from random import Random
from typing import Any

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.nodes import Node
from tests.fuzz import edits
from tests.fuzz.documents import document
from tests.fuzz.lines import stray
from tests.kit.manifests import MANIFESTS
from tests.kit.reference import applied

CHUNK, EACH = 10_000, 20
STRAY = 0.2  # the share of edits of which each line is judged


class Proving(Editor):
    """An editor that says what is proved."""

    __slots__ = ()

    def proved(self) -> tuple[str, str]:
        """Return the text that is proved, or "", and what all of it is when it is rendered as a whole."""
        text = self._proved(self._root) if self._root else ""
        return text, self._render(self._root, literal=True) if text and self._root else ""


def edited(random: Random, text: str, node: Node, before: Any) -> str | None:
    """Edit a text once or twice. Return "" if a proof let the result through and it is right, what is wrong with it, None without a proof."""
    editor, meant, made = Proving(text, nodes=lambda _: node), before, []
    try:
        for _ in range(random.choice([1, 1, 1, 2])):
            edit = edits.edit_of(random, meant)
            if len(edit[1]) < 1 + (edit[0] != "put"):
                return None
            made.append(edit)
            edits.make(editor, edit, flow=random.random() < 0.1)
            meant = applied(meant, edit)
        result, whole = editor.proved()
    except EditError:
        return None
    if not result:
        return None
    problem = _wrong(meant, result, whole)
    if not problem and len(made) == 1 and random.random() < STRAY:
        problem = stray(text, made[0], result)
    return problem and f"{text}\n{made}\n{result}\n{problem}"


def _wrong(meant: Any, result: str, whole: str) -> str:
    try:
        found = decode.data(result)
    except InputError as error:
        return f"is not YAML: {error}"
    if not data_edits.same(found, meant):
        return "reads otherwise than meant"
    return "" if result == whole else f"is rendered otherwise as a whole:\n{whole}"


def source(random: Random) -> tuple[str, Node, Any]:
    """A text that can be read, with its nodes and data."""
    while True:
        text = random.choice(MANIFESTS).text if random.random() < 0.1 else document(random)
        try:
            node = decode.parse(text)
            return text, node, decode.to_data(node)
        except InputError:
            continue


def chunk(name: str, count: int) -> tuple[str, int]:
    """Check edited texts until that many were proved. Return the first problem or "", and how many were not proved."""
    others = 0
    for number in itertools.count():
        random = Random(f"{name}/{number}")
        text, node, before = source(random)
        for _ in range(EACH):
            problem = edited(random, text, node, before)
            if problem:
                return f"document {number} of {name}:\n{problem}", others
            others += problem is None
            count -= problem is not None
            if not count:
                return "", others
    raise AssertionError


def main() -> int:
    """Run the bounded fuzz."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    sizes = [min(CHUNK, options.count - start) for start in range(0, options.count, CHUNK)]
    names = [f"{options.seed}/{number}" for number in range(len(sizes))]
    done, others = 0, 0
    with ProcessPoolExecutor(options.processes) as pool:
        for size, (problem, unproved) in zip(sizes, pool.map(chunk, names, sizes), strict=True):
            done, others = done + size, others + unproved
            if problem:
                print(problem, file=sys.stderr)
                return 1
            if done % (10 * CHUNK) == 0:
                print(f"seed {options.seed}: {done} so far", flush=True)
    print(f"seed {options.seed}: {done} edited texts of which only sections were read again, 0 wrong; {others} read as a whole")
    return 0


if __name__ == "__main__":
    sys.exit(main())
