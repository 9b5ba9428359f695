"""Random edits of random documents with anchors, aliases and merge keys: `python -m tests.fuzz.anchors --count N --seed S`.

Each edit must reach its place alone: no other line changes, each reader has the intended data, and the same edit again changes nothing.
Exit code 1 and the text of the first document where that is not so.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random
from typing import Any

import yaml as pyyaml

from krm_values._data import data_edits
from krm_values._data.errors import EditError, InputError
from krm_values._data.pointer import get
from krm_values._go import yaml as goyaml
from krm_values._yaml import decode
from krm_values._yaml.edit.editor import Editor
from krm_values._yaml.nodes import walk
from tests.fuzz.edits import at, make, paths
from tests.kit.reference import applied, read_11, typed

KEYS = ["cpu", "mem", "env", "name", "image", "port", "web", "api", "db", "res"]
NAMES = ["a", "b", "c", "web", "res"]
SCALARS = ["1", "2", "x", "web:1.2", "'q u'", '"d"', "0644", "1.10", "true", "two words", "''", "~"]
NEW = ["5", "new", 7, True, None, "0644", "a, b", "on", ["x"], {"k": "v"}, "multi\nline\n"]


REFUSED = "refused: "
NO_PLACE = "has comments, which a place inside `{}` or `[]` cannot hold"
"""Nothing else is refused."""


class Writer:
    """Writes one document. `known` are the anchors that an alias may name here, with the kind of their value."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.known: dict[str, str] = {}
        self.step, self.wide = random.choice([2, 2, 4]), random.choice([0, 2])
        self.comments, self.blanks = random.choice([0.0, 0.3]), random.choice([0.0, 0.15])
        self.size = random.choice([2, 3, 4])

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def document(self) -> str:
        return "".join(f"{line}\n" for line in self.block_map(0, 0))

    def behind(self) -> str:
        return (
            f"{self.random.choice([' ', '  '])}# {self.random.choice(['why', 'kpt-set: ${x}', 'it is &not *an anchor'])}"
            if self.chance(self.comments)
            else ""
        )

    def above(self, column: int) -> list[str]:
        lines = [""] if self.chance(self.blanks) else []
        return [*lines, " " * column + "# above"] if self.chance(self.comments / 2) else lines

    def block_map(self, column: int, depth: int) -> list[str]:
        lines: list[str] = []
        keys = self.random.sample(KEYS, self.random.randint(2, 5) if not depth else self.random.randint(1, self.size))
        merge = self.merged()
        place = self.random.choice([0, 0, 0, len(keys)])
        for number, key in enumerate(keys):
            if merge and number == place:
                lines.append(f"{' ' * column}{merge}{self.behind()}")
                merge = ""
            tag = "!!str " if self.chance(0.05) else ""
            lines += self.above(column) + self.entry(column, f"{' ' * column}{tag}{key}:", depth, self.step)
        return [*lines, f"{' ' * column}{merge}{self.behind()}"] if merge else lines

    def merged(self) -> str:
        maps = [name for name, kind in self.known.items() if kind == "map"]
        if not maps or not self.chance(0.35):
            return ""
        key = "!!merge <<" if self.chance(0.2) else "<<"
        if self.chance(0.3):
            return f"{key}: [" + ", ".join("*" + name for name in self.random.sample(maps, min(len(maps), 2))) + "]"
        return f"{key}: *{self.random.choice(maps)}"

    def block_list(self, column: int, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, self.size)):
            lines += self.above(column)
            lines += self.entry(column, f"{' ' * column}-", depth, 2, dash=True)
        return lines

    def entry(self, column: int, head: str, depth: int, step: int, *, dash: bool = False) -> list[str]:
        if self.known and self.chance(0.3):
            return [f"{head} *{self.random.choice([*self.known])}{self.behind()}"]
        name = self.random.choice(NAMES) if self.chance(0.35) else ""
        anchor = f" &{name}" if name else ""
        if name:
            self.known.pop(name, None)
        kind = self.random.random()
        if depth < 3 and kind < 0.3:
            lines = self.block_map(column + step, depth + 1)
            found = "map"
            if dash and not anchor and lines[0].lstrip()[:1] not in ("#", ""):
                lines = [f"{head} {lines[0].lstrip()}", *lines[1:]]
            else:
                lines = [head + anchor + self.behind(), *lines]
        elif depth < 3 and kind < 0.45:
            inner = self.block_list(column + (2 if dash else self.wide), depth + 1)
            lines, found = [head + anchor + self.behind(), *inner], "list"
        elif kind < 0.65:
            flow, found = self.flow(depth + 1)
            lines = [f"{head}{anchor} {flow}{self.behind()}"]
        elif kind < 0.72:
            pad, found = " " * (column + step), "scalar"
            lines = [f"{head}{anchor} {self.random.choice(['|', '|-', '>'])}{self.behind()}", f"{pad}one", f"{pad}#two"]
        elif kind < 0.76:
            pad, found = " " * (column + step), "list"
            lines = [f"{head}{anchor} [", f"{pad}one,{self.behind()}", f"{pad}two", " " * column + " ]" + self.behind()]
        else:
            lines, found = [f"{head}{anchor} {self.random.choice(SCALARS)}{self.behind()}"], "scalar"
        if name:
            self.known[name] = found
        return lines

    def flow(self, depth: int) -> tuple[str, str]:
        if self.chance(0.5):
            parts = [self.flow_value(depth) for _ in range(self.random.randint(0, 3))]
            return "[" + ", ".join(parts) + "]", "list"
        merge = self.merged() if self.chance(0.3) else ""
        keys = self.random.sample(KEYS, self.random.randint(1, 3))
        parts = [merge] * bool(merge) + [f"{key}: {self.flow_value(depth)}" for key in keys]
        pad = self.random.choice(["", "", " "])
        return "{" + pad + ", ".join(parts) + pad + "}", "map"

    def flow_value(self, depth: int) -> str:
        if self.known and self.chance(0.25):
            return f"*{self.random.choice([*self.known])}"
        name = self.random.choice(NAMES) if self.chance(0.2) else ""
        if name:
            self.known.pop(name, None)
        text, kind = self.flow(depth + 1) if depth < 3 and self.chance(0.3) else (self.random.choice(SCALARS), "scalar")
        if name:
            self.known[name] = kind
        return f"&{name} {text}" if name else text


def edit_of(random: Random, text: str, data: Any) -> tuple[Any, ...]:
    """A random edit, mostly of a place that shares its text."""
    every = [path for path in paths(data) if path]
    shared = [path for path in every if is_shared(text, path)]
    path = random.choice(shared if shared and random.random() < 0.8 else every)
    here, parent = at(data, path), at(data, path[:-1])
    if isinstance(here, dict) and random.random() < 0.4:
        return ("put", (*path, random.choice(KEYS)), random.choice(NEW), None)
    if isinstance(here, list) and random.random() < 0.5:
        return ("put", (*path, len(here)), random.choice(NEW), None)
    if isinstance(parent, list) and len(parent) > 1 and random.random() < 0.2:
        return ("move", path, random.randrange(len(parent)))
    return ("remove", path) if random.random() < 0.3 else ("put", path, random.choice(NEW), None)


def is_shared(text: str, path: tuple[Any, ...]) -> bool:
    """Whether a path leads through an alias or merge key, or an anchor that an alias names, or ends above one."""
    root = decode.parse(text)
    used = {id(node.target) for node in walk(root) if node.kind == "alias"}
    node: Any = root
    for part in path:
        found = decode.find(node, (part,))
        if found is None or found.kind == "alias":
            return True
        node = found
        if id(node) in used:
            return True
    return any(id(below) in used for below in walk(node))


# Which lines one edit concerns, by the parser's marks alone.


class Concerned:
    """Lines of a text that an edit may change, and gaps (before a line, from 0) where it may insert lines."""

    def __init__(self, text: str, edit: tuple[Any, ...]) -> None:
        self.text, self.lines = text, text.split("\n")
        self.root = decode.parse(text)
        self.own: set[int] = set()
        self.gaps: set[int] = set()
        self._walk(edit)

    def _walk(self, edit: tuple[Any, ...]) -> None:
        verb, path = edit[0], edit[1]
        node: Any = self.root
        for depth, part in enumerate(path):
            if node.kind == "alias":
                return
            if node.flow:
                self._cover(node)
            index = self._index(node, part)
            if index is None:
                self._merges(node)
                self._end(node)
                if verb == "remove" and len(node.items) == 1:
                    self._header(node)
                return
            child = node.items[index]
            first, last = self._entry(node, index)
            if child.kind == "alias":
                self._mark(first, last)
            elif child.anchor:
                self.own.add(first)
                self._users(child)
            if depth == len(path) - 1:
                self._mark(first, last)
                self._last(verb, node, index)
            node = child
        if node.kind in ("map", "list"):
            self._end(node)

    def _last(self, verb: str, node: Any, index: int) -> None:
        """Cover what an edit of an entry concerns besides the entry itself."""
        self._anchors_below(node.items[index])
        if verb == "remove" and len(node.items) == 1:
            self._header(node)
        elif verb == "remove" and index == 0:  # the next one may come onto the line of a dash
            self._mark(self._entry(node, 0)[0], self._entry(node, 1)[0])
        if verb == "remove" and node.kind == "map":
            self._merges(node)
        if verb in ("move", "insert") or node.kind == "list":
            self._mark(self._entry(node, 0)[0], self._entry(node, len(node.items) - 1)[1])
            self._anchors_below(node)

    def _anchors_below(self, node: Any) -> None:
        for below in walk(node):
            if below.anchor and below.kind != "alias":
                self._users(below)

    def _index(self, node: Any, part: Any) -> int | None:
        if node.kind == "list":
            return part if isinstance(part, int) and part < len(node.items) else None
        keys = [decode.key_text(key) for key in node.keys] if node.kind == "map" else []
        return keys.index(part) if part in keys else None

    def _users(self, target: Any) -> None:
        """The lines of the aliases of an anchor, and those of merge keys that hold one."""
        for holder in walk(self.root):
            if holder.kind in ("map", "list"):
                for index, item in enumerate(holder.items):
                    key = [holder.keys[index]] if holder.kind == "map" else []
                    if any(
                        below.kind == "alias" and below.target is target
                        for below in [*key, *([item] if item.kind != "list" else walk(item))]
                    ):
                        self._mark(*self._entry(holder, index))
                        if holder.flow:
                            self._cover(holder)

    def _merges(self, node: Any) -> None:
        for index, key in enumerate(node.keys if node.kind == "map" else ()):
            if decode.is_merge(key):
                first, last = self._entry(node, index)
                if not index and node.keys[1:]:  # the next one may come onto the line of a dash
                    last = max(last, self._entry(node, 1)[0])
                self._mark(first, last)
                self._anchors_below(node.items[index])

    def _mark(self, first: int, last: int) -> None:
        while first > 0 and self.lines[first - 1].lstrip()[:1] == "#":
            first -= 1
        self.own.update(range(first, last + 1))
        self.gaps |= {first, last + 1}

    def _entry(self, node: Any, index: int) -> tuple[int, int]:
        """First and last line of an entry, with the deeper comments below it."""
        item = node.items[index]
        first = node.keys[index].line if node.kind == "map" else item.line
        column = node.keys[index].column if node.kind == "map" else self._dashes(node)
        while node.kind == "list" and not node.flow and self.lines[first][column : column + 1] != "-":
            first -= 1
        end = max((self._end_of(below) for below in walk(item)), default=first)
        last = max(first, end)
        at = last + 1
        while at < len(self.lines) and (not self.lines[at].strip() or self.lines[at].lstrip()[:1] == "#"):
            if self.lines[at].strip() and len(self.lines[at]) - len(self.lines[at].lstrip()) > column:
                last = at
            at += 1
        return first, last

    def _dashes(self, node: Any) -> int:
        """The column of a list's dashes: the list's, or below its anchor or tag that of the first line that begins with a dash."""
        line = node.line
        if node.flow or self.text[node.start] not in "&!":
            return int(node.column)
        while self.lines[line].lstrip()[:1] != "-" or line == node.line:
            line += 1
        return len(self.lines[line]) - len(self.lines[line].lstrip())

    def _end_of(self, node: Any) -> int:
        if node.kind == "scalar" and node.style in ("|", ">"):
            line = self.text.count("\n", 0, max(node.end - 1, 0))
            while not self.lines[line].strip():
                line -= 1
            return line
        return self.text.count("\n", 0, node.end) if node.kind in ("scalar", "alias") or node.flow else node.line

    def _cover(self, node: Any) -> None:
        self._mark(node.line, self._end_of(node))

    def _header(self, node: Any) -> None:
        for holder in walk(self.root):
            if holder.kind in ("map", "list"):
                for index, item in enumerate(holder.items):
                    if item is node:
                        self._mark(*self._entry(holder, index))

    def _end(self, node: Any) -> None:
        if node.kind in ("map", "list") and node.items:
            last = self._entry(node, len(node.items) - 1)[1] + 1
            self.gaps.add(last)
            while last < len(self.lines) and self.lines[last].lstrip()[:1] in ("", "#"):
                last += 1
                self.gaps.add(last)
        if not node.items if node.kind in ("map", "list") else True:
            self._header(node)
            self._cover(node)


def stray(text: str, edit: tuple[Any, ...], result: str) -> str:
    """The first line that an edit has changed though it does not concern it; "" if there is none."""
    concerned = Concerned(text, edit)
    before, after = text.split("\n"), result.split("\n")
    runs: list[list[str]] = [[]]
    for number, line in enumerate(before):
        if number in concerned.own or (number in concerned.gaps and runs[-1]):
            runs.append([])
        if number not in concerned.own:
            runs[-1].append(line)
    starts_free = 0 in concerned.own or 0 in concerned.gaps
    place = 0
    for number, run in enumerate(runs):
        if not run:
            continue
        is_first, is_last = number == 0 and not starts_free, run is runs[-1]
        spots = [len(after) - len(run)] if is_last else [0] if is_first else range(place, len(after) - len(run) + 1)
        spot = next((spot for spot in spots if spot >= place and after[spot : spot + len(run)] == run), None)
        if spot is None:
            return next((line for line in run if line not in after), "\n".join(run)) or "(a blank line)"
        place = spot + len(run)
    return ""


def check(text: str, edit: tuple[Any, ...]) -> str:
    """Make one edit. "" or what is wrong; "refused: ..." or "reprinted: ..." where the editor says so."""
    editor = Editor(text)
    meant = applied(editor.data, edit)
    try:
        changed = make(editor, edit)
        result = editor.text()
    except EditError as error:
        return f"refused: {error.message}" if NO_PLACE in error.message else f"wrongly refused: {error.message}"
    if not changed:
        return "" if result == text else "no edit, and the text changed"
    if problem := stray(text, edit, result):
        return f"{'reprinted' if editor.notes else 'stray'}: {problem}\n{result}"
    read = decode.to_data(decode.parse(result))
    if typed(read) != typed(meant):
        return f"reads otherwise:\n{result}"
    again = Editor(result)
    if edit[0] == "put" and isinstance(edit[1][-1], str) and (make(again, edit) or again.text() != result):
        return f"a second edit changes it:\n{result}"
    lost = comments(text) - comments(result)
    if lost and edit[0] == "put" and not isinstance(get(decode.to_data(decode.parse(text)), edit[1], None), dict | list):
        return f"lost the comment {next(iter(lost))}\n{result}"
    return go_reads_otherwise(text, edit, result)


def go_reads_otherwise(text: str, edit: tuple[Any, ...], result: str) -> str:
    """What is wrong for a program that uses sigs.k8s.io/yaml, with whole numbers and with floats, if it read the text as we do."""
    if has_beaten_key(text):
        return ""
    for floats in (False, True):
        wanted = applied(goyaml.read(text, floats=floats).data, edit)
        try:
            found = goyaml.read(result, floats=floats).data
        except InputError as error:
            return f"Go refuses: {error.message}\n{result}"
        if found != wanted:
            return f"Go reads otherwise: {found}\nmeant {wanted}\n{result}"
    return ""


def has_beaten_key(text: str) -> bool:
    """Whether a map has a key above a `<<` that has it, too: Go's reader takes the one of `<<`, others the map's own."""
    for node in walk(decode.parse(text)):
        names: set[str] = set()
        for key, item in zip(node.keys, node.items, strict=True) if node.kind == "map" else ():
            for source in (item.items if item.kind == "list" else [item]) if decode.is_merge(key) else ():
                merged: Any = decode.to_data(source)
                if names & {*merged}:
                    return True
            names.add(decode.key_text(key))
    return False


def comments(text: str) -> Counter[str]:
    return Counter(line[line.index("# ") :] for line in text.splitlines() if "# " in line)


def document(random: Random) -> str:
    """A document with an alias that can be read."""
    while True:
        text = Writer(random).document()
        try:
            decode.to_data(decode.parse(text))
            read_11(text)
        except (InputError, ValueError, TypeError, pyyaml.YAMLError):
            continue
        if "*" in text.replace("it is &not *an anchor", ""):
            return text


def one(name: str) -> tuple[str, tuple[Any, ...], str]:
    """Return the document and the edit of a seed, and what is wrong."""
    random = Random(name)
    text = document(random)
    edit = edit_of(random, text, data_edits.copy(decode.to_data(decode.parse(text))))
    return text, edit, check(text, edit)


def main() -> int:
    """Edit random documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    refused = 0
    for number in range(options.count):
        text, edit, problem = one(f"{options.seed}/{number}")
        if problem.startswith(REFUSED):
            refused += 1
        elif problem:
            print(f"document {number} of seed {options.seed}: {edit}\n{text}\n{problem}", file=sys.stderr)
            return 1
    print(f"{options.count} documents edited, {refused} refused because a comment has no place, 0 wrong")
    return 0


if __name__ == "__main__":
    sys.exit(main())
