"""A package over time: layers are edited, outputs are edited by hand, files are checked out, renders are killed, resources go.

The input is a program: a byte that chooses an example, then steps of four bytes. `authored` is what people wrote, `tree` what stands
there. After each render: a second one changes nothing; all is as a fresh render of what people wrote makes it; no edit by hand is gone
without its file being named.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from krm_values._cli import render
from krm_values._data.errors import EditError, InputError
from krm_values._krm import documents
from krm_values._yaml.edit.editor import Editor
from tests.crash_consistency import points
from tests.crash_consistency.trees import Tree, held, is_staged, lay
from tests.fuzz import corpus
from tests.fuzz.edits import at, paths
from tests.fuzz.target import Target, require
from tests.fuzz.targets import folders
from tests.fuzz.targets.streams import commanded
from tests.kit.reference import typed

EXAMPLES = sorted(path.parent for path in corpus.EXAMPLES.glob("*/*/Kptfile"))
COUNTS_AS_AUTHORED = ("tekton-params", "envgene-sd", "pipelines")
"""Where the format itself makes what was written count as authored: what is there after a change is not what a fresh render gives."""
VALUES: dict[type, list[Any]] = {str: ["x", "7", "web", "", "two\nlines\n", "a: b\n"], int: [0, 7, 1.5], bool: [True, False]}
GENERATED = "krm-values.dev/generated-by"
IDENTITY = (("apiVersion",), ("kind",), ("metadata", "name"), ("metadata", "namespace"))
_STEP = 4
_KILLED = -9


def seeds() -> list[bytes]:
    """Steps at random: the verbs are the first byte of each, so every mutant is a program too."""
    random = Random(1)
    return [
        bytes([number % len(EXAMPLES)]) + random.randbytes(_STEP * random.randint(1, 8)) for number in range(40 * len(EXAMPLES))
    ]


class History:
    """One package and what has happened to it.

    unclear: files in which an edit by hand became part of what people wrote. good: what people wrote and what stood there when it last
    rendered.
    """

    def __init__(self, case: Path, example: Path) -> None:
        self.folder, self.fresh = case / "tree", case / "fresh"
        self.is_lawful = example.parent.name not in COUNTS_AS_AUTHORED
        self.authored = {name: content for name, content in held(example).items() if not name.startswith(".expected/")}
        lay(self.folder, self.authored)
        self.hands: list[tuple[str, Any, Any, Any]] = []
        self.unclear: set[str] = set()
        self.killed = False
        self.good = dict(self.authored), self.tree, set(self.unclear)

    @property
    def tree(self) -> Tree:
        return held(self.folder)

    def write(self, name: str, content: bytes | None) -> None:
        path = self.folder / name
        if content is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def edit(self, a: int, b: int, c: int) -> None:
        """Change a scalar of what people wrote, where it stands as they wrote it."""
        name = _picked([name for name in sorted(self.authored) if name.endswith(".yaml") and name in self.tree], a)
        place = _picked([*_places(self.authored[name])], b * 256 + c)
        if place is None:
            return
        key, path, value = place
        new = _like(value, a + b + c)
        there = _value(self.tree[name], key, path)
        both = [_edited(files[name], key, path, new) for files in (self.authored, self.tree)]
        if typed(there) == typed(value) and None not in both:
            self.authored[name] = both[0] or b""
            self.write(name, both[1])
            if path in IDENTITY:  # what was edited by hand is in another resource now
                self.hands = [hand for hand in self.hands if hand[:2] != (name, key)]

    def remove(self, a: int, b: int, _: int) -> None:
        """Take out a resource that people wrote."""
        name = _picked([name for name in sorted(self.authored) if name.endswith(".yaml") and name in self.tree], a)
        key = _picked([key for key, _, _ in _resources(self.authored[name]) if not key[0].startswith("krm-values.dev/")], b)
        both = [_without(files[name], key) for files in (self.authored, self.tree)] if key else [None]
        if None not in both:
            self.authored[name] = both[0] or b""
            self.write(name, both[1])
            self.hands = [hand for hand in self.hands if hand[0] != name]

    def by_hand(self, a: int, b: int, c: int) -> None:
        """Change a scalar that a render wrote."""
        tree = self.tree
        name = _picked([name for name in sorted(tree) if name.endswith(".yaml") and tree[name] != self.authored.get(name)], a)
        written = (
            [
                place
                for place in _places(tree[name])
                if name not in self.authored or typed(_value(self.authored[name], *place[:2])) != typed(place[2])
            ]
            if name
            else []
        )
        place = _picked([place for place in written if place[1][:1] != ("metadata",)], b * 256 + c)
        if not name or place is None or (new := _edited(tree[name], place[0], place[1], "by hand")) is None:
            return
        self.write(name, new)
        self.hands.append((name, place[0], place[1], "by hand"))
        if not _is_generated(tree[name], place[0]):
            self.unclear.add(name)

    def check_out(self, a: int, _b: int, _c: int) -> None:
        """Put a file back as people wrote it; one that they did not write goes."""
        name = _picked(sorted(self.tree), a)
        self.write(name, self.authored.get(name))
        self.unclear.discard(name)
        self.hands = [hand for hand in self.hands if hand[0] != name]

    def kill(self, a: int, b: int, _: int) -> None:
        """Render, and be killed at one of the calls that write."""
        arm = lambda: points.watched(render, "write", points.kill_at((a * 256 + b) % 90))  # noqa: E731
        self.killed |= points.run(lambda: commanded("render", str(self.folder))[0], arm) == _KILLED
        self.hands = [
            hand for hand in self.hands if self._stands(hand, self.tree)
        ]  # of the others nobody has read what was said

    def render(self, *_operands: int) -> str:
        """Render, and see whether all holds."""
        before = self.tree
        code, _, err = commanded("render", str(self.folder))
        require(code in (0, 1), f"exit {code}")
        after = self.tree
        if code and self.killed:
            return self._again_from_the_start(err)
        self.killed = False
        if code:
            require(after == before, "an error, and a file changed")
            require("error: " in err, "exit 1 without an error")
        else:
            require(not any(map(is_staged, after)), "a staged file is left")
            require(commanded("render", str(self.folder))[0] == 0 and self.tree == after, "a second render changes something")
            self._hands_are_named(after, err)
        if self.is_lawful and not self.unclear:
            self._is_as_fresh(code, after, err)
        if code:
            self._take_back()
            return "error"
        self.good = dict(self.authored), after, set(self.unclear)
        return "rendered"

    def _take_back(self) -> None:
        """Check everything out as it was when it last rendered."""
        self.authored, tree, self.unclear = dict(self.good[0]), self.good[1], set(self.good[2])
        shutil.rmtree(self.folder)
        lay(self.folder, tree)
        self.hands = []

    def _again_from_the_start(self, err: str) -> str:
        """After a kill a file that was changed since is named; then people take all of it out again."""
        require("error: " in err, "exit 1 without an error")
        shutil.rmtree(self.folder)
        for left in self.folder.parent.parent.glob("state/krm-values/*/"):
            shutil.rmtree(left)
        lay(self.folder, self.authored)
        self.killed, self.hands, self.unclear = False, [], set()
        self.good = dict(self.authored), self.tree, set()
        return "killed"

    def _hands_are_named(self, after: Tree, err: str) -> None:
        for hand in self.hands:
            is_named = hand[0] in err or " more" in err
            require(is_named or self._stands(hand, after), f"an edit by hand in {hand[0]} is gone, and nothing is said: {err}")
        self.hands = []

    @staticmethod
    def _stands(hand: tuple[str, Any, Any, Any], tree: Tree) -> bool:
        name, key, path, value = hand
        return name in tree and typed(_value(tree[name], key, path)) == typed(value)

    def _is_as_fresh(self, code: int, after: Tree, err: str) -> None:
        lay(self.fresh, self.authored)
        fresh_code, _, fresh_err = commanded("render", str(self.fresh))
        require(code == fresh_code, f"exit {code}, a fresh render {fresh_code}: {(err if code else fresh_err)[:300]}")
        if not code:
            mine, fresh = _all(after), _all(held(self.fresh))
            require(mine == fresh, f"not as a fresh render: {sorted(map(str, mine.items() ^ fresh.items()))[:4]}")


VERBS = (
    History.edit,
    History.edit,
    History.by_hand,
    History.check_out,
    History.kill,
    History.render,
    History.render,
    History.remove,
)


def check(data: bytes) -> str:
    case = folders.fresh()
    history = History(case, EXAMPLES[(data[:1] or b"\0")[0] % len(EXAMPLES)])
    for start in range(1, min(len(data), 1 + 12 * _STEP), _STEP):
        verb, *operands = data[start : start + _STEP].ljust(_STEP, b"\0")
        VERBS[verb % len(VERBS)](history, *operands)
    outcome = history.render()
    folders.nothing_outside_changed(case)
    return outcome


def _like(value: Any, number: int) -> Any:
    """Another value, mostly of the same kind, so that most layers go on to be layers."""
    if value is None or number % 8 == 0:
        return [None, [], {}, {"k": "v"}, ["a"]][number % 5]
    return _picked(VALUES.get(type(value), VALUES[str]), number)


def _picked(found: list[Any], number: int) -> Any:
    return found[number % len(found)] if found else None


def _resources(content: bytes) -> Iterator[tuple[tuple[str, ...], int, Any]]:
    """The resources of a file: what names each, its number and its data; nothing of a file that cannot be read."""
    try:
        for item in documents.read(content, "f.yaml").items:
            yield (item.api_version, item.kind, item.namespace, item.name), item.number, item.reading.data
    except InputError:
        return


def _places(content: bytes) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """Every scalar of a file that is no name of its resource: the resource, the path, the value."""
    for key, _, data in _resources(content):
        for path in paths(data):
            if (
                path[1:2] != ("name",)
                and path[:1] not in (("kind",), ("apiVersion",))
                and not isinstance(at(data, path), dict | list)
            ):
                yield key, path, at(data, path)


def _value(content: bytes, key: tuple[str, ...], path: Any) -> Any:
    try:
        return next((at(data, path) for own, _, data in _resources(content) if own == key), None)
    except (LookupError, TypeError):
        return None


def _edited(content: bytes, key: tuple[str, ...], path: Any, value: Any) -> bytes | None:
    try:
        source = documents.read(content, "f.yaml")
        number = next(number for own, number, _ in _resources(content) if own == key)
        editor = Editor(source.text(number))
        editor.put(path, value)
        return source.write({number: editor.text()}, (), ())
    except (EditError, InputError, StopIteration):
        return None


def _without(content: bytes, key: tuple[str, ...]) -> bytes | None:
    number = next((number for own, number, _ in _resources(content) if own == key), None)
    return None if number is None else documents.read(content, "f.yaml").write({}, {number}, ())


def _is_generated(content: bytes, key: tuple[str, ...]) -> bool:
    return any(own == key and GENERATED in str(data) for own, _, data in _resources(content))


def _all(tree: Tree) -> dict[tuple[str, ...], str]:
    """Every resource of a package, as data."""
    found = {}
    for name, content in tree.items():
        if name.endswith(".yaml"):
            for key, _, data in _resources(content):
                found[key] = repr(_sorted(typed(data)))
    return found


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value


TARGET = Target("sequences", seeds, check, seconds=60)
